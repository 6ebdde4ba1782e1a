"""One request to run one tool."""

import uuid
from dataclasses import dataclass

from toolroll.content import JsonValue
from toolroll.repair.arguments import Arguments


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One request to run one tool, after reading its arguments.

    Args:
        id: the id of the call, as the host gave it.
        name: the tool as the model wrote it.
        arguments: the value and how it was read.
        finish: why the model stopped, where known, e.g. `length`.
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
        value = {} if arguments is None else arguments
        return ToolCall(id=id or f"call_{uuid.uuid4().hex}", name=name, arguments=Arguments(value=value))
