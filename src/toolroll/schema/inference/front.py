"""Functions and models as tools: their schema, their reader, their writer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, get_args, get_origin

from toolroll.content import Content, JsonObject, ToolResult
from toolroll.schema.inference.signature import read_signature
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.reading import InputReader, ResultWriter
from toolroll.schema.writer import DataWriter, PlainWriter

_WRITTEN_FREELY = (str, bytes, type(None), ToolResult, object, Any, *get_args(Content))
_LISTS = (list, tuple, set, frozenset)


@dataclass(frozen=True, slots=True, kw_only=True)
class Front:
    """What a tool needs of a function or a model.

    Args:
        input_schema: JSON Schema of the input: an object, closed unless asked to be open.
        output_schema: JSON Schema of the data, where the function declares a model, dataclass or
            TypedDict as what it returns; else None.
        reader: checks inputs and binds them: to keyword arguments, or to one instance under "".
        writer: turns what the function returns into a result.
        description: what the docstring says, without what it says of parameters.
        wants_context: the function takes the call's context as its first positional argument.
        parameters: names of the function's other parameters in declared order; of a model, none.

    Example:
        >>> def add(a: int, b: int = 1) -> int:
        ...     '''Add.'''
        ...     return a + b
        >>> function_front(add).parameters
        ('a', 'b')
    """

    input_schema: JsonObject
    output_schema: JsonObject | None
    reader: InputReader
    writer: ResultWriter
    description: str
    wants_context: bool = False
    parameters: tuple[str, ...] = ()


def function_front(
    function: Callable[..., object],
    *,
    context_types: tuple[type, ...] = (),
    description: str | None = None,
    allow_open: bool = False,
    clamp: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Front:
    """Read a function as a tool.

    Args:
        function: sync or async. Every parameter but the context has an annotation.
        context_types: classes of the call's context. The first positional parameter is the context
            if its annotation is one of them, bare or subscripted, or if it has none and is called
            `ctx` or `context`.
        description: takes the place of the docstring's.
        allow_open: let models in it that allow unknown keys take them.
        clamp: cut values beyond their bounds before the check, and report it.
        limits: how large inputs may be.

    Returns:
        The front; `reader.read(...).bound` holds keyword arguments.

    Raises:
        DefinitionError: a parameter cannot be part of an input; names it, the fault and the mend.

    Example:
        >>> def find(query: str, limit: int = 10) -> list[str]:
        ...     '''Find notes.'''
        ...     return []
        >>> front = function_front(find)
        >>> front.input_schema["required"], front.reader.read({"query": "owl"}).bound
        (['query'], {'query': 'owl', 'limit': 10})
    """
    signature = read_signature(function, context_types)
    from toolroll.schema.inference import adaptation  # noqa: PLC0415 - brings pydantic
    from toolroll.schema.inference.typed_reader import TypedReader  # noqa: PLC0415

    names = signature.names
    typed = adaptation.typed_parameters(
        signature.parameters, signature.name, allow_open=allow_open, names=names
    )
    writer, output = _writer(signature.returns, signature.name, names)
    return Front(
        input_schema=typed.schema,
        output_schema=output,
        reader=TypedReader(typed, clamps=clamp, limits=limits),
        writer=writer,
        description=signature.description if description is None else description,
        wants_context=signature.wants_context,
        parameters=tuple(parameter.name for parameter in signature.parameters),
    )


def model_front(
    model: type[object],
    *,
    returns: object = None,
    description: str | None = None,
    allow_open: bool = False,
    clamp: bool = False,
    limits: Limits = DEFAULT_LIMITS,
    names: Mapping[str, object] | None = None,
) -> Front:
    """Read a pydantic model, a dataclass or a TypedDict as the input of a tool.

    Args:
        model: the class.
        returns: what the tool's function declares to return; None for nothing.
        description: takes the place of the class's docstring.
        allow_open: let the model and those in it take unknown keys where they allow them.
        clamp: cut values beyond their bounds before the check, and report it.
        limits: how large inputs may be.
        names: what texts in the types of its fields may mean, beside what its module defines: of a
            class inside a function, the names there.

    Returns:
        The front; `reader.read(...).bound` is `{"": instance}`.

    Raises:
        DefinitionError: it is no such class, has no JSON form, or allows unknown keys unasked.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Point:
        ...     x: int
        >>> model_front(Point).reader.read({"x": 1}).bound
        {'': Point(x=1)}
    """
    from toolroll.schema.inference import adaptation  # noqa: PLC0415 - brings pydantic
    from toolroll.schema.inference.typed_reader import TypedReader  # noqa: PLC0415

    names = names or {}
    typed = adaptation.typed_model(model, allow_open=allow_open, names=names)
    writer, output = _writer(returns, getattr(model, "__name__", "model"), names)
    said = typed.schema.pop("description", "")
    return Front(
        input_schema=typed.schema,
        output_schema=output,
        reader=TypedReader(typed, as_instance=True, clamps=clamp, limits=limits),
        writer=writer,
        description=(said if isinstance(said, str) else "") if description is None else description,
    )


def _writer(
    returns: object, tool: str, names: Mapping[str, object]
) -> tuple[ResultWriter, JsonObject | None]:
    """How to write what a function declares to return, and the schema of it, if it is a record."""
    if returns is None or _is_free(returns):
        return PlainWriter(None), None
    kind = get_origin(returns) or returns
    if kind in _LISTS and all(map(_is_free, _said(returns))):
        return PlainWriter(None), None
    from toolroll.schema.inference.adapter import is_record  # noqa: PLC0415
    from toolroll.schema.inference.output import CheckedOutput, TypedOutput  # noqa: PLC0415

    if is_record(returns):
        output = TypedOutput(returns, tool, names)
        # The root of an output schema must be an object; one of a `RootModel` may be anything.
        shown = output.schema if output.schema.get("type") == "object" else None
        return DataWriter(output.dump), shown
    if kind in (*_LISTS, dict) and all(item is Any or item is object for item in _said(returns)):
        return (PlainWriter(None) if kind is dict else DataWriter(None)), None
    return DataWriter(CheckedOutput(returns, tool, names).dump), None


def _said(returns: object) -> list[object]:
    """What is said of the items of a list, or of the values of a mapping."""
    items = [item for item in get_args(returns) if item is not Ellipsis]
    return items[1:] if get_origin(returns) is dict else items


def _is_free(returns: object) -> bool:
    """Whether what is returned is written by what it is, not by what was declared."""
    if get_origin(returns) is dict:
        return False
    if get_origin(returns) is not None:
        return any(_is_free(item) for item in get_args(returns) if item is not type(None))
    return isinstance(returns, TypeVar) or returns in _WRITTEN_FREELY
