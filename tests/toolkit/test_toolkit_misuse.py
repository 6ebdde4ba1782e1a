"""Toolkits in careless hands: what is no tool, no list and no outcome is said, not run into."""

import json
from types import MappingProxyType
from typing import Any, cast

import anyio
import pytest

from toolroll import (
    Behavior,
    CallContext,
    DefinitionError,
    Failed,
    Hints,
    Listing,
    LiveToolkit,
    LocalToolkit,
    Outcome,
    ToolCall,
    ToolDefinition,
    call_all,
    define_tool,
    merge,
    restrict,
    serialize,
    tool,
)
from toolroll.content import JsonObject
from toolroll.providers import openai_chat
from toolroll.toolkit import prefix

CONTEXT: CallContext[Any] = CallContext()


@tool(effect="read")
def one() -> int:
    """Say one."""
    return 1


KIT: LocalToolkit[Any] = LocalToolkit("kit", one)


@pytest.mark.rule("toolkit-takes-tools")
@pytest.mark.parametrize(
    ("given", "mend"),
    [
        (len, "make a tool of it with @tool"),
        ([one], r"write LocalToolkit\('mine', \*tools\)"),
        (KIT, "make a tool of it with @tool"),
    ],
    ids=["function", "list", "toolkit"],
)
def test_what_is_no_tool_is_told_with_the_mend(given: Any, mend: str) -> None:
    with pytest.raises(DefinitionError, match=f"toolkit 'mine': .* is no tool; {mend}"):
        LocalToolkit("mine", given)


@pytest.mark.rule("toolkit-takes-tools")
def test_one_text_is_no_list_of_names() -> None:
    with pytest.raises(DefinitionError, match="names is the text 'one'; write a list"):
        restrict(KIT, "one")


@pytest.mark.rule("toolkit-prefix-length")
def test_a_prefix_that_makes_a_name_too_long_is_refused_at_once() -> None:
    assert prefix(KIT, "x" * 125).listing(CONTEXT).tools[0].name == "x" * 125 + "one"
    for kit in (KIT, LiveToolkit(KIT)):
        with pytest.raises(DefinitionError, match="too long for a tool: 129 characters"):
            prefix(kit, "x" * 126)


class Foreign:
    """A toolkit of somebody else."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def listing(self, context: CallContext[Any], /) -> Listing:
        return KIT.listing(context)

    async def call(self, call: ToolCall, context: CallContext[Any], /) -> Outcome:
        if isinstance(self._answer, Exception):
            raise self._answer
        return cast("Outcome", self._answer)


@pytest.mark.anyio
@pytest.mark.rule("toolkit-foreign-fails")
@pytest.mark.parametrize("answer", [OSError("password=hunter2"), None, "done"], ids=repr)
async def test_a_foreign_toolkit_that_gives_no_outcome_has_failed(answer: object) -> None:
    foreign = Foreign(answer)
    for kit in (prefix(foreign, "my_"), merge(prefix(foreign, "my_")), serialize(foreign)):
        name = kit.listing(CONTEXT).tools[0].name
        outcome = await kit.call(ToolCall.of(name, id="c1"), CONTEXT)
        assert isinstance(outcome, Failed)
        assert (outcome.code, outcome.call_id) == ("handler-error", "c1")
        assert outcome.may_have_run
        assert "hunter2" not in outcome.message
        assert outcome.cause is (answer if isinstance(answer, Exception) else None)


class Partly:
    """A toolkit of somebody else that raises for one of its tools."""

    def __init__(self, error: BaseException) -> None:
        self._error = error
        self._kit: LocalToolkit[Any] = LocalToolkit(
            "partly",
            *(
                tool(effect="read", name=name, behavior=Behavior(concurrency_safe=name != "alone"))(
                    lambda: "done"
                )
                for name in ("good", "bad", "alone")
            ),
        )

    def listing(self, context: CallContext[Any], /) -> Listing:
        return self._kit.listing(context)

    async def call(self, call: ToolCall, context: CallContext[Any], /) -> Outcome:
        if call.id == "raises":
            raise self._error
        return await self._kit.call(call, context)


@pytest.mark.anyio
@pytest.mark.rule("toolkit-foreign-fails")
@pytest.mark.parametrize("names", [["good", "bad", "good", "alone"], ["alone", "bad"], ["bad"]])
@pytest.mark.parametrize("raises", ["bad", "alone"])
async def test_one_call_of_many_that_raises_fails_alone(names: list[str], raises: str) -> None:
    error = OSError("password=hunter2")
    calls = [ToolCall.of(name, id="raises" if name == raises else name) for name in names]
    outcomes = await call_all(Partly(error), calls, CONTEXT)
    assert [outcome.call_id for outcome in outcomes] == [call.id for call in calls]
    for call, outcome in zip(calls, outcomes, strict=True):
        if call.name != raises:
            assert outcome.unwrap().text == "done"
            continue
        assert isinstance(outcome, Failed)
        assert (outcome.code, outcome.cause) == ("handler-error", error)
        assert outcome.may_have_run
        assert "hunter2" not in outcome.message


@pytest.mark.anyio
@pytest.mark.rule("toolkit-foreign-fails")
@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit()], ids=repr)
async def test_what_ends_the_process_passes_a_foreign_toolkit(error: BaseException) -> None:
    for kit in (Partly(error), prefix(Partly(error), "my_")):
        name = kit.listing(CONTEXT).tools[0].name
        with pytest.raises(type(error)):
            await call_all(kit, [ToolCall.of(name, id="raises")], CONTEXT)


@pytest.mark.anyio
@pytest.mark.rule("toolkit-foreign-fails")
async def test_the_cancellation_of_the_caller_passes_a_foreign_toolkit() -> None:
    waits = anyio.Event()

    class Waiting(Partly):
        async def call(self, call: ToolCall, context: CallContext[Any], /) -> Outcome:
            waits.set()
            await anyio.sleep_forever()
            return await super().call(call, context)

    calls = [ToolCall.of("good"), ToolCall.of("bad")]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(call_all, Waiting(OSError()), calls, CONTEXT)
        await waits.wait()
        tasks.cancel_scope.cancel()
    assert tasks.cancel_scope.cancelled_caught


@pytest.mark.rule("define-owns-its-words")
def test_a_definition_of_any_mappings_is_listed_stored_and_offered() -> None:
    properties = {"n": MappingProxyType({"type": "integer", "enum": (1, 2)})}
    schema: JsonObject = MappingProxyType(
        {
            "type": "object",
            "properties": MappingProxyType(properties),
            "required": ("n",),
            "additionalProperties": False,
        }
    )
    made = define_tool(
        ToolDefinition(
            name="pick",
            description="Pick.",
            input_schema=schema,
            hints=Hints.of_effect("read"),
            examples=(MappingProxyType({"n": 1}),),
            meta=MappingProxyType({"kinds": ("a",)}),
        ),
        lambda input: input["n"],
    )
    kit: LocalToolkit[Any] = LocalToolkit("kit", made)
    revision = kit.listing(CONTEXT).revision

    properties["other"] = MappingProxyType({"type": "string"})

    assert kit.listing(CONTEXT).revision == revision
    assert made.definition.input_schema["properties"] == {"n": {"type": "integer", "enum": [1, 2]}}
    stored = json.loads(json.dumps(made.definition.to_json()))
    assert ToolDefinition.from_json(stored) == made.definition
    assert '"other"' not in json.dumps(openai_chat.offer(kit, CONTEXT).tools)
