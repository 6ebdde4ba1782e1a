"""Context variables of a run awaited in its caller's task: seen there, and changed only inside."""

from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextvars import copy_context
from types import coroutine
from typing import TypeVar, cast

T = TypeVar("T")


@coroutine
def in_own_context(work: Awaitable[T]) -> Generator[object, object, T]:
    """Await a coroutine in a copy of the caller's context.

    What an async handler sets is gone when it ends, as what a sync one sets in its thread is. A
    task of its own would do the same for ten times the price.

    Args:
        work: a coroutine; it runs in the caller's task.

    Example:
        >>> import asyncio, contextvars
        >>> user = contextvars.ContextVar("user", default="ana")
        >>> async def work():
        ...     user.set("ben")
        ...     return user.get()
        >>> async def main():
        ...     return await in_own_context(work()), user.get()
        >>> asyncio.run(main())
        ('ben', 'ana')
    """
    running = cast("Coroutine[object, object, T]", work)
    run = copy_context().run
    try:
        waits = run(running.send, None)
    except StopIteration as end:
        return cast("T", end.value)
    except GeneratorExit as error:
        raise raised_itself(error) from error
    # A generator of `coroutine` is awaited by its own steps; it has no `__await__`.
    return (yield from cast("Generator[object, object, T]", going_on(running, run, waits)))


@coroutine
def going_on(
    running: Coroutine[object, object, T], run: Callable[..., object], waits: object
) -> Generator[object, object, T]:
    """Drive a coroutine to its end in the context that its first step was made in.

    Args:
        running: the coroutine, which waits.
        run: runs a function in its context.
        waits: what its first step came to wait for.
    """
    send = running.send
    try:
        while True:
            raised: BaseException | None = None
            try:
                sent = yield waits
            except GeneratorExit:
                run(running.close)
                raise
            except BaseException as error:  # cancelling comes this way too
                raised, sent = error, None
            try:
                waits = run(send, sent) if raised is None else run(running.throw, raised)
            except GeneratorExit as error:
                raise raised_itself(error) from error
    except StopIteration as end:
        return cast("T", end.value)


def raised_itself(error: GeneratorExit) -> RuntimeError:
    """What a coroutine raised itself; nobody closed it."""
    return RuntimeError(f"the handler raised {type(error).__name__}")
