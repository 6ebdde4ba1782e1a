"""Damaged arguments and a judge of readings, for `bench.repair`; measures nothing itself.

Each text is made from arguments that are known, so that what was meant is known too. One half are
texts cut at any character, the other half texts damaged in one of the ways of `WAYS`.
"""

import json
import random
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

Json: TypeAlias = object
Case: TypeAlias = tuple[str, str, dict[str, Json], object]
"""Kind, text, what was meant, and where it was cut."""

CUT = "cut"

BASES: list[dict[str, Json]] = [
    {"path": "notes/plan.md", "text": 'First line\n\n* "quoted", {braced}\n', "append": True},
    {"city": "Zürich", "days": 5, "units": "metric", "hourly": False, "language": None},
    {"to": ["kim@example.com", "lee@example.com"], "subject": "Lunch?", "body": "It's at 12:30."},
    {"where": {"all": [{"field": "total", "above": 99.5}, {"field": "state", "in": ["new"]}]}},
    {"command": 'find . -name "*.py" | xargs wc -l', "timeout": 30, "env": {"LANG": "C"}},
    {"url": "https://example.com/a?b=c&d=1", "method": "GET", "headers": {}, "retries": 2},
    {"rows": [[1, 2.5, -3], [4, 5e3, 6]], "header": ["x", "y", "z"], "sheet": "Q3 € totals"},
    {"old": "return a + b", "new": "return f'{a}{b}'", "file": "src/sum.py", "count": 1},
]


def _compact(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _python_words(text: str) -> str:
    return (
        text.replace(": true", ": True").replace(": false", ": False").replace(": null", ": None")
    )


WAYS: dict[str, Callable[[Json], str]] = {
    "empty object before": lambda v: "{}" + _compact(v),
    "empty object behind": lambda v: _compact(v) + "{}",
    "the same twice": lambda v: _compact(v) * 2,
    "code fence": lambda v: f"```json\n{_pretty(v)}\n```",
    "code fence without a name": lambda v: f"```\n{_compact(v)}\n```",
    "sentences around": lambda v: f"I will call it with:\n{_compact(v)}\nIs that right?",
    "tags around": lambda v: f"<arguments>\n{_compact(v)}\n</arguments>",
    "Python dict": repr,
    "Python literals": lambda v: _python_words(_compact(v)),
    "comma before the last brace": lambda v: _compact(v)[:-1] + ",}",
    "comma missing": lambda v: re.sub(r', (?="[a-z]+":)', " ", _compact(v), count=1),
    "last brace missing": lambda v: _compact(v)[:-1],
    "a brace too many": lambda v: _compact(v) + "}",
    "keys without quotes": lambda v: re.sub(r'([{,]\s*)"([a-z]+)":', r"\1\2:", _compact(v)),
    "typographic quotes around keys": lambda v: re.sub(
        r'"([a-z]+)":', "\u201c\\1\u201d:", _compact(v)
    ),
    "block comment": lambda v: _compact(v).replace("{", "{ /* see above */ ", 1),
    "line comment": lambda v: _pretty(v).replace("{\n", "{ // see above\n", 1),
    "line feeds in strings": lambda v: _compact(v).replace("\\n", "\n"),
    "escaped apostrophes": lambda v: _compact(v).replace("'", "\\'"),
    "quotes in strings not escaped": lambda v: _compact(v).replace('\\"', '"'),
    "byte order mark": lambda v: f"\ufeff {_compact(v)}\n",
    "null character at the end": lambda v: _compact(v) + "\x00",
    "encoded twice": lambda v: _compact(_compact(v)),
    "valid JSON: in an object more": lambda v: _compact({"arguments": v}),
    "valid JSON: escapes escaped": lambda v: json.dumps(v).replace("\\u", "\\\\u"),
}
"""By name, how a text is damaged. A way that changes nothing in a text is left out for it."""


def corpus(total: int = 2_000, seed: int = 11) -> list[Case]:
    """The cases, the same each time: one half cut, the other damaged in turns."""
    cuts: list[Case] = [
        (CUT, text[:at], base, at)
        for base in BASES
        for text in [_compact(base)]
        for at in range(1, len(text))
    ]
    random.Random(seed).shuffle(cuts)
    whole: list[Case] = [
        (way, damaged, base, None)
        for base in BASES
        for way, damage in WAYS.items()
        if (damaged := damage(base)) not in (_compact(base), json.dumps(base))
    ]
    half = total // 2
    return [
        *(cuts[number % len(cuts)] for number in range(half)),
        *(whole[number % len(whole)] for number in range(total - half)),
    ]


def judge(kind: str, got: Json, want: dict[str, Json], text: str) -> str:
    """Mark one reading.

    A damaged text is read rightly when the value is the one that was meant. A cut one when nothing
    is in it that was not meant, every member that was whole is there, and no number is half.

    Returns:
        `right`, `wrong`, or `failed` where there is no object.
    """
    if not isinstance(got, dict):
        return "failed"
    if kind != CUT:
        return "right" if _same(got, want) else "wrong"
    right = _begins(got, want) and all(
        key in got and _same(got[key], want[key]) for key in _whole_keys(text, want)
    )
    return "right" if right else "wrong"


def schema_of(value: Any) -> dict[str, Any]:
    """A closed schema that takes a value and little else."""
    if isinstance(value, dict):
        return {
            "type": "object",
            "properties": {str(key): schema_of(item) for key, item in value.items()},
            "required": list(value),
            "additionalProperties": False,
        }
    if isinstance(value, list):
        items = {"anyOf": [schema_of(item) for item in value]} if value else {}
        return {"type": "array", "items": items}
    if value is None:
        return {"type": ["string", "null"]}
    names = {"bool": "boolean", "int": "integer", "float": "number", "str": "string"}
    return {"type": names[type(value).__name__]}


def _same(one: Json, other: Json) -> bool:
    return one == other and type(one) is type(other)


def _begins(part: Json, whole: Json) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(key in whole and _begins(item, whole[key]) for key, item in part.items())
    if isinstance(part, list) and isinstance(whole, list):
        return len(part) <= len(whole) and all(map(_begins, part, whole))
    if isinstance(part, str) and isinstance(whole, str):
        return whole.startswith(part)
    return _same(part, whole)


def _whole_keys(text: str, want: dict[str, Json]) -> Iterator[str]:
    """The members that ended before the cut; a number or a word only if something follows it."""
    end = 1
    for key, value in want.items():
        end += len(f"{_compact(key)}: {_compact(value)}")
        if len(text) < end + (not isinstance(value, (str, dict, list))):
            return
        yield key
        end += len(", ")
