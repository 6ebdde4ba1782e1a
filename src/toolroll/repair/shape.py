"""What the shape of a value tells about the text that a strict parser read it from.

Strict parsers do not tell of a key that stands twice in an object: they keep the last one. Outside
strings a JSON text has one colon for each member; inside strings they can be counted in the value.
Where the text has as many as the value accounts for, no member was lost. Where it has not (a key
twice, or a colon written as an escape) the reader looks itself.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from pydantic_core import to_json

from toolroll.content import JsonValue

# A long text with few values is mostly strings, in which counting is quick; of many values the
# serializer makes a text again in less time than it takes to go through them here.
_SHORT = 1_200
_FEW = 24


def has_all_members(value: JsonValue, text: str) -> bool:
    r"""Tell whether no member was lost between a JSON text and its value.

    Where it is false a key may stand twice, or a colon is written as an escape.

    Example:
        >>> has_all_members({"a": "b:c"}, '{"a": "b:c"}')
        True
        >>> has_all_members({"a": 2}, '{"a": 1, "a": 2}')
        False
    """
    colons = text.count(":")
    if isinstance(value, dict) and len(value) == colons:
        return True
    if len(text) > _SHORT and _left_of(value, _FEW) > 0:
        return count_colons(value) == colons
    try:
        return to_json(value).count(b":") == colons
    except ValueError:  # half a surrogate pair in a string, or very deep
        return count_colons(value) == colons


def count_colons(value: JsonValue) -> int:
    r"""Count the colons that a JSON text of a value has when no key stands twice in it.

    Example:
        >>> count_colons({"a": "b:c"}), '{"a": "b:c"}'.count(":")
        (2, 2)
        >>> count_colons({"a": 2}), '{"a": 1, "a": 2}'.count(":")
        (1, 2)
    """
    if isinstance(value, dict):
        return _in_object(value)
    if isinstance(value, list):
        return _in_array(value)
    return value.count(":") if isinstance(value, str) else 0


def count_members(value: JsonValue) -> int:
    """Count the members of all objects in a value.

    Example:
        >>> count_members({"a": 1, "b": [{"c": 2}]})
        3
    """
    if isinstance(value, dict):
        total = len(value)
        items = value.values()
    elif isinstance(value, list):
        total = 0
        items = value
    else:
        return 0
    for item in items:
        kind = item.__class__
        if kind is dict or kind is list:
            total += count_members(item)
    return total


def is_deeper(value: JsonValue, depth: int) -> bool:
    """Tell whether more than so many objects and arrays stand inside each other.

    Example:
        >>> is_deeper({"a": [1]}, 1), is_deeper({"a": [1]}, 2)
        (True, False)
    """
    if isinstance(value, dict):
        items = value.values()
    elif isinstance(value, list):
        items = value
    else:
        return False
    if depth < 1:
        return True
    for item in items:
        kind = type(item)
        if (kind is dict or kind is list) and is_deeper(item, depth - 1):
            return True
    return False


def may_end_later(value: JsonValue) -> bool:
    """Tell whether members behind an inner object could belong into it.

    Then a closing bracket too many may be the one of the inner object.

    Example:
        >>> may_end_later({"a": {"b": 1}, "c": 2}), may_end_later({"a": [{}], "b": {"c": 2}})
        (True, False)
    """
    while isinstance(value, dict) and value:
        *before, last = value.values()
        for item in before:
            if isinstance(item, dict):
                return True
        value = last
    return False


def _left_of(value: JsonValue, few: int) -> int:
    """How many of so many values are left to go on with; none where there are more of them."""
    if not isinstance(value, (dict, list)):
        return few - 1
    few -= len(value)
    for item in value.values() if isinstance(value, dict) else value:
        if few <= 0:
            break
        kind = item.__class__
        if kind is dict or kind is list:
            few = _left_of(item, few)
    return few


def _in_object(members: Mapping[str, JsonValue]) -> int:
    total = len(members) + "".join(members).count(":")
    for item in members.values():
        kind = type(item)
        if kind is str:
            total += cast("str", item).count(":")
        elif kind is dict:
            total += _in_object(cast("dict[str, JsonValue]", item))
        elif kind is list:
            total += _in_array(cast("list[JsonValue]", item))
    return total


def _in_array(items: Sequence[JsonValue]) -> int:
    total = 0
    for item in items:
        kind = type(item)
        if kind is str:
            total += cast("str", item).count(":")
        elif kind is dict:
            total += _in_object(cast("dict[str, JsonValue]", item))
        elif kind is list:
            total += _in_array(cast("list[JsonValue]", item))
    return total
