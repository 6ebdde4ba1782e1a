"""One HTTP operation as a tool: its definition and its request, both data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.sources.http.template import RequestTemplate
from toolroll.tools.definition import ToolDefinition


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """A tool that is one HTTP request.

    Args:
        definition: what the tool is.
        request: how its input becomes a request.
        servers: base URLs where this operation lives, if it does not live where the rest does.

    Example:
        >>> read = Operation(
        ...     definition=ToolDefinition(
        ...         name="note_read",
        ...         description="Reads one note.",
        ...         input_schema={"type": "object", "properties": {"id": {"type": "integer"}}},
        ...     ),
        ...     request=RequestTemplate.of("GET", "/notes/{id}"),
        ... )
        >>> Operation.from_json(read.to_json()) == read
        True
    """

    definition: ToolDefinition
    request: RequestTemplate
    servers: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The name of the tool."""
        return self.definition.name

    def to_json(self) -> dict[str, JsonValue]:
        """The operation as JSON, to be stored."""
        written: dict[str, JsonValue] = {
            "definition": self.definition.to_json(),
            "request": self.request.to_json(),
        }
        return {**written, "servers": list(self.servers)} if self.servers else written

    @staticmethod
    def from_json(raw: JsonObject) -> "Operation":
        """Read what `to_json` wrote.

        Raises:
            DefinitionError: it is not of that form.
        """
        definition, request, servers = (
            raw.get("definition"),
            raw.get("request"),
            raw.get("servers", []),
        )
        if not isinstance(definition, Mapping) or not isinstance(request, Mapping):
            raise DefinitionError("a stored operation: 'definition' and 'request' must be objects.")
        if not isinstance(servers, Sequence) or not all(isinstance(url, str) for url in servers):
            raise DefinitionError("a stored operation: 'servers' must be a list of texts.")
        return Operation(
            definition=ToolDefinition.from_json(cast("JsonObject", definition)),
            request=RequestTemplate.from_json(cast("JsonObject", request)),
            servers=tuple(cast("Sequence[str]", servers)),
        )
