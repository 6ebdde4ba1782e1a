"""Progress of a request: numbers that always grow; what does not fit is left out.

Sources: MCP 2026-07-28, basic/utilities/progress; the tool definition contract, "Progress, per
host".
"""

import sys

from typing_extensions import TypeIs

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import text_of, token_of
from toolroll.protocol.message import MessageId, write_notification
from toolroll.tools.context import Progress

PROGRESS_METHOD = "notifications/progress"
_GREATEST = sys.float_info.max


class ProgressNumbering:
    """Numbers the progress of one request.

    A step without an amount counts one more than the last; a step whose amount is not finite or
    does not grow is dropped whole.

    Example:
        >>> numbering = ProgressNumbering("t1")
        >>> numbering.write(Progress("warming up"))["params"]["progress"]
        1
        >>> numbering.write(Progress("halfway", 50, 100))["params"]["progress"]
        50
        >>> numbering.write(Progress("backwards", 10)) is None
        True
    """

    __slots__ = ("_last", "_token")

    def __init__(self, token: MessageId) -> None:
        self._token = token
        self._last: float | None = None

    def write(self, step: Progress) -> dict[str, JsonValue] | None:
        """The notification of one step, or None where there is nothing to send."""
        last = self._last
        amount = (0 if last is None else last) + 1 if step.progress is None else step.progress
        if not _is_number(amount) or (last is not None and amount <= last):
            return None
        self._last = amount
        params: dict[str, JsonValue] = {"progressToken": self._token, "progress": amount}
        if _is_number(step.total):
            params["total"] = step.total
        if step.message:
            params["message"] = step.message
        return write_notification(PROGRESS_METHOD, params)


def token_of_progress(params: JsonObject) -> MessageId | None:
    """The token a progress notification belongs to.

    Example:
        >>> token_of_progress({"progressToken": "a", "progress": 0.5})
        'a'
    """
    return token_of(params.get("progressToken"))


def read_progress(params: JsonObject) -> Progress | None:
    """Read a step; None where its amount is no finite number. The message comes as it is.

    Example:
        >>> read_progress({"progressToken": 1, "progress": 2, "message": "two"})
        Progress(message='two', progress=2, total=None)
    """
    amount, total = params.get("progress"), params.get("total")
    if not _is_number(amount):
        return None
    return Progress(
        text_of(params, "message") or "",
        amount,
        total if _is_number(total) else None,
    )


def _is_number(value: JsonValue) -> TypeIs[int | float]:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return -_GREATEST <= value <= _GREATEST  # `isfinite` cannot take an integer of any size
