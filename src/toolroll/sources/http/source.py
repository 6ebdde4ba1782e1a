"""A system with an HTTP API as a source of tools."""

import re
from collections.abc import Awaitable, Iterable
from dataclasses import replace
from types import TracebackType
from typing import Literal, Self, TypeAlias, TypeVar
from urllib.parse import quote, urljoin, urlsplit

import anyio

from toolroll.content import JsonObject, ToolResult
from toolroll.outcome import Note, Report, issue_lines
from toolroll.ports.http import HttpAnswer, HttpBrokenError, HttpConnectError, HttpRequest
from toolroll.schema.reading import RejectedInput
from toolroll.sources.header import Headers, HostHeaders
from toolroll.sources.http.answer import AnswerReader
from toolroll.sources.http.base_url import checked_base_url, same_url
from toolroll.sources.http.fill import Filler
from toolroll.sources.http.operation import Operation
from toolroll.sources.http.setting import LIMIT, HttpSettings
from toolroll.sources.origin import same_origin
from toolroll.sources.running import RunningCalls
from toolroll.sources.secret import KnownSecrets, path_credentials
from toolroll.sources.source import Discovery, SourceError, SourceReason
from toolroll.sources.transport import own_headers, transport_of
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.naming import check_source_name

MOST_REDIRECTS = 5
"""Redirects of a GET or HEAD that are followed, all within one origin."""

_SETTINGS = HttpSettings()
_Pairs: TypeAlias = tuple[tuple[str, str], ...]
_Made = TypeVar("_Made")

_URL = "".join(map(chr, range(0x21, 0x7F)))
_CLOSE_SECONDS = 2.0
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TRACE = ("traceparent", "tracestate")


def http_source(
    name: str,
    base_url: str,
    operations: Iterable[Operation],
    *,
    client: object | None = None,
    headers: Headers | None = None,
    timeout: float = 30.0,
    limit: int = LIMIT,
    large: Literal["fail", "cut"] = "fail",
) -> "HttpSource":
    """Make a source of HTTP operations. Contacts nothing.

    `HttpSource` takes further limits as a record.

    Args:
        name: the source's name, `^[a-z][a-z0-9_-]{0,31}$` without `__`.
        base_url: scheme, host and, where there is one, path prefix; every request goes there.
        operations: written by hand or read from an OpenAPI document.
        client: an `httpx2.AsyncClient` or `httpx.AsyncClient` that carries credentials, proxies and
            limits; an `HttpTransport`; None for connections of our own.
        headers: sent with every request, or a function that makes them for each; they win over
            everything an input says.
        timeout: seconds for one call, whatever happens in it. A third of it, at most 10 seconds,
            may pass until there is a connection.
        limit: most characters of an answer.
        large: what happens above it: `fail`, or `cut` to head and tail.

    Raises:
        ConfigError: a base URL or header that cannot be used, or a limit that is not positive.
        DefinitionError: a name that no source can have.
        MissingExtra: no client was given and the extra `http` is not installed.

    Example:
        >>> from toolroll.sources.http import RequestTemplate
        >>> operation = Operation(
        ...     definition=ToolDefinition(
        ...         name="note_read",
        ...         description="Reads one note.",
        ...         input_schema={"type": "object", "properties": {"id": {"type": "integer"}}},
        ...     ),
        ...     request=RequestTemplate.of("GET", "/notes/{id}"),
        ... )
        >>> http_source("notes", "https://notes.test/v1", [operation]).name
        'notes'
    """
    return HttpSource(
        name,
        base_url,
        operations,
        client=client,
        headers=headers,
        settings=HttpSettings(timeout=timeout, limit=limit, large=large),
    )


class HttpSource:
    """A `ToolSource` over HTTP. Each call is one request.

    It holds no state but kept connections, so its methods may be called from any task; without a
    client of the caller it works in one event loop after the other.

    Args:
        name, base_url, operations, client, headers: as in `http_source`.
        settings: its limits.
        report: what a person should know of the operations; part of what it discovers.

    Example:
        >>> import httpx2
        >>> from toolroll import CallContext, ToolDefinition, run_sync
        >>> from toolroll.sources.http import RequestTemplate
        >>> note_list = Operation(
        ...     definition=ToolDefinition(
        ...         name="note_list", description="Lists notes.", input_schema={"type": "object"}
        ...     ),
        ...     request=RequestTemplate.of("GET", "/notes"),
        ... )
        >>> answer = httpx2.MockTransport(lambda request: httpx2.Response(200, json=["bread"]))
        >>> client = httpx2.AsyncClient(transport=answer)
        >>> source = HttpSource("notes", "https://notes.test", [note_list], client=client)
        >>> run_sync(source.call, note_list.definition, {}, CallContext()).data
        ['bread']
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        operations: Iterable[Operation],
        *,
        client: object | None = None,
        headers: Headers | None = None,
        settings: HttpSettings = _SETTINGS,
        report: Report = Report(),
    ) -> None:
        self._running, self._closing = RunningCalls(), False
        self._name = check_source_name(name)
        self._base_url = checked_base_url(base_url)
        self._headers = HostHeaders(headers)
        self._client = client
        self._client_headers = own_headers(client)
        self._transport = transport_of(client)
        self._settings = settings
        self._host = urlsplit(self._base_url).netloc
        self._secrets = KnownSecrets(client, path_credentials(self._base_url))
        self._operations: dict[str, Operation] = {}
        self._fillers: dict[str, Filler] = {}
        notes: list[Note] = []
        for operation in operations:
            if reason := self._unfit(operation):
                notes.append(Note("skipped", operation.name, reason, name))
            else:
                self._operations[operation.name] = operation
                self._fillers[operation.name] = Filler(operation.request, self._base_url)
        self._report = report + Report.of(notes)

    @property
    def name(self) -> str:
        """The source's name."""
        return self._name

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        """The operations' definitions, in order; asks nobody."""
        del context
        definitions = tuple(operation.definition for operation in self._operations.values())
        return Discovery(definitions=definitions, report=self._report)

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        """Send one request and read its answer.

        Raises:
            SourceError: with the reason; see the page on HTTP sources.
        """
        operation = self._operations.get(definition.name)
        if operation is None:
            raise self._error("not-found", f"no operation {definition.name!r}")
        if self._closing:
            raise SourceError(self._name, "unavailable", "the source is closing", retryable=False)
        scope = anyio.CancelScope(deadline=anyio.current_time() + self._settings.timeout)
        with scope, self._running.one(scope.cancel):
            return await self._call(operation, input, context)
        if anyio.current_time() < scope.deadline:
            raise self._error("outcome-unknown", "the source was closed")
        seconds = self._settings.timeout
        words = f"no answer within {seconds:g} seconds"
        raise SourceError(self._name, "timed-out", words, limit=seconds)

    async def aclose(self) -> None:
        """End running calls and close our own connections; a caller's client stays open.

        Twice is fine.
        """
        self._closing = True
        try:
            await self._running.end(_CLOSE_SECONDS)
            if self._client is None:
                await self._transport.aclose()
        finally:
            self._closing = False

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    def _unfit(self, operation: Operation) -> str:
        if operation.name in self._operations:
            return "its name is taken by an earlier operation"
        if operation.servers and not any(
            same_url(url, self._base_url) for url in operation.servers
        ):
            return f"it lives at {', '.join(operation.servers)}; make a source of its own for it"
        return ""

    def _error(self, reason: SourceReason, description: str) -> SourceError:
        return SourceError(self._name, reason, description)

    async def _call(
        self, operation: Operation, input: JsonObject, context: CallContext[object]
    ) -> ToolResult:
        own = await self._made(self._headers.current(context))
        result = await self._answer(self._request(operation, input, context, own), own)
        if result is None:
            new = await self._made(self._headers.renewed(context, own))
            if new is not None:
                result = await self._answer(self._request(operation, input, context, new), new)
        if result is None:
            raise self._error("authentication", "status 401")
        return result

    async def _made(self, making: Awaitable[_Made]) -> _Made:
        """Headers the host makes; its fault is the host's to mend, and nothing was sent."""
        try:
            return await making
        except Exception as error:
            raise self._error("unavailable", f"headers: {type(error).__name__}") from error

    def _request(
        self, operation: Operation, input: JsonObject, context: CallContext[object], own: _Pairs
    ) -> HttpRequest:
        names = {name.lower() for name, _ in own}
        filled = self._fillers[operation.name].fill(input, self._client_headers.union(names))
        if isinstance(filled, RejectedInput):
            raise self._error("invalid-input", "\n".join(issue_lines(filled.issues)))
        ours = names | self._client_headers
        body = operation.request.body
        if body is not None and body.kind in ("form", "multipart"):
            # Its type says how it was written; no other would be true.
            own = tuple(pair for pair in own if pair[0].lower() != "content-type")
            ours -= {"content-type"}
        written = [pair for pair in filled.headers if pair[0].lower() not in ours]
        return HttpRequest(
            method=operation.request.method,
            url=filled.url,
            headers=(*written, *_trace(context), *own),
            content=filled.content,
            timeout=None,
            connect_timeout=min(self._settings.connect, self._settings.timeout / 3),
        )

    async def _answer(self, request: HttpRequest, own: _Pairs) -> ToolResult | None:
        """What came of a request, redirects followed where that is safe; None for a 401."""
        try:
            for _ in range(MOST_REDIRECTS + 1):
                async with self._transport.send(request) as answer:
                    if answer.status == 401:
                        return None
                    if answer.status not in _REDIRECTS:
                        return await self._reader(own).read(request.method, answer)
                    request = replace(request, url=self._next(request, answer))
        except HttpConnectError as error:
            raise self._error("unavailable", str(error)) from error
        except HttpBrokenError as error:
            raise self._error("outcome-unknown", str(error)) from error
        raise self._error("invalid-response", f"more than {MOST_REDIRECTS} redirects")

    def _reader(self, own: _Pairs) -> AnswerReader:
        return AnswerReader(
            source=self._name,
            host=self._host,
            secrets=self._secrets.of(own),
            settings=self._settings,
        )

    def _next(self, request: HttpRequest, answer: HttpAnswer) -> str:
        """Where a redirect leads.

        Only a GET or HEAD without a body is sent once more, and only within the origin: the headers
        hold credentials that are for it alone.
        """
        said = answer.header("location")
        if request.method not in ("GET", "HEAD") or request.content is not None or said is None:
            raise self._error("invalid-response", f"status {answer.status}")
        try:
            url = urljoin(request.url, quote(said, safe=_URL)).partition("#")[0]
        except ValueError:
            url = ""
        if not same_origin(url, request.url):
            raise self._error("invalid-response", f"status {answer.status} to another origin")
        return url


def _trace(context: CallContext[object]) -> _Pairs:
    """The trace context of the call (W3C Trace Context)."""
    if not context.trace:
        return ()
    given = ((name, context.trace.get(name, "")) for name in _TRACE)
    return tuple(pair for pair in given if re.fullmatch(r"[\x21-\x7e]{1,512}", pair[1]))
