"""One conversation in the form of each provider, and pieces to break it with."""

from typing import cast

from toolroll.content import JsonObject, JsonValue


def chat_call(call_id: str, name: str = "t", arguments: str = "{}") -> JsonObject:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def chat_assistant(*calls: JsonObject, text: str | None = None) -> JsonObject:
    message: dict[str, JsonValue] = {"role": "assistant", "content": text}
    return {**message, "tool_calls": list(calls)} if calls else message


def chat_result(call_id: str, content: str = "ok") -> JsonObject:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def user(text: str) -> JsonObject:
    return {"role": "user", "content": text}


def tool_use(call_id: str, name: str = "t", given: JsonValue = None) -> JsonObject:
    return {
        "type": "tool_use",
        "id": call_id,
        "name": name,
        "input": {} if given is None else given,
    }


def tool_result(call_id: str, content: JsonValue = "ok") -> JsonObject:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content}


def blocks(role: str, *content: JsonObject) -> JsonObject:
    return {"role": role, "content": list(content)}


def item_call(call_id: str, name: str = "t", arguments: str = "{}") -> JsonObject:
    return {
        "type": "function_call",
        "id": f"fc_{call_id}",
        "call_id": call_id,
        "name": name,
        "arguments": arguments,
    }


def item_output(call_id: str, output: JsonValue = "ok") -> JsonObject:
    return {"type": "function_call_output", "call_id": call_id, "output": output}


def g_call(name: str = "t", call_id: str = "", args: JsonValue = None) -> JsonObject:
    call: dict[str, JsonValue] = {"name": name, "args": {} if args is None else args}
    return {
        "functionCall": {**call, "id": call_id} if call_id else call,
        "thoughtSignature": "c2ln",
    }


def g_result(name: str = "t", call_id: str = "", output: str = "ok") -> JsonObject:
    response: dict[str, JsonValue] = {"name": name, "response": {"output": output}}
    return {"functionResponse": {"id": call_id, **response} if call_id else response}


def contents(role: str, *parts: JsonObject) -> JsonObject:
    return {"role": role, "parts": list(parts)}


WHOLE: dict[str, list[JsonObject]] = {
    "openai_chat": [
        {"role": "system", "content": "Be brief."},
        user("two things"),
        chat_assistant(chat_call("a", arguments='{"q": "x"}'), chat_call("b")),
        chat_result("b"),
        chat_result("a"),
        chat_assistant(text="done"),
        user("thanks"),
    ],
    "openai_responses": [
        user("two things"),
        {"type": "reasoning", "id": "rs_1", "summary": []},
        item_call("a", arguments='{"q": "x"}'),
        item_call("b"),
        item_output("a"),
        item_output("b"),
        {
            "type": "message",
            "role": "assistant",
            "content": [{"type": "output_text", "text": "done"}],
        },
        user("thanks"),
    ],
    "anthropic": [
        user("two things"),
        blocks(
            "assistant",
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
            tool_use("a", given={"q": "x"}),
            tool_use("b"),
        ),
        blocks("user", tool_result("a"), tool_result("b"), {"type": "text", "text": "and?"}),
        blocks("assistant", {"type": "text", "text": "done"}),
    ],
    "gemini": [
        contents("user", {"text": "two things"}),
        contents(
            "model", {"text": "hm", "thought": True}, g_call(args={"q": "x"}), g_call("u", "b")
        ),
        contents("user", g_result(), g_result("u", "b"), {"text": "and?"}),
        contents("model", {"text": "done"}),
    ],
}


def copy_of(messages: list[JsonObject]) -> list[JsonObject]:
    return cast("list[JsonObject]", [dict(message) for message in messages])
