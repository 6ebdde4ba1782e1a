"""What the providers refuse in a history, written down apart from the code that mends it."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Messages = Sequence[Any]

NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
GEMINI_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,63}")
ANTHROPIC_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
CALLS = ("function_call", "custom_tool_call", "computer_call", "shell_call", "apply_patch_call")


def is_object_text(text: Any) -> bool:
    try:
        return isinstance(text, str) and isinstance(json.loads(text), dict)
    except ValueError:
        return False


def parts_refused(held: Any, kinds: Sequence[str]) -> Iterator[str]:
    """A content that is no text must be a list of parts of these kinds, with at least one."""
    if isinstance(held, str):
        return
    if not isinstance(held, list) or not held:
        yield f"content {held!r}"
        return
    for part in held:
        if not isinstance(part, dict) or part.get("type") not in kinds:
            yield f"part {part!r}"
        elif part["type"].endswith("text") and not isinstance(part.get("text"), str):
            yield f"text {part!r}"


def chat(messages: Messages) -> Iterator[str]:
    kinds = {"user": ("text", "image_url", "input_audio", "file"), "assistant": ("text", "refusal")}
    waiting: list[str] = []
    for message in messages:
        role, held = message.get("role"), message.get("content")
        calls = message.get("tool_calls", [])
        if role not in ("system", "developer", "user", "assistant", "tool"):
            yield f"role {role!r}"
        if role == "tool" and message.get("tool_call_id") in waiting:
            waiting.remove(message["tool_call_id"])
        elif role == "tool" or waiting:
            yield f"unanswered {waiting}, or a result of no call"
        if held is not None or not (calls or message.get("audio") or message.get("refusal")):
            yield from parts_refused(held, kinds.get(str(role), ("text",)))
        if "tool_calls" in message and not (calls and role == "assistant"):
            yield f"calls of {role!r}: {calls}"
        for call in calls:
            yield from chat_call_refused(call)
            waiting.append(call["id"])
        if len(set(waiting)) < len(waiting):
            yield f"repeated {waiting}"
    if waiting:
        yield f"unanswered {waiting}"


def chat_call_refused(call: Any) -> Iterator[str]:
    held = call.get(call["type"], {})
    if call["type"] not in ("function", "custom") or not NAME.fullmatch(held.get("name", "")):
        yield f"call {call}"
    if not isinstance(call["id"], str) or not 0 < len(call["id"]) <= 40:
        yield f"id {call['id']!r}"
    if call["type"] == "function" and not is_object_text(held.get("arguments")):
        yield f"arguments {held!r}"


def responses(items: Messages) -> Iterator[str]:
    waiting: dict[str, str] = {}
    seen: set[str] = set()
    spoken = ("input_text", "input_image", "input_file")
    for item, following in zip(items, [*items, {}][1:], strict=True):
        kind = item.get("type") or "message"
        if kind == "message":
            role = item.get("role")
            if role not in ("user", "assistant", "system", "developer"):
                yield f"role {role!r}"
            own = ("output_text", "refusal") if role == "assistant" else spoken
            yield from parts_refused(item.get("content"), own)
        elif kind in CALLS:
            call_id = item["call_id"]
            if not 0 < len(call_id) <= 64 or call_id in seen:
                yield f"id {call_id!r}"
            if kind == "function_call" and not is_object_text(item.get("arguments")):
                yield f"arguments {item}"
            if "name" in item and kind == "function_call" and not NAME.fullmatch(item["name"]):
                yield f"name {item}"
            seen.add(call_id)
            waiting[call_id] = kind
        elif kind.endswith("_output"):
            if waiting.pop(item["call_id"], None) != kind.removesuffix("_output"):
                yield f"output of no call {item}"
            if kind in ("function_call_output", "custom_tool_call_output") and item["output"] != []:
                yield from parts_refused(item["output"], spoken)
        elif kind == "reasoning":
            then = following.get("type") or "message"
            is_users = then == "message" and following.get("role") != "assistant"
            if is_users or then.endswith("_output") or then == "mcp_approval_response":
                yield "reasoning that nothing follows"
    if waiting:
        yield f"unanswered {waiting}"


def anthropic(messages: Messages) -> Iterator[str]:
    waiting: list[str] = []
    served: set[str] = set()
    seen: set[str] = set()
    for place, message in enumerate(messages):
        role, held = message.get("role"), message.get("content")
        if role not in ("user", "assistant", "system") or (role == "system" and not place):
            yield f"role {role!r}"
        blocks = [{"type": "text", "text": held}] if isinstance(held, str) else held
        if not isinstance(blocks, list) or not blocks:
            yield f"content {held!r}"
            continue
        kinds = [block.get("type") for block in blocks]
        results = [block for block in blocks if block.get("type") == "tool_result"]
        if sorted(each["tool_use_id"] for each in results) != sorted(waiting):
            yield f"unanswered {waiting}: {results}"
        if any(kind == "tool_result" for kind in kinds[len(results) :]):
            yield "results that do not stand at the start"
        if role != "assistant" and len(results) < len(blocks) and served:
            yield f"served without results {served}"
        waiting = []
        for block in blocks:
            yield from block_refused(block, role)
            kind = str(block.get("type"))
            if kind == "tool_use":
                waiting.append(block["id"])
            elif kind == "server_tool_use":
                served.add(block["id"])
            elif kind.endswith("_tool_result"):
                if block["tool_use_id"] not in served:
                    yield f"served result alone {block}"
                served.discard(block["tool_use_id"])
        if seen & set(waiting) or len(set(waiting)) < len(waiting):
            yield f"repeated {waiting}"
        seen |= set(waiting)
    if waiting:
        yield f"unanswered {waiting}"


def block_refused(block: Any, role: Any) -> Iterator[str]:
    kind = block.get("type")
    if not isinstance(kind, str):
        yield f"block {block}"
    if kind == "text" and not str(block.get("text") or "").strip():
        yield "an empty text"
    if kind == "thinking" and not block.get("signature"):
        yield "thinking without its signature"
    of_model = kind in ("tool_use", "server_tool_use", "thinking", "redacted_thinking")
    if (of_model and role != "assistant") or (kind == "tool_result" and role != "user"):
        yield f"{kind} of {role!r}"
    if kind in ("tool_use", "server_tool_use") and not isinstance(block.get("input"), dict):
        yield f"input {block}"
    named = kind != "tool_use" or NAME.fullmatch(block["name"])
    if not named or (kind == "tool_use" and not ANTHROPIC_ID.fullmatch(block["id"])):
        yield f"name or id {block}"
    if kind == "tool_result":
        held = block.get("content", "")
        yield from parts_refused(held or "", ("text", "image", "document"))
        for inner in held if isinstance(held, list) else ():
            if block.get("is_error") is True and inner.get("type") != "text":
                yield f"media of an error {block}"


def gemini(contents: Messages) -> Iterator[str]:
    waiting: list[tuple[str, str]] = []
    before: Any = {"role": "model"}
    for content in contents:
        role, parts = content.get("role"), content.get("parts")
        if role not in ("user", "model", "function", "tool", None):
            yield f"role {role!r}"
        if not isinstance(parts, list) or not parts or not all(parts):
            yield f"parts {parts!r}"
            continue
        called = [part["functionCall"] for part in parts if "functionCall" in part]
        told = [part["functionResponse"] for part in parts if "functionResponse" in part]
        if sorted((each["name"], each.get("id") or "") for each in told) != sorted(waiting):
            yield f"unanswered {waiting}: {told}"
        if called and (role != "model" or before.get("role") == "model"):
            yield f"calls of {role!r} behind {before.get('role')!r}"
        if any(part.get("text") == "" and "thoughtSignature" not in part for part in parts):
            yield "an empty text"
        for call in called:
            if not GEMINI_NAME.fullmatch(call["name"]) or not isinstance(
                call.get("args", {}), dict
            ):
                yield f"call {call}"
        if not all(isinstance(each.get("response"), dict) for each in told):
            yield f"responses {told}"
        waiting = [(each["name"], each.get("id") or "") for each in called]
        before = content
    if waiting:
        yield f"unanswered {waiting}"


REFUSED: dict[str, Callable[[Messages], Iterator[str]]] = {
    "openai_chat": chat,
    "openai_responses": responses,
    "anthropic": anthropic,
    "gemini": gemini,
}
