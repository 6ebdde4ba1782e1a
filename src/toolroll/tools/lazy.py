"""Handlers that are imported at their first call, so that registering costs the schema alone."""

import importlib
import re
import threading
from collections.abc import Callable

from toolroll.outcome import DefinitionError, OutcomeError
from toolroll.tools.gate import AnyContext
from toolroll.tools.handler import is_async_function
from toolroll.tools.thread import Seat
from toolroll.tools.tool import Bound, Handler

_PLACE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")


class LazyHandler:
    """Runs `package.module:function`, imported once, at the first call.

    Args:
        place: where the function is.
        shape: makes a handler of the function once it is there.

    Raises:
        DefinitionError: the place is not of that form.
    """

    __slots__ = ("_handler", "_is_async", "_lock", "_place", "_shape")

    def __init__(self, place: str, shape: Callable[[Callable[..., object]], Handler]) -> None:
        if not _PLACE.fullmatch(place):
            raise DefinitionError(f"{place!r} names no function; write 'package.module:function'.")
        self._place, self._shape = place, shape
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

    @property
    def is_loaded(self) -> bool:
        """Whether the function is there already."""
        return self._handler is not None

    async def loaded(self, seat: Seat | None) -> tuple[Handler, bool]:
        """The handler and whether it is async; imported in the thread if need be.

        Raises:
            OutcomeError: `handler-error`: it cannot be imported, so nothing ran.
        """
        handler = self._handler
        if handler is None:
            try:
                handler = self.load() if seat is None else await seat.run(self.load)
            except DefinitionError as error:
                raise OutcomeError(
                    "failed",
                    "handler-error",
                    "The tool cannot be loaded.",
                    detail=str(error),
                    may_have_run=False,
                ) from error
        return handler, self._is_async

    def __call__(self, bound: Bound, context: AnyContext) -> object:
        """Import if need be, then run in place."""
        return self.load()(bound, context)

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
