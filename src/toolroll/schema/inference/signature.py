"""The signature of a function as the parameters of a tool.

The first positional parameter may be the call's context; it is no part of the input. All others
must be parameters that can be given by name, each with an annotation.
"""

import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args, get_origin

from toolroll.outcome import DefinitionError
from toolroll.schema.inference.docstring import Docs, read_docs
from toolroll.schema.inference.scope import names_around, names_of_class

_EMPTY = inspect.Parameter.empty
_CONTEXT_NAMES = frozenset({"ctx", "context"})
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter of a tool's input.

    Args:
        name: as the function spells it.
        annotation: its type, resolved, with what `Annotated` adds.
        default: one-element tuple of its default; empty where it has none.
        description: what the docstring says of it, "" for nothing.
    """

    name: str
    annotation: object
    default: tuple[object, ...] = ()
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a function's signature and docstring say of a tool.

    Args:
        name: the function's name, for messages.
        parameters: in declared order, without the context.
        wants_context: the first positional argument is the call's context.
        returns: the resolved return annotation (of what is awaited); None where it is absent, not
            resolvable or `None`.
        description: the docstring without what it says of parameters.
        names: what a text in a type may mean, beside what the module of that type defines: the
            names around the function and of the class it stands in.
    """

    name: str
    parameters: tuple[Parameter, ...]
    wants_context: bool
    returns: object
    description: str
    names: Mapping[str, object]


def read_signature(function: Callable[..., object], context_types: tuple[type, ...]) -> Signature:
    """Read a function.

    Args:
        function: sync or async; a method bound to its object and a `functools.partial` too.
        context_types: classes whose instances are the call's context, bare or subscripted.

    Raises:
        DefinitionError: a parameter cannot be part of an input; the message names it and the mend.
    """
    name = _name_of(function)
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError) as error:
        raise DefinitionError(f"{name} has no signature; wrap it in a function.") from error
    parameters = list(signature.parameters.values())
    hints = _Hints(function, name, signature)
    wants_context = bool(parameters) and _is_context(parameters[0], hints, context_types)
    docs = read_docs(_docstring(_innermost(function)))
    return Signature(
        name=name,
        parameters=tuple(
            _parameter(parameter, hints, context_types, name, docs)
            for parameter in parameters[1 if wants_context else 0 :]
        ),
        wants_context=wants_context,
        returns=hints.returns(),
        description=docs.description,
        names=hints.names,
    )


def _parameter(
    parameter: inspect.Parameter,
    hints: "_Hints",
    context_types: tuple[type, ...],
    tool: str,
    docs: Docs,
) -> Parameter:
    name, kind = parameter.name, parameter.kind
    if kind is inspect.Parameter.POSITIONAL_ONLY:
        raise _unusable(
            tool, name, "is positional-only, but a model gives arguments by name", "remove the '/'"
        )
    if kind is inspect.Parameter.VAR_POSITIONAL:
        raise _unusable(tool, f"*{name}", "takes any number of values", f"write {name}: list[...]")
    if kind is inspect.Parameter.VAR_KEYWORD:
        raise _unusable(
            tool, f"**{name}", "takes any name", f"write each parameter, or {name}: dict[str, ...]"
        )
    if parameter.annotation is _EMPTY:
        raise _unusable(tool, name, "has no annotation", f"write its type, e.g. {name}: str")
    if hints.says_context(name, context_types):
        raise _unusable(
            tool, name, "is the call's context, but not the first parameter", "move it to the front"
        )
    annotation = hints.of(name)
    return Parameter(
        name=name,
        annotation=annotation,
        default=()
        if parameter.default is _EMPTY or parameter.default is ...
        else (parameter.default,),
        description=docs.parameters.get(name, ""),
    )


class _Hints:
    """The annotations of a function, resolved one by one, so that a fault names its parameter.

    A decorator may give a signature of its own (`__signature__`): then that one's count.
    """

    def __init__(
        self, function: Callable[..., object], tool: str, signature: inspect.Signature
    ) -> None:
        inner = _innermost(function)
        written: Mapping[str, object] = getattr(inner, "__annotations__", {})
        given = {name: one.annotation for name, one in signature.parameters.items()}
        if signature.return_annotation is not _EMPTY:
            given["return"] = signature.return_annotation
        self._raw = {**written, **given}
        as_written = all(written.get(name, _EMPTY) is given[name] for name in given)
        self._globals: dict[str, Any] = getattr(inner, "__globals__", {})
        self._locals = names_around(inner)
        of_class = names_of_class(function, inner, self._locals)
        self.names: Mapping[str, object] = (
            {**of_class, **self._locals} if of_class else self._locals
        )
        self._tool = tool
        self._all: Mapping[str, object] | None = None
        try:
            if as_written:
                self._all = typing.get_type_hints(
                    inner, self._globals, self._locals, include_extras=True
                )
        except (NameError, TypeError, SyntaxError, AttributeError):
            self._all = None  # one of them cannot be resolved: each is tried by itself

    def raw(self, name: str) -> object:
        return self._raw.get(name, _EMPTY)

    def says_context(self, name: str, context_types: tuple[type, ...]) -> bool:
        """Whether a parameter is the context by its type, also where the App in `CallContext[App]`
        exists for type checkers only.
        """
        try:
            return _is_context_type(self.of(name), context_types)
        except DefinitionError:
            raw = self.raw(name)
        if not isinstance(raw, str):
            return _is_context_type(raw, context_types)
        head = raw.strip("'\" ").partition("[")[0].rpartition(".")[2].strip()
        return head in {kind.__name__ for kind in context_types}

    def of(self, name: str) -> object:
        if self._all is not None:
            return self._all[name]
        try:
            return self._resolved(name)
        except (NameError, TypeError, SyntaxError, AttributeError) as error:
            raise _unusable(
                self._tool,
                name,
                f"has an annotation that cannot be resolved: {self.raw(name)!r} ({error})",
                "import or define its type where it exists at run time: not under TYPE_CHECKING, "
                "and not in a function that has ended",
            ) from error

    def returns(self) -> object:
        if "return" not in self._raw:
            return None
        try:
            found = self._all["return"] if self._all is not None else self._resolved("return")
        except (NameError, TypeError, SyntaxError, AttributeError):
            return None  # nothing is declared then; what comes back is written by what it is
        if get_origin(found) in (Awaitable, Coroutine):
            found = get_args(found)[-1]
        return None if found is type(None) else found

    def _resolved(self, name: str) -> object:
        try:
            return self._resolved_in(self._locals, name)
        except NameError:
            if self.names is self._locals:
                raise
            # Last, because a method `list` must not take the place of the type.
            return self._resolved_in(self.names, name)

    def _resolved_in(self, names: Mapping[str, object], name: str) -> object:
        holder = types.SimpleNamespace(__annotations__={name: self._raw[name]})
        return typing.get_type_hints(holder, self._globals, dict(names), include_extras=True)[name]


def _is_context(
    parameter: inspect.Parameter, hints: _Hints, context_types: tuple[type, ...]
) -> bool:
    if parameter.kind not in _POSITIONAL:
        return False
    if parameter.annotation is _EMPTY:
        return parameter.name in _CONTEXT_NAMES
    return hints.says_context(parameter.name, context_types)


def _is_context_type(annotation: object, context_types: tuple[type, ...]) -> bool:
    origin = get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return any(_is_context_type(item, context_types) for item in get_args(annotation))
    if origin is typing.Annotated:
        return _is_context_type(get_args(annotation)[0], context_types)
    found = annotation if origin is None else origin
    return isinstance(found, type) and issubclass(found, context_types)


def _innermost(function: Callable[..., object]) -> Callable[..., object]:
    """The function that holds the annotations: below partials, wrappers and callable objects."""
    while True:
        if inspect.ismethod(function):
            function = cast("Callable[..., object]", function.__func__)
        elif hasattr(function, "func") and not inspect.isroutine(function):
            function = cast("Callable[..., object]", getattr(function, "func"))  # noqa: B009
        elif not inspect.isroutine(function) and not inspect.isclass(function):
            return inspect.unwrap(cast("Callable[..., object]", type(function).__call__))
        else:
            return inspect.unwrap(function)


def _docstring(function: Callable[..., object]) -> str:
    """Its own or that of the method it overrides; not what Python says of every `__call__`."""
    said = inspect.getdoc(function) or ""
    return "" if said == type.__call__.__doc__ else said


def _name_of(function: Callable[..., object]) -> str:
    inner = _innermost(function)
    name = getattr(inner, "__name__", "")
    return type(function).__name__ if name == "__call__" else str(name)


def _unusable(tool: str, parameter: str, fault: str, mend: str) -> DefinitionError:
    return DefinitionError(f"{tool}: parameter {parameter!r} {fault}; {mend}.", tool=tool)
