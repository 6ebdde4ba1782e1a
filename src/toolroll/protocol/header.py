"""HTTP headers of MCP and the way a value travels in one.

Source: MCP 2026-07-28, basic/transports/streamable-http, "Standard Request Headers" and
"Value Encoding".
"""

import base64
import binascii
import re

from toolroll.content import JsonObject

VERSION_HEADER = "MCP-Protocol-Version"
METHOD_HEADER = "Mcp-Method"
NAME_HEADER = "Mcp-Name"
PARAM_PREFIX = "Mcp-Param-"
SESSION_HEADER = "Mcp-Session-Id"
LAST_EVENT_HEADER = "Last-Event-ID"

JSON_TYPE = "application/json"
EVENT_TYPE = "text/event-stream"
ACCEPT = f"{JSON_TYPE}, {EVENT_TYPE}"

_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_PLAIN = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")
_HEAD, _TAIL = "=?base64?", "?="


def encode_value(value: str) -> str:
    """A text as a header value: as it is where that is safe, else Base64 between two marks.

    Safe is visible ASCII with inner spaces that does not look encoded itself.

    Example:
        >>> encode_value("us-west1"), encode_value(" padded ")
        ('us-west1', '=?base64?IHBhZGRlZCA=?=')
    """
    looks_encoded = value.startswith(_HEAD) and value.endswith(_TAIL)
    if not value or (_PLAIN.fullmatch(value) and not looks_encoded):
        return value
    return f"{_HEAD}{base64.b64encode(value.encode('utf-8', 'replace')).decode()}{_TAIL}"


def decode_value(value: str) -> str | None:
    """The text of a header value; None where it claims to be encoded and is not.

    Example:
        >>> decode_value("=?base64?SGVsbG8=?="), decode_value("plain"), decode_value("=?base64?*?=")
        ('Hello', 'plain', None)
    """
    if not (value.startswith(_HEAD) and value.endswith(_TAIL)) or len(value) < len(_HEAD + _TAIL):
        return value
    try:
        return base64.b64decode(value[len(_HEAD) : -len(_TAIL)], validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def name_of_request(method: str, params: JsonObject) -> str | None:
    """What `Mcp-Name` says of a request, not encoded; None where the method has no name.

    Args:
        method: e.g. `tools/call`.
        params: of the request.

    Example:
        >>> name_of_request("tools/call", {"name": "echo"})
        'echo'
        >>> name_of_request("tools/list", {}) is None
        True
    """
    key = _NAMED.get(method)
    name = params.get(key) if key else None
    return name if isinstance(name, str) else None


def request_headers(method: str, params: JsonObject, version: str) -> tuple[tuple[str, str], ...]:
    """The headers that mirror a request of the stateless version, without `Mcp-Param-*`.

    Args:
        method: e.g. `tools/call`.
        params: of the request.
        version: of the protocol, as in the request's `_meta`.

    Example:
        >>> request_headers("tools/call", {"name": "echo"}, "2026-07-28")[2]
        ('Mcp-Name', 'echo')
    """
    headers = [(VERSION_HEADER, version), (METHOD_HEADER, encode_value(method))]
    name = name_of_request(method, params)
    if name is not None:
        headers.append((NAME_HEADER, encode_value(name)))
    return tuple(headers)
