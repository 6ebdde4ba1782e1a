"""What the shape of a value tells about the text that a strict parser read it from.

Strict parsers do not tell of a key that stands twice in an object: they keep the last one. Outside
strings a JSON text has one colon for each member; inside strings they can be counted in the value.
Where the text has as many as the value accounts for, no member was lost. Where it has not (a key
twice, or a colon written as an escape) the reader looks itself.
"""

from toolroll.content import JsonValue


def accounts_for(value: JsonValue, colons: int) -> bool:
    r"""Tell whether a value explains this many colons in its text, so that no key stood twice.

    Example:
        >>> accounts_for({"a": "b:c"}, '{"a": "b:c"}'.count(":"))
        True
        >>> accounts_for({"a": 2}, '{"a": 1, "a": 2}'.count(":"))
        False
    """
    return _colons(value) == colons


def is_deeper(value: JsonValue, depth: int) -> bool:
    """Tell whether more than so many objects and arrays stand inside each other.

    Example:
        >>> is_deeper({"a": [1]}, 1), is_deeper({"a": [1]}, 2)
        (True, False)
    """
    if isinstance(value, dict):
        return depth < 1 or any(
            is_deeper(item, depth - 1) for item in value.values() if isinstance(item, (dict, list))
        )
    if isinstance(value, list):
        return depth < 1 or any(
            is_deeper(item, depth - 1) for item in value if isinstance(item, (dict, list))
        )
    return False


def _colons(value: JsonValue) -> int:
    if isinstance(value, str):
        return value.count(":")
    if isinstance(value, list):
        return sum(map(_colons, value))
    if not isinstance(value, dict):
        return 0
    total = len(value)
    for key, item in value.items():
        if ":" in key:
            total += key.count(":")
        if isinstance(item, str):
            total += item.count(":")
        elif isinstance(item, (dict, list)):
            total += _colons(item)
    return total
