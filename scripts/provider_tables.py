"""Print a table of dialects and providers as Markdown, for the pages that show it.

python -m scripts.provider_tables limits
"""

import sys
from collections.abc import Callable, Iterator

from toolroll.dialects.fault import FAULT_RULES
from toolroll.providers.limit import ANTHROPIC, GEMINI, OPENAI_CHAT, OPENAI_RESPONSES
from toolroll.repair import ID_RULES

MODES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")


def limits() -> Iterator[str]:
    """What each provider takes of names, ids and numbers of tools."""
    yield "| provider | name of a tool | tools | strict tools | id of a call | source |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for row in (OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, GEMINI):
        rule = ID_RULES[row.provider]
        name = f"`{row.name.pattern}`, at most {row.name_length}"
        strict = str(row.strict_tools or "")
        if row.strict_optionals is not None:
            strict += f"; {row.strict_optionals} optional properties in all"
        if row.strict_unions is not None:
            strict += f", {row.strict_unions} unions"
        length = f"at most {rule.limit}" if rule.limit else "any, or none"
        call = f"`{rule.allowed}`, {length}" if rule.allowed else length
        cells = (f"`{row.provider}`", name, str(row.tools or ""), strict, call, row.source)
        yield f"| {' | '.join(cells)} |"


def faults() -> Iterator[str]:
    """What a provider would refuse in a schema."""
    yield "| rule | " + " | ".join(f"`{mode}`" for mode in MODES) + " | seen in |"
    yield "| --- |" + " --- |" * (len(MODES) + 1)
    for rule in FAULT_RULES:
        holds = " | ".join("yes" if mode in rule.modes else "" for mode in MODES)
        yield f"| {rule.says} | {holds} | {rule.source} |"


TABLES: dict[str, Callable[[], Iterator[str]]] = {"limits": limits, "faults": faults}


def main(arguments: list[str]) -> int:
    """Print the table of that name; the number is the exit code."""
    if len(arguments) != 1 or arguments[0] not in TABLES:
        print(f"provider_tables: name one of: {', '.join(TABLES)}", file=sys.stderr)
        return 2
    print("\n".join(TABLES[arguments[0]]()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
