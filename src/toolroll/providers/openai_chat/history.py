"""Histories of chat completions: read, put in order, written.

Source: OpenAI API reference, chat completions, messages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from toolroll.content import Audio, Content, JsonObject, JsonValue, Text
from toolroll.outcome import Note, Report
from toolroll.providers.block import EMPTY, line_of, media_of, text_of
from toolroll.providers.json_form import as_object, list_at, object_at, objects_at, text_at
from toolroll.providers.limit import OPENAI_CHAT
from toolroll.providers.mending import Mended, mend
from toolroll.providers.moving import (
    ANY_IMAGE,
    SHOWN,
    leave_out,
    link_of,
    named_only,
    told_as_failed,
    url_of,
    words_of,
)
from toolroll.providers.openai_chat.message import fitted, text_part
from toolroll.providers.openai_chat.wire import ATTACHED, holder_of, media_part
from toolroll.providers.reading import call_text, object_of
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
from toolroll.repair import IdProvider
from toolroll.tools.hints import Hints

PROVIDER = "openai_chat"
_NO_HINTS: Mapping[str, Hints] = {}
_SHOWN = frozenset({"image_url", "input_audio", "file"})
"""Parts that only the user may say."""

_SAYING = ("tool_calls", "refusal", "audio")
"""Fields of a message of the model that may stand without its `content`."""

_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "assistant": "assistant"}


def read_history(messages: Sequence[JsonObject]) -> list[Turn]:
    """Read messages as turns that every provider's `write_history` takes.

    Raises:
        TypeError: a message is no mapping.

    Example:
        >>> turns = read_history([{"role": "tool", "tool_call_id": "a", "content": "2"}])
        >>> turns[0].parts[0].id
        'a'
    """
    return [_turn(index, message) for index, message in enumerate(messages)]


def write_history(
    turns: Sequence[Turn],
    hints: Mapping[str, Hints] = _NO_HINTS,
    *,
    ids: IdProvider = "openai_chat",
) -> History:
    """Write turns of any provider as messages, in order; see `repair_history`.

    Args:
        turns: from any provider's `read_history`, in order.
        hints: as in `repair_history`.
        ids: whose rule for the ids of calls is kept.

    Example:
        >>> from toolroll.providers import gemini
        >>> turns = gemini.read_history([{"role": "model", "parts": [{"text": "hi"}]}])
        >>> write_history(turns).messages
        [{'role': 'assistant', 'content': 'hi'}]
    """
    mended, notes = mend(turns, replace(OPENAI_CHAT, provider=ids), hints)
    messages: list[JsonObject] = []
    for each in mended:
        beside: list[JsonValue] = []
        messages.extend(_written(each.turn, notes, beside))
        messages.extend(_results(each, notes, beside))
    sent = all_sendable(messages, notes)
    return History(messages=sent, report=Report.of(notes))


def repair_history(
    messages: Sequence[JsonObject],
    hints: Mapping[str, Hints] = _NO_HINTS,
    *,
    ids: IdProvider = "openai_chat",
) -> History:
    """Put a history in order: each call with one id and one result, right behind it.

    Blank ids become `call_{message}_{call}`, long and repeated ones are made fitting, on both sides
    of a pair. A result without a call goes, a call without a result gets one that says so, results
    move behind their calls, names and arguments the API refuses are respelled. An older
    `function_call` becomes one of `tool_calls`, its `function` message a `tool` message.

    Args:
        messages: of any age; not changed. A history in order comes back equal, and so does one that
            was repaired.
        hints: name of a tool -> its hints: a lost call of one that only reads may be made again.
        ids: whose ids are wanted: `mistral` speaks this wire with ids of its own.

    Returns:
        The messages, and a line for each change.

    Raises:
        TypeError: a message is no mapping.

    Example:
        >>> call = {"id": "", "type": "function", "function": {"name": "f", "arguments": ""}}
        >>> said = [{"role": "assistant", "content": None, "tool_calls": [call]}]
        >>> [message.get("tool_call_id") for message in repair_history(said).messages]
        [None, 'call_0_0']
    """
    return write_history(read_history(messages), hints, ids=ids)


def _turn(index: int, given: JsonObject) -> Turn:
    fitting = fitted(mapping(given, f"messages[{index}]"), index)
    message = fitting.message
    said = text_at(message, "role")
    if said in ("tool", "function"):
        parts: tuple[Part, ...] = (_result_part(message),)
    elif said == "assistant":
        parts = (*_beside(message), *_content(message), *_calls(message))
    else:
        parts = _content(message)
    role = _ROLES.get(said, "user")
    return fitting.turn(role, parts, PROVIDER)


def _beside(message: JsonObject) -> Iterator[Part]:
    """What the model said beside its content."""
    for kind in ("reasoning_content", "reasoning", "reasoning_details", "audio"):
        if message.get(kind):
            yield OwnPart(kind=kind, raw=message)
    if refusal := text_at(message, "refusal"):
        yield TextPart(text=refusal)


def _content(message: JsonObject) -> tuple[Part, ...]:
    held = message.get("content")
    if isinstance(held, str):
        return (TextPart(text=held),) if held else ()
    return tuple(_part(part) for part in objects_at(message, "content"))


def _part(part: JsonObject) -> Part:
    match part.get("type"):
        case "text" | "refusal":
            return TextPart(text=text_at(part, "text") or text_at(part, "refusal"), raw=part)
        case "image_url":
            url = text_at(object_at(part, "image_url"), "url")
            media = media_of(url) or link_of(url)
        case "file":
            file = object_at(part, "file")
            media = media_of(text_at(file, "file_data"), name=text_at(file, "filename"))
        case "input_audio":
            sound = object_at(part, "input_audio")
            kind = "audio/mpeg" if sound.get("format") == "mp3" else "audio/wav"
            media = Audio(text_at(sound, "data"), kind)
        case _:
            media = None
    if media is None:
        return OwnPart(kind=text_at(part, "type") or "part", raw=part)
    return MediaPart(block=media, raw=part)


def _calls(message: JsonObject) -> Iterator[CallPart]:
    for entry in _entries(message):
        kind, call_id = holder_of(entry), text_at(entry, "id")
        if kind != "function":
            held = object_at(entry, kind)
            said: JsonObject = {"input": text_at(held, "input")}
            yield CallPart(id=call_id, name=text_at(held, "name"), arguments=said, raw=entry)
            continue
        function = object_at(entry, "function")
        given = function.get("arguments")
        value, whole = object_of(given)
        yield CallPart(
            id=call_id,
            name=text_at(function, "name"),
            arguments=value,
            whole=whole and isinstance(given, str),
            raw=entry,
        )


def _entries(message: JsonObject) -> list[JsonObject]:
    """The calls of a message; the older single `function_call` counts as one without an id."""
    entries = objects_at(message, "tool_calls")
    older = object_at(message, "function_call")
    return [{"function": older}] if older and not entries else entries


def _result_part(message: JsonObject) -> ResultPart:
    blocks: list[Content] = []
    for part in _content(message):
        match part:
            case TextPart(text=text):
                blocks.append(Text(text))
            case MediaPart(block=block):
                blocks.append(block)
            case OwnPart(kind=kind):
                blocks.append(Text(f"[{kind}]"))
            case CallPart() | ResultPart():
                pass
    failed = False
    if blocks and isinstance(blocks[0], Text):
        first, failed = told_as_failed(blocks[0].text)
        blocks = [*([Text(first)] if first else []), *blocks[1:]] if failed else blocks
    return ResultPart(
        id=text_at(message, "tool_call_id"),
        name=text_at(message, "name"),
        blocks=tuple(blocks),
        failed=failed,
        raw=message,
    )


def _written(turn: Turn, notes: list[Note], beside: list[JsonValue]) -> list[JsonObject]:
    if turn.provider == PROVIDER:
        shown = as_object(turn.raw[0])
        if text_at(shown, "role") not in ("user", "tool"):
            shown = _without_media(shown, turn, notes, beside)
        return [_patched(shown, turn, notes)]
    if turn.role != "assistant":
        content = [_content_part(part, turn, notes) for part in turn.parts]
        kept: list[JsonValue] = [part for part in content if part is not None]
        said: JsonObject = {"role": "system" if turn.role == "system" else "user", "content": kept}
        if turn.role == "system":
            said = _without_media(said, turn, notes, beside)
        return [{**said, "content": _shortest(list_at(said, "content"))}] if kept else []
    texts = [part.text for part in turn.parts if isinstance(part, TextPart)]
    for part in turn.parts:
        if isinstance(part, (OwnPart, MediaPart)):
            kind = part.kind if isinstance(part, OwnPart) else "media of the model"
            leave_out(kind, turn, PROVIDER, notes)
    calls: list[JsonValue] = [_call_entry(call, {}) for call in turn.calls]
    message: dict[str, JsonValue] = {"role": "assistant", "content": "\n".join(texts)}
    if calls:
        message["content"] = message["content"] or None
        message["tool_calls"] = calls
    return [message] if texts or calls else []


def _patched(message: JsonObject, turn: Turn, notes: list[Note]) -> JsonObject:
    """The message with its calls as they are now; the message itself where nothing changed.

    Source: error texts "[] is too short - 'messages.1.tool_calls'", "Invalid value for 'content':
    expected a string, got null".
    """
    entries = _entries(message) if turn.calls else []
    written: list[JsonValue] = [
        _call_entry(call, entry) for call, entry in zip(turn.calls, entries, strict=True)
    ]
    kept, where = message, f"messages[{turn.index}]"
    if written and written != list_at(message, "tool_calls"):
        kept = {key: value for key, value in message.items() if key != "function_call"}
        kept["tool_calls"] = written
    elif not written and "tool_calls" in message:
        kept = {key: value for key, value in message.items() if key != "tool_calls"}
        notes.append(Note("dropped", where, "tool_calls without a call are left out"))
    if kept.get("content") is None and not any(kept.get(key) for key in _SAYING):
        notes.append(Note("repaired", where, "a message without content has an empty text now"))
        return {**kept, "content": ""}
    return kept


def _call_entry(call: CallPart, entry: JsonObject) -> JsonObject:
    kind = holder_of(entry)
    if kind != "function":
        held = object_at(entry, kind)
        return {**entry, "id": call.id, **({kind: {**held, "name": call.name}} if held else {})}
    function = object_at(entry, "function")
    arguments = function.get("arguments") if call.whole and function else call_text(call.arguments)
    written = {**function, "name": call.name, "arguments": arguments}
    return {**entry, "id": call.id, "type": "function", "function": written}


def _without_media(
    message: JsonObject, turn: Turn, notes: list[Note], beside: list[JsonValue], whose: str = ""
) -> JsonObject:
    """The message without what only the user may show; that goes beside it.

    Source: error text "Image URLs are only allowed for messages with role 'user', but this message
    with role 'tool' contains an image URL".
    """
    content: list[JsonValue] = []
    for part in objects_at(message, "content"):
        if part.get("type") not in _SHOWN:
            content.append(part)
            continue
        media = _part(part)
        line = line_of(media.block) if isinstance(media, MediaPart) else f"[{part.get('type')}]"
        content.append(text_part(line))
        beside += [text_part(f"{line} of {whose}:" if whose else f"{line}:"), part]
    if content == list_at(message, "content"):
        return message
    notes.append(Note("moved", f"messages[{turn.index}]", "media stands in a user message now"))
    return {**message, "content": content}


def _results(mended: Mended, notes: list[Note], attached: list[JsonValue]) -> list[JsonObject]:
    messages: list[JsonObject] = []
    for result in mended.results:
        raw = result.raw or {}
        if text_at(raw, "role") == "tool":
            shown = _without_media(raw, mended.turn, notes, attached, result.id)
            fitting = {**shown, "tool_call_id": result.id}
            if not isinstance(raw.get("content"), (str, list)):
                fitting["content"] = EMPTY
                reason = f"the result of {result.id!r} was no text"
                notes.append(Note("repaired", f"messages[{mended.turn.index}]", reason))
            messages.append(raw if fitting == raw else fitting)
            continue
        message: JsonObject = {
            "role": "tool",
            "tool_call_id": result.id,
            "content": text_of(words_of(result)),
        }
        messages.append(message)
        for block in result.blocks:
            part = media_part(block)
            if part is not None:
                label = f"{line_of(block)} of {result.id}:"
                attached.extend(({"type": "text", "text": label}, part))
    if attached:
        opening = text_part(ATTACHED if mended.results else SHOWN)
        messages.append({"role": "user", "content": [opening, *attached]})
    return messages


def _content_part(part: Part, turn: Turn, notes: list[Note]) -> JsonValue:
    match part:
        case TextPart(text=text):
            return {"type": "text", "text": text}
        case MediaPart(block=block):
            if url := url_of(block, ANY_IMAGE):
                return {"type": "image_url", "image_url": {"url": url}}
            shown = media_part(block)
            return shown or {"type": "text", "text": named_only(part, turn, PROVIDER, notes)}
        case OwnPart(kind=kind):
            leave_out(kind, turn, PROVIDER, notes)
            return None
        case CallPart() | ResultPart():
            return None


def _shortest(content: list[JsonValue]) -> JsonValue:
    """A text where there is only one."""
    only = as_object(content[0] if len(content) == 1 else None)
    return only["text"] if only.get("type") == "text" else content
