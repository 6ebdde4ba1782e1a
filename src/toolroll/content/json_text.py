"""JSON values as text."""

import json

from toolroll.content.json_value import JsonValue


def compact_json(value: JsonValue) -> str:
    """Write a JSON value without spaces, other characters than ASCII as they are.

    Raises:
        TypeError, ValueError: the value is no JSON (a set, NaN, ...).

    Example:
        >>> compact_json({"a": [1, "é"]})
        '{"a":[1,"é"]}'
    """
    return _write(value)


# Made once: `json.dumps` makes an encoder for every value it writes in another form than its own.
_write = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode

_LONGEST_INTEGER = 10_000


def canonical_json(value: JsonValue) -> str:
    """Write a JSON value so that equal values give equal text: keys sorted, compact, ASCII only.

    Used for digests. Numbers are written as Python writes them, with `5.0` as `5`.

    Example:
        >>> canonical_json({"b": 1, "a": [1, 2]})
        '{"a":[1,2],"b":1}'
    """
    return json.dumps(
        _plain(value), ensure_ascii=True, separators=(",", ":"), sort_keys=True, allow_nan=False
    )


def _plain(value: JsonValue) -> JsonValue:
    if isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER:
        return hex(value)  # Python writes no decimal text of such a number
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
