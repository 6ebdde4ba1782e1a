"""Requests of ours to a client, and their answers, which come as messages of their own."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import anyio

from toolroll.content import JsonObject
from toolroll.protocol import (
    CANCELLED,
    ErrorResponse,
    MessageId,
    Response,
    write_cancelled,
    write_notification,
    write_request,
)

Key = TypeVar("Key", bound=Hashable)


@dataclass(slots=True)
class _Waiting:
    done: anyio.Event = field(default_factory=anyio.Event)
    result: JsonObject | None = None


class Pending(Generic[Key]):
    """Requests that wait for their answers.

    Args:
        seconds: how long each waits.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._waiting: dict[Key, _Waiting] = {}

    async def ask(
        self,
        key: Key,
        id: MessageId,
        send: Callable[[JsonObject], None],
        method: str,
        params: JsonObject,
    ) -> JsonObject | None:
        """Send a request and wait; its result, or None for an error or silence.

        Args:
            key: under which `take` finds it.
            id: of the request, on the wire.
            send: sends a message; the request is withdrawn by another where nobody waits any more.
            method: of the request.
            params: of the request.
        """
        waiting = self._waiting[key] = _Waiting()
        send(write_request(id, method, params))
        try:
            with anyio.move_on_after(self._seconds):
                await waiting.done.wait()
        finally:
            del self._waiting[key]
            if not waiting.done.is_set():
                send(write_notification(CANCELLED, write_cancelled(id)))
        return waiting.result

    def take(self, key: Key, answer: Response | ErrorResponse) -> None:
        """Pass an answer on to who waits for it; one that nobody waits for is dropped."""
        waiting = self._waiting.get(key)
        if waiting is not None:
            waiting.result = answer.result if isinstance(answer, Response) else None
            waiting.done.set()
