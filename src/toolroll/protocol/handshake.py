"""What a server says of itself: `server/discover` in the modern era, `initialize` before it.

Source: MCP 2026-07-28, server/discover; MCP 2025-11-25, basic/lifecycle.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import as_object, list_of, object_of, text_of
from toolroll.protocol.meta import SERVER_INFO_KEY, client_capabilities
from toolroll.protocol.result import complete_result
from toolroll.protocol.version import LEGACY, features_of

DISCOVER = "server/discover"
INITIALIZE = "initialize"
INITIALIZED = "notifications/initialized"
CANCELLED = "notifications/cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Implementation:
    """A program that speaks MCP. What it says of itself is for display and logs, never proof.

    Args:
        name, version: required by the standard.
        title, description, website: for people.

    Example:
        >>> Implementation(name="notes", version="1.0", website="https://notes.example").to_json()
        {'name': 'notes', 'version': '1.0', 'websiteUrl': 'https://notes.example'}
    """

    name: str
    version: str
    title: str | None = None
    description: str | None = None
    website: str | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """The wire form; what is None is left out."""
        written: dict[str, JsonValue] = {
            "name": self.name,
            "version": self.version,
            "title": self.title,
            "description": self.description,
            "websiteUrl": self.website,
        }
        return {key: value for key, value in written.items() if value is not None}

    @staticmethod
    def from_json(raw: JsonValue) -> "Implementation":
        """Read the wire form; what is missing is "".

        Example:
            >>> Implementation.from_json({"name": "demo"}).version
            ''
        """
        said = as_object(raw) or {}
        return Implementation(
            name=text_of(said, "name") or "",
            version=text_of(said, "version") or "",
            title=text_of(said, "title"),
            description=text_of(said, "description"),
            website=text_of(said, "websiteUrl"),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerWords:
    """What a server said of itself.

    Args:
        versions: those it serves; after `initialize` the one it chose.
        capabilities: e.g. `{"tools": {"listChanged": True}}`.
        info: its name and version.
        instructions: advice for the model, not cleaned; None for none.

    Example:
        >>> words = ServerWords(
        ...     versions=("2026-07-28",),
        ...     capabilities={"tools": {}},
        ...     info=Implementation(name="notes", version="1.0"),
        ... )
        >>> write_discover_result(words)["supportedVersions"]
        ['2026-07-28']
    """

    versions: tuple[str, ...]
    capabilities: JsonObject
    info: Implementation
    instructions: str | None = None


def write_discover_result(
    words: ServerWords, *, ttl_ms: int = 0, scope: str = "private"
) -> dict[str, JsonValue]:
    """The result of `server/discover`.

    Args:
        words: what to say.
        ttl_ms: milliseconds a client may keep it.
        scope: `private`, or `public` where it is the same for every caller.

    Example:
        >>> notes = Implementation(name="notes", version="1.0")
        >>> words = ServerWords(versions=("2026-07-28",), capabilities={"tools": {}}, info=notes)
        >>> written = write_discover_result(words, ttl_ms=60_000)
        >>> written["capabilities"], written["ttlMs"], written["resultType"]
        ({'tools': {}}, 60000, 'complete')
    """
    written: dict[str, JsonValue] = {
        "supportedVersions": list(words.versions),
        "capabilities": words.capabilities,
        "ttlMs": ttl_ms,
        "cacheScope": scope,
        "_meta": {SERVER_INFO_KEY: words.info.to_json()},
    }
    if words.instructions:
        written["instructions"] = words.instructions
    return complete_result(written)


def read_discover_result(result: JsonObject) -> ServerWords | None:
    """Read the result of `server/discover`; None where it names no versions.

    Example:
        >>> read_discover_result({"supportedVersions": ["2026-07-28"]}).versions
        ('2026-07-28',)
    """
    versions = result.get("supportedVersions")
    if not isinstance(versions, list):
        return None
    meta = object_of(result, "_meta")
    return ServerWords(
        versions=texts_of(versions),
        capabilities=object_of(result, "capabilities"),
        info=Implementation.from_json(meta.get(SERVER_INFO_KEY)),
        instructions=text_of(result, "instructions"),
    )


def write_initialize_params(
    client: Implementation, *, version: str = LEGACY[0], questions: bool = False
) -> dict[str, JsonValue]:
    """The params of `initialize`.

    Args:
        client: who asks.
        version: the newest legacy version the client speaks.
        questions: the server may put forms to the user.

    Example:
        >>> write_initialize_params(Implementation(name="agent", version="2.1"))["protocolVersion"]
        '2025-11-25'
    """
    # Modes of a question are newer than questions: before 2025-11-25 there was only the form.
    capabilities = client_capabilities(questions=questions and version == LEGACY[0])
    if questions and version != LEGACY[0] and features_of(version).questions:
        capabilities["elicitation"] = {}
    return {
        "protocolVersion": version,
        "capabilities": capabilities,
        "clientInfo": client.to_json(),
    }


def write_initialize_result(words: ServerWords) -> dict[str, JsonValue]:
    """The result of `initialize`; the first of the versions is the one that was agreed.

    Example:
        >>> notes = Implementation(name="notes", version="1.0")
        >>> words = ServerWords(versions=("2025-11-25",), capabilities={"tools": {}}, info=notes)
        >>> write_initialize_result(words)["protocolVersion"]
        '2025-11-25'
    """
    written: dict[str, JsonValue] = {
        "protocolVersion": words.versions[0],
        "capabilities": words.capabilities,
        "serverInfo": words.info.to_json(),
    }
    return {**written, "instructions": words.instructions} if words.instructions else written


def read_initialize_result(result: JsonObject) -> ServerWords | None:
    """Read the result of `initialize`; None where it names no version.

    Example:
        >>> read_initialize_result({"protocolVersion": "2025-06-18"}).versions
        ('2025-06-18',)
    """
    version = text_of(result, "protocolVersion")
    if version is None:
        return None
    return ServerWords(
        versions=(version,),
        capabilities=object_of(result, "capabilities"),
        info=Implementation.from_json(result.get("serverInfo")),
        instructions=text_of(result, "instructions"),
    )


def unsupported_version_data(requested: str, supported: Sequence[str]) -> dict[str, JsonValue]:
    """The `data` of an `UNSUPPORTED_VERSION` error.

    Args:
        requested: what the other side asked for.
        supported: what this side speaks.

    Example:
        >>> unsupported_version_data("2030-01-01", ["2026-07-28"])
        {'supported': ['2026-07-28'], 'requested': '2030-01-01'}
    """
    return {"supported": list(supported), "requested": requested}


def supported_of(data: JsonValue) -> tuple[str, ...]:
    """The versions that the `data` of an `UNSUPPORTED_VERSION` error names.

    Example:
        >>> supported_of({"supported": ["2025-11-25"], "requested": "2026-07-28"})
        ('2025-11-25',)
    """
    return texts_of((as_object(data) or {}).get("supported"))


def with_server_info(result: JsonObject, info: Implementation) -> dict[str, JsonValue]:
    """A modern result with the server's name in its `_meta`.

    Args:
        result: not changed; what its own `_meta` says wins.
        info: the server.

    Example:
        >>> notes = Implementation(name="notes", version="1.0")
        >>> with_server_info({"tools": []}, notes)["_meta"]
        {'io.modelcontextprotocol/serverInfo': {'name': 'notes', 'version': '1.0'}}
    """
    return {**result, "_meta": {SERVER_INFO_KEY: info.to_json(), **object_of(result, "_meta")}}


def write_cancelled(id: str | int, reason: str = "") -> dict[str, JsonValue]:
    """The params of `notifications/cancelled`.

    Args:
        id: of the request that nobody waits for any more.
        reason: for the other side's log; "" leaves it out.

    Example:
        >>> write_cancelled(3, "timed out")
        {'requestId': 3, 'reason': 'timed out'}
    """
    return {"requestId": id, "reason": reason} if reason else {"requestId": id}


def texts_of(value: JsonValue) -> tuple[str, ...]:
    """The texts of a list; anything else is passed over."""
    return tuple(item for item in list_of(value) if isinstance(item, str))
