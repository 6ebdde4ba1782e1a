"""The `_meta` object: keys of the standard, what a request says of itself, what a client can do.

Source: MCP 2026-07-28, basic, "_meta", and schema `RequestMetaObject`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import as_object, object_of, text_of, token_of
from toolroll.protocol.message import MessageId

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_INFO_KEY = "io.modelcontextprotocol/clientInfo"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
LOG_LEVEL_KEY = "io.modelcontextprotocol/logLevel"
SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION_KEY = "io.modelcontextprotocol/subscriptionId"
PROGRESS_TOKEN = "progressToken"  # noqa: S105 (a key of the wire, not a secret)
TRACE_KEYS = ("traceparent", "tracestate", "baggage")

_NOTHING: JsonObject = {}
_NO_TRACE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestMeta:
    """What a request says of itself; what is absent or of a wrong type is None or empty.

    Args:
        version: the protocol version.
        client_info: name and version of the client; never proof of anything.
        capabilities: what the client can do, for this request.
        progress_token: where to send progress; None for nowhere.
        log_level: the least level of log messages the client wants.
        trace: W3C trace context.
        raw: the whole object as it came.

    Example:
        >>> meta = read_request_meta({"_meta": {"progressToken": 7}})
        >>> meta.progress_token, meta.missing[0]
        (7, 'io.modelcontextprotocol/protocolVersion')
    """

    version: str | None = None
    client_info: JsonObject | None = None
    capabilities: JsonObject | None = None
    progress_token: MessageId | None = None
    log_level: str | None = None
    trace: Mapping[str, str] = field(default_factory=lambda: _NO_TRACE)
    raw: JsonObject = field(default_factory=lambda: _NOTHING)

    @property
    def missing(self) -> tuple[str, ...]:
        """Keys that a request of the stateless version must have and this one lacks."""
        required = ((VERSION_KEY, self.version), (CAPABILITIES_KEY, self.capabilities))
        return tuple(key for key, value in required if value is None)


def read_request_meta(params: JsonObject) -> RequestMeta:
    """Read `_meta` from the params of a request of any version.

    Example:
        >>> read_request_meta({"_meta": {"progressToken": 7}}).progress_token
        7
        >>> read_request_meta({}).missing[0]
        'io.modelcontextprotocol/protocolVersion'
    """
    meta = object_of(params, "_meta")
    return RequestMeta(
        version=text_of(meta, VERSION_KEY),
        client_info=as_object(meta.get(CLIENT_INFO_KEY)),
        capabilities=as_object(meta.get(CAPABILITIES_KEY)),
        progress_token=token_of(meta.get(PROGRESS_TOKEN)),
        log_level=text_of(meta, LOG_LEVEL_KEY),
        trace={key: text for key in TRACE_KEYS if (text := text_of(meta, key)) is not None},
        raw=meta,
    )


def write_request_meta(meta: RequestMeta) -> dict[str, JsonValue]:
    """Write the `_meta` of a request; what is None or empty is left out.

    A legacy request leaves version, client and capabilities None: the handshake said them.

    Example:
        >>> write_request_meta(RequestMeta(progress_token=1))
        {'progressToken': 1}
    """
    said: dict[str, JsonValue] = {
        VERSION_KEY: meta.version,
        CLIENT_INFO_KEY: meta.client_info,
        CAPABILITIES_KEY: meta.capabilities,
        PROGRESS_TOKEN: meta.progress_token,
        LOG_LEVEL_KEY: meta.log_level,
        **{key: meta.trace.get(key) for key in TRACE_KEYS},
    }
    return {**meta.raw, **{key: value for key, value in said.items() if value is not None}}


def client_capabilities(*, questions: bool) -> dict[str, JsonValue]:
    """What Toolroll's client declares: forms where somebody can be asked, nothing else.

    Example:
        >>> client_capabilities(questions=True), client_capabilities(questions=False)
        ({'elicitation': {'form': {}}}, {})
    """
    return {"elicitation": {"form": {}}} if questions else {}


def can_ask(capabilities: JsonObject | None) -> bool:
    """Whether a client shows forms: `elicitation.form`, or `elicitation` without any mode.

    Source: MCP 2026-07-28, client/elicitation, "Capabilities".

    Example:
        >>> can_ask({"elicitation": {}}), can_ask({"elicitation": {"url": {}}}), can_ask({})
        (True, False, False)
    """
    modes = as_object((capabilities or {}).get("elicitation"))
    return modes is not None and ("form" in modes or "url" not in modes)
