"""The assertions of a schema that a value does not meet, each asked of jsonschema-rs by itself."""

from collections.abc import Callable, Iterator
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.fault import Fault
from toolroll.schema.spot import Spot, fault_at
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

_SHARPENED = {"maximum": "exclusiveMaximum", "minimum": "exclusiveMinimum"}
"""What sharpens a bound in draft 4, where it is true."""

_SHARPENING = frozenset(_SHARPENED.values())


def unmet(assertions: JsonObject, spot: Spot, asserts: Asserts) -> Iterator[Fault]:
    """Every assertion that a value does not meet.

    Args:
        assertions: the keywords of `ASSERTIONS` that a schema has, in their order.
        spot: the value, and where the schema stands.
        asserts: asks jsonschema-rs.
    """
    if asserts(assertions, spot.value, spot.where):
        return
    for keyword, wanted in assertions.items():
        if wanted is True and keyword in _SHARPENING:
            continue  # draft 4: it only sharpens its bound, which is asked together with it
        alone: dict[str, JsonValue] = {keyword: wanted}
        sharpened = _SHARPENED.get(keyword, "")
        sharp = assertions.get(sharpened) is True
        if sharp:
            alone[sharpened] = True
        if not asserts(alone, spot.value, f"{keyword} {spot.where}"):
            word = sharpened if sharp else keyword
            yield _fault(word, wanted, spot)


def _fault(keyword: str, wanted: JsonValue, spot: Spot) -> Fault:
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
    return fault_at(spot, keyword, problem, types=types, choices=choices)
