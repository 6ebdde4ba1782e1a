"""One mark of an object lost, doubled, blanked or put in: never a wrong value in silence."""

import ast
import json

import pytest

from toolroll.repair import read_arguments

OBJECTS: list[dict[str, object]] = [
    {"query": "a, b: c", "limit": 20, "tags": ["x", "2026"], "sort": {"by": "date", "down": True}},
    {"path": "a.py", "old": 'print("x", {y})\n', "new": "it's: [1]", "n": None, "last": "}"},
    {
        "edits": [{"old": 'a "b": c', "new": "{y}, [z]"}, {"old": "", "new": "'q'"}],
        "o": {"p": {"q": -1.5}},
    },
]
TEXTS = [
    pytest.param(value, write(value), id=f"{number} {name}")
    for number, value in enumerate(OBJECTS)
    for name, write in (
        ("json", json.dumps),
        ("pretty", lambda v: json.dumps(v, indent=1)),
        ("repr", repr),
    )
]


def meant(text: str) -> list[object]:
    """What JSON and Python read, where the text is one of theirs."""
    found: list[object] = []
    for read in (json.loads, ast.literal_eval):
        try:
            found.append(read(text))
        except (ValueError, SyntaxError):
            continue
    return found


@pytest.mark.rule("args-guess-is-an-error", "args-cut-is-told")
@pytest.mark.parametrize(("value", "text"), TEXTS)
def test_one_damaged_mark_is_repaired_rightly_told_or_refused(value: object, text: str) -> None:
    marks = [place for place, character in enumerate(text) if character in "{}[]\",:'\\"]
    damaged = {
        changed
        for at in marks
        for changed in (
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + " " + text[at + 1 :],
            text[:at] + '"' + text[at:],
            text[:at] + "}" + text[at:],
            text[:at] + ", " + text[at:],
        )
    }
    wrong = [
        (changed, read.value)
        for changed in sorted(damaged)
        if (read := read_arguments(changed)).complete
        and read.value != value
        and read.value not in meant(changed)
    ]
    assert wrong == []
