"""Who may call what: rules, and how the strictest of them is found."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias, cast

from toolroll.outcome import DefinitionError, Note
from toolroll.tools.context import Principal
from toolroll.tools.gate import Decision
from toolroll.tools.hints import Hints

_DECISIONS = ("allow", "approve", "block")
_HINTS = ("read_only", "destructive", "idempotent", "open_world")

Specificity: TypeAlias = tuple[bool, int, bool, bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One line of a policy.

    In patterns `*` stands for any text, also none; everything else stands for itself.

    Args:
        decision: `allow`, `approve` (a person must say yes) or `block`.
        source: pattern of the source's or toolkit's name.
        tools: patterns of the tool's own name there; one must fit.
        unless: patterns of tools the rule does not speak of.
        hints: only tools with these hints, e.g. `{"read_only": True}`. What a source does not say
            counts as the dangerous value: not read-only, destructive, not idempotent, open world.
        principal: pattern of the caller's id, or `group:PATTERN`; None is everybody.

    Raises:
        DefinitionError: a decision or hint that there is not, one text where patterns belong, or
            hints that are no mapping.

    Example:
        >>> rule = Rule("allow", source="loans", tools=("list_*",), unless=("list_secrets",))
        >>> rule.speaks_of("loans", "list_books"), rule.speaks_of("loans", "list_secrets")
        (True, False)
    """

    decision: Decision
    source: str = "*"
    tools: tuple[str, ...] = ("*",)
    unless: tuple[str, ...] = ()
    hints: Mapping[str, bool] | None = None
    principal: str | None = None

    def __post_init__(self) -> None:
        if self.decision not in _DECISIONS:
            raise DefinitionError(f"{self.decision!r} is no decision; use {', '.join(_DECISIONS)}.")
        for field in ("tools", "unless"):
            given = getattr(self, field)
            if isinstance(given, str):
                raise DefinitionError(
                    f"{field} of a rule is a tuple of patterns, got the text {given!r}; "
                    f"write ({given!r},)."
                )
        hints = cast("object", self.hints)
        if not isinstance(hints, Mapping | None):
            raise DefinitionError(
                f'hints of a rule are a mapping, got {hints!r}; write e.g. {{"read_only": True}}.'
            )
        for hint in self.hints or ():
            if hint not in _HINTS:
                raise DefinitionError(f"{hint!r} is no hint; use {', '.join(_HINTS)}.")

    def speaks_of(self, source: str, tool: str, name: str = "") -> bool:
        """Whether source and name fit, whoever calls and whatever the hints say.

        A pattern may be written for the tool's own name, for `SOURCE__TOOL`, or for the name that
        the host gave it (`name`, "" where it gave none).
        """
        names = _names(source, tool, name)
        return (
            _fits(self.source, source)
            and any(_fits(pattern, name) for pattern in self.tools for name in names)
            and not any(_fits(pattern, name) for pattern in self.unless for name in names)
        )


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a tool is allowed, asked about or blocked.

    Args:
        decision: what counts; None where no rule speaks of the tool.
        rule: the rule that decided, None where none did.
        number: its place in the policy, from 1; 0 where none did.
        reason: in one sentence.

    Example:
        >>> from toolroll.tools import Hints
        >>> policy = Policy([Rule("block", tools=("*_burn",)), Rule("allow")])
        >>> explained = policy.explain("notes", "note_burn", Hints())
        >>> explained.decision, explained.number, explained.reason
        ('block', 1, 'rule 1: block */*_burn')
    """

    decision: Decision | None
    rule: Rule | None
    number: int
    reason: str


class Policy:
    """Rules, and what counts where several fit: block wins, then the most specific of approve and
    allow, then approve.

    There is no default: a tool that no rule speaks of is an error of `assemble` unless `undecided`
    says what happens to it.

    Args:
        rules: in any order.
        undecided: the decision for tools that no rule speaks of.

    Raises:
        DefinitionError: `undecided` is no decision.

    Example:
        >>> policy = Policy([Rule("approve"), Rule("allow", source="clock")])
        >>> policy.explain("clock", "now", Hints()).decision
        'allow'
    """

    __slots__ = ("rules", "undecided")

    def __init__(self, rules: Iterable[Rule], undecided: Decision | None = None) -> None:
        if undecided is not None and undecided not in _DECISIONS:
            raise DefinitionError(f"{undecided!r} is no decision; use {', '.join(_DECISIONS)}.")
        self.rules = tuple(rules)
        self.undecided: Decision | None = undecided

    @property
    def depends_on_principal(self) -> bool:
        """Whether any rule asks who calls."""
        return any(rule.principal is not None for rule in self.rules)

    def explain(
        self,
        source: str,
        tool: str,
        hints: Hints,
        *,
        trusted: bool = False,
        principal: Principal | None = None,
        name: str = "",
    ) -> Explanation:
        """What counts for one tool and caller, and which rule says so.

        Args:
            source, tool: the names where the tool lives.
            hints: what is said of it.
            trusted: the hints are believed; otherwise they only tighten.
            principal: who calls.
            name: the name the host gave the tool, "" where it gave none.
        """
        names = _names(source, tool, name)
        fitting: list[tuple[int, Rule, Specificity]] = []
        for number, rule in enumerate(self.rules, 1):
            if not rule.speaks_of(source, tool, name) or not _is_for(rule.principal, principal):
                continue
            if rule.hints is None or _hints_fit(rule, hints, trusted=trusted):
                fitting.append((number, rule, _specificity(rule, names)))
        if not fitting:
            if self.undecided is None:
                return Explanation(None, None, 0, "no rule speaks of this tool")
            return Explanation(self.undecided, None, 0, "no rule speaks of this tool: undecided")
        number, rule, _ = max(fitting, key=_weight)
        return Explanation(rule.decision, rule, number, f"rule {number}: {_in_words(rule)}")

    def unmatched(self, tools: Iterable[tuple[str, ...]]) -> list[Note]:
        """A warning for each rule that speaks of none of these (source, tool) or (source, tool,
        name) tuples.
        """
        listed = list(tools)
        return [
            Note("warning", f"rule {number}", f"matches no tool: {_in_words(rule)}")
            for number, rule in enumerate(self.rules, 1)
            if not any(rule.speaks_of(*names) for names in listed)
        ]


def _weight(candidate: tuple[int, Rule, Specificity]) -> tuple[bool, Specificity, bool]:
    _, rule, specificity = candidate
    return rule.decision == "block", specificity, rule.decision == "approve"


def _names(source: str, tool: str, name: str) -> tuple[str, ...]:
    """All names a pattern may be written for."""
    own = (tool, f"{source}__{tool}")
    return (*own, name) if name else own


def _specificity(rule: Rule, names: tuple[str, ...]) -> Specificity:
    """One source before many, then the longer tool pattern, then hints, then a caller.

    Only patterns that fit count: a rule for `*` and one other tool is no special word on the rest.
    """
    longest = max(
        (
            len(pattern.replace("*", "")) + (1000 if "*" not in pattern else 0)
            for pattern in rule.tools
            if any(_fits(pattern, name) for name in names)
        ),
        default=0,
    )
    return "*" not in rule.source, longest, rule.hints is not None, rule.principal is not None


def _hints_fit(rule: Rule, hints: Hints, *, trusted: bool) -> bool:
    """Claims that would loosen count only when they are believed."""
    worst = {"read_only": False, "destructive": True, "idempotent": False, "open_world": True}
    for name, wanted in (rule.hints or {}).items():
        said: bool | None = getattr(hints, name)
        harmless = said is not None and said is not worst[name]
        believed = worst[name] if said is None or (harmless and not trusted) else said
        if believed is not wanted:
            return False
    return True


def _is_for(pattern: str | None, principal: Principal | None) -> bool:
    if pattern is None:
        return True
    if principal is None:
        return False
    kind, _, rest = pattern.partition(":")
    if kind == "group" and rest:
        return any(_fits(rest, group) for group in principal.groups)
    return _fits(pattern, principal.id)


def _in_words(rule: Rule) -> str:
    words = f"{rule.decision} {rule.source}/{','.join(rule.tools)}"
    if rule.unless:
        words += f" unless {','.join(rule.unless)}"
    if rule.hints:
        words += " with " + ",".join(f"{name}={value}" for name, value in rule.hints.items())
    return words + (f" for {rule.principal}" if rule.principal is not None else "")


def _fits(pattern: str, text: str) -> bool:
    return pattern == "*" or _compiled(pattern).fullmatch(text) is not None


@lru_cache(maxsize=1024)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in pattern.split("*")), re.DOTALL)
