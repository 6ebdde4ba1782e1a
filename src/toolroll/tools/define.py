"""Tools from functions, models and plain schemas. Mistakes surface when the module loads."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, Protocol, cast, overload

from typing_extensions import ParamSpec, TypeVar

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.schema import (
    Front,
    function_front,
    model_front,
    result_writer,
    schema_reader,
)
from toolroll.schema.inference.signature import read_signature
from toolroll.schema.reading import InputReader
from toolroll.tools.behavior import Behavior
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.handler import (
    Run,
    handler_of_input,
    handler_of_signature,
    is_async_function,
    require_handler,
    takes_context,
)
from toolroll.tools.hints import Effect, Hints
from toolroll.tools.lazy import LazyHandler
from toolroll.tools.naming import check_source_name, check_tool_name
from toolroll.tools.rule import (
    check_definition,
    check_examples,
    check_meta,
    check_record,
    check_schemas,
    check_words,
    own_words,
)
from toolroll.tools.tool import Handler, Tool
from toolroll.tools.validation import Validate, ValidatedReader

App = TypeVar("App")
P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")

_NOTHING: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What else can be said of an authored tool.

    Args:
        idempotent: calling it twice does no more than once; None: whether it only reads.
        open_world: it reaches systems outside the application's own.
        snippet: one line for hosts that list tools in a prompt.
        guidelines: advice for such hosts.
        examples: inputs that fit; each is checked when the tool is made.
        tags: words to filter by.
        meta: wire metadata (`_meta`).

    Example:
        >>> Details(tags=("notes",), examples=({"title": "shopping"},)).tags
        ('notes',)
    """

    idempotent: bool | None = None
    open_world: bool = False
    snippet: str | None = None
    guidelines: tuple[str, ...] = ()
    examples: tuple[JsonObject, ...] = ()
    tags: tuple[str, ...] = ()
    meta: Mapping[str, JsonValue] = field(default_factory=lambda: _NOTHING)


class ToolMaker(Protocol):
    """What `tool(...)` returns: makes a `Tool` of a function, which keeps its own signature."""

    @overload
    def __call__(
        self, function: Callable[Concatenate[CallContext[App], P], R], /
    ) -> Tool[App, Concatenate[CallContext[App], P], R]: ...

    @overload
    def __call__(self, function: Callable[P, R], /) -> Tool[object, P, R]: ...


def tool(
    *,
    effect: Effect,
    name: str | None = None,
    title: str | None = None,
    toolkit: str | None = None,
    description: str | None = None,
    takes: type | None = None,
    behavior: Behavior | None = None,
    details: Details | None = None,
) -> ToolMaker:
    """Make a tool of a function.

    The input schema comes from the signature, or from the model in `takes`; descriptions of
    parameters come from `Field`, `Annotated` or the docstring. A first parameter annotated
    `CallContext` gets the context and is no part of the schema.

    Args:
        effect: `read`, `write` or `destructive`. There is no default: nothing is guessed.
        name: the tool's name; the function's own if not given.
        title: for people.
        toolkit: the only toolkit it may go into.
        description: the complete instruction; else the docstring without its parameter section.
        takes: a pydantic model, dataclass or TypedDict; the function gets one instance.
        behavior: how it is run.
        details: what else can be said of it.

    Raises:
        DefinitionError: what is wrong, where, and how to mend it.

    Example:
        >>> @tool(effect="read")
        ... def add(a: int, b: int = 1) -> int:
        ...     '''Add two numbers.'''
        ...     return a + b
        >>> add(1, 2), add.definition.input_schema["required"]
        (3, ['a'])
    """

    def make(function: Callable[..., object], /) -> Tool[Any, ..., object]:
        tool_name = check_tool_name(name or getattr(function, "__name__", None))
        check_words(tool_name, {"description": description, "title": title})
        check_record(tool_name, "behavior", behavior, Behavior)
        check_record(tool_name, "details", details, Details)
        how, said = behavior or Behavior(), details or Details()
        front = _named(tool_name, lambda: _front(function, takes, how))
        hints = _named(
            tool_name,
            lambda: Hints.of_effect(effect, idempotent=said.idempotent, open_world=said.open_world),
        )
        definition = ToolDefinition(
            name=tool_name,
            description=(description or front.description or "").strip(),
            input_schema=front.input_schema,
            output_schema=front.output_schema,
            title=title,
            hints=hints,
            snippet=said.snippet,
            guidelines=said.guidelines,
            examples=said.examples,
            tags=said.tags,
            meta=said.meta,
        )
        check_definition(definition)
        check_meta(definition)
        check_schemas(definition, open_too=how.open, output=False)
        if said.examples or said.meta:
            definition = own_words(definition)
        made: Tool[Any, ..., object] = Tool(
            definition=definition,
            reader=front.reader,
            writer=front.writer,
            handler=handler_of_signature(
                function, wants_context=front.wants_context, whole=takes is not None
            ),
            is_async=is_async_function(function),
            behavior=how,
            function=function,
            source=check_source_name(toolkit, what="toolkit") if toolkit else "",
            wants_context=front.wants_context,
        )
        check_examples(made)
        return made

    return cast("ToolMaker", make)


def define_tool(
    definition: ToolDefinition,
    run: Run | str,
    *,
    behavior: Behavior | None = None,
    toolkit: str | None = None,
    validate: Validate | None = None,
) -> Tool[Any, ..., object]:
    """Make a tool of a plain JSON Schema and a function of the checked input.

    Args:
        definition: with an `input_schema` whose objects are closed, and hints that give an effect.
        run: `run(input)` or `run(context, input)`, sync or async; or `package.module:function`,
            which is imported at the first call.
        behavior: how it is run.
        toolkit: the only toolkit it may go into.
        validate: checks the input further; see `Validate`.

    Raises:
        DefinitionError: what is wrong, where, and how to mend it.

    Example:
        >>> greet = define_tool(
        ...     ToolDefinition(
        ...         name="greet",
        ...         description="Greet somebody.",
        ...         input_schema={
        ...             "type": "object",
        ...             "properties": {"who": {"type": "string"}},
        ...             "required": ["who"],
        ...             "additionalProperties": False,
        ...         },
        ...         hints=Hints.of_effect("read"),
        ...     ),
        ...     lambda input: f"Hello {input['who']}",
        ... )
    """
    check_tool_name(definition.name)
    if definition.hints.effect is None:
        raise DefinitionError(
            f"{definition.name}: its hints give no effect; "
            "use Hints.of_effect('read' | 'write' | 'destructive').",
            tool=definition.name,
        )
    check_record(definition.name, "behavior", behavior, Behavior)
    how = behavior or Behavior()
    check_definition(definition)
    check_meta(definition)
    check_schemas(definition, open_too=how.open)
    definition = own_words(definition)
    reader: InputReader = _named(
        definition.name, lambda: schema_reader(definition.input_schema, clamp=how.clamp)
    )
    if isinstance(run, str):
        handler: Handler = LazyHandler(run, handler_of_input)
        is_async, wants_context = False, True  # which it is shows when it is there
    else:
        function = run
        handler = _named(definition.name, lambda: handler_of_input(function))
        is_async, wants_context = is_async_function(run), takes_context(run)
    made: Tool[Any, ..., object] = Tool(
        definition=definition,
        reader=reader if validate is None else ValidatedReader(reader, validate),
        writer=result_writer(definition.output_schema),
        handler=handler,
        is_async=is_async,
        behavior=how,
        source=check_source_name(toolkit, what="toolkit") if toolkit else "",
        wants_context=wants_context,
    )
    check_examples(made)
    return made


def _named(name: str, front: Callable[[], T]) -> T:
    """What a front says is wrong is said of the tool."""
    try:
        return front()
    except DefinitionError as error:
        if error.tool == name:
            raise
        said = str(error).removeprefix(f"{name}: ")
        raise DefinitionError(f"{name}: {said}", tool=name, pointer=error.pointer) from error


def _front(function: Callable[..., object], takes: type | None, how: Behavior) -> Front:
    """The front of a function, or of the model it takes with the function's own return type."""
    require_handler(function)
    if takes is None:
        return function_front(
            function, context_types=(CallContext,), allow_open=how.open, clamp=how.clamp
        )
    outer = read_signature(function, (CallContext,))
    if len(outer.parameters) != 1:
        raise DefinitionError(
            f"with takes= it gets one instance, but it takes {len(outer.parameters)} arguments "
            "beside the context; write one."
        )
    front = model_front(
        takes,
        returns=outer.returns,
        description=outer.description or None,
        allow_open=how.open,
        clamp=how.clamp,
        names=outer.names,
    )
    return replace(front, wants_context=outer.wants_context)
