"""Histories of Anthropic's messages: read, put in order, written.

Source: Anthropic API reference, messages; guide to tool use, "Handling tool use and tool result
blocks".
"""

from collections.abc import Mapping, Sequence

from toolroll.content import Content, EmbeddedResource, Image, JsonObject, JsonValue, Text
from toolroll.outcome import Note, Report
from toolroll.providers.anthropic.message import fitted, fitting_blocks
from toolroll.providers.anthropic.served import without_halves
from toolroll.providers.anthropic.wire import (
    is_refused,
    media_block,
    result_block,
    shown_beside,
)
from toolroll.providers.block import EMPTY, line_of
from toolroll.providers.json_form import as_object, list_at, object_at, objects_at, text_at
from toolroll.providers.limit import ANTHROPIC
from toolroll.providers.mending import Mended, in_turns, mend, system_of
from toolroll.providers.moving import ANY_IMAGE, PDF, leave_out, link_of, named_only, url_of
from toolroll.providers.reading import object_of
from toolroll.providers.sendable import all_sendable
from toolroll.providers.speaking import mapping
from toolroll.providers.turn import (
    CallPart,
    History,
    MediaPart,
    OwnPart,
    Part,
    ResultPart,
    Role,
    TextPart,
    Turn,
)
from toolroll.tools.hints import Hints

PROVIDER = "anthropic"
_ROLES: dict[str, Role] = {"assistant": "assistant", "system": "system"}
_NO_HINTS: Mapping[str, Hints] = {}


def read_history(messages: Sequence[JsonObject], system: str = "") -> list[Turn]:
    """Read messages as turns that every provider's `write_history` takes.

    Args:
        messages: of a request.
        system: its system prompt, which stands beside them.

    Example:
        >>> read_history([{"role": "user", "content": "hi"}])[0].parts
        (TextPart(text='hi', raw=None),)
    """
    turns = [_turn(index, message) for index, message in enumerate(messages)]
    if system:
        return [Turn(role="system", parts=(TextPart(text=system),)), *turns]
    return turns


def write_history(turns: Sequence[Turn], hints: Mapping[str, Hints] = _NO_HINTS) -> History:
    """Write turns of any provider as messages, in order; see `repair_history`.

    Texts of the system go into `History.system`; its own later ones stay between the messages,
    where models of 2026 take them.

    Args:
        turns: from any provider's `read_history`, in order.
        hints: as in `repair_history`.

    Example:
        >>> from toolroll.providers import openai_chat
        >>> said = [{"role": "system", "content": "Be short."}, {"role": "user", "content": "hi"}]
        >>> history = write_history(openai_chat.read_history(said))
        >>> history.system, history.messages
        ('Be short.', [{'role': 'user', 'content': [{'type': 'text', 'text': 'hi'}]}])
    """
    mended, notes = mend(turns, ANTHROPIC, hints)
    mended = without_halves(mended, notes)
    messages: list[JsonObject] = []
    beside = [
        each.turn
        for each in mended
        if each.turn.role == "system" and each.turn.provider != PROVIDER
    ]
    for waiting, turn in in_turns(mended, keeps=PROVIDER):
        if waiting is not None:
            messages.append(_user_message(waiting, turn, notes))
        elif turn is not None and turn.role == "system" and not messages:
            beside.append(turn)
        elif turn is not None:
            messages.extend(_written(turn, notes))
    system = system_of(beside, PROVIDER, notes)
    sent = all_sendable(messages, notes)
    return History(messages=sent, report=Report.of(notes), system=system)


def repair_history(
    messages: Sequence[JsonObject], hints: Mapping[str, Hints] = _NO_HINTS
) -> History:
    """Put a history in order: each call with one id and one result, at the start of the next
    message.

    Blank ids become `call_{message}_{call}`; ids with other characters, long and repeated ones are
    made fitting, on both sides of a pair. A result without a call goes, a call without a result
    gets one that says so, results move behind their calls, names and arguments the API refuses are
    respelled.

    Args:
        messages: of any age; not changed. A history in order comes back equal, and so does one that
            was repaired.
        hints: name of a tool -> its hints: a lost call of one that only reads may be made again.

    Returns:
        The messages, and a line for each change.

    Raises:
        TypeError: a message is no mapping.

    Example:
        >>> call = {"type": "tool_use", "id": "a", "name": "f", "input": {}}
        >>> said = [{"role": "assistant", "content": [call]}, {"role": "user", "content": "stop"}]
        >>> [message["role"] for message in repair_history(said).messages]
        ['assistant', 'user', 'user']
    """
    return write_history(read_history(messages), hints)


def _turn(index: int, given: JsonObject) -> Turn:
    fitting = fitted(mapping(given, f"messages[{index}]"), index)
    message = fitting.message
    held = message.get("content")
    if isinstance(held, str):
        parts: tuple[Part, ...] = (TextPart(text=held),) if held else ()
    else:
        parts = tuple(_part(block) for block in objects_at(message, "content"))
    return fitting.turn(_ROLES.get(text_at(message, "role"), "user"), parts, PROVIDER)


def _part(block: JsonObject) -> Part:
    match block.get("type"):
        case "text":
            return TextPart(text=text_at(block, "text"), raw=block)
        case "tool_use":
            value, whole = object_of(block.get("input"))
            is_object = isinstance(block.get("input"), Mapping)
            return CallPart(
                id=text_at(block, "id"),
                name=text_at(block, "name"),
                arguments=value,
                whole=whole and is_object,
                raw=block,
            )
        case "tool_result":
            return ResultPart(
                id=text_at(block, "tool_use_id"),
                blocks=_blocks(block),
                failed=block.get("is_error") is True,
                raw=block,
            )
        case "image" | "document":
            media = _media(block)
            if media is not None:
                return MediaPart(block=media, raw=block)
        case _:
            pass
    return OwnPart(kind=text_at(block, "type") or "block", raw=block)


def _blocks(result: JsonObject) -> tuple[Content, ...]:
    held = result.get("content")
    if isinstance(held, str):
        return (Text(held),)
    blocks: list[Content] = []
    for block in (as_object(each) for each in fitting_blocks(held) if each):
        media = _media(block)
        text = text_at(block, "text") or f"[{text_at(block, 'type') or 'block'}]"
        blocks.append(media if media is not None else Text(text))
    return tuple(blocks)


def _media(block: JsonObject) -> Content | None:
    source = object_at(block, "source")
    if source.get("type") == "url":
        return link_of(text_at(source, "url"), ANY_IMAGE if block.get("type") == "image" else PDF)
    data, kind = text_at(source, "data"), text_at(source, "media_type")
    if source.get("type") != "base64" or not data:
        return None
    if block.get("type") == "image":
        return Image(data, kind)
    return EmbeddedResource(text_at(block, "title") or "document", blob=data, mime_type=kind)


def _linked(block: Content) -> JsonObject | None:
    """The block for media that is only pointed to."""
    if url := url_of(block, ANY_IMAGE):
        return {"type": "image", "source": {"type": "url", "url": url}}
    if url := url_of(block, PDF):
        return {"type": "document", "source": {"type": "url", "url": url}}
    return None


def _fitting(raw: JsonObject) -> tuple[JsonObject, list[JsonValue]]:
    """A result without empty texts, an error without media; and the media that stands beside it."""
    held = raw.get("content", "")
    if isinstance(held, str):
        return raw, []
    content: list[JsonValue] = []
    beside: list[JsonValue] = []
    for block in (as_object(each) for each in fitting_blocks(held)):
        if not block or is_refused(block):
            continue
        if raw.get("is_error") is True and block.get("type") != "text":
            media = _media(block)
            line = f"[{text_at(block, 'type') or 'block'}]" if media is None else line_of(media)
            content.append({"type": "text", "text": line})
            if media is not None:
                beside.extend(shown_beside(line, text_at(raw, "tool_use_id"), block))
        else:
            content.append(block)
    if content == held:
        return raw, []
    return {**raw, "content": content or [{"type": "text", "text": EMPTY}]}, beside


def _written(turn: Turn, notes: list[Note]) -> list[JsonObject]:
    content = _content(turn, notes)
    if turn.provider == PROVIDER:
        message = as_object(turn.raw[0])
        if not content:
            if not turn.parts:  # else what is left out is told already
                _note(notes, "dropped", turn, "a message without content is left out")
            return []
        if isinstance(message.get("content"), str) or content == list_at(message, "content"):
            return [message]
        return [{**message, "content": content}]
    role = "assistant" if turn.role == "assistant" else "user"
    return [{"role": role, "content": content}] if content else []


def _content(turn: Turn, notes: list[Note]) -> list[JsonValue]:
    content: list[JsonValue] = []
    own = turn.provider == PROVIDER
    for part in turn.parts:
        match part:
            case TextPart(text=text, raw=raw):
                if text.strip():
                    content.append(
                        raw if own and raw is not None else {"type": "text", "text": text}
                    )
                elif own:
                    _note(notes, "dropped", turn, "an empty text is left out")
            case MediaPart(block=block, raw=raw):
                shown = raw if own else _linked(block) or media_block(block)
                line = "" if shown else named_only(part, turn, PROVIDER, notes)
                content.append(shown or {"type": "text", "text": line})
            case CallPart():
                head = part.raw if own and part.raw is not None else {"type": "tool_use"}
                said = {"id": part.id, "name": part.name, "input": part.arguments}
                content.append({**head, **said})
            case OwnPart(kind=kind, raw=raw):
                if own and not raw:
                    _note(notes, "dropped", turn, "an empty block is left out")
                elif own and is_refused(raw):
                    _note(notes, "dropped", turn, f"{kind} is left out: it is not whole")
                elif own:
                    content.append(raw)
                else:
                    leave_out(kind, turn, PROVIDER, notes)
            case ResultPart():
                pass
    return content


def _user_message(waiting: Mended, rest: Turn | None, notes: list[Note]) -> JsonObject:
    """The results of a turn, media that an error may not carry, then what else the user said in the
    same message.
    """
    content: list[JsonValue] = []
    beside: list[JsonValue] = []
    for result in waiting.results:
        block, media = _result_block(result, waiting.turn, notes)
        content.append(block)
        beside += media
    content += beside
    content += _content(rest, notes) if rest is not None else []
    held = rest.raw[0] if rest is not None and rest.provider == PROVIDER else waiting.holder
    if held is not None and content == list_at(held, "content"):
        return held
    if rest is not None and rest.provider == PROVIDER:
        _note(notes, "moved", rest, "the results stand at the start of their message")
    return {"role": "user", "content": content}


def _note(notes: list[Note], kind: str, turn: Turn, reason: str) -> None:
    notes.append(Note(kind, f"messages[{turn.index}]", reason))


def _result_block(
    result: ResultPart, turn: Turn, notes: list[Note]
) -> tuple[JsonObject, list[JsonValue]]:
    """The result, and the media that stands beside it."""
    raw = result.raw or {}
    if raw.get("type") == "tool_result":
        fitting, beside = _fitting({**raw, "tool_use_id": result.id})
        if fitting.get("content") != raw.get("content"):
            _note(
                notes, "repaired", turn, f"the result of {result.id!r} held what is refused there"
            )
        return (raw if fitting == raw else fitting), beside
    return result_block(result.id, result.blocks, failed=result.failed)
