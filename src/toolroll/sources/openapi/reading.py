"""An OpenAPI document as operations, item by item: what cannot be sent is named, never guessed."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError, Note, Report
from toolroll.sources.http import Operation
from toolroll.sources.openapi.document import (
    Document,
    LeftOutError,
    as_object,
)
from toolroll.sources.openapi.limit import DEFAULT_LIMITS, ReadingLimits
from toolroll.sources.openapi.parameter import Lost
from toolroll.sources.openapi.selection import Select
from toolroll.sources.openapi.server import document_servers
from toolroll.sources.openapi.tool import Made, ToolMaker
from toolroll.sources.openapi.wording import Wording
from toolroll.text import sanitize_line

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
"""The operations of a path item, in the document's words (`query` since OpenAPI 3.2)."""

_LONGEST_SUBJECT, _LONGEST_REASON = 200, 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """An operation that did not become a tool, and why.

    Args:
        method: upper case, e.g. `GET`.
        path: as the document writes it.
        reason: in one sentence.

    Example:
        >>> from toolroll.sources.openapi import read_operations
        >>> socket = {"/notes": {"get": {"operationId": "a", "parameters": [{"in": "body"}]}}}
        >>> info = {"title": "Notes", "version": "1"}
        >>> reading = read_operations({"openapi": "3.1.0", "info": info, "paths": socket})
        >>> (skipped,) = reading.skipped
        >>> skipped.method, skipped.path, skipped.reason
        ('GET', '/notes', 'a parameter has no name')
    """

    method: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenApiReading:
    """What a document came to.

    Args:
        operations: the tools, in the document's order.
        skipped: every operation that was asked for and is not among them.
        servers: the base URLs the document names; the host chooses one.
        report: what the tools do without, and what is large.
        title: the API's title.
        version: the API's version.

    Example:
        >>> from toolroll.sources.openapi import read_operations
        >>> notes = {"/notes": {"get": {"operationId": "listNotes", "responses": {}}}}
        >>> info = {"title": "Notes", "version": "1"}
        >>> reading = read_operations({"openapi": "3.1.0", "info": info, "paths": notes})
        >>> [operation.name for operation in reading.operations], reading.title, reading.skipped
        (['listNotes'], 'Notes', ())
    """

    operations: tuple[Operation, ...]
    skipped: tuple[Skipped, ...] = ()
    servers: tuple[str, ...] = ()
    report: Report = Report()
    title: str = ""
    version: str = ""


def read_operations(
    document: JsonObject,
    *,
    select: Select | None = None,
    hide: Collection[str] = (),
    output_schemas: bool = True,
    description_limit: int | None = None,
    links: bool = False,
    limits: ReadingLimits = DEFAULT_LIMITS,
) -> OpenApiReading:
    """Read the operations of an OpenAPI document. Fetches nothing and sends nothing.

    Every operation either becomes a tool whose request is what the document says, or stands in
    `skipped` with the reason; one bad operation never costs another.

    Args:
        document: OpenAPI 3.0, 3.1 or 3.2, or Swagger 2.0, as parsed from JSON or YAML.
        select: which operations are wanted: a `Selection`, or a function of method, path and raw
            operation; None for all.
        hide: names of query and header parameters that the host supplies (an API key); the
            document's own `apiKey` schemes are hidden anyway.
        output_schemas: definitions say what their tools answer, where that is short.
        description_limit: most characters of each description, None for all. A cut one ends with
            its last whole sentence where that is possible.
        links: descriptions keep the addresses of their links, and the sentences that only point to
            a page ("For more information, see ...").
        limits: budgets for large and hostile documents.

    Raises:
        DefinitionError: it is no OpenAPI document.

    Example:
        >>> reading = read_operations(
        ...     {
        ...         "openapi": "3.1.0",
        ...         "servers": [{"url": "https://api.test/v1"}],
        ...         "paths": {"/notes": {"get": {"operationId": "note_list", "summary": "Lists."}}},
        ...     }
        ... )
        >>> [operation.name for operation in reading.operations], reading.servers
        (['note_list'], ('https://api.test/v1',))
    """
    read = Document(document, limits)
    wording = Wording(read, limit=description_limit, links=links)
    maker = ToolMaker(read, hide=hide, output_schemas=output_schemas, wording=wording)
    reader = _Reader(read, maker, wording, select)
    reader.read()
    info = as_object(document.get("info")) or {}
    return OpenApiReading(
        operations=tuple(reader.operations),
        skipped=tuple(reader.skipped),
        servers=document_servers(read),
        report=reader.report(),
        title=wording.text(info.get("title")),
        version=_line(str(info.get("version") or "")),
    )


class _Reader:
    """One document while it is read."""

    def __init__(
        self, document: Document, maker: ToolMaker, wording: Wording, select: Select | None
    ) -> None:
        self.operations: list[Operation] = []
        self.skipped: list[Skipped] = []
        self._document = document
        self._maker = maker
        self._wording = wording
        self._select = select
        self._taken: dict[str, str] = {}
        self._size = 0
        self._warnings: dict[str, list[str]] = {}
        self._lost: dict[Lost, list[str]] = {}

    def read(self) -> None:
        paths = self._document.raw.get("paths")
        if paths is not None and as_object(paths) is None:
            raise DefinitionError("'paths' of the OpenAPI document is not an object.")
        for path, raw in (as_object(paths) or {}).items():
            if not str(path).startswith("x-"):
                self._read_path(str(path), raw)

    def _read_path(self, path: str, raw: JsonValue) -> None:
        try:
            item = self._item(raw)
        except LeftOutError as error:
            self._skip("*", path, error.reason)
            return
        for method, operation in self._operations_of(item):
            try:
                self._read_operation(method, path, item, operation)
            except LeftOutError as error:
                self._skip(method, path, error.reason)

    def _item(self, raw: JsonValue) -> JsonObject:
        """A path item; beside a reference its own fields count as well."""
        own = as_object(raw)
        if own is None or "$ref" not in own:
            return self._document.resolve(raw, "the path item")
        beside = {key: value for key, value in own.items() if key != "$ref"}
        return {**self._document.resolve(raw, "the path item"), **beside}

    def _operations_of(self, item: JsonObject) -> Iterator[tuple[str, JsonValue]]:
        for method in METHODS:
            if method in item:
                yield method.upper(), item[method]
        # OpenAPI 3.2: methods without a field of their own, in their own spelling.
        for method, operation in (as_object(item.get("additionalOperations")) or {}).items():
            yield str(method), operation

    def _read_operation(self, method: str, path: str, item: JsonObject, raw: JsonValue) -> None:
        operation = as_object(raw)
        if operation is None:
            raise LeftOutError("the operation is not an object")
        if self._select is not None and not self._select(method, path, operation):
            return
        if len(self.operations) >= self._document.limits.operations:
            raise LeftOutError(f"there are more than {self._document.limits.operations:,} tools")
        made = self._maker.make(method, path, item, operation, self._taken)
        self._taken[made.operation.name] = f"{method} {path}"
        self.operations.append(made.operation)
        self._size += made.size
        self._note(made)

    def _note(self, made: Made) -> None:
        subject = made.operation.name
        for lost in made.lost:
            self._lost.setdefault(lost, []).append(subject)
        for sentence in made.notes:
            self._warnings.setdefault(sentence, []).append(subject)
        for url in made.operation.servers:
            self._warnings.setdefault(f"it lives at {url}", []).append(subject)

    def _skip(self, method: str, path: str, reason: str) -> None:
        self.skipped.append(
            Skipped(method=_line(method), path=_line(path), reason=_line(reason, _LONGEST_REASON))
        )

    def report(self) -> Report:
        """Everything a person should know of the tools that were made."""
        notes = [
            Note("warning", names[0], _line(sentence, _LONGEST_REASON) + _and_more(names))
            for sentence, names in self._warnings.items()
        ]
        for lost, names in self._lost.items():
            reason = f"{_line(lost.reason)}; it is not part of {names[0]}{_and_more(names)}"
            notes.append(Note("lost", _line(lost.subject), reason))
        notes += self._of_words()
        for schemas in (self._maker.inputs, self._maker.outputs):
            if schemas is None:
                continue
            notes += [
                Note("warning", name, "the schema contained itself in one place and was opened")
                for name in sorted(schemas.opened)
            ]
        if self._wording.removed:
            what = ", ".join(f"{count} {kind}" for kind, count in self._wording.removed.items())
            notes.append(Note("cleaned", "descriptions", f"removed {what}"))
        return Report.of(notes)

    def _of_words(self) -> list[Note]:
        notes = self._wording.notes()
        if self._size > self._document.limits.large_list:
            what = f"{len(self.operations):,} tools have {self._size:,} characters together"
            mend = "select fewer, give a description_limit, or put search before the model"
            notes.append(Note("warning", "tools", f"{what}; {mend}"))
        return notes


def _line(text: str, most: int = _LONGEST_SUBJECT) -> str:
    """Text of a document as a short line for people."""
    line = sanitize_line(text[: 2 * most])
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _and_more(names: list[str]) -> str:
    return f" (and {len(names) - 1} more)" if len(names) > 1 else ""
