"""What an author gave to be run, as the handler that the runner calls."""

import inspect
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeAlias, cast

from toolroll.outcome import DefinitionError
from toolroll.schema.plain import fresh
from toolroll.tools.tool import Handler

Run: TypeAlias = Callable[..., object]
_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def is_async_function(run: Run) -> bool:
    """Whether what a call of it returns has to be awaited; also for objects that are called."""
    called = getattr(run, "__call__", None)  # noqa: B004 - the method itself is wanted
    return inspect.iscoroutinefunction(run) or inspect.iscoroutinefunction(called)


def require_handler(run: object) -> None:
    """Make sure that something can be a handler.

    Raises:
        DefinitionError: it cannot be called, is a class, or is a generator, whose body would run
            after the tool has ended.
    """
    if isinstance(run, type):
        raise DefinitionError(f"the class {run.__qualname__} is no handler; write a function.")
    if not callable(run):
        raise DefinitionError(f"{run!r} is no handler; write a function.")
    called = getattr(run, "__call__", None)  # noqa: B004 - the method itself is wanted
    if any(map(_is_generator, (run, called))):
        raise DefinitionError(
            "a generator is no handler; return a list, and tell how far it is by context.progress."
        )


def _is_generator(run: object) -> bool:
    return inspect.isgeneratorfunction(run) or inspect.isasyncgenfunction(run)


def handler_of_signature(
    function: Callable[..., object], *, wants_context: bool, whole: bool
) -> Handler:
    """Call a function with what its front bound: keyword arguments, or one instance."""
    if whole:
        if wants_context:
            return lambda bound, context: function(context, bound[""])
        return lambda bound, _: function(bound[""])
    if wants_context:
        return lambda bound, context: function(context, **bound)
    if _dispatches(function):
        return _by_place(function)
    return lambda bound, _: function(**bound)


def _dispatches(function: Callable[..., object]) -> bool:
    """Whether `functools.singledispatch` chooses what is run."""
    while isinstance(function, partial):
        function = cast("partial[object]", function).func
    return hasattr(function, "dispatch") and hasattr(function, "registry")


def _by_place(function: Callable[..., object]) -> Handler:
    """Give the first argument by its place: `singledispatch` chooses by the type of that one.

    Raises:
        DefinitionError: it can be given by name only.
    """
    first = next(iter(signature_of(function).parameters.values()), None)
    if first is None:
        return lambda bound, _: function(**bound)
    if first.kind not in _BY_PLACE:
        raise DefinitionError(
            f"singledispatch chooses by its first argument, but {first.name!r} can be given by "
            "name only; write a function that calls it."
        )
    name, default = first.name, cast("object", first.default)

    def run(bound: Mapping[str, object], _: object) -> object:
        rest = {key: value for key, value in bound.items() if key != name}
        return function(bound.get(name, default), **rest)

    return run


def handler_of_input(run: Run) -> Handler:
    """Call a function of the checked input, with the context in front if it takes two. The function
    may change what it gets: the call keeps its arguments.

    Raises:
        DefinitionError: it takes something else.
    """
    require_handler(run)
    if takes_context(run):
        return lambda bound, context: run(context, fresh(bound))
    return lambda bound, _: run(fresh(bound))


def signature_of(run: Run) -> inspect.Signature:
    """The signature of a function.

    Raises:
        DefinitionError: it has none, as some functions written in C.
    """
    try:
        return inspect.signature(run)
    except (TypeError, ValueError) as error:
        raise DefinitionError(f"{run!r} has no signature; wrap it in a function.") from error


def takes_context(run: Run) -> bool:
    """Whether a function of the input takes the context in front of it.

    Raises:
        DefinitionError: it takes something else.
    """
    parameters = signature_of(run).parameters.values()
    needed = [parameter for parameter in parameters if parameter.default is parameter.empty]
    by_place = [parameter for parameter in parameters if parameter.kind in _BY_PLACE]
    wanted = sum(parameter.kind in _BY_PLACE for parameter in needed)
    given_by_nobody = any(parameter.kind is parameter.KEYWORD_ONLY for parameter in needed)
    if wanted <= 1 <= len(by_place) and not given_by_nobody:
        return False
    if wanted == len(by_place) == 2 and not given_by_nobody:  # context and input
        return True
    named = getattr(run, "__qualname__", type(run).__qualname__)
    raise DefinitionError(
        f"{named} takes {inspect.signature(run)}; write run(input) or run(context, input)."
    )
