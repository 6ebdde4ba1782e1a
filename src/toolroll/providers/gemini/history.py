"""Histories of Gemini's contents: read, put in order, written.

Source: Gemini API reference, `Content`; error texts "function response parts is equal to the number
of function call parts" and "missing a thought_signature"; guide to thought signatures, questions.
"""

from collections.abc import Mapping, Sequence

from toolroll.content import Audio, Content, EmbeddedResource, Image, JsonObject, JsonValue, Text
from toolroll.outcome import Note, Report
from toolroll.providers.block import EMPTY, line_of, text_of
from toolroll.providers.gemini.message import fitted
from toolroll.providers.gemini.stream import is_signed
from toolroll.providers.gemini.wire import NO_SIGNATURE, call_of, media_part
from toolroll.providers.json_form import as_object, list_at, object_at, objects_at, text_at
from toolroll.providers.limit import GEMINI
from toolroll.providers.mending import Mended, in_turns, mend, system_of
from toolroll.providers.moving import leave_out, link_of, named_only
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
from toolroll.tools.hints import Hints

PROVIDER = "gemini"
LEFT_OUT = "(What was said before is left out.)"
"""Stands for the user's words where a history begins with a call."""

_ROLES: dict[str, Role] = {"model": "assistant", "system": "system"}
_NO_HINTS: Mapping[str, Hints] = {}
_RESULTS = ("functionResponse", "function_response")


def read_history(contents: Sequence[JsonObject], system: str = "") -> list[Turn]:
    """Read contents as turns that every provider's `write_history` takes.

    Args:
        contents: of a request.
        system: the text of its system instruction, which stands beside them.

    Example:
        >>> read_history([{"role": "model", "parts": [{"text": "hi"}]}])[0].role
        'assistant'
    """
    turns = [_turn(index, content) for index, content in enumerate(contents)]
    if system:
        return [Turn(role="system", parts=(TextPart(text=system),)), *turns]
    return turns


def write_history(turns: Sequence[Turn], hints: Mapping[str, Hints] = _NO_HINTS) -> History:
    """Write turns of any provider as contents, in order; see `repair_history`.

    Texts of the system go into `History.system`.

    Args:
        turns: from any provider's `read_history`, in order.
        hints: as in `repair_history`.

    Example:
        >>> from toolroll.providers import openai_chat
        >>> turns = openai_chat.read_history([{"role": "user", "content": "hi"}])
        >>> write_history(turns).messages
        [{'role': 'user', 'parts': [{'text': 'hi'}]}]
    """
    mended, notes = mend(turns, GEMINI, hints)
    contents: list[JsonObject] = []
    for waiting, turn in in_turns(mended):
        if waiting is not None:
            contents.append(_responses(waiting, turn, notes))
        elif turn is not None:
            for content in _written(turn, notes):
                _append(contents, content, turn, notes)
    beside = (each.turn for each in mended if each.turn.role == "system")
    system = system_of(beside, PROVIDER, notes)
    sent = all_sendable(contents, notes)
    return History(messages=sent, report=Report.of(notes), system=system)


def _append(contents: list[JsonObject], content: JsonObject, turn: Turn, notes: list[Note]) -> None:
    """Append a content; calls stand behind the user's words or behind responses only.

    Source: error text "ensure that function call turn comes immediately after a user turn or after
    a function response turn".
    """
    where = f"messages[{turn.index}]"
    if turn.calls and contents and contents[-1].get("role") == "model":
        notes.append(Note("moved", where, "the calls stand in the content before them now"))
    while turn.calls and contents and contents[-1].get("role") == "model":
        before = contents.pop()
        content = {**before, "parts": [*list_at(before, "parts"), *list_at(content, "parts")]}
    if turn.calls and not contents:
        contents.append({"role": "user", "parts": [{"text": LEFT_OUT}]})
        notes.append(Note("added", where, "the history began with a call"))
    contents.append(content)


def repair_history(
    messages: Sequence[JsonObject], hints: Mapping[str, Hints] = _NO_HINTS
) -> History:
    """Put a history in order: as many responses as calls, right behind them.

    Calls stand behind the user's words or behind responses: a turn of calls joins the model's turn
    before it. Calls without ids keep none: their responses are found by name and place. A response
    without a call goes, a call without a response gets one that says so, responses move behind
    their calls, names the API refuses are respelled.

    Args:
        messages: the contents, of any age; not changed. A history in order comes back equal, and so
            does one that was repaired.
        hints: name of a tool -> its hints: a lost call of one that only reads may be made again.

    Returns:
        The contents, and a line for each change.

    Raises:
        TypeError: a content is no mapping.

    Example:
        >>> asked = {"role": "user", "parts": [{"text": "go"}]}
        >>> called = {"role": "model", "parts": [{"functionCall": {"name": "f", "args": {}}}]}
        >>> [content["role"] for content in repair_history([asked, called]).messages]
        ['user', 'model', 'user']
    """
    return write_history(read_history(messages), hints)


def _turn(index: int, given: JsonObject) -> Turn:
    fitting = fitted(mapping(given, f"messages[{index}]"), index)
    content = fitting.message
    role = _ROLES.get(text_at(content, "role"), "user")
    parts = tuple(_part(part) for part in objects_at(content, "parts"))
    return fitting.turn(role, parts, PROVIDER)


def _part(part: JsonObject) -> Part:
    call = call_of(part)
    if call is not None:
        given = call.get("args", {})
        value, whole = object_of(given)
        return CallPart(
            id=text_at(call, "id"),
            name=text_at(call, "name"),
            arguments=value,
            whole=whole and isinstance(given, Mapping),
            raw=part,
        )
    for key in _RESULTS:
        if key in part:
            return _result_part(part, object_at(part, key))
    if isinstance(part.get("text"), str) and part.get("thought") is not True:
        return TextPart(text=text_at(part, "text"), raw=part)
    media = _media_of(part)
    if media is not None:
        return MediaPart(block=media, raw=part)
    kind = "thought" if part.get("thought") is True else next(iter(part), "part")
    return OwnPart(kind=kind, raw=part)


def _result_part(part: JsonObject, said: JsonObject) -> ResultPart:
    response = _response_of(said)
    failed = "error" in response and "output" not in response
    held = response.get("error" if failed else "output", response)
    text = held if isinstance(held, str) else call_text(held)
    media = [_media_of(each) for each in objects_at(said, "parts")]
    return ResultPart(
        id=text_at(said, "id"),
        name=text_at(said, "name"),
        blocks=(Text(text), *(block for block in media if block is not None)),
        failed=failed,
        raw=part,
    )


def _media_of(part: JsonObject) -> Content | None:
    media = _media(object_at(part, "inlineData") or object_at(part, "inline_data"))
    return media or _linked(object_at(part, "fileData") or object_at(part, "file_data"))


def _response_of(said: JsonObject) -> JsonObject:
    """The object of a response; what is none stands in one."""
    held = said.get("response")
    if isinstance(held, Mapping):
        return object_at(said, "response")
    return {"output": EMPTY if held is None else held}


def _media(held: JsonObject) -> Content | None:
    data = text_at(held, "data")
    kind = text_at(held, "mimeType") or text_at(held, "mime_type")
    if not data:
        return None
    if kind.startswith("image/"):
        return Image(data, kind)
    if kind.startswith("audio/"):
        return Audio(data, kind)
    return EmbeddedResource("document", blob=data, mime_type=kind)


def _linked(held: JsonObject) -> Content | None:
    kind = text_at(held, "mimeType") or text_at(held, "mime_type")
    return link_of(text_at(held, "fileUri") or text_at(held, "file_uri"), kind)


def _written(turn: Turn, notes: list[Note]) -> list[JsonObject]:
    parts = _parts(turn, notes)
    if turn.provider == PROVIDER:
        content = as_object(turn.raw[0])
        if not parts:
            if not turn.parts:  # else what is left out is told already
                notes.append(Note("dropped", f"messages[{turn.index}]", "a content without parts"))
            return []
        return [content if parts == list_at(content, "parts") else {**content, "parts": parts}]
    role = "model" if turn.role == "assistant" else "user"
    return [{"role": role, "parts": parts}] if parts else []


def _parts(turn: Turn, notes: list[Note]) -> list[JsonValue]:
    written: list[JsonValue] = []
    own = turn.provider == PROVIDER
    first = next(iter(turn.calls), None)
    for part in turn.parts:
        match part:
            case TextPart(text=text, raw=raw):
                if own and raw is not None and (text or is_signed(raw)):
                    written.append(raw)
                elif own:
                    notes.append(Note("dropped", f"messages[{turn.index}]", "an empty text"))
                elif text:
                    written.append({"text": text})
            case MediaPart(block=block, raw=raw):
                shown = raw if own else media_part(block)
                line = "" if shown else named_only(part, turn, PROVIDER, notes)
                written.append(shown or {"text": line})
            case CallPart():
                written.append(_call(part, own=own, first=part is first))
            case OwnPart(kind=kind, raw=raw):
                if own and (not raw or (raw.get("text") == "" and not is_signed(raw))):
                    notes.append(Note("dropped", f"messages[{turn.index}]", "an empty part"))
                elif own:
                    written.append(raw)
                else:
                    leave_out(kind, turn, PROVIDER, notes)
            case ResultPart():
                pass
    return written


def _call(part: CallPart, *, own: bool, first: bool) -> JsonObject:
    if own and part.raw is not None:
        key = "functionCall" if "functionCall" in part.raw else "function_call"
        said = object_at(part.raw, key)
        fixed: dict[str, JsonValue] = {} if part.whole else {"args": part.arguments}
        named = {**said, "name": part.name, **fixed}
        if part.id != text_at(said, "id"):
            named["id"] = part.id
        return {**part.raw, key: named}
    call: dict[str, JsonValue] = {"name": part.name, "args": part.arguments}
    if part.id:
        call["id"] = part.id
    signature: dict[str, JsonValue] = {"thoughtSignature": NO_SIGNATURE} if first else {}
    return {"functionCall": call, **signature}


def _responses(waiting: Mended, rest: Turn | None, notes: list[Note]) -> JsonObject:
    """The responses to a turn's calls, then what else stood in the same content."""
    parts: list[JsonValue] = []
    media: list[JsonValue] = []
    for result in waiting.results:
        parts.append(_response(result, waiting.turn, notes))
        if result.raw is None or not any(key in result.raw for key in _RESULTS):
            for block in result.blocks:
                if (shown := media_part(block)) is not None:
                    media.extend(({"text": f"{line_of(block)} of {result.name}:"}, shown))
    parts += media
    parts += _parts(rest, notes) if rest is not None else []
    if rest is not None and rest.provider == PROVIDER:
        content = as_object(rest.raw[0])
        return content if parts == list_at(content, "parts") else {**content, "parts": parts}
    held = waiting.holder or {}
    return held if parts == list_at(held, "parts") else {"role": "user", "parts": parts}


def _response(result: ResultPart, turn: Turn, notes: list[Note]) -> JsonObject:
    raw = result.raw or {}
    for key in _RESULTS:
        if key in raw:
            said = object_at(raw, key)
            named: dict[str, JsonValue] = {**said, "name": result.name}
            named["response"] = _response_of(said)
            if named["response"] != said.get("response") or not text_at(said, "name"):
                reason = f"the response of {result.name!r} had no name or no object"
                notes.append(Note("repaired", f"messages[{turn.index}]", reason))
            if result.id != text_at(said, "id"):
                named["id"] = result.id
            return {**raw, key: named}
    text = text_of(result.blocks)
    said = {"name": result.name, "response": {"error" if result.failed else "output": text}}
    return {"functionResponse": {"id": result.id, **said} if result.id else said}
