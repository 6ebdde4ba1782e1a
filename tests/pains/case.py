"""The reported cases as records: in our own words, and sure that no word of them goes unread."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FILE = HERE.parent / "data" / "pains" / "cases.jsonl"

CODES: Mapping[str, str] = {
    "unknown-tool": "unknown-tool",
    "malformed_arguments": "malformed-arguments",
    "truncated_arguments": "truncated-arguments",
    "AuthenticationError": "authentication",
    "CallFailedError": "result-too-large",  # the cases use it for answers that are too large only
    "OutcomeUnknown": "outcome-unknown",
    "CodeError": "code-failed",
}
"""The codes that the cases propose, and ours."""

REPAIRS: Mapping[str, str] = {"single_quotes": "python_literal"}
"""Our kinds of repair that the cases call otherwise: every habit of Python is one kind there."""


class Part(Mapping[str, Any]):
    """A part of a case that knows which of its keys were read.

    Example:
        >>> part = Part({"a": 1, "b": 2})
        >>> part["a"], part.unread
        (1, ['b'])
    """

    def __init__(self, held: Mapping[str, Any]) -> None:
        self._held = held
        self._read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self._read.add(key)
        return self._held[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    @property
    def unread(self) -> list[str]:
        """The keys nobody asked for."""
        return [key for key in self._held if key not in self._read]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One reported case.

    Args:
        id: names it.
        op: what is done with `given`.
        given: the input.
        wanted: the expectation, with our codes and our decisions in it.
    """

    id: str
    op: str
    given: Part
    wanted: Part

    def ways(self) -> list[Mapping[str, Any]]:
        """The expectations of which one must hold."""
        return list(self.wanted.get("any_of", [self.wanted]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Where a decision of ours stands over a case.

    Args:
        reason: why.
        wanted: what holds instead, key by key of the expectation.
    """

    reason: str
    wanted: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """What of a case no test covers yet.

    Args:
        reason: why.
        module: of which the feature will be; the gap has to be closed when it is there.
        keys: of the expectation; empty for the whole case.
    """

    reason: str
    module: str
    keys: tuple[str, ...] = ()


def load_raw() -> dict[str, dict[str, Any]]:
    """Every case as it stands in the file, by id."""
    raw = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
    return {case["id"]: case for case in raw}


def load_differences() -> dict[str, Difference]:
    """The table of differences, by case."""
    table = _table("differences.toml")
    return {
        id: Difference(
            reason=row["reason"],
            wanted={key: value for key, value in row.items() if key != "reason"},
        )
        for id, row in table.items()
    }


def load_gaps() -> dict[str, Gap]:
    """The table of what is not covered yet, by case."""
    table = _table("uncovered.toml")
    return {
        id: Gap(reason=row["reason"], module=row["module"], keys=tuple(row.get("keys", ())))
        for id, row in table.items()
    }


def _table(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((HERE / name).read_text(encoding="utf-8"))


RAW = load_raw()
DIFFERENCES = load_differences()
GAPS = load_gaps()


def case_of(id: str, *, decided: bool = True) -> Case:
    """A case, made anew so that its record of what was read is blank.

    Args:
        id: of the case.
        decided: with our decisions in place of what the case says there.
    """
    raw = RAW[id]
    given = dict(raw["input"])
    wanted = _in_our_words(raw["expected"])
    gap = GAPS.get(id)
    if gap is not None:
        wanted = {key: value for key, value in wanted.items() if key not in gap.keys}
    if decided and id in DIFFERENCES:
        wanted = {**wanted, **DIFFERENCES[id].wanted}
    return Case(id=id, op=given.pop("op"), given=Part(given), wanted=Part(wanted))


def covered() -> list[str]:
    """The ids of the cases that run, whole or in part, in the order of the file."""
    return [id for id in RAW if id not in GAPS or GAPS[id].keys]


def _in_our_words(value: Any) -> Any:
    """The expectation with our codes."""
    if isinstance(value, dict):
        return {
            key: CODES[inner] if key == "code" else _in_our_words(inner)
            for key, inner in value.items()
        }
    return [_in_our_words(inner) for inner in value] if isinstance(value, list) else value
