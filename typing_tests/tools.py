"""What `@tool` and toolkits infer: signatures, contexts, outcomes."""

from dataclasses import dataclass
from typing import Any, assert_type

from toolroll import (
    Answer,
    CallContext,
    LocalToolkit,
    Outcome,
    Policy,
    Rule,
    Tool,
    ToolCall,
    ToolResult,
    assemble,
    search,
    tool,
)


@dataclass
class App:
    """The host's own object."""

    name: str


@tool(effect="read")
def add(left: int, right: int = 1) -> int:
    """Add."""
    return left + right


@tool(effect="write")
async def greet(context: CallContext[App], who: str) -> str:
    """Greet."""
    assert_type(context.app, App)
    return f"{context.app.name} greets {who}"


@tool(effect="read")
async def plain(context: CallContext, who: str) -> str:
    """Say who."""
    assert_type(context.app, None)
    return who


# The decorated function keeps its own signature.
assert_type(add(1, right=2), int)
add("1")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


async def direct() -> None:
    """Call the functions themselves."""
    assert_type(await greet(CallContext(app=App("a")), "b"), str)
    await greet("b")  # type: ignore[call-arg, arg-type]  # pyright: ignore[reportArgumentType, reportCallIssue]


# A toolkit takes its application from its tools; tools without one go everywhere.
kit = LocalToolkit("kit", greet, add)
assert_type(kit, LocalToolkit[App])


async def use() -> None:
    """Call through the public door."""
    context = CallContext(app=App("a"))
    assert_type(context, CallContext[App])
    outcome = await kit.call(ToolCall.of("greet", {"who": "b"}), context)
    assert_type(outcome, Outcome)
    match outcome:
        case Answer(result=result):
            assert_type(result, ToolResult)
        case bad:
            assert_type(bad.code, str)
    await kit.call(ToolCall.of("greet"), CallContext(app=5))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    found = search(kit)
    assert_type(await found.call(ToolCall.of("tool_search"), context), Outcome)
    governed = assemble([kit], Policy([Rule("allow")]))
    assert_type(await governed.call(ToolCall.of("greet"), context), Outcome)


def takes_any(tools: list[Tool[Any, ..., object]]) -> None:
    """Tools of any application are one type to who only lists them."""
    for one in tools:
        assert_type(one.name, str)


takes_any([add, greet, plain])
