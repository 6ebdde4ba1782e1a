"""Questions of a server to a person: forms, in results that want more input and in requests.

Source: MCP 2026-07-28, basic/patterns/multi-round-trip and client/elicitation (form mode).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import NoneType

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import as_object, object_of, text_of
from toolroll.tools.context import Question, Reply

ELICIT = "elicitation/create"
INPUT_REQUIRED = "input_required"

_NONE: Mapping[str, Question] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRequired:
    """A result that wants more input before the call can go on.

    Args:
        questions: what to ask, by the server's own key.
        unsupported: keys of requests that are no forms, and their methods.
        state: opaque text to give back exactly; None where there is none.

    Example:
        >>> result = {"resultType": "input_required", "inputRequests": {}, "requestState": "s"}
        >>> read_input_required(result) == InputRequired(state="s")
        True
    """

    questions: Mapping[str, Question] = field(default_factory=lambda: _NONE)
    unsupported: tuple[tuple[str, str], ...] = ()
    state: str | None = None


def read_input_required(result: JsonObject) -> InputRequired | None:
    """Read such a result; None where it has neither requests nor a state.

    Example:
        >>> read_input_required({"resultType": "input_required", "requestState": "s"}).state
        's'
    """
    requests, state = result.get("inputRequests"), result.get("requestState")
    asked = as_object({} if requests is None else requests)
    if asked is None or not isinstance(state, (str, NoneType)):
        return None
    if requests is None and state is None:
        return None
    questions: dict[str, Question] = {}
    unsupported: list[tuple[str, str]] = []
    for key, raw in asked.items():
        request = as_object(raw) or {}
        question = read_question(request)
        if question is None:
            unsupported.append((key, str(request.get("method"))[:100]))
        else:
            questions[key] = question
    return InputRequired(questions=questions, unsupported=tuple(unsupported), state=state)


def read_question(request: JsonObject) -> Question | None:
    """Read one `elicitation/create`; None where it is something else or not a form.

    Example:
        >>> read_question({"method": "elicitation/create", "params": {"message": "Sure?",
        ...     "requestedSchema": {"type": "object", "properties": {}}}}).message
        'Sure?'
    """
    form = object_of(request, "params")
    message, schema = text_of(form, "message"), as_object(form.get("requestedSchema"))
    if request.get("method") != ELICIT or form.get("mode", "form") != "form":
        return None
    return None if message is None or schema is None else Question(message, schema)


def write_question(question: Question) -> dict[str, JsonValue]:
    """Write one `elicitation/create`, as it stands in `inputRequests`.

    Example:
        >>> question = Question(message="Which shelf?", schema={"type": "object", "properties": {}})
        >>> write_question(question)["method"]
        'elicitation/create'
    """
    params: dict[str, JsonValue] = {
        "mode": "form",
        "message": question.message,
        "requestedSchema": question.schema,
    }
    return {"method": ELICIT, "params": params}


def write_input_required(
    questions: Mapping[str, Question], *, state: str | None = None
) -> dict[str, JsonValue]:
    """Write a result that wants more input. At least one of both must be given.

    Args:
        questions: by a key of the server's own, under which the replies come back.
        state: opaque text that comes back with them.

    Example:
        >>> write_input_required({}, state="s")
        {'resultType': 'input_required', 'requestState': 's'}
    """
    written: dict[str, JsonValue] = {"resultType": INPUT_REQUIRED}
    if questions:
        written["inputRequests"] = {key: write_question(each) for key, each in questions.items()}
    if state is not None:
        written["requestState"] = state
    return written


def write_reply(reply: Reply) -> dict[str, JsonValue]:
    """Write a person's reply; only an accepted one carries content.

    Example:
        >>> write_reply(Reply("decline", {"a": 1}))
        {'action': 'decline'}
    """
    written: dict[str, JsonValue] = {"action": reply.action}
    if reply.action == "accept" and reply.content is not None:
        written["content"] = dict(reply.content)
    return written


def read_reply(raw: JsonValue) -> Reply | None:
    """Read one of the `inputResponses`; None where it is no reply to a form.

    Example:
        >>> read_reply({"action": "accept", "content": {"name": "Ada"}})
        Reply(action='accept', content={'name': 'Ada'})
    """
    said = as_object(raw) or {}
    action = said.get("action")
    if action == "accept":
        return Reply("accept", as_object(said.get("content")))
    return Reply(action) if action in ("decline", "cancel") else None


def replies_of(params: JsonObject) -> Mapping[str, Reply]:
    """The replies a request carries, by the server's own key; what is none is passed over.

    Example:
        >>> shelf = {"action": "accept", "content": {"shelf": 4}}
        >>> replies_of({"inputResponses": {"shelf": shelf}})["shelf"].action
        'accept'
    """
    read = {key: read_reply(raw) for key, raw in object_of(params, "inputResponses").items()}
    return {key: reply for key, reply in read.items() if reply is not None}
