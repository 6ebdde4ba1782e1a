"""A history of messages in words that no provider owns, beside what each provider wrote.

Every turn and part keeps what it was read from, so that what needs no change is sent as it was.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolroll.content import Content, JsonObject, JsonValue
from toolroll.outcome import Note, Report

Role: TypeAlias = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A text."""

    text: str
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MediaPart:
    """An image, a sound or a document."""

    block: Content
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CallPart:
    """A call of a tool.

    Args:
        id: as it stands in the history; may be blank.
        name: of the tool.
        arguments: as JSON.
        whole: the arguments stood there as one JSON object.
    """

    id: str
    name: str
    arguments: JsonValue
    whole: bool = True
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPart:
    """What a call came to.

    Args:
        id: of the call, as it stands in the history; may be blank.
        name: of the tool, where the wire says it.
        blocks: what the model reads.
        failed: the wire says that it is an error.
    """

    id: str
    name: str = ""
    blocks: tuple[Content, ...] = ()
    failed: bool = False
    raw: JsonObject | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPart:
    """What only its own provider understands: thinking with its signature, built-in tools, ..."""

    kind: str
    raw: JsonObject


Part: TypeAlias = TextPart | MediaPart | CallPart | ResultPart | OwnPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of a history.

    Args:
        role: who speaks; results of tools stand in turns of the user.
        parts: in order.
        index: place of its first message in the history.
        raw: the message or messages it was read from, made fitting.
        provider: whose form `raw` has.
        notes: what had to be changed to read it.

    Example:
        >>> from toolroll.providers import anthropic
        >>> call = {"type": "tool_use", "id": "a", "name": "note_read", "input": {"number": 1}}
        >>> (turn,) = anthropic.read_history([{"role": "assistant", "content": [call]}])
        >>> turn.role, turn.calls[0].name, turn.calls[0].arguments
        ('assistant', 'note_read', {'number': 1})
    """

    role: Role
    parts: tuple[Part, ...]
    index: int = 0
    raw: tuple[JsonObject, ...] = ()
    provider: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The calls of the turn."""
        return tuple(part for part in self.parts if isinstance(part, CallPart))


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A history ready to be sent.

    Args:
        messages: as the provider takes them; messages that needed no change are the given ones.
        report: what was changed, message by message.
        system: the system prompt, for providers that take it beside the messages.

    Example:
        >>> from toolroll.providers import anthropic, openai_chat
        >>> said = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]
        >>> history = anthropic.write_history(openai_chat.read_history(said))
        >>> history.system, [message["role"] for message in history.messages]
        ('Be short.', ['user'])
    """

    messages: list[JsonObject]
    report: Report = field(default_factory=Report)
    system: str = ""
