"""The rules of behaviour that the tests stand for, read from `tests/rules/*.toml`.

A rule is a line `id = "sentence"` in the file of its area. A test claims it with
`@pytest.mark.rule("id")`. A rule that no test claims and a claim of no rule both fail.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

RULES = Path(__file__).parent / "rules"

_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class RulesError(Exception):
    """A rule file cannot be used as it stands."""


def load_rules(folder: Path = RULES) -> dict[str, str]:
    """Read every rule file of a folder.

    Returns:
        The sentence of each rule by its id, in the order of files and lines.

    Raises:
        RulesError: a file is not TOML or not flat, an id is not kebab-case or stands twice, or a
            rule has no sentence.
    """
    rules: dict[str, str] = {}
    for path in sorted(folder.glob("*.toml")):
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise RulesError(f"{path.name}: not TOML: {error}") from error
        for identifier, sentence in cast("Mapping[str, object]", table).items():
            _check_rule(path.name, identifier, sentence)
            if identifier in rules:
                raise RulesError(f"{path.name}: {identifier!r} stands in another file too")
            rules[identifier] = str(sentence)
    return rules


def unknown_claims(claims: Mapping[str, Sequence[str]], rules: Mapping[str, str]) -> list[str]:
    """A line for each claimed id that stands nowhere, with the first test that claims it."""
    return [
        f"{identifier}: no file of tests/rules has it; claimed by {tests[0]}"
        for identifier, tests in sorted(claims.items())
        if identifier not in rules
    ]


def unclaimed_rules(claims: Mapping[str, Sequence[str]], rules: Mapping[str, str]) -> list[str]:
    """A line for each rule that no test claims."""
    return [
        f"{identifier}: {text}" for identifier, text in rules.items() if identifier not in claims
    ]


def _check_rule(file: str, identifier: str, sentence: object) -> None:
    if not _ID.fullmatch(identifier):
        raise RulesError(f"{file}: {identifier!r} is not kebab-case, as in 'args-blank-is-empty'")
    if not isinstance(sentence, str) or not sentence.strip():
        raise RulesError(f'{file}: {identifier!r} needs a sentence: {identifier} = "..."')
