"""Signals that end a server."""

import signal
import sys
import threading
from collections.abc import Callable

import anyio


async def on_signal(act: Callable[[], None], *, most: int) -> None:
    """Call `act` at each termination or interrupt signal; after so many they do what they did.

    Does nothing where signals cannot be had: in another thread than the main one, and on Windows.

    Args:
        act: called on the event loop.
        most: how many signals are taken.
    """
    if sys.platform == "win32" or threading.current_thread() is not threading.main_thread():
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async for _ in signals:
            act()
            most -= 1
            if most <= 0:
                return
