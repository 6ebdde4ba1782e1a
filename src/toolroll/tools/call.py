"""One request to run one tool."""

import uuid
from dataclasses import dataclass

from toolroll.content import JsonValue
from toolroll.content.open_form import open_form
from toolroll.repair.arguments import Arguments
from toolroll.repair.reading import read_arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One request to run one tool, after reading its arguments.

    Args:
        id: the id of the call, as the host gave it.
        name: the tool as the model wrote it.
        arguments: the value and how it was read.
        finish: why the model stopped, where known, e.g. `length`.

    Example:
        >>> call = ToolCall.of("add", {"a": 1})
        >>> call.name, call.arguments.value
        ('add', {'a': 1})
    """

    id: str
    name: str
    arguments: Arguments
    finish: str | None = None

    @staticmethod
    def of(name: str, arguments: JsonValue = None, *, id: str | None = None) -> "ToolCall":
        """A call with arguments that are JSON already; without an id it gets a random one.

        Example:
            >>> ToolCall.of("note_read", {"id": 3}, id="c1").arguments.value
            {'id': 3}
        """
        value: JsonValue = {} if arguments is None else arguments
        return ToolCall(
            id=id or f"call_{uuid.uuid4().hex}", name=name, arguments=Arguments(value=value)
        )

    @staticmethod
    def of_text(id: str, name: str, text: str | None, finish: str | None = None) -> "ToolCall":
        """A call whose arguments are text as a model wrote them, read and repaired.

        Args:
            id: the id of the call; blank gets a random one.
            name: the tool as the model wrote it.
            text: the arguments text.
            finish: why the model stopped, e.g. `length`.

        Example:
            >>> ToolCall.of_text("c1", "note_read", "{'id': 3,}").arguments.value
            {'id': 3}
        """
        record = _ToolCall()
        record.id = id or f"call_{uuid.uuid4().hex}"
        record.name = name
        record.arguments = read_arguments(text)
        record.finish = finish
        record.__class__ = ToolCall
        return record


_ToolCall = open_form(ToolCall)
