"""A host's signal that a call should end."""

from collections.abc import Callable


class CancelSignal:
    """Ends the calls it was given to, once.

    Call `cancel` from the event loop's thread; from another thread use
    `anyio.from_thread.run_sync(signal.cancel)`.

    Example:
        >>> signal = CancelSignal()
        >>> signal.cancel("the user pressed stop")
        >>> signal.cancelled, signal.reason
        (True, 'the user pressed stop')
    """

    __slots__ = ("_listeners", "cancelled", "reason")

    def __init__(self) -> None:
        self.cancelled = False
        self.reason = ""
        self._listeners: dict[int, Callable[[], None]] = {}

    def cancel(self, reason: str = "") -> None:
        """End every call that carries this signal; further calls do nothing."""
        if self.cancelled:
            return
        self.cancelled, self.reason = True, reason
        for listener in list(self._listeners.values()):
            listener()
        self._listeners.clear()

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` when the signal comes, at once if it has come; returns the way out."""
        if self.cancelled:
            listener()
            return lambda: None
        key = id(listener)
        self._listeners[key] = listener
        return lambda: self._listeners.pop(key, None) and None
