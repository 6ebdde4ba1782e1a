"""Histories of responses: read, put in order, written.

Source: OpenAI API reference, responses, input items; error texts "No tool output found for function
call", "No tool call found for function call output", "without its required following item".
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Note, Report
from toolroll.providers.json_form import as_object, objects_at, text_at
from toolroll.providers.limit import OPENAI_RESPONSES
from toolroll.providers.mending import mend
from toolroll.providers.moving import (
    ANY_IMAGE,
    PDF,
    SHOWN,
    leave_out,
    named_only,
    url_of,
)
from toolroll.providers.openai_responses.message import fitted
from toolroll.providers.openai_responses.pair import (
    SCREEN,
    call_item,
    call_part,
    is_call,
    is_output,
    media_of_part,
    output_item,
    result_part,
)
from toolroll.providers.openai_responses.wire import media_part
from toolroll.providers.sendable import all_sendable
from toolroll.providers.speaking import Fitting, mapping
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

PROVIDER = "openai_responses"
_NO_HINTS: Mapping[str, Hints] = {}
_SHOWN = ("input_image", "input_file")
_ROLES: dict[str, Role] = {"system": "system", "developer": "system", "assistant": "assistant"}
_USER = frozenset({"mcp_approval_response", "item_reference", "compaction_trigger"})
"""Items that are no message, and not of the model; outputs are the others."""


def read_history(items: Sequence[JsonObject], system: str = "") -> list[Turn]:
    """Read items as turns that every provider's `write_history` takes.

    Items of the model that follow each other are one turn.

    Args:
        items: the `input` of a request.
        system: its `instructions`, which stand beside them.

    Raises:
        TypeError: an item is no mapping.

    Example:
        >>> call = {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}
        >>> read_history([{"type": "reasoning", "summary": []}, call])[0].calls[0].id
        'a'
    """
    turns = [Turn(role="system", parts=(TextPart(text=system),))] if system else []
    group: list[tuple[int, Fitting]] = []
    whole = [mapping(item, f"messages[{index}]") for index, item in enumerate(items)]
    screens = Counter(
        text_at(item, "call_id") for item in whole if item.get("type") == f"{SCREEN}_output"
    )
    called = {text_at(item, "call_id") for item in whole if is_call(item)}
    refers = any(item.get("type") == "item_reference" for item in whole)
    for index, given in enumerate(whole):
        fitting = fitted(given, index)
        item = fitting.message
        if _role(item) == "assistant":
            group.append((index, fitting))
            continue
        turns.extend(_model_turn(group, screens))
        group = []
        parts = _parts(item)
        if refers and is_output(item) and text_at(item, "call_id") not in called:
            parts = (OwnPart(kind=text_at(item, "type"), raw=item),)  # its call is kept elsewhere
        turns.append(fitting.turn(_role(item), parts, PROVIDER))
    return [*turns, *_model_turn(group, screens)]


def write_history(turns: Sequence[Turn], hints: Mapping[str, Hints] = _NO_HINTS) -> History:
    """Write turns of any provider as items, in order; see `repair_history`.

    Args:
        turns: from any provider's `read_history`, in order.
        hints: as in `repair_history`.

    Example:
        >>> from toolroll.providers import anthropic
        >>> turns = anthropic.read_history([{"role": "user", "content": "hi"}])
        >>> write_history(turns).messages
        [{'role': 'user', 'content': [{'type': 'input_text', 'text': 'hi'}]}]
    """
    mended, notes = mend(turns, OPENAI_RESPONSES, hints)
    items: list[JsonObject] = []
    for each in mended:
        beside: list[JsonValue] = []
        items.extend(_written(each.turn, notes, beside))
        calls = {call.id: call for call in each.turn.calls}
        where = f"messages[{each.turn.index}]"
        items.extend(
            output_item(result, calls.get(result.id), where, notes) for result in each.results
        )
        if beside:
            opening: JsonValue = {"type": "input_text", "text": SHOWN}
            items.append({"role": "user", "content": [opening, *beside]})
    sent = all_sendable(items, notes)
    return History(messages=sent, report=Report.of(notes))


def repair_history(
    messages: Sequence[JsonObject], hints: Mapping[str, Hints] = _NO_HINTS
) -> History:
    """Put a history in order: each call with one id and one output, behind it.

    Blank ids become `call_{item}_{call}`, long and repeated ones are made fitting, on both sides of
    a pair. An output without a call goes, a call without an output gets one that says so, outputs
    move behind their calls, reasoning that nothing follows goes, names and arguments the API
    refuses are respelled.

    Args:
        messages: the input items, of any age; not changed. A history in order comes back equal, and
            so does one that was repaired.
        hints: name of a tool -> its hints: a lost call of one that only reads may be made again.

    Returns:
        The items, and a line for each change.

    Raises:
        TypeError: an item is no mapping.

    Example:
        >>> said = [{"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}]
        >>> [item["type"] for item in repair_history(said).messages]
        ['function_call', 'function_call_output']
    """
    return write_history(read_history(messages), hints)


def _role(item: JsonObject) -> Role:
    kind = text_at(item, "type")
    if kind in ("", "message"):
        return _ROLES.get(text_at(item, "role"), "user")
    return "user" if kind in _USER or kind.endswith("_output") else "assistant"


def _model_turn(group: Sequence[tuple[int, Fitting]], screens: Counter[str]) -> list[Turn]:
    if not group:
        return []
    parts: list[Part] = []
    raw = tuple(fitting.message for _, fitting in group)
    notes = [note for _, fitting in group for note in fitting.notes]
    for (index, _), item in zip(group, raw, strict=True):
        if item.get("type") == SCREEN and not _take(screens, text_at(item, "call_id")):
            reason = "a computer call without its picture is left out, with what led to it"
            notes.append(Note("dropped", f"messages[{index}]", reason))
            while parts and _is_reasoning(parts[-1]):
                parts.pop()
        elif is_call(item):
            parts.append(call_part(item))
        elif item.get("type") in (None, "", "message"):
            texts = [part.text for part in _parts(item) if isinstance(part, TextPart)]
            parts.append(TextPart(text="\n".join(texts), raw=item))
        else:
            parts.append(OwnPart(kind=text_at(item, "type"), raw=item))
    return [
        Turn(
            role="assistant",
            parts=tuple(parts),
            index=group[0][0],
            raw=raw,
            provider=PROVIDER,
            notes=tuple(notes),
        )
    ]


def _take(counted: Counter[str], key: str) -> bool:
    counted[key] -= 1
    return counted[key] >= 0


def _parts(item: JsonObject) -> tuple[Part, ...]:
    if is_output(item):
        return (result_part(item),)
    held = item.get("content")
    if isinstance(held, str):
        return (TextPart(text=held),) if held else ()
    if item.get("type") not in (None, "", "message"):
        return (OwnPart(kind=text_at(item, "type"), raw=item),)
    return tuple(_part(part) for part in objects_at(item, "content"))


def _part(part: JsonObject) -> Part:
    if text := text_at(part, "text") or text_at(part, "refusal"):
        return TextPart(text=text, raw=part)
    media = media_of_part(part)
    if media is not None:
        return MediaPart(block=media, raw=part)
    return OwnPart(kind=text_at(part, "type") or "part", raw=part)


def _written(turn: Turn, notes: list[Note], beside: list[JsonValue]) -> list[JsonObject]:
    own = turn.provider == PROVIDER
    if turn.role != "assistant":
        if own:
            return [_spoken(as_object(turn.raw[0]), turn, notes)]
        content = [part for part in (_input_part(part, turn, notes) for part in turn.parts) if part]
        return [{"role": turn.role, "content": content}] if content else []
    items: list[JsonObject] = []
    followed = max(
        (place for place, part in enumerate(turn.parts) if not _is_reasoning(part)), default=-1
    )
    for place, part in enumerate(turn.parts):
        match part:
            case CallPart():
                items.append(call_item(part, own=own))
            case TextPart(raw=raw) if own and raw is not None:
                items.append(_without_media(_spoken(raw, turn, notes), turn, notes, beside))
            case TextPart(text=text):
                if text:
                    items.append({"role": "assistant", "content": text})
            case OwnPart(kind="reasoning") if own and place > followed:
                _note(notes, "dropped", turn, "reasoning is left out: nothing follows it")
            case OwnPart(raw=raw) if own:
                items.append(raw)
            case OwnPart(kind=kind):
                leave_out(kind, turn, PROVIDER, notes)
            case MediaPart():
                leave_out("media of the model", turn, PROVIDER, notes)
            case ResultPart():
                pass
    return items


def _without_media(
    item: JsonObject, turn: Turn, notes: list[Note], beside: list[JsonValue]
) -> JsonObject:
    """The model's message without what only the user may show; that goes beside it."""
    parts = objects_at(item, "content")
    shown: list[JsonValue] = [part for part in parts if part.get("type") in _SHOWN]
    if not shown:
        return item
    beside += shown
    _note(notes, "moved", turn, "media of the model stands in a user message now")
    kept: list[JsonValue] = [part for part in parts if part.get("type") not in _SHOWN]
    return {**item, "content": kept or ""}


def _is_reasoning(part: Part) -> bool:
    return isinstance(part, OwnPart) and part.kind == "reasoning"


def _input_part(part: Part, turn: Turn, notes: list[Note]) -> JsonObject | None:
    match part:
        case TextPart(text=text):
            return {"type": "input_text", "text": text} if text else None
        case MediaPart(block=block):
            if url := url_of(block, ANY_IMAGE):
                return {"type": "input_image", "image_url": url, "detail": "auto"}
            if url := url_of(block, PDF):
                return {"type": "input_file", "file_url": url}
            shown = media_part(block)
            if shown is None:
                return {"type": "input_text", "text": named_only(part, turn, PROVIDER, notes)}
            return {**shown, "detail": "auto"} if shown["type"] == "input_image" else shown
        case OwnPart(kind=kind):
            leave_out(kind, turn, PROVIDER, notes)
            return None
        case CallPart() | ResultPart():
            return None


def _note(notes: list[Note], kind: str, turn: Turn, reason: str) -> None:
    notes.append(Note(kind, f"messages[{turn.index}]", reason))


def _spoken(item: JsonObject, turn: Turn, notes: list[Note]) -> JsonObject:
    """The item; a message says something, if only an empty text."""
    if item.get("type") not in (None, "", "message") or item.get("content") is not None:
        return item
    _note(notes, "repaired", turn, "a message without content has an empty text now")
    return {**item, "content": ""}
