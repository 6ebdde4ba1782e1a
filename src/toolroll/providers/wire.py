"""What one provider's wire looks like to the parts that all providers share."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.record import Adapted
from toolroll.outcome import Outcome
from toolroll.providers.limit import ProviderLimits
from toolroll.repair.arguments import Arguments
from toolroll.toolkit.protocol import ListedTool

Message = TypeVar("Message")
Message_co = TypeVar("Message_co", covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """One tool as it stands in a request.

    Args:
        name: on the wire; differs from the listed name only where the provider would refuse that.
        listed: the tool as its toolkit lists it.
        adapted: its schema in the provider's dialect, and the way back.
        description: as sent.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> from toolroll.providers import openai_chat
        >>> @tool(effect="read")
        ... def note_read(number: int) -> str:
        ...     '''Read a note.'''
        ...     return "bread, tea"
        >>> offer = openai_chat.offer(LocalToolkit("notes", note_read), CallContext())
        >>> offer.offered["note_read"].adapted.strict
        True
    """

    name: str
    description: str
    listed: ListedTool
    adapted: Adapted


@dataclass(frozen=True, slots=True, kw_only=True)
class RawCall:
    """One call as it stands in a reply.

    Args:
        place: where in the reply it stands, counted over all parts of the reply.
        id: as the provider gave it; may be blank.
        name: as the model wrote it; may be blank.
        text: the arguments as text, where the wire has text.
        value: the arguments as JSON, where it has not.
        cut: the call is known to be unfinished, whatever its arguments look like.
        problem: why the provider could not read it; "" where it could.
    """

    place: int
    id: str
    name: str
    text: str | None = None
    value: JsonValue = None
    cut: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawReply:
    """What a reply says of calls.

    Args:
        calls: in order.
        finish: why the model stopped: `length` where it was cut off, else the provider's own word;
            None where it does not say.
        id: of the reply, "" where it has none.
    """

    calls: tuple[RawCall, ...] = ()
    finish: str | None = None
    id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireCall:
    """One call as it goes into the history: what the model wrote, in a form the provider takes.

    Args:
        place: of the `RawCall` it comes from; calls that stood in one text share it.
        id, name: as sent.
        written: the name as the model wrote it.
        arguments: as the model meant them, before anything was restored.
        text: the arguments as text; untouched where the model's text was whole.
    """

    place: int
    id: str
    name: str
    written: str
    arguments: Arguments
    text: str


def by_place(calls: Sequence[WireCall]) -> dict[int, list[WireCall]]:
    """The calls by the place of a reply they stood in."""
    places: dict[int, list[WireCall]] = {}
    for call in calls:
        places.setdefault(call.place, []).append(call)
    return places


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """One call with its outcome, ready to be written.

    Args:
        id, name: of the call, as on the wire.
        outcome: what it came to.
    """

    id: str
    name: str
    outcome: Outcome


class Assembler(Protocol):
    """Puts a streamed reply together, in the shape of a reply that was not streamed.

    What a provider says of an error in mid-stream stands under `error` of the reply.

    Example:
        >>> from toolroll import CallContext, LocalToolkit
        >>> from toolroll.providers import anthropic
        >>> assembler = anthropic.offer(LocalToolkit("notes"), CallContext()).assembler()
        >>> block = {"type": "tool_use", "id": "t", "name": "note_read", "input": {}}
        >>> assembler.feed({"type": "content_block_start", "index": 0, "content_block": block})
        >>> delta = {"type": "input_json_delta", "partial_json": '{"title": "Bre'}
        >>> assembler.feed({"type": "content_block_delta", "index": 0, "delta": delta})
        >>> assembler.partial()
        [('note_read', {'title': 'Bre'})]
    """

    def feed(self, event: JsonObject | str, /) -> None:
        """Take the next event or chunk: decoded, or its text as it stands after `data:`.

        A whole reply that was not streamed is taken too. Unknown events are passed over.

        Raises:
            TypeError: the event is neither a text nor a mapping, as the objects of SDKs are.
        """
        ...

    def reply(self) -> JsonObject:
        """The reply as far as it came: what `Offer.read` and `Offer.assistant` take."""
        ...

    def partial(self) -> Sequence[tuple[str, JsonValue]]:
        """The calls that have begun: name, and arguments as far as they can be read."""
        ...


class Wire(Protocol, Generic[Message_co]):
    """The parts of an edge that differ between providers."""

    @property
    def limits(self) -> ProviderLimits:
        """What the provider takes."""
        ...

    def declare(self, tools: Sequence[OfferedTool], /) -> list[dict[str, JsonValue]]:
        """The `tools` of a request."""
        ...

    def read(self, reply: JsonObject, /) -> RawReply:
        """The calls of a reply as they stand there."""
        ...

    def assistant(self, reply: JsonObject, calls: Sequence[WireCall], /) -> Message_co:
        """The reply as a part of the history."""
        ...

    def results(self, answered: Sequence[Answered], /) -> list[dict[str, JsonValue]]:
        """The results as messages, in the order of the calls."""
        ...

    def assembler(self) -> Assembler:
        """For one streamed reply."""
        ...
