"""What a tool needs of its schema at run time: a reader of inputs and a writer of results."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from toolroll.content import JsonObject, JsonValue, ToolResult
from toolroll.content.open_form import open_form
from toolroll.outcome import Issue, Repair

RepairMode: TypeAlias = Literal["schema", "off"]
"""`schema`: where the check fails and exactly one reading is possible, it is taken and reported.
`off`: the input counts as it came."""


@dataclass(frozen=True, slots=True)
class ReadInput:
    """An input that passed its check.

    Args:
        value: the checked input as JSON: what approvals show, digests cover and sources receive.
        bound: what the handler gets: keyword arguments, or one model instance under the key "".
        repairs: what was put right, in order of place.

    Example:
        >>> from toolroll.schema import schema_reader
        >>> schema = {"type": "object", "properties": {"n": {"type": "integer", "default": 1}}}
        >>> schema_reader(schema).read({})
        ReadInput(value={'n': 1}, bound={'n': 1}, repairs=())
    """

    value: JsonObject
    bound: Mapping[str, object]
    repairs: tuple[Repair, ...] = ()


_ReadInput = open_form(ReadInput)


def read_input(
    value: JsonObject, bound: Mapping[str, object], repairs: tuple[Repair, ...] = ()
) -> ReadInput:
    """Make the record of an input that passed, quickly.

    Example:
        >>> read_input({"n": 1}, {"n": 1}) == ReadInput({"n": 1}, {"n": 1})
        True
    """
    record = _ReadInput()
    record.value = value
    record.bound = bound
    record.repairs = repairs
    record.__class__ = ReadInput
    return record


@dataclass(frozen=True, slots=True)
class RejectedInput:
    """An input that did not pass; `issues` lists every fault, in order of place.

    Args:
        issues: in order of place.

    Example:
        >>> from toolroll.schema import schema_reader
        >>> schema = {"type": "object", "properties": {"n": {"type": "integer"}}}
        >>> schema_reader(schema).read({"n": []}).issues[0].pointer
        '/n'
    """

    issues: tuple[Issue, ...]


class InputReader(Protocol):
    """Checks the arguments of one tool. Never mutates what it is given, never raises for it.

    Example:
        >>> from toolroll.schema import schema_reader
        >>> reader: InputReader = schema_reader({"type": "object"})
        >>> reader.read("text").issues[0].problem
        'must be object'
    """

    def read(
        self, arguments: JsonValue, /, *, repair: RepairMode = "schema"
    ) -> ReadInput | RejectedInput:
        """Check, mend if asked and possible, and bind."""
        ...


class ResultWriter(Protocol):
    """Turns what a handler returned into a `ToolResult`.

    Raises:
        OutcomeError: code `invalid-result`, when it does not fit the declared output.

    Example:
        >>> from toolroll.schema import result_writer
        >>> writer: ResultWriter = result_writer()
        >>> writer.write("hi").text
        'hi'
    """

    def write(self, returned: object, /) -> ToolResult:
        """Turn what a handler returned into a result."""
        ...
