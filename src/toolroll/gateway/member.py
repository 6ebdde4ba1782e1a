"""From one source of a configuration to a member of a workspace."""

from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from toolroll.assembly import SourceMember
from toolroll.gateway.config import Source, Value
from toolroll.gateway.document import is_address, read_document
from toolroll.gateway.module import load_python
from toolroll.gateway.secret import resolve
from toolroll.outcome import ConfigError, Note, Report
from toolroll.ports.http import HttpAnswer, HttpConnectError, HttpRequest
from toolroll.sources.adoption import SOURCE_BEHAVIOR, Trust
from toolroll.sources.http import HttpSettings, HttpSource
from toolroll.sources.http.base_url import checked_base_url
from toolroll.sources.mcp import mcp_http, mcp_stdio
from toolroll.sources.openapi import OpenApiReading, Selection, read_operations
from toolroll.sources.origin import same_origin
from toolroll.sources.source import Timeouts, ToolSource
from toolroll.toolkit.protocol import Toolkit

_NOWHERE = "https://base-url-not-given.invalid"
"""A name that leads nowhere (RFC 6761, section 6.4)."""


async def open_member(
    name: str, source: Source, folder: Path, *, sends: bool = True
) -> Toolkit[Any] | SourceMember:
    """Make the source or toolkit; of remote ones only an OpenAPI document is fetched now.

    Args:
        name: the source's name.
        source: its table.
        folder: where relative paths begin.
        sends: False where its tools are shown and none is called: the operations of a document then
            need no base URL.

    Raises:
        ConfigError: something it needs is not there.
        DefinitionError: a Python tool is wrong.
    """
    if source.python is not None:
        return load_python(source.python, folder, name)
    limits = source.limits
    return SourceMember(
        source=await _source(name, source, folder, sends=sends),
        required=source.required,
        trust=Trust(hints=source.trust_hints),
        behavior=replace(
            SOURCE_BEHAVIOR, timeout=limits.total + 5, limit=limits.characters, large=limits.large
        ),
    )


async def _source(name: str, source: Source, folder: Path, *, sends: bool) -> ToolSource:
    where = f"sources.{name}"
    timeouts = Timeouts(
        connect=source.limits.connect, idle=source.limits.idle, total=source.limits.total
    )
    headers = _resolved(source.headers, f"{where}.headers")
    if source.command is not None:
        env, cwd = _resolved(source.env, f"{where}.env"), folder / (source.cwd or "")
        if not cwd.is_dir():
            raise ConfigError(f"{where}.cwd: there is no folder {str(cwd)!r}.")
        with _placed(where):
            return mcp_stdio(
                name,
                source.command,
                env=env,
                cwd=cwd,
                timeouts=timeouts,
                limit=source.limits.characters,
                large=source.limits.large,
                trust=source.trust_hints,
            )
    if source.url is not None:
        with _placed(where):
            return mcp_http(
                name,
                source.url,
                headers=headers,
                timeouts=timeouts,
                limit=source.limits.characters,
                large=source.limits.large,
                trust=source.trust_hints,
            )
    return await _openapi(name, source, folder, headers, sends=sends)


@contextmanager
def _placed(where: str) -> Generator[None]:
    """Say where in the file a fault is of a source that knows only its own key."""
    try:
        yield
    except ConfigError as error:
        raise ConfigError(f"{where}.{error}") from error


async def _openapi(
    name: str, source: Source, folder: Path, headers: Mapping[str, str], *, sends: bool
) -> ToolSource:
    place = source.openapi or ""
    document = await read_document(place, folder, headers)
    wanted = source.select
    reading = read_operations(
        document,
        select=Selection(
            tags=tuple(wanted.tags),
            paths=tuple(wanted.paths),
            methods=tuple(wanted.methods),
            operation_ids=tuple(wanted.operations),
        ),
        description_limit=source.description_limit,
        links=source.links,
    )
    limits = source.limits
    servers = [_absolute(url, place) for url in reading.servers]
    base_url = source.base_url or _own_server(place, servers)
    if base_url is None:
        listed = ", ".join(servers[:5]) or "none"
        mend = f"give base_url (--base-url on the command line); the document lists: {listed}"
        if sends:
            raise ConfigError(f"sources.{name}: nothing says where requests are sent: {mend}.")
        return _unsent(
            name, reading, servers, Note("warning", name, f"no call can be sent: {mend}", name)
        )
    with _placed(f"sources.{name}"):
        return HttpSource(
            name,
            base_url,
            reading.operations,
            headers=headers,
            settings=HttpSettings(
                timeout=limits.total,
                connect=limits.connect,
                limit=limits.characters,
                large=limits.large,
            ),
            report=_told(name, reading),
        )


def _told(name: str, reading: OpenApiReading) -> Report:
    """What of the document did not become a tool, and what else there is to know of it."""
    skipped = [Note("skipped", f"{s.method} {s.path}", s.reason, name) for s in reading.skipped]
    return Report.of([*skipped, *(replace(note, source=name) for note in reading.report.notes)])


def _absolute(url: str, place: str) -> str:
    """An address of a document that came from a place; as it is where it cannot be read as one."""
    try:
        return urljoin(place, url) if is_address(place) else url
    except ValueError:
        return url


def _own_server(place: str, servers: list[str]) -> str | None:
    """The document's own server, if the document came from there.

    A document decides nothing: an address in it is used only where it is the one that the operator
    has named.
    """
    if not is_address(place):
        return None
    return next((server for server in servers if same_origin(server, place)), None)


class _NoTransport:
    """Sends nothing."""

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        raise HttpConnectError("base_url is not given")
        yield

    async def aclose(self) -> None:
        """Nothing was opened."""


def _unsent(name: str, reading: OpenApiReading, servers: list[str], note: Note) -> ToolSource:
    """The operations that live where most of the document's do, to be shown and not called."""
    base_url = next(filter(_is_usable, servers), _NOWHERE)
    report = _told(name, reading) + Report((note,))
    return HttpSource(name, base_url, reading.operations, client=_NoTransport(), report=report)


def _is_usable(url: str) -> bool:
    try:
        checked_base_url(url)
    except ConfigError:
        return False
    return True


def _resolved(values: Mapping[str, Value], where: str) -> dict[str, str]:
    return {name: resolve(value, f"{where}.{name}") for name, value in values.items()}
