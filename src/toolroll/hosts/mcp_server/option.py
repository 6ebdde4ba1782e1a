"""How a server is set up. Every default is safe for a server on one's own machine."""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, cast

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.info import Authorize
from toolroll.outcome import ConfigError

Changes: TypeAlias = Callable[[], AbstractAsyncContextManager[AsyncIterator[object]]]
"""Opens a subscription to a live toolkit: each item says that the list of tools has changed."""

_NO_REQUIREMENTS: Mapping[str, JsonObject] = {}
_CHOICES = {
    "cache_scope": ("private", "public"),
    "unknown_tool": ("error", "result"),
    "sessions": ("none", "signed"),
}
_LISTS = ("state_keys", "allowed_hosts", "allowed_origins", "icons")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerLimits:
    """Bounds of what comes in and of how much goes on at once.

    Args:
        message: most bytes of one message: a body of HTTP, a line of stdio.
        headers: most bytes of all headers of a request.
        depth: most levels of arrays and objects in a message.
        batch: most messages of a batch (versions 2024-11-05 and 2025-03-26 alone have batches).
        requests: most HTTP requests in progress at once; more are turned away unread.
        calls: most calls of tools that run at once in this server; more are turned away.
        calls_per_connection: most calls of one stdio client; more are turned away.
        subscriptions: most open `subscriptions/listen` streams.
        backlog: bytes a stdio client may be behind in reading before no more requests are read.
        rounds: most questions one call may ask.
        state: most bytes of the answers that a signed state carries.
        body_seconds: time in which the body of a request must have arrived.

    Example:
        >>> limits = ServerLimits(message=1024 * 1024, calls=32)
        >>> limits.depth
        64
    """

    message: int = 4 * 1024 * 1024
    headers: int = 64 * 1024
    depth: int = 64
    batch: int = 50
    requests: int = 1024
    calls: int = 512
    calls_per_connection: int = 256
    subscriptions: int = 64
    backlog: int = 8 * 1024 * 1024
    rounds: int = 16
    state: int = 16 * 1024
    body_seconds: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerOptions:
    """Options of `mcp_app` and `serve_stdio`.

    Args:
        title, description, website_url, icons: what clients show of this server.
        instructions: how its tools go together, for the model; not a copy of their descriptions.
        page_size: most tools of one page of `tools/list`. Many clients read one page only.
        ttl: seconds for which a client may keep a list.
        cache_scope: `private`, or `public` where the list is the same for everybody.
        unknown_tool: `error` answers with a JSON-RPC error, as the protocol says; `result` with a
            result of `isError`, which more clients show to their model.
        required_capabilities: by tool: what a client must be able to do, e.g.
            `{"note_purge": {"elicitation": {}}}`. Others get an error and the tool does not run.
        ask_approval: whether a call that needs a yes is put to the client's user, where the client
            can show a form. Otherwise such a call ends with a text that says so.
        ask_seconds: how long a person may take to reply.
        state_keys: secrets that sign what a client carries between two rounds: the first signs,
            all are accepted. At least 32 bytes each. Several processes need the same ones; without
            any, each process makes one of its own.
        sessions: `none`, or `signed`: HTTP clients of versions before 2026-07-28 get a session id
            that holds, signed, what they can do. With it such a client can be asked; nothing is
            stored, but the reply has to reach the process that asked.
        changes: opens a subscription to a live toolkit; without it no client hears of changes.
        authorize: says who an HTTP request is for; without it nobody is asked.
        path: of the endpoint over HTTP; None answers under every path.
        allowed_hosts: values of `Host` to accept, with or without a port, `*` for all; None for
            the names of this machine's own loopback.
        allowed_origins: values of `Origin` to accept, `*` for all; None for those of the loopback.
            A request without an `Origin` comes from no browser and is accepted.
        keep_alive: seconds of silence after which an open answer is kept alive by a comment.
        drain: seconds that calls may still take when a stdio client has closed its end.
        limits: see `ServerLimits`.

    Raises:
        ConfigError: an option that cannot be: another word than those above, one text where
            several belong, a key that is too short, a path without a slash in front.

    Example:
        >>> options = ServerOptions(
        ...     instructions="Read a note before you change it.",
        ...     allowed_hosts=("notes.example",),
        ...     limits=ServerLimits(calls=32),
        ... )
        >>> options.path
        '/mcp'
    """

    title: str | None = None
    description: str | None = None
    website_url: str | None = None
    icons: tuple[JsonObject, ...] = ()
    instructions: str | None = None
    page_size: int = 1000
    ttl: float = 60.0
    cache_scope: Literal["private", "public"] = "private"
    unknown_tool: Literal["error", "result"] = "error"
    required_capabilities: Mapping[str, JsonObject] = field(
        default_factory=lambda: _NO_REQUIREMENTS
    )
    ask_approval: bool = True
    ask_seconds: float = 600.0
    state_keys: tuple[bytes, ...] = ()
    sessions: Literal["none", "signed"] = "none"
    changes: Changes | None = None
    authorize: Authorize | None = None
    path: str | None = "/mcp"
    allowed_hosts: tuple[str, ...] | None = None
    allowed_origins: tuple[str, ...] | None = None
    keep_alive: float = 15.0
    drain: float = 0.2
    limits: ServerLimits = ServerLimits()

    def __post_init__(self) -> None:
        for name, words in _CHOICES.items():
            if (given := getattr(self, name)) not in words:
                raise _wrong(name, f"must be {' or '.join(map(repr, words))}, got {given!r}.")
        for name in _LISTS:
            # In one text each character would be a host, and "*.example" holds the "*" for all.
            if isinstance(getattr(self, name), (str, bytes)):
                raise _wrong(name, "must be a tuple; for one write (value,).")
        keys = cast("Iterable[object]", self.state_keys)  # whatever the host gave
        if any(not isinstance(key, bytes) or len(key) < 32 for key in keys):
            raise _wrong("state_keys", "a key has at least 32 bytes.")
        size = cast("object", self.page_size)
        if not isinstance(size, int) or size < 1:
            raise _wrong("page_size", f"must be a whole number of at least 1, got {size!r}.")
        if self.path is not None and not self.path.startswith("/"):
            raise _wrong("path", f"must begin with '/', got {self.path!r}.")


def _wrong(option: str, fault: str) -> ConfigError:
    return ConfigError(f"ServerOptions.{option}: {fault}")
