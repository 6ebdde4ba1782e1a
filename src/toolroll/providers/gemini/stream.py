"""Putting the chunks of a streamed answer of Gemini together.

Source: Gemini API reference, `streamGenerateContent`; `FunctionCall.partialArgs`.
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.providers.assembling import event_of
from toolroll.providers.gemini.piece import PiecedArguments
from toolroll.providers.json_form import as_object, object_at, objects_at, text_at, whole_at
from toolroll.schema.plain import copied

INTERRUPTED = "interrupted"
"""The `finishReason` of an assembled reply whose stream ended without one."""


class GeminiAssembler:
    """Puts one streamed reply together. Takes decoded chunks, or their text as it stands after
    `data:`.

    Example:
        >>> assembler = GeminiAssembler()
        >>> part = {"functionCall": {"name": "add", "args": {"x": 1}}}
        >>> assembler.feed({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]})
        >>> assembler.reply()["candidates"][0]["content"]["parts"]
        [{'functionCall': {'name': 'add', 'args': {'x': 1}}}]
    """

    def __init__(self) -> None:
        self._top: dict[str, JsonValue] = {}
        self._candidate: dict[str, JsonValue] = {}
        self._parts: list[dict[str, JsonValue]] = []
        self._open: dict[str, JsonValue] | None = None
        self._last: dict[str, JsonValue] | None = None
        self._arguments = PiecedArguments({})
        self._growing: list[str] = []
        self._by_id: dict[str, dict[str, JsonValue]] = {}
        self._signed: dict[str, JsonObject] = {}
        self._ending: JsonObject | None = None

    def feed(self, event: JsonObject | str) -> None:
        """Take the next chunk."""
        chunk = event_of(event) or {}
        if _is_counted(chunk) and chunk == self._ending:  # the end, once more
            return
        self._top |= {key: each for key, each in chunk.items() if key != "candidates"}
        for candidate in objects_at(chunk, "candidates")[:1]:
            rest = {key: each for key, each in candidate.items() if key != "content"}
            self._candidate |= {key: each for key, each in rest.items() if each is not None}
            self._ending = chunk if text_at(candidate, "finishReason") else None
            for part in objects_at(object_at(candidate, "content"), "parts"):
                self._part(part)

    def reply(self) -> dict[str, JsonValue]:
        """The response as it would have come in one piece.

        A stream that ended early has the `finishReason` `interrupted`.
        """
        self._end_text()
        self._settle()
        if "promptFeedback" in self._top and not self._candidate and not self._parts:
            return dict(self._top)  # the prompt was blocked: nothing was to come
        content: JsonValue = {"role": "model", "parts": copied([*self._parts])}
        finished = {"finishReason": INTERRUPTED, **self._candidate, "content": content}
        return {**self._top, "candidates": [finished]}

    def partial(self) -> list[tuple[str, JsonValue]]:
        """The calls that have begun: name, and arguments as far as they came."""
        self._settle()
        calls = (object_at(part, "functionCall") for part in self._parts if "functionCall" in part)
        return [(text_at(call, "name"), copied(call.get("args", {}))) for call in calls]

    def _part(self, part: JsonObject) -> None:
        if "functionCall" in part or "function_call" in part:
            self._call(part)
            return
        if part.get("text") == "" and not is_signed(part):
            return  # the last chunk of a stream often holds nothing else
        last = self._parts[-1] if self._parts else {}
        alike = isinstance(last.get("text"), str) and isinstance(part.get("text"), str)
        signed = is_signed(last) or is_signed(part)  # a signature belongs to the part as it came
        if alike and last.get("thought") == part.get("thought") and not signed:
            self._growing.append(text_at(part, "text"))
            self._parts[-1] = {**last, **part, "text": text_at(last, "text")}
        elif part:
            self._end_text()
            self._parts.append(dict(part))

    def _settle(self) -> None:
        """Write down the arguments of the call that came last."""
        if self._last is not None:
            self._last["args"] = self._arguments.value()

    def _end_text(self) -> None:
        """Join the pieces of the last text."""
        if self._growing:
            last = self._parts[-1]
            last["text"] = "".join([text_at(last, "text"), *self._growing])
            self._growing = []

    def _came_before(self, call: JsonObject) -> bool:
        """The same call, by its id, comes once more."""
        self._settle()
        return text_at(call, "id") in self._by_id and self._by_id[text_at(call, "id")] == call

    def _signed_before(self, part: JsonObject) -> bool:
        """The same call comes once more with the same signature, which two calls never share."""
        signature = text_at(part, "thoughtSignature") or text_at(part, "thought_signature")
        return (
            bool(signature)
            and self._signed.setdefault(signature, part) is not part
            and (self._signed[signature] == part)
        )

    def _call(self, part: JsonObject) -> None:
        """A whole call, or a piece of one whose arguments are streamed."""
        self._end_text()
        call = object_at(part, "functionCall") or object_at(part, "function_call")
        pieces = objects_at(call, "partialArgs") or objects_at(call, "partial_args")
        goes_on = call.get("willContinue") is True or call.get("will_continue") is True
        own = self._open
        if own is None and (self._came_before(call) or self._signed_before(part)):
            return
        if own is None or text_at(call, "name") not in ("", text_at(own, "name")):
            rest = {key: value for key, value in part.items() if key not in _CALL_KEYS}
            own = {key: value for key, value in call.items() if key not in _PIECE_KEYS}
            self._settle()
            self._arguments = PiecedArguments(as_object(own.get("args")))
            self._parts.append({**rest, "functionCall": own})
        elif text_at(call, "id"):
            own["id"] = call["id"]
        for piece in pieces:
            self._arguments.add(piece)
        self._last = own
        if not goes_on:
            self._settle()
            if own_id := text_at(own, "id"):
                self._by_id[own_id] = own
        self._open = own if goes_on else None
        if goes_on:
            own["willContinue"] = True
        else:
            own.pop("willContinue", None)


def _is_counted(chunk: JsonObject) -> bool:
    """The chunk counts the tokens so far: the same count twice with more text is the same chunk.

    Some servers say in every chunk why the answer ends, so that the reason alone says nothing.
    """
    return whole_at(object_at(chunk, "usageMetadata"), "candidatesTokenCount") is not None


def is_signed(part: JsonObject) -> bool:
    """The part has a signature, which goes back as it came, also of an empty text."""
    return "thoughtSignature" in part or "thought_signature" in part


_CALL_KEYS = ("functionCall", "function_call")
_PIECE_KEYS = ("partialArgs", "partial_args", "willContinue", "will_continue")
