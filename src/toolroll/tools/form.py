"""Questions to a person: which forms a host can show, and whether what came back fits.

The same on every host, so that a tool that asks works on all of them.

Source: MCP 2026-07-28, client/elicitation, "Requested Schema".
"""

from collections.abc import Mapping
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema.check import compile_check
from toolroll.tools.context import Asker, Question, Reply

_SCALARS = frozenset({"string", "integer", "number", "boolean"})
_LISTS_SINCE = "2025-11-25"
"""The first version whose forms have lists of choices."""


_TRIES = 3
"""How often a question is put whose answers do not fit; then it counts as given up."""


def asks_by_form(on_ask: Asker) -> Asker:
    """The host's way to ask, held to the form: flat fields, and only what was asked comes back."""

    async def ask(question: Question) -> Reply:
        require_form(question)
        for _ in range(_TRIES):
            fits = fitting(question, await on_ask(question))
            if fits is not None:
                return fits
        return Reply("cancel")

    return ask


def require_form(question: Question, version: str = _LISTS_SINCE) -> None:
    """Make sure that a client can show a question.

    Args:
        question: what a tool asks.
        version: of the protocol that the client speaks, where it speaks one.

    Raises:
        DefinitionError: its schema is no flat form; names the field.

    Example:
        >>> require_form(Question("Sure?", {"type": "object", "properties": {}}), "2026-07-28")
    """
    properties = question.schema.get("properties")
    if question.schema.get("type") != "object" or not isinstance(properties, Mapping):
        raise DefinitionError("a question's schema is an object with 'properties'.")
    for name, field in cast("JsonObject", properties).items():
        if not _is_field(field) or (version < _LISTS_SINCE and _is_choice_of_many(field)):
            raise DefinitionError(
                f"a question's field {name!r} must be a text, a number, a boolean, a choice or a"
                " list of choices; forms are flat."
            )


def fitting(question: Question, reply: Reply) -> Reply | None:
    """The reply with the asked-for fields alone; None where what was accepted does not fit.

    Example:
        >>> schema = {
        ...     "type": "object",
        ...     "properties": {"name": {"type": "string"}},
        ...     "required": ["name"],
        ... }
        >>> question = Question("Name?", schema)
        >>> fitting(question, Reply("accept", {"name": "Ada", "extra": 1}))
        Reply(action='accept', content={'name': 'Ada'})
        >>> fitting(question, Reply("accept", {"name": 7})) is None
        True
    """
    if reply.action != "accept":
        return Reply(reply.action)
    asked = cast("JsonObject", question.schema.get("properties") or {})
    content = {key: value for key, value in (reply.content or {}).items() if key in asked}
    return Reply("accept", content) if not compile_check(question.schema)(content) else None


def _is_field(field: JsonValue) -> bool:
    if not isinstance(field, Mapping):
        return False
    schema = cast("JsonObject", field)
    return schema.get("type") in _SCALARS or _is_choice_of_many(schema)


def _is_choice_of_many(field: JsonValue) -> bool:
    if not isinstance(field, Mapping) or cast("JsonObject", field).get("type") != "array":
        return False
    items = cast("JsonObject", field).get("items")
    return isinstance(items, Mapping) and ("enum" in items or "anyOf" in items)
