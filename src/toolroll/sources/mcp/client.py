"""The two doors to MCP servers."""

import logging
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Literal

from toolroll.sources.header import Headers
from toolroll.sources.mcp.command import (
    check_surroundings,
    credentials_of,
    environment_of,
    find_program,
    words_of_command,
)
from toolroll.sources.mcp.courier import Courier
from toolroll.sources.mcp.http import HttpWire
from toolroll.sources.mcp.option import McpOptions, Settings
from toolroll.sources.mcp.process import ServerProcess
from toolroll.sources.mcp.session import Asker
from toolroll.sources.mcp.source import McpSource
from toolroll.sources.mcp.stdio import StdioWire
from toolroll.sources.origin import split_url
from toolroll.sources.secret import Secrets
from toolroll.sources.source import Timeouts
from toolroll.sources.transport import transport_of
from toolroll.tools.naming import check_source_name

_TIMEOUTS = Timeouts()

LIMIT = 200_000
"""Most characters of text and data of a result, unless told otherwise."""


def mcp_http(
    name: str,
    url: str,
    *,
    client: object | None = None,
    headers: Headers | None = None,
    timeouts: Timeouts = _TIMEOUTS,
    limit: int = LIMIT,
    large: Literal["fail", "cut"] = "fail",
    trust: bool = False,
) -> McpSource:
    """The tools of an MCP server over HTTP, of every version from 2024-11-05 on.

    Args:
        name: of the source: lower case, at most 32 characters.
        url: the server's address; nothing goes to another origin.
        client: an `httpx2.AsyncClient`, an `httpx.AsyncClient` or an `HttpTransport`, which stays
            open; None for connections of our own.
        headers: of the host, e.g. `Authorization`: fixed, or a function that makes them for each
            request and renews them once when they are refused.
        timeouts: limits in seconds.
        limit: most characters of text and data of a result.
        large: what happens above it: `fail`, or `cut` to head and tail.
        trust: the server's hints are believed where they say that a lost call may be sent again.

    Raises:
        DefinitionError: a name that is none.
        ConfigError: an address or headers that cannot be used.
        MissingExtra: no client was given and the extra `http` is not installed.

    Example:
        >>> mcp_http("loans", "https://mcp.example/mcp", headers={"Authorization": "Bearer x"}).name
        'loans'
    """
    check_source_name(name)
    settings = Settings(
        name=name, timeouts=timeouts, limit=limit, large=large, trust=trust, options=McpOptions()
    )

    def make(settings: Settings, asker: Asker) -> HttpWire:
        transport, redirects = transport_of(client), settings.options.redirects
        courier = Courier(name, url, transport, client, headers, redirects)
        return HttpWire(courier, settings, asker)

    parts = split_url(url)
    return McpSource(settings, make, host=parts.netloc if parts else "")


def mcp_stdio(
    name: str,
    command: str | Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | PathLike[str] | None = None,
    timeouts: Timeouts = _TIMEOUTS,
    limit: int = LIMIT,
    large: Literal["fail", "cut"] = "fail",
    trust: bool = False,
) -> McpSource:
    """The tools of an MCP server that runs as a local process.

    The process starts with the first use, is started again when it is gone, and ends with `aclose`;
    with it ends all it started.

    Args:
        name: of the source: lower case, at most 32 characters.
        command: the program and its arguments; a text is split like a shell splits it.
        env: variables for the server, beside the few that it inherits
            (`toolroll.sources.mcp.command.INHERITED`). What is named as a credential here or among
            the arguments is hidden where the server repeats it.
        cwd: where it runs.
        timeouts: limits in seconds; `connect` is the time to start and begin.
        limit: most characters of text and data of a result.
        large: what happens above it: `fail`, or `cut` to head and tail.
        trust: the server's hints are believed where they say that a lost call may be sent again.

    Raises:
        DefinitionError: a name that is none.
        ConfigError: a command that is none, or variables or a folder that no process can have.

    Example:
        >>> mcp_stdio("clock", ["mcp-server-time", "--local-timezone", "UTC"]).name
        'clock'
    """
    check_source_name(name)
    program, *arguments = words_of_command(command)
    folder = None if cwd is None else fspath(cwd)
    check_surroundings(env, folder)
    settings = Settings(
        name=name, timeouts=timeouts, limit=limit, large=large, trust=trust, options=McpOptions()
    )

    def start(log: logging.Logger) -> ServerProcess:
        environment = environment_of(env)
        words = [find_program(name, program, environment, folder), *arguments]
        return ServerProcess(words, environment, folder, log, secrets)

    secrets = Secrets(credentials_of(arguments, env))

    def make(settings: Settings, asker: Asker) -> StdioWire:
        return StdioWire(start, settings, asker, secrets)

    return McpSource(settings, make)
