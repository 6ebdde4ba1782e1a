"""Cancelling a coroutine at exactly one of the places where it waits."""

from collections.abc import Awaitable, Callable, Generator
from typing import cast

import anyio


async def cut(function: Callable[[], Awaitable[object]], at: int) -> bool:
    """Run a coroutine function and cancel it where it waits for the `at`-th time.

    Returns:
        Whether it waited that often; False when it ended by itself before.

    Raises:
        Exception: what it raised.
    """
    with anyio.CancelScope() as scope:
        counting = _Counting(function(), at, scope)
        await counting
    return scope.cancel_called


class _Counting:
    """Awaits something and counts how often it gives control to the event loop."""

    def __init__(self, inner: Awaitable[object], at: int, scope: anyio.CancelScope) -> None:
        self._inner, self._at, self._scope = inner, at, scope

    def __await__(self) -> Generator[object, object, object]:
        steps = cast("Generator[object, object, object]", self._inner.__await__())
        count, value, error = 0, cast("object", None), cast("BaseException | None", None)
        while True:
            try:
                waits_for = steps.send(value) if error is None else steps.throw(error)
            except StopIteration as end:
                return cast("object", end.value)
            count += 1
            if count == self._at:
                self._scope.cancel()
            value = error = None
            try:
                value = yield waits_for
            except BaseException as thrown:  # it is handed on
                error = thrown
