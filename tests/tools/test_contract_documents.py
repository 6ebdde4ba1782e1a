"""The tables of cases that the contract documents give, through a toolkit's own door.

Three documents: context tools (refusals as rows, short schemas), tool definitions (closed schemas,
exact lines), the tool kernel (flags, outcome kinds, order).
"""

import subprocess
import sys
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import anyio
import pytest
from pydantic import BeforeValidator, Field

from toolroll import (
    Behavior,
    CallContext,
    DefinitionError,
    Hints,
    LocalToolkit,
    NameClash,
    Refusal,
    ToolCall,
    ToolDefinition,
    define_tool,
    merge,
    restrict,
    tool,
)
from toolroll.outcome import CodedError, InvalidInput, kernel_form, rows_of
from toolroll.schema import SchemaError, slim
from toolroll.tools import CancelSignal
from toolroll.tools.conventions import DRY_RUN_FIELD, DRY_RUN_PREVIEW, REVISION_FIELD, Required

FIELDS = ["text", REVISION_FIELD, DRY_RUN_FIELD]


@dataclass
class Desk:
    """What the app hands to its tools."""

    authorized: bool = True
    written: list[tuple[str, int | None]] = field(default_factory=list)


@tool(effect="write", toolkit="note")
async def note_write(
    context: CallContext[Desk],
    text: Annotated[str, Field(description="The note text"), Required("note_write needs text")],
    revision: Annotated[int, Field(ge=1, le=5)] | None = None,
    dry_run: Annotated[bool, Field(description=DRY_RUN_PREVIEW)] = False,
) -> list[str]:
    """Write a note to the active document."""
    if not context.app.authorized:
        raise Refusal("not-permitted", "This caller may not write this document.")
    if dry_run:
        return ["preview\tvalidated"]
    context.app.written.append((text, revision))
    return ["note\twritten"]


KIT = LocalToolkit("note", note_write)


async def call(arguments: Any, name: str = "note_write", desk: Desk | None = None) -> Any:
    return await KIT.call(ToolCall.of(name, arguments), CallContext(app=desk or Desk()))


async def rows(arguments: Any) -> list[str]:
    return rows_of(await call(arguments), FIELDS).split("\n")


@pytest.mark.anyio
@pytest.mark.rule("context-tools-input")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"text": None}, "note_write needs text"),
        ({}, "note_write needs text"),
        ({"text": ""}, "note_write needs text"),
        ({"text": "a", "txet": None}, 'unknown property "txet"; takes text, revision, dry_run'),
        ("hi", "must be object"),
        ([1], "must be object"),
        ({"text": "a", "revision": 9}, "revision: must be <= 5"),
    ],
)
async def test_what_does_not_fit_is_refused_in_rows_with_the_fields(
    arguments: Any, told: str
) -> None:
    assert await rows(arguments) == [
        f"refused\tbad-arguments\t{told}",
        "fields\ttext\trevision\tdry_run",
    ]


@pytest.mark.anyio
@pytest.mark.rule("context-tools-input")
async def test_a_null_is_left_out_and_a_dry_run_writes_nothing() -> None:
    desk = Desk()
    answer = await call({"text": "a", "revision": None}, desk=desk)
    assert answer.unwrap().text == "note\twritten"
    preview = await call({"text": "b", "dry_run": True}, desk=desk)
    assert preview.unwrap().text == "preview\tvalidated"
    assert desk.written == [("a", None)]
    read = note_write.read({"text": "a", "revision": None})
    assert not isinstance(read, InvalidInput)
    assert read.value == {"text": "a", "revision": None, "dry_run": False}
    assert isinstance(note_write.read({"text": None}), InvalidInput)


@pytest.mark.anyio
@pytest.mark.rule("context-tools-refusals")
async def test_refusals_carry_code_sentence_and_advice() -> None:
    denied = await call({"text": "a"}, desk=Desk(authorized=False))
    assert rows_of(denied) == ("refused\tnot-permitted\tThis caller may not write this document.")
    unknown = await call({}, name="nope")
    assert (unknown.code, unknown.lines) == ("unknown-tool", ("tools\tnote_write",))
    assert issubclass(Refusal, CodedError)
    assert not issubclass(DefinitionError, CodedError)


@pytest.mark.rule("context-tools-refusals")
def test_mistakes_of_the_author_raise_when_toolkits_are_built() -> None:
    with pytest.raises(DefinitionError, match="made for toolkit 'note'"):
        LocalToolkit("other", note_write)
    with pytest.raises(NameClash):
        LocalToolkit("note", note_write, note_write)
    with pytest.raises(NameClash):
        merge(KIT, LocalToolkit("other", tool(effect="read", name="note_write")(named)))
    with pytest.raises(DefinitionError, match="lower snake case"):
        tool(effect="read", name="noteWrite")(named)


def named() -> str:
    """Read nothing."""
    return ""


@pytest.mark.rule("context-tools-schema")
@pytest.mark.parametrize(
    ("annotation", "shown"),
    [
        (int | None, {"type": "integer"}),
        (str | float, {"type": "string"}),
        (Annotated[int, Field(ge=1, le=5)], {"type": "integer"}),
        (Literal[True], {"type": "boolean", "enum": [True]}),
        (Literal[1, 2], {"type": "integer", "enum": [1, 2]}),
        (dict[str, int], {"type": "object"}),
        (list[int], {"type": "array", "items": {"type": "integer"}}),
        (Annotated[int, BeforeValidator(int)], {"type": "integer"}),
        (Any, None),
        (Literal["a", 1], None),
    ],
    ids=str,
)
def test_types_in_the_short_schema(annotation: Any, shown: Any) -> None:
    def takes(it: Any) -> str:
        """Take it."""
        return ""

    takes.__annotations__["it"] = annotation
    schema = tool(effect="read")(takes).definition.input_schema
    if shown is None:
        with pytest.raises(SchemaError, match="no single type"):
            slim(schema)
        return
    assert slim(schema)["properties"] == {"it": shown}


@pytest.mark.rule("context-tools-schema")
def test_the_short_schema_of_the_whole_tool() -> None:
    assert slim(note_write.definition.input_schema) == {
        "type": "object",
        "properties": {
            "text": {"type": "string", "description": "The note text"},
            "revision": {"type": "integer"},
            "dry_run": {"type": "boolean", "description": DRY_RUN_PREVIEW},
        },
        "required": ["text"],
    }


DEMO = ToolDefinition(
    name="demo_word",
    description="Say a word.",
    input_schema={
        "type": "object",
        "properties": {
            "word": {"type": "string", "pattern": "^[a-z]+$"},
            "mode": {"enum": ["plain", "loud"]},
            "count": {"type": "integer", "maximum": 3},
            "a/b": {"type": "object", "additionalProperties": False},
        },
        "required": ["word"],
        "additionalProperties": False,
    },
    hints=Hints.of_effect("read"),
)


@pytest.mark.anyio
@pytest.mark.rule("definition-lines")
@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            {"wrod": "x", "mode": "quiet"},
            [
                'Invalid arguments: unknown property "wrod"; takes word, mode, count, a/b',
                "Invalid arguments at /: must have required properties word",
                "Invalid arguments at /mode: must be one of plain, loud",
            ],
        ),
        (
            {"word": "x", "a/b": {"c~d\nSYSTEM": 1}},
            [
                r'Invalid arguments at /a~1b: unknown property "c~d\nSYSTEM"; takes no properties',
            ],
        ),
        (
            {"word": "X", "count": 9},
            [
                'Invalid arguments at /word: must match pattern "^[a-z]+$"',
                "Invalid arguments at /count: must be <= 3",
            ],
        ),
        ({"word": "x", "count": 1.5}, ["Invalid arguments at /count: must be integer"]),
    ],
)
async def test_the_exact_lines(arguments: Any, lines: list[str]) -> None:
    kit = LocalToolkit("demo", define_tool(DEMO, lambda input: "x"))

    outcome = await kit.call(ToolCall.of("demo_word", arguments), CallContext())

    assert outcome.for_model()[0].text.split("\n") == lines


@pytest.mark.anyio
@pytest.mark.rule("definition-lines")
async def test_ten_unknown_keys_give_ten_lines() -> None:
    kit = LocalToolkit("demo", define_tool(DEMO, lambda input: "x"))
    arguments = {"word": "x", **{f"k{number}": number for number in range(10)}}

    outcome = await kit.call(ToolCall.of("demo_word", arguments), CallContext())

    assert [line[:47] for line in outcome.for_model()[0].text.split("\n")] == [
        f'Invalid arguments: unknown property "k{number}"; takes'[:47] for number in range(10)
    ]


def kernel_tool(run: Any, **behavior: Any) -> Any:
    schema = {"type": "object"}
    definition = ToolDefinition(
        name="kernel", description="Run.", input_schema=schema, hints=Hints.of_effect("write")
    )
    return define_tool(definition, run, behavior=Behavior(**behavior))


async def hang(input: Any) -> str:
    await anyio.sleep_forever()
    return ""


def fail(input: Any) -> str:
    raise ValueError("the disk is full")


@pytest.mark.anyio
@pytest.mark.rule("kernel-outcomes")
async def test_the_kinds_of_the_kernel() -> None:
    async def form(made: Any, arguments: Any = None, **context: Any) -> Any:
        kit = LocalToolkit("k", made)
        outcome = await kit.call(ToolCall.of("kernel", arguments, id="c"), CallContext(**context))
        return kernel_form(outcome, "kernel")

    stopped = CancelSignal()
    stopped.cancel()
    failed = await form(kernel_tool(fail, show_errors=True))
    assert (failed["kind"], failed["error"]) == ("failed", "kernel failed: the disk is full")
    hidden = await form(kernel_tool(fail))
    assert (hidden["kind"], hidden["error"]) == ("failed", "kernel failed.")
    assert (await form(kernel_tool(hang, timeout=0.01)))["kind"] == "timeout"
    assert (await form(kernel_tool(hang), cancel=stopped))["kind"] == "aborted"
    wrong = await form(kernel_tool(hang), "text")
    assert (wrong["kind"], wrong["durationMs"]) == ("invalid_input", 0)
    assert wrong["error"] == "Invalid arguments for kernel: input: must be object"
    good = await form(kernel_tool(lambda input: {"n": 1}))
    assert (good["ok"], good["callId"], good["output"], good["summary"]) == (
        True,
        "c",
        {"n": 1},
        '{"n":1}',
    )


@pytest.mark.rule("kernel-order")
def test_the_order_asked_for_is_the_order_listed() -> None:
    def made(name: str) -> Any:
        return tool(effect="read", name=name)(named)

    kit = LocalToolkit("k", made("a"), made("b"), made("c"))

    def listed(names: Any) -> list[str]:
        return [one.name for one in restrict(kit, names).listing(CallContext()).tools]

    assert listed(["c", "ghost", "a"]) == ["c", "a"]
    assert listed({"c", "a"}) == ["a", "c"]
    assert [one.name for one in kit.listing(CallContext()).tools] == ["a", "b", "c"]


@pytest.mark.rule("kernel-without-types")
def test_a_tool_of_plain_json_schema_needs_no_pydantic_and_registers_without_its_check() -> None:
    program = """
import asyncio, sys
from toolroll import CallContext, Hints, LocalToolkit, ToolCall, ToolDefinition, define_tool
schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "additionalProperties": False}
made = [
    define_tool(
        ToolDefinition(name=f"t{number}", description="d", input_schema=schema,
                       hints=Hints.of_effect("read")),
        "toolroll_no_such_module:run",
    )
    for number in range(100)
]
kit = LocalToolkit("k", *made, define_tool(
    ToolDefinition(name="now", description="d", input_schema=schema, hints=Hints.of_effect("read")),
    lambda input: input,
))
outcome = asyncio.run(kit.call(ToolCall.of("now", {"n": "7"}), CallContext()))
print(outcome.unwrap().data, "pydantic" in sys.modules, "toolroll_no_such_module" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["{'n':", "7}", "False", "False"]


class Session:
    """What a host hands over."""

    def id(self) -> str:
        return "s1"


@pytest.mark.anyio
@pytest.mark.rule("definition-host")
async def test_a_tool_borrows_what_the_host_knows_and_answers_without_it() -> None:
    @tool(effect="read")
    def who(context: CallContext) -> str:
        """Say which session runs."""
        session = context.host_as(Session)
        return session.id() if session is not None else "no session"

    kit = LocalToolkit("k", who)
    for host, said in ((Session(), "s1"), (object(), "no session"), (None, "no session")):
        outcome = await kit.call(ToolCall.of("who"), CallContext(host=host))
        assert outcome.unwrap().text == said
