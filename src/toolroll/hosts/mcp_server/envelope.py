"""In which era a message speaks, and whether a stateless request describes itself rightly.

Source: MCP 2026-07-28, basic/versioning, "Backward Compatibility", and
basic/transports/streamable-http, "Server Validation".
"""

from collections.abc import Mapping

from toolroll.hosts.mcp_server.rejection import (
    Rejection,
    bad_params,
    header_mismatch,
    unsupported_version,
)
from toolroll.protocol import (
    CAPABILITIES_KEY,
    METHOD_HEADER,
    NAME_HEADER,
    VERSION_HEADER,
    VERSION_KEY,
    Notification,
    Request,
    RequestMeta,
    decode_value,
    era_of,
    name_of_request,
)

MODERN_ONLY = frozenset({"server/discover", "subscriptions/listen"})
"""Methods that no legacy version has."""


def speaks_modern(message: Request | Notification, meta: RequestMeta, header: str | None) -> bool:
    """Whether a message is of the stateless era.

    Args:
        message: as it was read.
        meta: its `_meta`.
        header: `MCP-Protocol-Version` of HTTP, None where there is none.

    A version nobody knows counts as modern: its answer lists the versions there are, and a client
    of any era can act on that.

    Example:
        >>> speaks_modern(Request(id=1, method="ping"), RequestMeta(), "2025-06-18")
        False
    """
    if VERSION_KEY in meta.raw or message.method in MODERN_ONLY:
        return True
    return header is not None and era_of(header) != "legacy"


def check_envelope(
    request: Request, meta: RequestMeta, headers: Mapping[str, str] | None
) -> Rejection | None:
    """What is wrong with a stateless request before its method is looked at, or None.

    Args:
        request: as it was read.
        meta: its `_meta`.
        headers: of HTTP, names in lower case; None on a transport without headers.
    """
    if headers is not None and VERSION_KEY not in meta.raw:
        named = headers.get(VERSION_HEADER.lower())
        if named is not None and era_of(named) is None:
            return unsupported_version(named)
    if meta.missing:
        missing = [_wanted(key) for key in meta.missing]
        return bad_params(f"_meta must hold {' and '.join(missing)}", status=400)
    version = meta.version or ""
    if headers is not None:
        mismatch = _mismatch(request, version, headers)
        if mismatch is not None:
            return header_mismatch(mismatch)
    return None if era_of(version) == "modern" else unsupported_version(version)


def _wanted(key: str) -> str:
    return f"{key} ({'an object' if key == CAPABILITIES_KEY else 'a text'})"


def _mismatch(request: Request, version: str, headers: Mapping[str, str]) -> str | None:
    name = name_of_request(request.method, request.params)
    mirrored = ((VERSION_HEADER, version), (METHOD_HEADER, request.method), (NAME_HEADER, name))
    for header, wanted in mirrored:
        if wanted is None:
            continue
        sent = headers.get(header.lower())
        if sent is None:
            return f"{header} is missing"
        told = decode_value(sent) if header == NAME_HEADER else sent
        if told != wanted:
            return f"{header} is {sent!r}, the body says {wanted!r}"
    return None
