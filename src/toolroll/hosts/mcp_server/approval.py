"""The question whether a call may run, and what the reply means."""

from typing import Literal

from toolroll.content import JsonObject, compact_json
from toolroll.outcome import ApprovalRequest
from toolroll.text import sanitize_line, sanitize_text
from toolroll.tools.context import Question, Reply

_FIELD = "approve"
_LONGEST_INPUT = 4000

_FORM: JsonObject = {
    "type": "object",
    "properties": {_FIELD: {"type": "boolean", "title": "Run it"}},
    "required": [_FIELD],
}


def approval_question(request: ApprovalRequest) -> Question:
    """What a person is asked: the tool, what it does, and the input that will run.

    The input is shown whole up to 4,000 characters. Of a longer one the message says that there is
    more and how much, so that nobody takes the beginning for all of it.
    """
    effect = f" ({request.effect})" if request.effect else ""
    source = f" of {sanitize_line(request.source)}" if request.source else ""
    shown = sanitize_text(compact_json(request.input))
    if len(shown) > _LONGEST_INPUT:
        left = len(shown) - _LONGEST_INPUT
        shown = f"{shown[:_LONGEST_INPUT]}\n... {left} more characters are not shown here"
    message = f"May {sanitize_line(request.tool)}{source}{effect} run with this input?\n{shown}"
    return Question(message, _FORM, key=f"approval-{request.id[:16]}")


def verdict(reply: Reply) -> Literal["yes", "no", "none"]:
    """What a reply to `approval_question` means: only an accepted, ticked form is a yes.

    Example:
        >>> verdict(Reply("accept", {"approve": True})), verdict(Reply("accept", {}))
        ('yes', 'no')
        >>> verdict(Reply("cancel"))
        'none'
    """
    if reply.action == "cancel":
        return "none"
    said = (reply.content or {}).get(_FIELD)
    return "yes" if reply.action == "accept" and said is True else "no"
