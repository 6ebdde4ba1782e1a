"""Names that a text may mean where a type is wanted: those around a function."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from types import FrameType
from typing import Any, cast

_MOST_FRAMES = 20
_INSIDE = ".<locals>."


def names_around(inner: Callable[..., object]) -> dict[str, Any]:
    """The closure of a function, and the locals of those around it while they are running.

    Args:
        inner: the function itself, below partials and wrappers.
    """
    found: dict[str, Any] = {}
    around = str(getattr(inner, "__qualname__", "")).split(_INSIDE)[:-1]
    frames = _frames_below(inner)
    while around and (frame := next(frames, None)) is not None:
        if frame.f_code.co_name == around[-1].rpartition(".")[2]:
            around.pop()
            found = {**frame.f_locals, **found}
    code = getattr(inner, "__code__", None)
    if code is not None:
        for name, cell in zip(
            code.co_freevars, getattr(inner, "__closure__", None) or (), strict=False
        ):
            try:
                found[name] = cell.cell_contents
            except ValueError:
                continue  # a name that is not bound yet
    return found


def names_of_class(
    function: Callable[..., object], inner: Callable[..., object], around: Mapping[str, object]
) -> Mapping[str, Any]:
    """The names of the class body that a method stands in; empty for other functions.

    Args:
        function: as it was given: bound to its object, a partial of it, a callable object.
        inner: the function itself.
        around: what `names_around` says of it.
    """
    named = str(getattr(inner, "__qualname__", "")).rpartition(".")[0]
    path = named.rpartition(_INSIDE)[2]
    if not path or path.endswith("<locals>"):
        return {}
    owner = _owner(function)
    for kind in () if owner is None else owner.__mro__:
        if kind.__qualname__ == named:
            return vars(kind)
    for frame in _frames_below(inner):  # the class is being made
        if frame.f_locals.get("__qualname__") == named:
            return dict(frame.f_locals)
    found: object = None
    names: Mapping[str, object] = {**getattr(inner, "__globals__", {}), **around}
    for step in path.split("."):
        found = names.get(step)
        if not isinstance(found, type):
            return {}
        names = vars(found)
    return names


def _owner(function: object) -> type | None:
    """The class of the object that a method is bound to, or that is called itself."""
    while hasattr(function, "func") and not inspect.isroutine(function):
        function = cast("Any", function).func
    if inspect.ismethod(function):
        function = function.__self__
    elif inspect.isroutine(function):
        return None
    return function if isinstance(function, type) else type(function)


def _frames_below(inner: Callable[..., object]) -> Iterator[FrameType]:
    """The running functions of the same module, the innermost first."""
    frame = inspect.currentframe()
    for _ in range(_MOST_FRAMES):
        if frame is None:
            break
        if frame.f_globals is getattr(inner, "__globals__", None):
            yield frame
        frame = frame.f_back
