"""What a call remembers between two rounds, signed and carried by the client.

Source: MCP 2026-07-28, basic/patterns/mrtr, "Server Requirements": the state is protected, bound to
the caller and the request, and short-lived. One that carries an approval is used once only within
this process.
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.hosts.mcp_server.rejection import Rejection, bad_params
from toolroll.protocol import INTERNAL_ERROR, open_state, read_reply, seal_state, write_reply
from toolroll.tools.context import Reply

_MOST_REMEMBERED = 10_000

_NO_REPLIES: Mapping[str, Reply] = {}
_NO_ANSWERS: Mapping[str, bool] = {}
_NOTHING_ASKED: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class CallState:
    """What is known of a call from its earlier rounds.

    Args:
        call_id: the same in every round, so that an approval fits the call it was given for.
        replies: to questions of the handler, by key.
        answers: to approvals, by the id of the approval request.
        asked: approvals that the last round asked for: key on the wire -> id of the request.
        rounds: how many times the client was asked.
    """

    call_id: str
    replies: Mapping[str, Reply] = field(default_factory=lambda: _NO_REPLIES)
    answers: Mapping[str, bool] = field(default_factory=lambda: _NO_ANSWERS)
    asked: Mapping[str, str] = field(default_factory=lambda: _NOTHING_ASKED)
    rounds: int = 0

    def to_json(self) -> dict[str, JsonValue]:
        """The form that is signed."""
        return {
            "call": self.call_id,
            "replies": {key: write_reply(reply) for key, reply in self.replies.items()},
            "answers": dict(self.answers),
            "asked": dict(self.asked),
            "rounds": self.rounds,
        }

    @staticmethod
    def from_json(raw: JsonObject) -> "CallState":
        """Read what `to_json` wrote; the signature vouches for its shape."""
        replies = cast("JsonObject", raw["replies"])
        return CallState(
            call_id=cast("str", raw["call"]),
            replies={key: read_reply(each) or Reply("cancel") for key, each in replies.items()},
            answers=cast("Mapping[str, bool]", raw["answers"]),
            asked=cast("Mapping[str, str]", raw["asked"]),
            rounds=cast("int", raw["rounds"]),
        )


class StateSigner:
    """Signs states and opens them again.

    Args:
        keys: the first signs, all open; none makes one for this process.
        seconds: how long a state is good.
        limit: most bytes of a state before it is signed.
    """

    __slots__ = ("_keys", "_limit", "_seconds", "_used")

    def __init__(self, keys: tuple[bytes, ...], *, seconds: float, limit: int) -> None:
        self._keys = keys or (secrets.token_bytes(32),)
        self._seconds, self._limit = seconds, limit
        self._used: dict[str, float] = {}

    def seal(self, state: CallState, bound_to: JsonValue) -> str:
        """Sign a state for one caller and one call.

        Raises:
            Rejection: it has grown too large to be carried.
        """
        value: JsonObject = {**state.to_json(), "once": secrets.token_urlsafe(12)}
        if len(compact_json(value)) > self._limit:
            raise Rejection(INTERNAL_ERROR, "The replies of this call are too large to carry.")
        expires = time.time() + self._seconds
        return seal_state(self._keys[0], value, bound_to=bound_to, expires=expires)

    def open(self, text: JsonValue, bound_to: JsonValue) -> CallState:
        """Read a state that came back.

        Raises:
            Rejection: forged, of another caller or call, too old, or used before.
        """
        now = time.time()
        if isinstance(text, str):
            for key in self._keys:
                value = open_state(key, text, bound_to=bound_to, now=now)
                if value is not None:
                    raw = cast("JsonObject", value)
                    state = CallState.from_json(raw)
                    if state.asked or state.answers:  # one yes is for one run
                        self._use(cast("str", raw["once"]), now)
                    return state
        raise bad_params("'requestState' is not of this call, or too old; call again without it")

    def _use(self, once: str, now: float) -> None:
        if once in self._used:
            raise bad_params("'requestState' was used before; call again without it")
        if len(self._used) >= _MOST_REMEMBERED:
            self._used = {key: end for key, end in self._used.items() if end >= now}
        if len(self._used) >= _MOST_REMEMBERED:
            raise Rejection(INTERNAL_ERROR, "Too many questions are open. Try again later.")
        self._used[once] = now + self._seconds
