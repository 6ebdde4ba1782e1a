"""Strict JSON of which no member can be lost."""

from toolroll.content import JsonValue
from toolroll.repair.shape import has_all_members
from toolroll.repair.strict import parse_strict


def parse_certain(text: str) -> tuple[JsonValue, str]:
    """Parse a text.

    Returns:
        The value, or None and what the strict parser says; None too where a key may stand twice.

    Example:
        >>> parse_certain('{"a": 1}')
        ({'a': 1}, '')
        >>> parse_certain('{"a": 1, "a": 2}')
        (None, '')
    """
    try:
        value = parse_strict(text, allow_inf_nan=False, cache_strings="keys")
    except (ValueError, TypeError) as fault:
        return None, fault.args[0]
    return (value if has_all_members(value, text) else None), ""
