"""Bytes of a client as JSON, within bounds."""

from collections.abc import Iterable
from typing import cast

from toolroll.content import JsonValue
from toolroll.hosts.mcp_server.rejection import Rejection, no_message, not_json
from toolroll.protocol import Malformed, parse_json


def read_json(data: bytes, depth: int) -> JsonValue | Rejection:
    """Parse bytes, at most so many arrays and objects deep; a `Rejection` says what is wrong.

    Example:
        >>> read_json(b'{"a": [1]}', 2)
        {'a': [1]}
        >>> read_json(b"[[[]]]", 2).message
        'Invalid request: nested more than 2 deep'
    """
    parsed = parse_json(data)
    if isinstance(parsed, Malformed):
        return not_json(parsed.reason)
    # Fewer brackets than levels cannot be too deep; most messages need no walk.
    if data.count(b"{") + data.count(b"[") > depth and _is_deeper(parsed, depth):
        return no_message(f"nested more than {depth} deep")
    return parsed


def _is_deeper(value: JsonValue, depth: int) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(depth):
        level = [item for each in level for item in _items(each) if isinstance(item, (dict, list))]
        if not level:
            return False
    return bool(level)


def _items(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return cast("list[JsonValue]", value)
