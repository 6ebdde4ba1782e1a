"""Types of nothing but built-in ones: they can share a schema, and need no second form as JSON."""

import types
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import Field
from pydantic.fields import FieldInfo

_SCALARS = frozenset({str, int, float, bool, type(None), None})
_LITERALS = (str, int, bool, type(None))
_NUMBERS = frozenset({int, float})
_FIELD = cast("FieldInfo", Field(ge=0, gt=0, le=0, lt=0, multiple_of=1, min_length=0, max_length=0))
_BOUNDS = frozenset(type(bound) for bound in cast("list[object]", _FIELD.metadata))
_DEEPEST = 4
_PLAIN_KINDS = frozenset({"str", "int", "bool", "none"})
_HOLDERS = {"list": "items_schema", "nullable": "schema", "default": "schema"}


def basic_key(annotation: object, depth: int = _DEEPEST) -> str | None:
    """A key that is the same for equal annotations, order of unions included; None for others.

    Example:
        >>> basic_key(list[str]), basic_key(int | str) == basic_key(str | int), basic_key(dict)
        ('list[str]', False, None)
    """
    if annotation.__class__ is type:
        return annotation.__name__ if annotation in _SCALARS else None  # type: ignore[attr-defined]
    return repr(annotation) if _is_basic(annotation, depth) else None


def _is_basic(annotation: object, depth: int) -> bool:
    if annotation.__class__ is type or annotation is None:
        return annotation in _SCALARS
    if depth == 0:
        return False
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _is_basic(arguments[0], depth) and all(map(_is_bound, arguments[1:]))
    if origin is Literal:
        return all(type(value) in _LITERALS for value in arguments)
    if origin in (list, Union, types.UnionType) or (origin is dict and arguments[0] is str):
        return all(_is_basic(item, depth - 1) for item in arguments)
    return False


def _is_bound(extra: Any) -> bool:
    """Whether it is a bound of numbers or lengths, which its `repr` tells whole."""
    return type(extra) in _BOUNDS and all(
        type(getattr(extra, name)) in _NUMBERS for name in extra.__slots__
    )


def stays_plain(core: Any, depth: int = _DEEPEST) -> bool:
    """Whether what a type makes of JSON is that same JSON: no objects, no floats (NaN is none).

    Args:
        core: pydantic's core schema of it.
        depth: how deep to look.

    Example:
        >>> stays_plain({"type": "list", "items_schema": {"type": "str"}})
        True
        >>> stays_plain({"type": "date"})
        False
    """
    kind = core["type"]
    if kind in _PLAIN_KINDS:
        return True
    if kind == "literal":
        return all(type(value) in _LITERALS for value in core["expected"])
    holder = _HOLDERS.get(kind)
    if holder is None or depth == 0 or "default_factory" in core:
        return False
    below = core.get(holder)
    return isinstance(below, Mapping) and stays_plain(below, depth - 1)


def encodable_only(core: Any) -> Any:
    """The same schema of a type that stays plain, for values that are no text of JSON.

    A Python text may hold half of a surrogate pair, and pydantic looks into a text only where it
    has a bound to check.

    Example:
        >>> encodable_only({"type": "list", "items_schema": {"type": "str"}})
        {'type': 'list', 'items_schema': {'type': 'str', 'min_length': 0}}
    """
    kind = core["type"]
    if kind == "str":
        return core if "min_length" in core else {**core, "min_length": 0}
    holder = _HOLDERS.get(kind)
    return core if holder is None else {**core, holder: encodable_only(core[holder])}
