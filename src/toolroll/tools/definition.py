"""A tool as data: what can be listed, stored, compared and sent."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from toolroll.content import JsonObject, JsonValue, canonical_json
from toolroll.outcome import DefinitionError
from toolroll.tools.hints import Hints

FORMAT = 1
"""Version of the stored form."""

_NOTHING: JsonObject = {}
_KNOWN = frozenset(
    {
        "format",
        "name",
        "title",
        "description",
        "snippet",
        "guidelines",
        "examples",
        "tags",
        "inputSchema",
        "outputSchema",
        "annotations",
        "_meta",
    }
)

_KNOWN_HINTS = frozenset(
    {"title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """What a tool is.

    Args:
        name: as its author or source spells it.
        description: the complete instruction for the model.
        input_schema: JSON Schema with an object root; stored whole, shown in views.
        output_schema: JSON Schema of `ToolResult.data`, where declared.
        title: for people.
        hints: claims about its effect.
        snippet: one line for hosts that list tools in a prompt.
        guidelines: advice for such hosts; never promises what `description` lacks.
        examples: inputs that fit, as JSON objects.
        tags: words to filter by.
        meta: wire metadata (`_meta`), kept as it came.
        extra: further fields of the stored or wire form, kept as they came.

    Example:
        >>> schema = {"type": "object"}
        >>> made = ToolDefinition(name="now", description="Tell the time.", input_schema=schema)
        >>> ToolDefinition.from_json(made.to_json()) == made
        True
    """

    name: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None = None
    title: str | None = None
    hints: Hints = Hints()
    snippet: str | None = None
    guidelines: tuple[str, ...] = ()
    examples: tuple[JsonObject, ...] = ()
    tags: tuple[str, ...] = ()
    meta: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)
    extra: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)

    def to_json(self) -> dict[str, JsonValue]:
        """The stored form: MCP's spelling of a tool plus `format` and what MCP has no place for."""
        written: dict[str, JsonValue] = {
            "format": FORMAT,
            "name": self.name,
            "description": self.description,
            "inputSchema": self.input_schema,
        }
        optional: dict[str, JsonValue] = {
            "title": self.title,
            "outputSchema": self.output_schema,
            "annotations": self.hints.to_json(),
            "snippet": self.snippet,
            "guidelines": list(self.guidelines),
            "examples": list(self.examples),
            "tags": list(self.tags),
            "_meta": dict(self.meta),
        }
        written.update(
            {key: value for key, value in optional.items() if value not in (None, [], {})}
        )
        extra = dict(self.extra)
        hints, more = written.get("annotations"), extra.get("annotations")
        if isinstance(more, Mapping):
            written["annotations"] = {**more, **(hints if isinstance(hints, Mapping) else {})}
        return {**extra, **written}

    @staticmethod
    def from_json(raw: JsonObject) -> "ToolDefinition":
        """Read the stored form or an MCP tool; unknown fields are kept in `extra`.

        Raises:
            DefinitionError: no name, no object schema, or a format newer than this version reads.
        """
        name, schema, made = raw.get("name"), raw.get("inputSchema"), raw.get("format", FORMAT)
        if not isinstance(name, str) or not name:
            raise DefinitionError(
                f"a stored tool has no name: got {name!r}; 'name' must be a text."
            )
        if not isinstance(made, int) or made > FORMAT:
            raise DefinitionError(
                f"{name}: stored in format {made!r}, this version reads up to {FORMAT}; "
                "upgrade toolroll.",
                tool=name,
            )
        if not isinstance(schema, Mapping):
            raise DefinitionError(f"{name}: 'inputSchema' must be an object.", tool=name)
        hints, output, meta = raw.get("annotations"), raw.get("outputSchema"), raw.get("_meta")
        title, snippet = raw.get("title"), raw.get("snippet")
        return ToolDefinition(
            name=name,
            description=str(raw.get("description") or ""),
            input_schema=cast("JsonObject", schema),
            output_schema=cast("JsonObject", output) if isinstance(output, Mapping) else None,
            title=_title(title, hints),
            hints=Hints.from_json(cast("JsonObject", hints))
            if isinstance(hints, Mapping)
            else Hints(),
            snippet=snippet if isinstance(snippet, str) else None,
            guidelines=_texts(raw.get("guidelines")),
            examples=tuple(
                cast("JsonObject", item)
                for item in _items(raw.get("examples"))
                if isinstance(item, Mapping)
            ),
            tags=_texts(raw.get("tags")),
            meta=cast("JsonObject", meta) if isinstance(meta, Mapping) else {},
            extra=_extra(raw),
        )

    @property
    def fingerprint(self) -> str:
        """`1:` and the SHA-256 of the canonical stored form; changes when anything a model or a
        policy sees changes.
        """
        return f"1:{hashlib.sha256(canonical_json(self.to_json()).encode()).hexdigest()}"


def _title(title: JsonValue, annotations: JsonValue) -> str | None:
    """The title, which older servers put among the hints."""
    if isinstance(title, str):
        return title
    named = annotations.get("title") if isinstance(annotations, Mapping) else None
    return named if isinstance(named, str) else None


def _extra(raw: JsonObject) -> dict[str, JsonValue]:
    """What this version does not know, hints among it."""
    extra = {key: value for key, value in raw.items() if key not in _KNOWN}
    hints = raw.get("annotations")
    if isinstance(hints, Mapping):
        more = {key: value for key, value in hints.items() if key not in _KNOWN_HINTS}
        if more:
            extra["annotations"] = more
    return extra


def _items(value: JsonValue) -> list[JsonValue]:
    return list(cast("list[JsonValue]", value)) if isinstance(value, (list, tuple)) else []


def _texts(value: JsonValue) -> tuple[str, ...]:
    return tuple(item for item in _items(value) if isinstance(item, str))
