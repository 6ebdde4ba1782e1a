"""Tools that Anthropic runs itself: each use with its result, or both are refused.

Source: error texts "`web_search` tool use with id ... was found without a corresponding
`web_search_tool_result` block", "unexpected `tool_use_id` found in `advisor_tool_result` blocks:
... Each `advisor_tool_result` block must have a corresponding `server_tool_use` block before it".
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolroll.content import JsonObject
from toolroll.outcome import Note
from toolroll.providers.anthropic.message import OF_MODEL, SERVED
from toolroll.providers.anthropic.wire import is_refused
from toolroll.providers.json_form import text_at
from toolroll.providers.mending import Mended
from toolroll.providers.turn import OwnPart, Part


def without_halves(mended: Sequence[Mended], notes: list[Note]) -> list[Mended]:
    """The turns without uses that have no result, without results that have no use, and without
    what the user cannot have said.

    A use at the end of a history waits for its result: the model goes on with it. So it stays as
    long as the user says nothing but results behind it.

    Args:
        mended: turns of any provider, results taken out.
        notes: told of what is left out.
    """
    halves = {id(part) for part in _halves(mended)}
    if not halves:
        return list(mended)
    whole: list[Mended] = []
    for each in mended:
        turn = each.turn
        parts = tuple(part for part in turn.parts if id(part) not in halves)
        for part in turn.parts:
            if isinstance(part, OwnPart) and id(part) in halves:
                why = "its other half is missing"
                why = why if turn.role == "assistant" else "only the model says such"
                reason = f"{part.kind} is left out: {why}"
                notes.append(Note("dropped", f"messages[{turn.index}]", reason))
        whole.append(
            each if parts == turn.parts else replace(each, turn=replace(turn, parts=parts))
        )
    return whole


def _halves(mended: Sequence[Mended]) -> Iterator[Part]:
    waiting: dict[str, Part] = {}
    for each in mended:
        if each.turn.role != "assistant" and each.turn.parts:
            yield from waiting.values()
            waiting = {}
        for part in each.turn.parts:
            if not isinstance(part, OwnPart):
                continue
            if each.turn.role != "assistant":
                if part.kind in OF_MODEL or is_result(part.raw):
                    yield part
                continue
            if part.kind in SERVED and not is_refused(part.raw):
                use_id = text_at(part.raw, "id")
                if use_id in waiting:
                    yield waiting[use_id]
                waiting[use_id] = part
            elif is_result(part.raw) and not waiting.pop(text_at(part.raw, "tool_use_id"), None):
                yield part


def is_result(block: JsonObject) -> bool:
    """The block is the result of a tool that the provider runs.

    Example:
        >>> is_result({"type": "web_search_tool_result"}), is_result({"type": "tool_result"})
        (True, False)
    """
    return text_at(block, "type").endswith("_tool_result")
