"""Handlers that are imported at their first call, so that registering costs the schema alone."""

import importlib
import re
import threading
from collections.abc import Awaitable, Callable
from typing import cast

import anyio.to_thread

from toolroll.outcome import DefinitionError, OutcomeError
from toolroll.tools.gate import AnyContext
from toolroll.tools.handler import is_async_function
from toolroll.tools.thread import run_in_thread
from toolroll.tools.tool import Bound, Handler

_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class LazyHandler:
    """Runs `package.module:function`, imported once, at the first call.

    Args:
        place: where the function is.
        shape: makes a handler of the function once it is there.
        blocking: a sync function runs in a worker thread.

    Raises:
        DefinitionError: the place is not of that form.
    """

    __slots__ = ("_blocking", "_handler", "_is_async", "_lock", "_place", "_shape")

    def __init__(
        self, place: str, shape: Callable[[Callable[..., object]], Handler], *, blocking: bool
    ) -> None:
        if not _PLACE.fullmatch(place):
            raise DefinitionError(f"{place!r} names no function; write 'package.module:function'.")
        self._place, self._shape, self._blocking = place, shape, blocking
        self._handler: Handler | None = None
        self._is_async = False
        self._lock = threading.Lock()

    def load(self) -> Handler:
        """Import the function; `toolroll check` does so before anybody calls.

        Raises:
            DefinitionError: there is no such module or function.
        """
        with self._lock:
            if self._handler is None:
                function = self._found()
                self._is_async = is_async_function(function)
                self._handler = self._shape(function)
            return self._handler

    async def __call__(self, bound: Bound, context: AnyContext) -> object:
        """Import if need be, then run.

        Raises:
            OutcomeError: `handler-error`: it cannot be imported, so nothing ran.
        """
        handler = self._handler or await self._loaded()
        if self._is_async or not self._blocking:
            returned = handler(bound, context)
        else:
            returned = await run_in_thread(handler, bound, context)
        if hasattr(returned, "__await__"):
            return await cast("Awaitable[object]", returned)
        return returned

    async def _loaded(self) -> Handler:
        try:
            return await anyio.to_thread.run_sync(self.load)
        except DefinitionError as error:
            raise OutcomeError(
                "failed",
                "handler-error",
                "The tool cannot be loaded.",
                detail=str(error),
                may_have_run=False,
            ) from error

    def _found(self) -> Callable[..., object]:
        module, _, path = self._place.partition(":")
        try:
            found: object = importlib.import_module(module)
            for part in path.split("."):
                found = getattr(found, part)
        except (Exception, SystemExit) as error:  # whatever a module does while it is imported
            said = f"{type(error).__name__}: {error}"
            raise DefinitionError(f"{self._place!r} cannot be imported: {said}.") from error
        if not callable(found):
            raise DefinitionError(f"{self._place!r} is no function but {type(found).__name__}.")
        return found
