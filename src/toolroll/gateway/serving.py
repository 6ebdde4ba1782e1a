"""A gateway as a server."""

import re
import socket
from typing import Any

from toolroll._version import __version__
from toolroll.gateway.config import Config
from toolroll.gateway.opening import Gateway
from toolroll.gateway.secret import resolve
from toolroll.hosts.mcp_server import (
    Authorize,
    McpApp,
    RequestInfo,
    ServerOptions,
    mcp_app,
    serve_stdio,
    static_token,
)
from toolroll.outcome import ConfigError
from toolroll.tools.context import CallContext, Principal

_ADDRESS = re.compile(r"(?:\[(?P<v6>[0-9A-Fa-f:]+)\]|(?P<host>[^:\[\]]+)):(?P<port>\d{1,5})")
_LAST_PORT = 65_535


def address_of(text: str) -> tuple[str, int]:
    """Read `HOST:PORT`; an IPv6 host stands in brackets.

    Raises:
        ConfigError: it is not of that form.

    Example:
        >>> address_of("127.0.0.1:8080"), address_of("[::1]:80")
        (('127.0.0.1', 8080), ('::1', 80))
    """
    found = _ADDRESS.fullmatch(text)
    if found is None or int(found["port"]) > _LAST_PORT:
        raise ConfigError(f"{text!r} is no address; write HOST:PORT, e.g. 127.0.0.1:8080.")
    return found["v6"] or found["host"], int(found["port"])


async def serve_stdio_gateway(gateway: Gateway, config: Config) -> None:
    """Serve over standard input and output until the client goes away."""
    await serve_stdio(
        gateway.kit,
        name=config.serve.name,
        version=__version__,
        context=_context,
        options=_options(gateway, config),
    )


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; port 0 takes a free one.

    Raises:
        ConfigError: the address cannot be had.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        raise ConfigError(f"cannot listen at {host}:{port}: {error.strerror or error}.") from error


def http_app_of(gateway: Gateway, config: Config) -> McpApp[Any]:
    """The application that serves a gateway over HTTP, for `serve_http`.

    Raises:
        ConfigError: the token cannot be found.
    """
    return mcp_app(
        gateway.kit,
        name=config.serve.name,
        version=__version__,
        context=_context,
        options=_options(gateway, config, authorize=_authorize(config)),
    )


def _context(info: RequestInfo) -> CallContext:
    """What a call of a client comes with: who it is for, and its trace."""
    return CallContext(principal=info.principal, trace=info.trace)


def _authorize(config: Config) -> Authorize | None:
    if config.serve.token is None:
        return None
    return static_token(
        resolve(config.serve.token, "serve.token"), Principal(id=config.serve.principal)
    )


def _options(
    gateway: Gateway, config: Config, *, authorize: Authorize | None = None
) -> ServerOptions:
    serve = config.serve
    return ServerOptions(
        changes=gateway.workspace.kit.changes,
        ask_approval=config.approvals.ask == "client",
        authorize=authorize,
        allowed_hosts=_with_loopback(serve.allowed_hosts, ""),
        allowed_origins=_with_loopback(serve.allowed_origins, "http://"),
    )


def _with_loopback(names: list[str], scheme: str) -> tuple[str, ...] | None:
    """None leaves the server's own default: this machine's loopback only."""
    if not names:
        return None
    return (*names, *(f"{scheme}{host}" for host in ("127.0.0.1", "localhost", "[::1]")))
