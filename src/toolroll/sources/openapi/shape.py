"""The values that each place of a request can hold.

Styles write single values, and lists and objects of single values; how more is written OpenAPI
leaves open.

Source: OpenAPI 3.0.4, 3.1.1 and 3.2, "Style Values", "Style Examples" and "Encoding Object".
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from toolroll.content import JsonValue
from toolroll.sources.http.place import Style
from toolroll.sources.openapi.document import LeftOutError
from toolroll.sources.openapi.kind import Kind

_NO_STYLE = "which no style can write"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Shape:
    """The values a place can hold.

    Args:
        refused: kinds it cannot hold, and why.
        items: what the items of a list may be; None for anything.
        property: what a property of an object may be, by name and schema; None for anything. It
            raises `LeftOutError` for one that cannot be written at all.
        lost: why an optional property goes, and the reason of a required one speaks of the whole;
            "" where the reason is the property's own.
        empty: what an object is none of whose properties is left; "" for the reason of the first.
    """

    refused: Mapping[Kind, str] = field(default_factory=dict["Kind", str])
    items: "Shape | None" = None
    property: "PropertyShape | None" = None
    lost: str = ""
    empty: str = ""


PropertyShape: TypeAlias = Callable[[str, JsonValue], Shape | None]


def single(reason: str) -> Shape:
    """Single values and nothing else."""
    return Shape(refused={"array": reason, "object": reason})


_IN_LIST = single(f"is a list of lists or objects, {_NO_STYLE}")
_OF_OBJECTS = f"is an object of lists or objects, {_NO_STYLE}"
_IN_OBJECT = single(_OF_OBJECTS)


def _in_object(name: str, schema: JsonValue) -> Shape:
    del name, schema
    return _IN_OBJECT


def _flat(refused: Mapping[Kind, str]) -> Shape:
    return Shape(
        refused=refused,
        items=_IN_LIST,
        property=_in_object,
        lost=f"it is a list or an object within one, {_NO_STYLE}",
        empty=_OF_OBJECTS,
    )


def _delimited(style: Style) -> Shape:
    return _flat({"scalar": f"has style {style} for a single value, which is not defined"})


_NO_OBJECT = "has style deepObject for what is no object, which is not defined"
_STYLES: Mapping[Style, Shape] = {
    "simple": (flat := _flat({})),
    "label": flat,
    "matrix": flat,
    "form": flat,
    "spaceDelimited": _delimited("spaceDelimited"),
    "pipeDelimited": _delimited("pipeDelimited"),
    "deepObject": _flat({"scalar": _NO_OBJECT, "array": _NO_OBJECT}),
}


def styled(style: Style, *, explode: bool) -> Shape:
    """What a style can write.

    Raises:
        LeftOutError: nothing, because OpenAPI does not define it.
    """
    if explode and style in ("spaceDelimited", "pipeDelimited"):
        raise LeftOutError(f"has style {style} with explode, which is not defined")
    return _STYLES[style]


_FORM_ITEM = Shape(refused={"array": "is a list of lists, which no form can write"})
FORM_PROPERTY = Shape(items=_FORM_ITEM)
"""A property of a form without an encoding: an object is JSON, a list repeats its name."""


def _of_a_form(name: str, schema: JsonValue) -> Shape:
    del name, schema
    return FORM_PROPERTY


def form_shape(reason: str, of_property: PropertyShape = _of_a_form) -> Shape:
    """What a form can write: an object, each property as its encoding says.

    Args:
        reason: why nothing else can be written.
        of_property: what a property may be.
    """
    return Shape(refused={"array": reason, "scalar": reason}, property=of_property)
