"""Error codes of JSON-RPC and MCP, and the HTTP status that goes with each.

Source: JSON-RPC 2.0, section 5.1; MCP 2026-07-28, basic, "Error Codes" and basic/transports.
Codes of an application must lie outside -32768 to -32000.
"""

from dataclasses import dataclass

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
HEADER_MISMATCH = -32020
MISSING_CAPABILITY = -32021
UNSUPPORTED_VERSION = -32022


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """One row of the table.

    Args:
        code: the number on the wire.
        name: what the standard calls it.
        http_status: of an HTTP answer that carries it alone.
        modern: only a server of the stateless version sends it.

    Example:
        >>> row = ERROR_CODES[UNSUPPORTED_VERSION]
        >>> row.name, row.http_status, row.modern
        ('Unsupported protocol version', 400, True)
    """

    code: int
    name: str
    http_status: int
    modern: bool = False


ERROR_CODES: dict[int, ErrorCode] = {
    row.code: row
    for row in (
        ErrorCode(PARSE_ERROR, "Parse error", 400),
        ErrorCode(INVALID_REQUEST, "Invalid request", 400),
        ErrorCode(METHOD_NOT_FOUND, "Method not found", 404),
        ErrorCode(INVALID_PARAMS, "Invalid params", 200),
        ErrorCode(INTERNAL_ERROR, "Internal error", 200),
        ErrorCode(HEADER_MISMATCH, "Header mismatch", 400, modern=True),
        ErrorCode(MISSING_CAPABILITY, "Missing required client capability", 400, modern=True),
        ErrorCode(UNSUPPORTED_VERSION, "Unsupported protocol version", 400, modern=True),
    )
}
"""The codes the standards give a meaning, by number. A missing `_meta` field is `INVALID_PARAMS`
with HTTP 400."""


def is_modern_code(code: int) -> bool:
    """Whether only a server of the stateless version sends this code.

    Example:
        >>> is_modern_code(-32022), is_modern_code(-32601)
        (True, False)
    """
    row = ERROR_CODES.get(code)
    return row is not None and row.modern
