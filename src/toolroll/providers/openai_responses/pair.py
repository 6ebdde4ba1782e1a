"""Calls of responses that the host answers, each kind with its own kind of output.

Source: OpenAI API reference, responses, input items; error texts "No tool output found for function
call", "No tool output found for custom tool call", "No tool call found for shell call output".
"""

from collections.abc import Callable, Mapping

from toolroll.content import Content, JsonObject, JsonValue, Text
from toolroll.outcome import Note
from toolroll.providers.block import EMPTY, line_of, media_of, text_of
from toolroll.providers.json_form import as_object, object_at, text_at
from toolroll.providers.moving import PDF, link_of, told_as_failed, words_of
from toolroll.providers.openai_responses.message import fitting_parts
from toolroll.providers.openai_responses.wire import media_part
from toolroll.providers.reading import call_text, object_of
from toolroll.providers.turn import CallPart, ResultPart

FUNCTION = "function_call"
SCREEN = "computer_call"
"""Its output is a picture, which nobody can make up."""


def _text(said: str) -> JsonObject:
    return {"output": said}


_SAYING: Mapping[str, Callable[[str], JsonObject]] = {
    FUNCTION: _text,
    "custom_tool_call": _text,
    "local_shell_call": _text,
    "shell_call": lambda said: {
        "output": [{"stdout": "", "stderr": said, "outcome": {"type": "exit", "exit_code": 1}}]
    },
    "apply_patch_call": lambda said: {"status": "failed", "output": said},
    SCREEN: _text,
}
"""Kind of a call -> how a text is said in its output."""

_NAMED = (FUNCTION, "custom_tool_call")
"""Kinds of calls that say the tool's name."""


def is_call(item: JsonObject) -> bool:
    """The item is a call that the host answers."""
    return text_at(item, "type") in _SAYING


def is_output(item: JsonObject) -> bool:
    """The item is the answer of a host."""
    return text_at(item, "type").removesuffix("_output") in _SAYING and not is_call(item)


def call_part(item: JsonObject) -> CallPart:
    """The call of an item; one of another kind than a function has what it holds as arguments.

    Example:
        >>> part = call_part({"type": "shell_call", "call_id": "a", "action": {"commands": ["ls"]}})
        >>> part.name, part.arguments
        ('shell', {'commands': ['ls']})
    """
    kind = text_at(item, "type")
    if kind == FUNCTION:
        given = item.get("arguments")
        value, whole = object_of(given)
        whole = whole and isinstance(given, str)
    elif kind in _NAMED:
        value, whole = {"input": text_at(item, "input")}, True
    else:
        value, whole = object_at(item, "action") or object_at(item, "operation"), True
    name = text_at(item, "name") if kind in _NAMED else kind.removesuffix("_call")
    return CallPart(id=_id_of(item), name=name, arguments=value, whole=whole, raw=item)


def result_part(item: JsonObject) -> ResultPart:
    """The result of an item.

    Example:
        >>> said = {"type": "custom_tool_call_output", "call_id": "a", "output": "ok"}
        >>> result_part(said).blocks[0].text
        'ok'
    """
    blocks, failed = blocks_of(item.get("output")), item.get("status") == "failed"
    if blocks and isinstance(blocks[0], Text):
        first, said = told_as_failed(blocks[0].text)
        blocks = (*([Text(first)] if first else []), *blocks[1:]) if said else blocks
        failed = failed or said
    return ResultPart(id=_id_of(item), blocks=blocks, failed=failed, raw=item)


def call_item(part: CallPart, *, own: bool) -> JsonObject:
    """The item of a call."""
    raw = part.raw if own and part.raw is not None else {"type": FUNCTION}
    written: dict[str, JsonValue] = {**raw, _id_field(raw): part.id}
    if text_at(raw, "type") in _NAMED:
        written["name"] = part.name
    if raw.get("type") == FUNCTION:
        kept = own and part.whole
        written["arguments"] = raw.get("arguments") if kept else call_text(part.arguments)
    return raw if written == raw else written


def output_item(
    result: ResultPart, call: CallPart | None, where: str, notes: list[Note]
) -> JsonObject:
    """The item of a result, of the kind that its call wants.

    Args:
        result: of the call.
        call: as it was written; one of another wire is a function's.
        where: the call stands.
        notes: told of outputs that the API refuses.
    """
    kind = text_at(call.raw or {}, "type") if call is not None else FUNCTION
    kind = kind if kind in _SAYING else FUNCTION
    raw = result.raw or {}
    if raw.get("type") == f"{kind}_output":
        fitting: dict[str, JsonValue] = {**raw, _id_field(raw): result.id}
        if kind in _NAMED:
            fitting["output"] = _fitting_output(raw.get("output"))
        if fitting.get("output") != raw.get("output"):
            reason = f"the output of {result.id!r} had a form that the provider refuses"
            notes.append(Note("repaired", where, reason))
        return raw if fitting == raw else fitting
    if is_output(raw):
        reason = f"the output of {result.id!r} has the kind of its call now"
        notes.append(Note("repaired", where, reason))
    blocks = words_of(result)
    said: JsonObject = _SAYING[kind](text_of(blocks))
    shown = [media_part(block) for block in blocks]
    if kind in _NAMED and any(shown):
        said = {
            "output": [
                part or {"type": "input_text", "text": line_of(block)}
                for part, block in zip(shown, blocks, strict=True)
            ]
        }
    return {"type": f"{kind}_output", "call_id": result.id, **said}


def media_of_part(part: JsonObject) -> Content | None:
    """The media a part shows; None where it shows none."""
    url = text_at(part, "image_url") or text_at(part, "file_data")
    linked = link_of(url) or link_of(text_at(part, "file_url"), PDF)
    return media_of(url, name=text_at(part, "filename")) or linked


def blocks_of(output: JsonValue) -> tuple[Content, ...]:
    """What the model reads of an output."""
    if isinstance(output, str):
        return (Text(output),)
    blocks: list[Content] = []
    for part in (as_object(each) for each in fitting_parts(output, "user")):
        media = media_of_part(part)
        text = text_at(part, "text") or f"[{text_at(part, 'type') or call_text(part)}]"
        blocks.append(media if media is not None else Text(text))
    return tuple(blocks)


def _fitting_output(held: JsonValue) -> JsonValue:
    if isinstance(held, str):
        return held
    if held is None:
        return EMPTY
    parts: list[JsonValue] = list(fitting_parts(held, "user"))
    return parts if parts or held == [] else EMPTY


def _id_field(item: JsonObject) -> str:
    """Outputs of a local shell say the id of their call as their own."""
    is_shell = item.get("type") == "local_shell_call_output" and "call_id" not in item
    return "id" if is_shell else "call_id"


def _id_of(item: JsonObject) -> str:
    return text_at(item, _id_field(item))
