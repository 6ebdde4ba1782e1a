"""A toolkit as an MCP server: tools only, over stdio and HTTP, in every version of the protocol.

- `serve_stdio`: over the standard streams, on asyncio and trio
- `mcp_app`: an ASGI application; `serve_http` runs it with uvicorn
- `ServerOptions`, `ServerLimits`: how a server is set up
- `RequestInfo`: what a context is made from
- `RequestHead`, `Denied`, `static_token`: who may come in over HTTP

What HTTP needs is loaded when it is first asked for: a stdio server starts without it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from toolroll.hosts.mcp_server.info import Authorize, Denied, RequestHead, RequestInfo
from toolroll.hosts.mcp_server.option import ServerLimits, ServerOptions
from toolroll.hosts.mcp_server.stdio.serving import serve_stdio

if TYPE_CHECKING:
    from toolroll.hosts.mcp_server.access import static_token
    from toolroll.hosts.mcp_server.http.app import McpApp, mcp_app
    from toolroll.hosts.mcp_server.http.serving import serve_http

__all__ = [
    "Authorize",
    "Denied",
    "McpApp",
    "RequestHead",
    "RequestInfo",
    "ServerLimits",
    "ServerOptions",
    "mcp_app",
    "serve_http",
    "serve_stdio",
    "static_token",
]

_PLACES = {
    "McpApp": "toolroll.hosts.mcp_server.http.app",
    "mcp_app": "toolroll.hosts.mcp_server.http.app",
    "serve_http": "toolroll.hosts.mcp_server.http.serving",
    "static_token": "toolroll.hosts.mcp_server.access",
}


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_PLACES[name]), name)
    globals()[name] = value
    return value
