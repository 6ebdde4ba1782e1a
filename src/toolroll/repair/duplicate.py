"""Whether a key stands twice in an object that a strict parser has read.

Strict parsers keep the last one and do not tell. Outside strings a JSON text has one colon for
each member; inside strings they can be counted in the value. Where the text has as many as the
value accounts for, no member was lost. Where it has not (a key twice, or a colon written as an
escape) the reader looks itself.
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
