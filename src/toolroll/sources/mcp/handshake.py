"""What the answers to `server/discover` and `initialize` mean for how a server is spoken to.

Source: MCP 2026-07-28, basic/versioning, "Backward Compatibility"; MCP 2025-11-25, basic/lifecycle.
"""

from dataclasses import dataclass, replace

from toolroll.protocol import (
    DISCOVER,
    LEGACY,
    MODERN,
    UNSUPPORTED_VERSION,
    ErrorResponse,
    Response,
    ServerWords,
    is_modern_code,
    read_discover_result,
    supported_of,
)
from toolroll.sources.mcp.failure import words_of
from toolroll.sources.mcp.session import Session
from toolroll.sources.source import SourceError

MODERN_SESSION = Session(era="modern", version=MODERN)
"""Nothing is agreed in the modern era; each request says it all."""


@dataclass(frozen=True, slots=True)
class Declined:
    """Why a server does not count as modern, in words for the host."""

    words: str


def discovered(source: str, message: Response | ErrorResponse) -> Session | Declined:
    """What the answer to `server/discover` means.

    A result that names the modern version and an error that only a modern server sends make it
    modern; everything else leaves the handshake to try.

    Raises:
        SourceError: it speaks only versions that are not known here.
    """
    if isinstance(message, Response):
        words = read_discover_result(message.result)
        if words is None:
            return Declined(f"{DISCOVER} was answered without versions")
        if MODERN in words.versions:
            return replace(MODERN_SESSION, words=words)
        return _of_versions(source, words.versions)
    supported = supported_of(message.data)
    if message.code == UNSUPPORTED_VERSION and MODERN not in supported:
        return _of_versions(source, supported)
    if is_modern_code(message.code):
        return replace(MODERN_SESSION)
    return Declined(f"{DISCOVER}: error {message.code} {words_of(message.message)}".rstrip())


def agreed(source: str, words: ServerWords | None) -> Session:
    """The session of an `initialize` that was answered.

    Raises:
        SourceError: the server chose no version that is known here.
    """
    version = words.versions[0] if words else "none"
    if version not in LEGACY:
        raise SourceError(source, "unsupported", f"the server chose version {words_of(version)!r}")
    return Session(era="legacy", version=version, words=words)


def _of_versions(source: str, versions: tuple[str, ...]) -> Declined:
    said = words_of(", ".join(versions)) or "none"
    if versions and not set(versions) & set(LEGACY):
        raise SourceError(source, "unsupported", f"the server speaks only: {said}")
    return Declined(f"the server speaks: {said}")
