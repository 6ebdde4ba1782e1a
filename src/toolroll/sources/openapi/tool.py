"""One operation of a document as a tool."""

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, JsonValue, canonical_json
from toolroll.outcome import DefinitionError
from toolroll.sources.http import Operation, RequestTemplate
from toolroll.sources.openapi.body import BodyReading, read_body
from toolroll.sources.openapi.conversion import Schemas
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_text
from toolroll.sources.openapi.naming import input_keys, other_name, tool_name
from toolroll.sources.openapi.parameter import Lost, Parameter, Parameters, hidden_parameters
from toolroll.sources.openapi.response import accept_of, output_schema, success_content
from toolroll.sources.openapi.server import document_servers, servers_of
from toolroll.sources.openapi.swagger import modern_operation
from toolroll.sources.openapi.wording import Wording, restates
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

META = "toolroll/http"
"""Key of a definition's `meta` that tells the operation: its method, path, a digest of its request
(which changes the fingerprint when only the request changes) and whether it is deprecated."""

_FRAME = len('{"name":"","description":"","inputSchema":}')
_READS = frozenset({"GET", "HEAD", "OPTIONS", "QUERY", "TRACE"})
_WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
"""Methods whose body OpenAPI 3.0 tells a reader to ignore (DELETE too, where it is common use)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A tool and what it does without.

    Args:
        operation: the tool.
        size: its characters as JSON: name, description and schemas.
        lost: optional parameters, and parts of parameters and body, that it does not have.
        notes: what else a person should know, in sentences.
    """

    operation: Operation
    size: int = 0
    lost: tuple[Lost, ...] = ()
    notes: tuple[str, ...] = ()


class ToolMaker:
    """Makes the tools of one document.

    Args:
        document: the document.
        hide: parameters the host supplies, by name.
        output_schemas: a definition says what its tool answers.
        wording: reads titles and descriptions.
    """

    def __init__(
        self,
        document: Document,
        *,
        hide: Collection[str],
        output_schemas: bool,
        wording: Wording,
    ) -> None:
        self._document = document
        self._servers = document_servers(document)
        self.inputs = Schemas(document, "input", wording)
        self.outputs = Schemas(document, "output", wording) if output_schemas else None
        self._parameters = Parameters(document, self.inputs, hidden_parameters(document, hide))

    def make(
        self,
        method: str,
        path: str,
        item: JsonObject,
        operation: JsonObject,
        taken: Mapping[str, str],
    ) -> Made:
        """Make one tool.

        Args:
            method: upper case.
            path: as the document writes it.
            item: the path item the operation stands in.
            operation: the operation.
            taken: names that are taken, and by which operation.

        Raises:
            LeftOutError: it cannot be sent as the document says, or its name is taken.
        """
        name = _free_name(method, path, operation, taken)
        if self._document.is_swagger:
            operation = modern_operation(self._document, item, operation)
            item = {key: value for key, value in item.items() if key != "parameters"}
        parameters, lost = self._parameters.read(
            item.get("parameters"), operation.get("parameters")
        )
        body, notes = self._body(method, operation)
        content = success_content(self._document, operation)
        request, schema, size = self._request(method, path, parameters, body, accept_of(content))
        output, output_size, fault = self._output(content)
        notes += [fault] if fault else []
        definition = self._definition(name, operation, item, request, schema)
        size += output_size + len(name) + len(definition.description) + _FRAME
        if size > self._document.limits.large:
            notes.append(f"it has {size:,} characters as a tool")
        return Made(
            operation=Operation(
                definition=replace(definition, output_schema=output),
                request=request,
                servers=self._own_servers(operation, item),
            ),
            size=size,
            lost=(*lost, *(body.lost if body is not None else ())),
            notes=tuple(notes),
        )

    def _own_servers(self, operation: JsonObject, item: JsonObject) -> tuple[str, ...]:
        """Where the operation lives, () where that is with the rest."""
        own = servers_of(operation.get("servers") or item.get("servers"))
        return () if set(own) <= set(self._servers) else own

    def _body(self, method: str, operation: JsonObject) -> tuple[BodyReading | None, list[str]]:
        raw = operation.get("requestBody")
        if raw is None:
            return None, []
        if method in _WITHOUT_BODY and (self._document.is_3_0 or method == "TRACE"):
            return None, [f"its body is not sent: a {method} has none in this version of OpenAPI"]
        return read_body(self._document, self.inputs, raw), []

    def _request(
        self,
        method: str,
        path: str,
        parameters: list[Parameter],
        body: BodyReading | None,
        accept: str,
    ) -> tuple[RequestTemplate, JsonObject, int]:
        """The request, the schema of its input and the characters of that."""
        keys = input_keys([one.place for one in parameters], body=body is not None)
        properties: dict[str, JsonValue] = {}
        references: set[str] = set()
        for key, one in zip(keys, parameters, strict=True):
            properties[key] = one.schema
            references |= one.references
        required = [key for key, one in zip(keys, parameters, strict=True) if one.required]
        if body is not None:
            properties[body.body.key] = body.schema
            references |= body.references
            required += [body.body.key] if body.required else []
        try:
            request = RequestTemplate(
                method=method,
                # What stands behind a '#' is never part of a request (RFC 9110, section 7.1).
                path=path.partition("#")[0],
                places=tuple(
                    replace(
                        one.place, key=key, name="" if one.place.name == key else one.place.name
                    )
                    for key, one in zip(keys, parameters, strict=True)
                ),
                body=None if body is None else body.body,
                accept=accept,
            )
        except DefinitionError as error:
            raise LeftOutError(str(error).partition(": ")[2].rstrip(".")) from error
        schema: dict[str, JsonValue] = {"type": "object", "properties": properties}
        schema |= {"required": required} if required else {}
        schema["additionalProperties"] = False
        most = self._document.limits.schema
        return request, *self.inputs.complete(schema, references, most)

    def _output(self, content: JsonObject) -> tuple[JsonObject | None, int, str]:
        """The output schema, its characters, and why there is none."""
        if self.outputs is None:
            return None, 0, ""
        most = self._document.limits.output
        try:
            return *output_schema(self._document, self.outputs, content, most), ""
        except LeftOutError as error:
            return None, 0, f"it has no output schema: {error.reason}"

    def _definition(
        self,
        name: str,
        operation: JsonObject,
        item: JsonObject,
        request: RequestTemplate,
        schema: JsonObject,
    ) -> ToolDefinition:
        text = self.inputs.text
        summary = text(operation.get("summary")) or text(item.get("summary"))
        described = text(operation.get("description")) or text(item.get("description"))
        is_deprecated = operation.get("deprecated") is True
        digest = hashlib.sha256(canonical_json(request.to_json()).encode()).hexdigest()[:16]
        origin: dict[str, JsonValue] = {"method": request.method, "path": request.path}
        origin |= {"request": digest, **({"deprecated": True} if is_deprecated else {})}
        return ToolDefinition(
            name=name,
            description=_description(summary, described, request, is_deprecated=is_deprecated),
            input_schema=schema,
            title=summary or None,
            hints=hints_of(request.method),
            tags=tuple(tag for tag in map(text, as_list(operation.get("tags"))) if tag),
            meta={META: origin},
        )


def hints_of(method: str) -> Hints:
    """What a method alone says of its effect, and nothing beyond.

    Example:
        >>> hints_of("GET").read_only, hints_of("DELETE").destructive, hints_of("POST").idempotent
        (True, True, False)
    """
    return Hints(
        read_only=True if method in _READS else None,
        destructive=True if method == "DELETE" else None,
        idempotent=False if method in ("POST", "PATCH") else None,
    )


def _free_name(method: str, path: str, operation: JsonObject, taken: Mapping[str, str]) -> str:
    operation_id = as_text(operation.get("operationId"))
    name = tool_name(operation_id, method, path)
    if name in taken and not operation_id:
        name = other_name(name, method, path)
    if name in taken:
        raise LeftOutError(f"its name {name!r} is taken by {taken[name]}")
    return name


def _description(
    summary: str, described: str, request: RequestTemplate, *, is_deprecated: bool
) -> str:
    parts = [summary] if summary and not restates(described, summary) else []
    parts += [described] if described else []
    text = "\n\n".join(parts) or f"{request.method} {request.path}"
    return f"Deprecated. {text}" if is_deprecated else text
