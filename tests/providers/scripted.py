"""Model endpoints on loopback that answer from a script and refuse what the real ones refuse."""

import base64
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, cast

import httpx

from tests.providers.test_history import unpaired
from toolroll import providers

Events = list[dict[str, Any]]


@dataclass
class Call:
    """One call a scripted model makes; `pieces` is its arguments text as it is streamed."""

    id: str
    name: str
    text: str


@dataclass
class Said:
    """One scripted answer of a model."""

    calls: list[Call] = field(default_factory=list[Call])
    text: str = ""
    finish: str = "stop"


def pieces(text: str, size: int = 5) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


class Chat:
    name = "openai_chat"
    field = "messages"
    usage: ClassVar = {"prompt_tokens": 5, "completion_tokens": 4, "total_tokens": 9}

    def _head(self, kind: str) -> dict[str, Any]:
        return {"id": "chatcmpl-1", "object": kind, "created": 1, "model": "gpt-5"}

    def whole(self, said: Said) -> dict[str, Any]:
        message: dict[str, Any] = {
            "role": "assistant",
            "content": said.text or None,
            "refusal": None,
            "annotations": [],
        }
        if said.calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": call.text},
                }
                for call in said.calls
            ]
        finish = "tool_calls" if said.calls and said.finish == "stop" else said.finish
        return {
            **self._head("chat.completion"),
            "usage": self.usage,
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        }

    def events(self, said: Said) -> Events:
        deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
        deltas += [{"content": piece} for piece in pieces(said.text)]
        for index, call in enumerate(said.calls):
            head = {
                "index": index,
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": ""},
            }
            deltas.append({"tool_calls": [head]})
        longest = max((len(pieces(call.text)) for call in said.calls), default=0)
        for step in range(longest):  # parallel calls come interleaved, later pieces with a blank id
            for index, call in enumerate(said.calls):
                cut = pieces(call.text)
                if step < len(cut):
                    deltas.append(
                        {
                            "tool_calls": [
                                {"index": index, "id": "", "function": {"arguments": cut[step]}}
                            ]
                        }
                    )
        events = [
            {
                **self._head("chat.completion.chunk"),
                "choices": [{"index": 0, "delta": delta, "finish_reason": None}],
            }
            for delta in deltas
        ]
        finish = "tool_calls" if said.calls and said.finish == "stop" else said.finish
        head = self._head("chat.completion.chunk")
        events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
        return [*events, {**head, "choices": [], "usage": self.usage}]


class Responses:
    name = "openai_responses"
    field = "input"

    def _items(self, said: Said) -> list[dict[str, Any]]:
        items: list[dict[str, Any]] = [
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": None}
        ]
        if said.text:
            content = [{"type": "output_text", "text": said.text, "annotations": []}]
            items.append(
                {
                    "type": "message",
                    "id": "msg_1",
                    "role": "assistant",
                    "status": "completed",
                    "content": content,
                }
            )
        for call in said.calls:
            state = "incomplete" if said.finish == "length" else "completed"
            items.append(
                {
                    "type": "function_call",
                    "id": f"fc_{call.id}",
                    "call_id": call.id,
                    "name": call.name,
                    "arguments": call.text,
                    "status": state,
                }
            )
        return items

    def whole(self, said: Said) -> dict[str, Any]:
        cut = said.finish == "length"
        details = {"reason": "max_output_tokens"} if cut else None
        return {
            "id": "resp_1",
            "object": "response",
            "created_at": 1,
            "model": "gpt-5",
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
            "status": "incomplete" if cut else "completed",
            "incomplete_details": details,
            "output": self._items(said),
        }

    def events(self, said: Said) -> Events:
        whole = self.whole(said)
        events: Events = [
            {
                "type": "response.created",
                "response": {**whole, "status": "in_progress", "output": []},
            }
        ]
        for index, item in enumerate(whole["output"]):
            begun = {
                **item,
                **(
                    {"arguments": "", "status": "in_progress"}
                    if item["type"] == "function_call"
                    else {}
                ),
            }
            if item["type"] == "message":
                begun = {**item, "content": [], "status": "in_progress"}
            events.append(
                {"type": "response.output_item.added", "output_index": index, "item": begun}
            )
            at = {"output_index": index, "item_id": item["id"]}
            if item["type"] == "function_call":
                events += [
                    {"type": "response.function_call_arguments.delta", **at, "delta": piece}
                    for piece in pieces(item["arguments"])
                ]
                events.append(
                    {
                        "type": "response.function_call_arguments.done",
                        **at,
                        "name": item["name"],
                        "arguments": item["arguments"],
                    }
                )
            if item["type"] == "message":
                events += [
                    {
                        "type": "response.output_text.delta",
                        **at,
                        "content_index": 0,
                        "delta": piece,
                        "logprobs": [],
                    }
                    for piece in pieces(said.text)
                ]
            events.append(
                {"type": "response.output_item.done", "output_index": index, "item": item}
            )
        kind = "response.incomplete" if said.finish == "length" else "response.completed"
        events.append({"type": kind, "response": whole})
        return [{**event, "sequence_number": number} for number, event in enumerate(events)]


class Anthropic:
    name = "anthropic"
    field = "messages"

    def _reason(self, said: Said) -> str:
        return "max_tokens" if said.finish == "length" else "tool_use" if said.calls else "end_turn"

    def whole(self, said: Said) -> dict[str, Any]:
        content: list[dict[str, Any]] = [
            {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
        ]
        content += [{"type": "text", "text": said.text}] if said.text else []
        for call in said.calls:
            held = _whole_object(call.text)
            content.append({"type": "tool_use", "id": call.id, "name": call.name, "input": held})
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "content": content,
            "model": "claude-sonnet-5",
            "stop_reason": self._reason(said),
            "stop_sequence": None,
            "usage": {"input_tokens": 5, "output_tokens": 4},
        }

    def events(self, said: Said) -> Events:
        events: Events = [
            {
                "type": "message_start",
                "message": {**self.whole(said), "content": [], "stop_reason": None},
            }
        ]
        blocks = self.whole(said)["content"]
        texts = iter(call.text for call in said.calls)
        for index, block in enumerate(blocks):
            empty = {
                "tool_use": {"input": {}},
                "text": {"text": ""},
                "thinking": {"thinking": "", "signature": ""},
            }[block["type"]]
            events.append(
                {"type": "content_block_start", "index": index, "content_block": {**block, **empty}}
            )
            events.append({"type": "ping"})
            at = {"type": "content_block_delta", "index": index}
            if block["type"] == "tool_use":
                events += [
                    {**at, "delta": {"type": "input_json_delta", "partial_json": piece}}
                    for piece in ["", *pieces(next(texts))]
                ]
            elif block["type"] == "text":
                events += [
                    {**at, "delta": {"type": "text_delta", "text": piece}}
                    for piece in pieces(block["text"])
                ]
            else:
                events.append({**at, "delta": {"type": "thinking_delta", "thinking": "hm"}})
                events.append({**at, "delta": {"type": "signature_delta", "signature": "c2ln"}})
            events.append({"type": "content_block_stop", "index": index})
        events.append(
            {
                "type": "message_delta",
                "delta": {"stop_reason": self._reason(said)},
                "usage": {"output_tokens": 3},
            }
        )
        return [*events, {"type": "message_stop"}]


def signature(call_id: str) -> str:
    """What Gemini gives with a call and wants back."""
    return base64.b64encode(f"signed {call_id}".encode()).decode()


class Gemini:
    name = "gemini"
    field = "contents"

    def whole(self, said: Said) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"text": said.text}] if said.text else []
        for call in said.calls:
            held: dict[str, Any] = {"name": call.name, "args": _whole_object(call.text)}
            parts.append({"functionCall": held, "thoughtSignature": signature(call.id)})
        finish = "MAX_TOKENS" if said.finish == "length" else "STOP"
        return {
            "candidates": [
                {"content": {"role": "model", "parts": parts}, "finishReason": finish, "index": 0}
            ],
            "responseId": "r1",
        }

    def _pieces(self, call: Call) -> list[dict[str, Any]]:
        """A call whose arguments are streamed, and cut within its only text."""
        head = {"name": call.name, "willContinue": True}
        key, _, text = call.text.strip('{"').partition('": "')
        piece = {"jsonPath": f"$.{key}", "stringValue": text, "willContinue": True}
        held = [head, *([{"partialArgs": [piece], "willContinue": True}] if text else [])]
        return [{"functionCall": each} for each in held]

    def events(self, said: Said) -> Events:
        candidate = self.whole(said)["candidates"][0]
        parts = [{"text": piece} for piece in pieces(said.text)]
        whole = [part for part in candidate["content"]["parts"] if "functionCall" in part]
        for call, part in zip(said.calls, whole, strict=True):
            parts += [part] if _is_object(call.text) else self._pieces(call)
        events: Events = [
            {
                "candidates": [{"content": {"role": "model", "parts": [part]}, "index": 0}],
                "responseId": "r1",
            }
            for part in parts
        ]
        last = {
            "content": {"role": "model", "parts": [{"text": ""}]},
            "finishReason": candidate["finishReason"],
            "index": 0,
        }
        return [*events, {"candidates": [last], "usageMetadata": {"totalTokenCount": 9}}]


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text or "{}"), dict)
    except ValueError:
        return False


def _whole_object(text: str) -> Any:
    """The arguments as the API gives them: nothing of those it could not read."""
    return json.loads(text or "{}") if _is_object(text) else {}


WIRES: dict[str, Any] = {wire.name: wire for wire in (Chat(), Responses(), Anthropic(), Gemini())}


@dataclass
class Endpoint:
    """A running endpoint: where it is, and what it was sent."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def ask(self, request: dict[str, Any], assembler: Any = None) -> dict[str, Any]:
        """Send one request; a streamed answer goes through the assembler."""
        events = self.events(request, streamed=assembler is not None)
        if assembler is None:
            return cast("dict[str, Any]", json.loads(events[0]))
        for event in events:
            assembler.feed(event)
        return cast("dict[str, Any]", assembler.reply())

    def events(self, request: dict[str, Any], *, streamed: bool) -> list[str]:
        """Send one request: the events of the answer, or the one answer, undecoded."""
        body = {**request, "stream": True} if streamed else request
        with httpx.Client(trust_env=False, timeout=None) as client:
            answer = client.post(self.url, json=body)
        if answer.status_code != 200:
            raise AssertionError(answer.text)
        if not streamed:
            return [answer.text]
        said = (line.partition("data:") for line in answer.text.splitlines())
        return [text.strip() for head, found, text in said if found and not head]


@contextmanager
def endpoint(name: str, script: list[Said]) -> Generator[Endpoint]:
    """An endpoint of one provider that gives the scripted answers in order."""
    wire = WIRES[name]
    answers = iter(script)
    running = Endpoint("")

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            running.requests.append(body)
            fault = _fault(name, body, body[wire.field])
            if fault:
                self._send(400, "application/json", json.dumps({"error": {"message": fault}}))
                return
            said = next(answers)
            if not body.get("stream"):
                self._send(200, "application/json", _sealed(json.dumps(wire.whole(said)), body))
                return
            lines = [
                f"event: {event.get('type', 'message')}\ndata: {_sealed(json.dumps(event), body)}\n\n"
                for event in wire.events(said)
            ]
            if name == "openai_chat":
                lines.append("data: [DONE]\n\n")
            self._send(200, "text/event-stream", "".join(lines))

        def _send(self, status: int, kind: str, text: str) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(
        target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
    )
    thread.start()
    running.url = f"http://127.0.0.1:{server.server_address[1]}/"
    try:
        yield running
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _fault(name: str, body: dict[str, Any], messages: list[Any]) -> str:
    """What the real endpoint would refuse."""
    refused = getattr(providers, name).check(body["tools"]).of_kind("refused")
    if refused:
        return f"{refused[0].subject}: {refused[0].reason}"
    apart = unpaired(name, messages)
    if apart:
        return f"calls and results do not pair up: {apart}"
    if name == "openai_responses" and (unknown := _unknown_reasoning(body)):
        return unknown
    return _bad_result(name, json.dumps(messages))


def _sealed(text: str, body: dict[str, Any]) -> str:
    """An answer whose reasoning can be sent back, where that was asked for."""
    asked = "reasoning.encrypted_content" in body.get("include", ())
    return (
        text.replace('"encrypted_content": null', '"encrypted_content": "ZW5j"') if asked else text
    )


def _unknown_reasoning(body: dict[str, Any]) -> str:
    """Without a store, reasoning is known only from what is sent."""
    for item in body["input"] if body.get("store") is False else ():
        if item.get("type") == "reasoning" and not item.get("encrypted_content"):
            return f"Item with id {item['id']!r} not found. Items are not persisted"
    return ""


def _bad_result(name: str, text: str) -> str:
    if name == "openai_chat":
        tools = [message for message in json.loads(text) if message["role"] == "tool"]
        return (
            ""
            if all(isinstance(message["content"], str) for message in tools)
            else "a tool message takes text only"
        )
    if name == "anthropic":
        for message in json.loads(text):
            for block in message["content"] if isinstance(message["content"], list) else []:
                kinds = {
                    part["type"] for part in block.get("content", ()) if isinstance(part, dict)
                }
                if block.get("is_error") and kinds - {"text"}:
                    return "all content must be type 'text' if 'is_error' is true"
    return ""
