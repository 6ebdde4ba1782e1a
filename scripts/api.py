"""Write or check the public surface: the root's names for type checkers, and the snapshot.

    python -m scripts.api            say whether both are as the source has them
    python -m scripts.api --write    write both anew

The root (`src/toolroll/__init__.py`) has one table of promised names; the imports that type
checkers read are written from it. The snapshot (`tests/repository/public_api.txt`) lists every
public name with its signature, every code and the JSON form of every outcome, so that a change of
what others rest on shows in review as a changed line.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import griffe

from toolroll.content import Text, ToolResult
from toolroll.outcome import (
    CODES,
    Aborted,
    Answer,
    ApprovalRequest,
    Failed,
    InvalidInput,
    Issue,
    NeedsApproval,
    Outcome,
    Refused,
    Repair,
    TimedOut,
    Unavailable,
)

ROOT = Path(__file__).parent.parent
FACADE = ROOT / "src" / "toolroll" / "__init__.py"
SNAPSHOT = ROOT / "tests" / "repository" / "public_api.txt"

_BEGIN, _END = "# <names> written from _PLACES by scripts/api --write\n", "# </names>\n"
_BLOCK = re.compile(re.escape(_BEGIN) + ".*?" + re.escape(_END), re.DOTALL)


def facade_places(source: str) -> dict[str, tuple[str, ...]]:
    """The table `_PLACES` of the root, read without running it."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_PLACES":
            return ast.literal_eval(node.value)
    raise LookupError("the root has no table _PLACES")


def facade_text(source: str) -> str:
    """The root with the imports and `__all__` that its table asks for."""
    places = facade_places(source)
    lines = ["if TYPE_CHECKING:"]
    for place, names in sorted(places.items()):
        lines += [f"    from {place} import ("]
        lines += [f"        {name}," for name in sorted(names, key=_import_order)]
        lines += ["    )"]
    promised = sorted((name for names in places.values() for name in names), key=_import_order)
    lines += ["", "__all__ = [", *(f'    "{name}",' for name in promised), "]", ""]
    return _BLOCK.sub(lambda _: _BEGIN + "\n".join(lines) + _END, source)


def _import_order(name: str) -> tuple[bool, bool, str]:
    """Constants, classes, functions: the order ruff keeps among imports."""
    return not name.isupper(), name[0].islower(), name


def snapshot_text() -> str:
    """The whole snapshot."""
    parts = ["# Written by scripts/api --write; compared by a test.", *_root_lines()]
    for module in facades():
        parts += ["", module.path, *_facade_lines(module)]
    parts += ["", "codes", *_code_lines(), "", "outcomes as JSON", *_outcome_lines()]
    return "\n".join(parts) + "\n"


def _root_lines() -> Iterator[str]:
    yield from ("", "toolroll")
    for place, names in sorted(facade_places(FACADE.read_text(encoding="utf-8")).items()):
        for name in sorted(names):
            yield f"  {name} = {place}.{name}"


def facades() -> list[griffe.Module]:
    """Every package below the root that has an `__all__`, in the order of names."""
    package = griffe.load("toolroll", search_paths=[str(ROOT / "src")])
    return list(_packages(package))


def _packages(package: griffe.Object | griffe.Alias) -> Iterator[griffe.Module]:
    for _, module in sorted(package.modules.items()):
        if module.name.startswith("_"):
            continue
        if module.exports is not None and module.is_init_module:
            yield module
        yield from _packages(module)


def _facade_lines(module: griffe.Module) -> Iterator[str]:
    for export in sorted(str(name) for name in module.exports or ()):
        member = module.members.get(export)
        if member is None:
            yield f"  {export}: not found"
            continue
        target = member.final_target if isinstance(member, griffe.Alias) else member
        yield from _object_lines(export, target, "  ")


def _object_lines(name: str, target: griffe.Object, indent: str) -> Iterator[str]:
    if isinstance(target, griffe.Function):
        yield f"{indent}{name}{_signature(target.parameters, target.returns)}"
    elif isinstance(target, griffe.Class):
        bases = ", ".join(str(base) for base in target.bases)
        yield f"{indent}class {name}({bases})"
        fields = _fields(target)
        for member, inner in sorted(target.members.items()):
            shown = member == "__init__" or not member.startswith("_")
            if shown and member not in fields and not isinstance(inner, griffe.Alias):
                yield from _object_lines(f".{member}", inner, indent + "  ")
    elif isinstance(target, griffe.Attribute):
        annotation = "" if target.annotation is None else f": {target.annotation}"
        yield f"{indent}{name}{annotation}{_alias_value(target)}"
    else:
        yield f"{indent}{name}: {target.kind.value}"


def _fields(target: griffe.Class) -> set[str]:
    """The names of a dataclass's fields: its signature has them already."""
    if "dataclass" not in target.labels:
        return set()
    return {parameter.name for parameter in target.parameters}


def _alias_value(target: griffe.Attribute) -> str:
    """What a type alias stands for; the values of other attributes are not promised."""
    if target.annotation is None or str(target.annotation) != "TypeAlias":
        return ""
    return " = " + re.sub(r"\s+", " ", str(target.value))


def _signature(parameters: griffe.Parameters, returns: object) -> str:
    parts: list[str] = []
    mode = None
    for parameter in parameters:
        kind = parameter.kind
        if mode is griffe.ParameterKind.positional_only and kind is not mode:
            parts.append("/")
        seen_star = {griffe.ParameterKind.keyword_only, griffe.ParameterKind.var_positional}
        if kind is griffe.ParameterKind.keyword_only and mode not in seen_star:
            parts.append("*")
        mode = kind
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(
            kind.value if kind else "", ""
        )
        annotation = "" if parameter.annotation is None else f": {parameter.annotation}"
        default = "" if parameter.default is None or stars else f" = {parameter.default}"
        parts.append(f"{stars}{parameter.name}{annotation}{default}")
    if mode is griffe.ParameterKind.positional_only:
        parts.append("/")
    arrow = "" if returns is None else f" -> {returns}"
    return re.sub(r"\s+", " ", f"({', '.join(parts)}){arrow}")


def _code_lines() -> Iterator[str]:
    for code, row in sorted(CODES.items()):
        marks = [word for word in ("retryable", "may_have_run") if getattr(row, word)]
        yield " ".join([f"  {code}", row.kind, *marks])


def _outcome_lines() -> Iterator[str]:
    for outcome in _one_of_each():
        yield f"  {json.dumps(outcome.to_json())}"


def _one_of_each() -> tuple[Outcome, ...]:
    text = ToolResult(content=(Text("hi"),))
    asked = ApprovalRequest(
        id="ask-1",
        tool="note_delete",
        source="notes",
        input={"id": 3},
        principal="ann",
        digest="00",
        fingerprint="11",
        asked=1.0,
        expires=2.0,
        effect="destructive",
    )
    repair = Repair(kind="closed-string", pointer="/text", at=12)
    issue = Issue(pointer="/id", problem="must be an integer", missing=("id",), keyword="type")
    return (
        Answer(result=text, call_id="c1", duration=0.5, repairs=(repair,)),
        InvalidInput(code="bad-arguments", message="No.", issues=(issue,)),
        Refused(code="rev-conflict", message="No.", lines=("revision\t7",)),
        NeedsApproval(code="needs-approval", message="No.", request=asked),
        Failed(code="tool-error", message="No.", result=text),
        TimedOut(code="timed-out", message="No.", limit=60.0),
        Aborted(code="aborted", message="No."),
        Unavailable(code="unavailable", message="No.", retry_after=3.0),
    )


def main(arguments: list[str]) -> int:
    """Check or write; the number is the exit code."""
    wanted = {
        FACADE: facade_text(FACADE.read_text(encoding="utf-8")),
        SNAPSHOT: snapshot_text(),
    }
    stale = [
        path
        for path, text in wanted.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if arguments == ["--write"]:
            path.write_text(wanted[path], encoding="utf-8")
        print(f"{'wrote' if arguments else 'stale:'} {path.relative_to(ROOT)}")
    return 1 if stale and not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
