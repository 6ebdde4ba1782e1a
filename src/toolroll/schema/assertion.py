"""The assertions of a schema that a value does not meet, each asked of jsonschema-rs by itself."""

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.fault import Fault, Parts
from toolroll.schema.walk import as_list
from toolroll.schema.wording import (
    BOUNDS,
    say_bound,
    say_choices,
    say_format,
    say_pattern,
    say_plain,
    say_types,
)

Asserts: TypeAlias = Callable[[JsonObject, JsonValue, str], bool]
"""Whether a value meets a schema that consists of assertions only. The text names the schema: it is
made ready once for each."""

ASSERTIONS = (
    "type",
    "enum",
    "const",
    *BOUNDS,
    "pattern",
    "format",
    "uniqueItems",
    "contentEncoding",
    "contentMediaType",
)
"""Keywords that look at the value itself and at no other schema, in the order they are told."""

_PAIRED = {"exclusiveMaximum": "maximum", "exclusiveMinimum": "minimum"}


def unmet(
    schema: JsonObject,
    value: JsonValue,
    parts: Parts,
    where: str,
    asserts: Asserts,
    *,
    declared: bool = False,
) -> Iterator[Fault]:
    """Every assertion that a value does not meet.

    Args:
        schema: a schema; keywords of other kinds are not looked at.
        value: the value.
        parts: its path in the input.
        where: pointer of the schema.
        asserts: asks jsonschema-rs.
        declared: it is a property that its object's schema names.
    """
    present = {keyword: schema[keyword] for keyword in ASSERTIONS if keyword in schema}
    if not present or asserts(present, value, where):
        return
    for keyword, wanted in present.items():
        if wanted is True and keyword in _PAIRED:
            continue  # draft 4: it only sharpens its bound, which is asked together with it
        alone: dict[str, JsonValue] = {keyword: wanted}
        sharpened = next((word for word, bound in _PAIRED.items() if bound == keyword), "")
        sharp = present.get(sharpened) is True
        if sharp:
            alone[sharpened] = True
        if not asserts(alone, value, f"{keyword} {where}"):
            word = sharpened if sharp else keyword
            yield _fault(word, wanted, parts, where=where, declared=declared)


def _fault(keyword: str, wanted: JsonValue, parts: Parts, *, where: str, declared: bool) -> Fault:
    types: tuple[str, ...] = ()
    choices: tuple[JsonValue, ...] = ()
    match keyword:
        case "type":
            listed = [wanted] if isinstance(wanted, str) else as_list(wanted) or []
            types = tuple(name for name in listed if isinstance(name, str))
            problem = say_types(types)
        case "enum" | "const":
            choices = tuple(as_list(wanted) or []) if keyword == "enum" else (wanted,)
            problem = say_choices(choices)
        case "pattern":
            problem = say_pattern(cast("str", wanted))
        case "format":
            problem = say_format(cast("str", wanted))
        case _ if keyword in BOUNDS:
            problem = say_bound(keyword, wanted)
        case _:
            problem = say_plain(keyword)
    return Fault(
        parts=parts,
        keyword=keyword,
        problem=problem,
        where=where,
        declared=declared,
        types=types,
        choices=choices,
    )
