"""Defining: from functions, models and plain schemas; mistakes surface at once."""

import builtins
import dataclasses
import functools
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Annotated, Any, cast

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field
from pydantic.v1 import BaseModel as OldModel

from toolroll import (
    Behavior,
    CallContext,
    DefinitionError,
    Hints,
    InvalidInput,
    LocalToolkit,
    ToolCall,
    ToolDefinition,
    define_tool,
    tool,
)
from toolroll.toolkit import describe
from toolroll.tools import Details
from toolroll.tools.conventions import DRY_RUN_FIELD, REVISION_FIELD, length_of, or_note
from toolroll.tools.hints import Effect
from toolroll.tools.lazy import LazyHandler

CONTEXT: CallContext[Any] = CallContext()
CLOSED = {
    "type": "object",
    "properties": {"who": {"type": "string"}},
    "required": ["who"],
    "additionalProperties": False,
}


def defined(schema: Any = CLOSED, name: str = "greet", **more: Any) -> ToolDefinition:
    more.setdefault("hints", Hints.of_effect("read"))
    return ToolDefinition(name=name, description="Greet.", input_schema=schema, **more)


async def run(made: Any, arguments: Any = None, context: CallContext[Any] = CONTEXT) -> Any:
    return await LocalToolkit("t", made).call(ToolCall.of(made.name, arguments), context)


@pytest.mark.rule("define-name-rule")
@pytest.mark.parametrize("name", ["a", "note_write", "a1_b2", "x" * 64])
def test_lower_snake_case_is_a_name(name: str) -> None:
    assert tool(effect="read", name=name, description="D.")(lambda: "x").name == name


@pytest.mark.rule("define-name-rule")
@pytest.mark.parametrize("name", ["A", "1a", "a__b", "a_", "_a", "a-b", "a b", "x" * 65, "naïve"])
def test_anything_else_is_no_name_and_the_message_says_the_mend(name: str) -> None:
    with pytest.raises(DefinitionError, match="lower snake case"):
        tool(effect="read", name=name, description="D.")(lambda: "x")
    with pytest.raises(DefinitionError, match="lower snake case"):
        define_tool(defined(name=name), lambda input: "x")


def test_what_a_function_says_becomes_the_definition() -> None:
    @tool(
        effect="write",
        title="Add up",
        details=Details(idempotent=True, tags=("math",), open_world=True),
    )
    def add(left: int, right: int = 1) -> int:
        """Add two numbers.

        Args:
            left: the first.
            right: the second.
        """
        return left + right

    definition = add.definition
    assert (definition.name, definition.title, definition.tags) == ("add", "Add up", ("math",))
    assert definition.description == "Add two numbers."
    assert definition.hints == Hints(
        read_only=False, destructive=False, idempotent=True, open_world=True
    )
    assert definition.input_schema == {
        "type": "object",
        "properties": {
            "left": {"type": "integer", "description": "the first."},
            "right": {"type": "integer", "default": 1, "description": "the second."},
        },
        "required": ["left"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize(
    ("effect", "hints"),
    [
        ("read", Hints(read_only=True, destructive=False, idempotent=True, open_world=False)),
        ("write", Hints(read_only=False, destructive=False, idempotent=False, open_world=False)),
        (
            "destructive",
            Hints(read_only=False, destructive=True, idempotent=False, open_world=False),
        ),
    ],
)
def test_effect_and_hints_map_both_ways(effect: Effect, hints: Hints) -> None:
    assert Hints.of_effect(effect) == hints
    assert hints.effect == effect
    assert Hints.from_json(hints.to_json()) == hints
    assert Hints.from_json({"readOnlyHint": "yes", "destructiveHint": None}) == Hints()
    assert Hints().effect is None


class Greeting(BaseModel):
    """Greet somebody."""

    who: str
    loud: bool = False


class OldGreeting(OldModel):
    who: str


@pytest.mark.anyio
async def test_a_model_in_takes_is_handed_over_as_one_instance() -> None:
    @tool(effect="read", takes=Greeting)
    async def greet(context: CallContext, greeting: Greeting) -> str:
        return f"{context.call_id}:{greeting.who.upper() if greeting.loud else greeting.who}"

    outcome = await LocalToolkit("t", greet).call(
        ToolCall.of("greet", {"who": "ana", "loud": True}, id="c7"), CONTEXT
    )
    assert outcome.unwrap().text == "c7:ANA"
    assert greet.definition.description == "Greet somebody."
    assert greet.definition.input_schema["required"] == ["who"]
    assert (await run(greet, {"who": 5})).kind == "invalid_input"


@pytest.mark.anyio
async def test_plain_schema_handlers_take_the_input_with_or_without_the_context() -> None:
    one = define_tool(defined(), lambda input: f"Hello {input['who']}")
    assert (await run(one, {"who": "ana"})).unwrap().text == "Hello ana"

    async def with_context(context: CallContext, input: dict[str, str]) -> str:
        return f"{context.host} greets {input['who']}"

    two = define_tool(defined(), with_context)
    outcome = await run(two, {"who": "ana"}, CallContext(host="bo"))
    assert outcome.unwrap().text == "bo greets ana"
    with pytest.raises(DefinitionError, match=r"greet: .* takes \(a, b, c\); write run"):
        define_tool(defined(), lambda a, b, c: "x")


@pytest.mark.rule("define-closed")
@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}}}, "input_schema at /"),
        ({"type": "array"}, "object"),
        (
            {
                **CLOSED,
                "properties": {"who": {"anyOf": [{"const": "a"}, {"const": "b"}]}},
            },
            "/properties/who",
        ),
        ({**CLOSED, "required": ["who", "ghost"]}, "ghost"),
        (
            {
                **CLOSED,
                "properties": {"who": {"type": "object", "properties": {"x": {"type": "string"}}}},
            },
            "/properties/who",
        ),
    ],
)
def test_a_schema_that_breaks_a_rule_raises_with_its_place(schema: Any, says: str) -> None:
    with pytest.raises(DefinitionError) as raised:
        define_tool(defined(schema), lambda input: "x")
    assert "greet" in str(raised.value)
    assert says in str(raised.value)


def test_an_effect_must_be_known() -> None:
    with pytest.raises(DefinitionError, match="give no effect"):
        define_tool(defined(hints=Hints()), lambda input: "x")


@pytest.mark.rule("define-example-fits")
def test_an_example_that_does_not_fit_raises() -> None:
    define_tool(defined(examples=({"who": "ana"},)), lambda input: "x")
    with pytest.raises(DefinitionError, match="example 1 does not fit"):
        define_tool(defined(examples=({"who": "ana"}, {"who": 5})), lambda input: "x")


@pytest.mark.anyio
@pytest.mark.rule("define-validate")
async def test_an_author_s_own_check_runs_after_the_schema() -> None:
    def validate(input: Any) -> Any:
        if input["who"] == "nobody":
            raise ValueError("greet somebody who is there")
        return {"who": input["who"].title()}

    made = define_tool(defined(), lambda input: input["who"], validate=validate)
    assert (await run(made, {"who": "ana"})).unwrap().text == "Ana"
    refused = await run(made, {"who": "nobody"})
    assert isinstance(refused, InvalidInput)
    assert refused.lines_for_model() == ["Invalid arguments at /: greet somebody who is there"]
    assert (await run(made, {"who": 5})).issues[0].pointer == "/who"


@pytest.mark.anyio
@pytest.mark.rule("define-lazy")
async def test_a_handler_given_by_its_place_is_imported_at_the_first_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "lazy_ops.py").write_text(
        "async def greet(input):\n    return f\"late {input['who']}\"\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    made = define_tool(defined(), "lazy_ops:greet")
    assert "lazy_ops" not in sys.modules
    assert (await run(made, {"who": 5})).kind == "invalid_input"
    assert "lazy_ops" not in sys.modules
    assert (await run(made, {"who": "ana"})).unwrap().text == "late ana"
    assert "lazy_ops" in sys.modules
    assert (await run(made, {"who": "bo"})).unwrap().text == "late bo"
    sys.modules.pop("lazy_ops")


@pytest.mark.anyio
@pytest.mark.rule("define-lazy")
async def test_a_place_that_is_none_is_told_when_defined_or_called() -> None:
    with pytest.raises(DefinitionError, match=r"package\.module:function"):
        define_tool(defined(), "no place")
    outcome = await run(define_tool(defined(), "no_such_module_here:greet"), {"who": "ana"})
    assert (outcome.kind, outcome.code) == ("failed", "handler-error")
    assert not outcome.may_have_run
    assert "no_such_module_here" not in outcome.for_model()[0].text
    assert "no_such_module_here" in str(outcome.cause)


@pytest.mark.anyio
@pytest.mark.rule("define-lazy")
@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("raise RuntimeError('secret')", "broken_ops:greet"),
        ("raise SystemExit(3)", "broken_ops:greet"),
        ("greet = 5", "broken_ops:greet"),
        ("def greet(a, b, c): ...", "broken_ops:greet"),
        ("", "broken_ops:greet"),
    ],
)
async def test_a_module_that_cannot_be_used_is_told_by_the_check_and_harms_no_call(
    text: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_ops.py").write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "broken_ops", raising=False)
    made = define_tool(defined(), place)

    outcome = await run(made, {"who": "ana"})

    assert (outcome.code, outcome.may_have_run) == ("handler-error", False)
    assert "secret" not in str(outcome.to_json())
    assert isinstance(made.handler, LazyHandler)
    with pytest.raises(DefinitionError, match="greet"):
        made.handler.load()


@pytest.mark.anyio
@pytest.mark.rule("define-lazy")
async def test_a_hundred_first_calls_at_once_import_the_handler_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "counted_ops.py").write_text(
        "import builtins\n"
        "builtins.imports_of_counted_ops = getattr(builtins, 'imports_of_counted_ops', 0) + 1\n"
        "def greet(input):\n    return 'late'\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "counted_ops", raising=False)
    monkeypatch.setattr(builtins, "imports_of_counted_ops", 0, raising=False)
    kit = LocalToolkit(
        "t", *(define_tool(defined(name=f"greet{n}"), "counted_ops:greet") for n in range(2))
    )
    outcomes: list[Any] = []

    async def call(name: str) -> None:
        outcomes.append(await kit.call(ToolCall.of(name, {"who": "ana"}), CONTEXT))

    async with anyio.create_task_group() as group:
        for number in range(100):
            group.start_soon(call, f"greet{number % 2}")

    assert {outcome.unwrap().text for outcome in outcomes} == {"late"}
    assert vars(builtins)["imports_of_counted_ops"] == 1


@pytest.mark.rule("define-stored")
def test_a_definition_reads_back_equal_and_keeps_unknown_fields() -> None:
    definition = defined(
        title="Greet",
        output_schema={"type": "object"},
        snippet="greets",
        guidelines=("be kind",),
        examples=({"who": "ana"},),
        tags=("people",),
        meta={"x": 1},
        extra={"icons": [{"src": "a.png"}]},
    )
    assert ToolDefinition.from_json(definition.to_json()) == definition
    assert definition.to_json()["icons"] == [{"src": "a.png"}]
    changed = dataclasses.replace(definition, description="Greet loudly.")
    assert changed.fingerprint != definition.fingerprint
    assert ToolDefinition.from_json(definition.to_json()).fingerprint == definition.fingerprint


@pytest.mark.rule("define-stored")
def test_hints_that_are_not_known_and_a_title_among_them_are_kept() -> None:
    raw: dict[str, Any] = {
        "name": "a",
        "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": True, "title": "An A", "costHint": 3},
    }

    read = ToolDefinition.from_json(raw)

    assert (read.title, read.hints) == ("An A", Hints(read_only=True))
    assert read.to_json()["annotations"] == {"readOnlyHint": True, "costHint": 3}
    assert read.to_json()["title"] == "An A"
    assert ToolDefinition.from_json(read.to_json()) == read
    dearer = {**raw, "annotations": {**raw["annotations"], "costHint": 4}}
    assert ToolDefinition.from_json(dearer).fingerprint != read.fingerprint


@pytest.mark.rule("define-stored")
@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ({}, "no name"),
        ({"name": "a"}, "'inputSchema' must be an object"),
        ({"name": "a", "inputSchema": {}, "format": 99}, "upgrade toolroll"),
    ],
)
def test_what_is_no_stored_definition_is_refused(raw: Any, says: str) -> None:
    with pytest.raises(DefinitionError, match=says):
        ToolDefinition.from_json(raw)


@given(st.text(min_size=1), st.text(), st.dictionaries(st.text(), st.integers()))
def test_any_name_and_description_survive_storing(
    name: str, description: str, extra: dict[str, int]
) -> None:
    extra = {f"x-{key}": value for key, value in extra.items()}
    definition = ToolDefinition(
        name=name, description=description, input_schema={"type": "object"}, extra=extra
    )
    assert ToolDefinition.from_json(definition.to_json()) == definition


@pytest.mark.rule("define-conventions")
def test_the_conventions() -> None:
    assert (REVISION_FIELD, DRY_RUN_FIELD) == ("revision", "dry_run")
    assert or_note([], "none") == ["note\tnone"]
    assert or_note(["a"], "none") == ["a"]
    assert [length_of(value) for value in ("abc", [1, 2], 7, None, "🙂")] == [3, 2, 0, 0, 1]


def test_flags_are_false_and_the_time_is_a_minute_by_default() -> None:
    behavior = Behavior()
    assert not behavior.needs_approval
    assert not behavior.concurrency_safe
    assert not behavior.terminal
    assert behavior.timeout == 60.0


@pytest.mark.anyio
async def test_an_input_can_be_checked_without_running() -> None:
    made = define_tool(defined(), lambda input: "x")
    assert made.read({"who": "ana"}).value == {"who": "ana"}  # type: ignore[union-attr]
    assert isinstance(made.read({}), InvalidInput)


@pytest.mark.anyio
@pytest.mark.rule("define-clamp")
async def test_values_are_cut_to_their_bounds_where_the_tool_asks_for_it() -> None:
    def report(
        title: Annotated[str, Field(max_length=5)], stars: Annotated[int, Field(le=5)]
    ) -> str:
        """Report."""
        return f"{title}:{stars}"

    by_function = tool(effect="write", behavior=Behavior(clamp=True))(report)
    by_schema = define_tool(
        defined(by_function.definition.input_schema, name="report"),
        lambda input: f"{input['title']}:{input['stars']}",
        behavior=Behavior(clamp=True),
    )
    for made in (by_function, by_schema):
        outcome = await run(made, {"title": "abcdefgh", "stars": 99})
        assert outcome.unwrap().text == "abcd…:5"
        assert [(repair.kind, repair.pointer) for repair in outcome.repairs] == [
            ("clamp", "/title"),
            ("clamp", "/stars"),
        ]
        assert (await run(made, {"title": "abc"})).kind == "invalid_input"
    plain = tool(effect="write")(report)
    assert (await run(plain, {"title": "abcdefgh", "stars": 1})).kind == "invalid_input"


@pytest.mark.anyio
@pytest.mark.rule("define-clamp-after-repair")
async def test_a_value_that_had_to_be_repaired_is_cut_too() -> None:
    def pages(page_size: Annotated[int, Field(le=50)], titles: list[str] | None = None) -> str:
        """Count pages."""
        return f"{page_size}:{titles}"

    by_function = tool(effect="read", behavior=Behavior(clamp=True))(pages)
    schema = {**by_function.definition.input_schema}
    by_schema = define_tool(
        defined(schema, name="pages"),
        lambda input: f"{input['page_size']}:{input.get('titles')}",
        behavior=Behavior(clamp=True),
    )
    for made in (by_function, by_schema):
        for arguments, kinds in (
            ({"page_size": "99"}, ["parse_text", "clamp"]),
            ({"pageSize": 99}, ["rename_key", "clamp"]),
            ({"pageSize": "99", "titles": None}, ["rename_key", "parse_text", "clamp"]),
        ):
            outcome = await run(made, arguments)
            assert outcome.unwrap().text == "50:None"
            assert sorted(repair.kind for repair in outcome.repairs) == sorted(kinds)
            assert {repair.pointer for repair in outcome.repairs} == {"/page_size"}
        assert (await run(made, {"page_size": "many"})).kind == "invalid_input"


@pytest.mark.rule("define-not-a-schema")
@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            Greeting,
            "the pydantic model test_define.Greeting as a schema; give it to @tool as takes=",
        ),
        (Greeting(who="ana"), "Greeting) as a schema"),
        (OldGreeting, "the model of pydantic 1 test_define.OldGreeting"),
        (Greeting.model_json_schema, "the function"),
        (None, "NoneType"),
        ([], "builtins.list"),
    ],
)
def test_what_is_no_schema_is_refused_with_what_came_and_from_where(given: Any, says: str) -> None:
    with pytest.raises(DefinitionError) as raised:
        define_tool(defined(given), lambda input: "x")
    assert str(raised.value).startswith("greet: input_schema at /: got ")
    assert says in str(raised.value).replace("tests.tools.", "")


class Loose(BaseModel):
    model_config = ConfigDict(extra="allow")
    who: str


class Holder(BaseModel):
    """Greet somebody of whom more may be said."""

    loose: Loose
    tight: Greeting


@pytest.mark.anyio
@pytest.mark.rule("define-open")
async def test_an_open_tool_takes_keys_where_it_says_so_and_nowhere_else() -> None:
    opened = Behavior(open=True)

    def by_parameter(loose: Loose, tight: Greeting) -> str:
        """Greet."""
        return f"{loose.model_extra}"

    def by_model(holder: Holder) -> str:
        return f"{holder.loose.model_extra}"

    by_schema = define_tool(
        defined({"type": "object", "properties": {"who": {"type": "string"}}}),
        lambda input: str(sorted(input)),
        behavior=opened,
    )
    assert (await run(by_schema, {"who": "ana", "age": 7})).unwrap().text == "['age', 'who']"
    for make, function in (
        (tool(effect="read"), by_parameter),
        (tool(effect="read", takes=Holder), by_model),
        (lambda run: define_tool(defined(by_schema.definition.input_schema), run), str),
    ):
        with pytest.raises(DefinitionError, match=r"behavior=Behavior\(open=True\)"):
            make(function)
    for made in (
        tool(effect="read", behavior=opened)(by_parameter),
        tool(effect="read", behavior=opened, takes=Holder)(by_model),
    ):
        loose, tight = {"who": "ana", "age": 7}, {"who": "bo"}
        outcome = await run(made, {"loose": loose, "tight": tight})
        assert outcome.unwrap().text == "{'age': 7}"
        for wrong in (
            {"loose": loose, "tight": {**tight, "age": 7}},
            {"loose": loose, "tight": tight, "age": 7},
        ):
            refused = await run(made, wrong)
            assert isinstance(refused, InvalidInput), wrong
            assert 'unknown property "age"' in refused.issues[0].problem


class Caller:
    async def __call__(self, input: dict[str, str]) -> str:
        return f"Hello {input['who']}"


async def greets(input: dict[str, str]) -> str:
    return f"Hello {input['who']}"


@pytest.mark.anyio
@pytest.mark.rule("define-handler-shape")
@pytest.mark.parametrize(
    "handler",
    [
        Caller(),
        greets,
        lambda input: greets(input),
        functools.partial(lambda greeting, input: f"{greeting} {input['who']}", "Hello"),
        lambda input, loud=False: f"Hello {input['who']}{'!' if loud else ''}",
    ],
    ids=["object", "async", "plain-before-async", "partial", "with-default"],
)
async def test_whatever_can_be_called_with_the_input_is_a_handler(handler: Any) -> None:
    for behavior in (Behavior(), Behavior(blocking=False)):
        made = define_tool(defined(), handler, behavior=behavior)
        assert (await run(made, {"who": "ana"})).unwrap().text == "Hello ana"


def lines() -> Iterator[str]:
    """Lines."""
    yield "a"


async def late_lines() -> AsyncIterator[str]:
    """Lines."""
    yield "a"


def of_two(one: Greeting, two: Greeting) -> str:
    return f"{one}{two}"


@pytest.mark.rule("define-handler-shape")
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: tool(effect="read")(lines), "lines: a generator is no handler; return a list"),
        (lambda: tool(effect="read")(late_lines), "late_lines: a generator is no handler"),
        (lambda: tool(effect="read", name="x")(Caller), "x: the class Caller is no handler"),
        (lambda: tool(effect="read", takes=Greeting)(of_two), "of_two: with takes= it gets one"),
        (lambda: define_tool(defined(), lambda *, who: "x"), "write run(input)"),
    ],
)
def test_what_cannot_be_run_as_a_tool_raises_when_it_is_made(make: Any, says: str) -> None:
    with pytest.raises(DefinitionError) as raised:
        make()
    assert says in str(raised.value)


_Endless = int | list["_Endless"]


def _counting(_: object) -> Iterator[int]:
    yield 1


class _Counting:
    def __call__(self, _: object) -> Iterator[int]:
        yield 1


async def _streaming(_: object) -> AsyncIterator[int]:
    yield 1


@pytest.mark.rule("define-handler-shape")
@pytest.mark.parametrize(
    "run", [_counting, _Counting(), _streaming, functools.partial(_counting), dict, None, 5]
)
def test_what_can_be_no_handler_is_refused_where_the_tool_is_made(run: Any) -> None:
    definition = ToolDefinition(
        name="count",
        description="Count.",
        input_schema={"type": "object", "additionalProperties": False},
        hints=Hints.of_effect("read"),
    )

    with pytest.raises(DefinitionError, match=r"count: .*(handler|signature)"):
        define_tool(definition, run)
    with pytest.raises(DefinitionError):
        tool(effect="read", name="count", description="Count.")(run)


@pytest.mark.rule("define-handler-shape")
def test_a_classmethod_that_is_bound_to_nothing_is_refused_with_its_tool() -> None:
    class Notes:
        @classmethod
        def count(cls) -> int:
            return 1

    with pytest.raises(DefinitionError, match="count: "):
        tool(effect="read", name="count", description="Count.")(vars(Notes)["count"])


@pytest.mark.rule("define-handler-shape")
def test_a_type_that_is_not_whole_is_told_with_its_parameter() -> None:
    def look(value): ...

    # A name below a union that is made already, which nothing resolves.
    look.__annotations__["value"] = int | list["_Endless"]

    with pytest.raises(DefinitionError, match="look: parameter 'value'"):
        tool(effect="read", description="Look.")(look)


@pytest.mark.rule("define-effect")
def test_an_effect_that_is_none_is_refused() -> None:
    with pytest.raises(DefinitionError, match="look: 'Read' is no effect; write 'read'"):
        tool(effect=cast("Any", "Read"), name="look", description="Look.")(lambda: 1)


@pytest.mark.rule("define-effect")
@pytest.mark.parametrize("meta", [{"at": object()}, {"at": float("nan")}])
def test_meta_that_is_no_json_is_refused(meta: Any) -> None:
    with pytest.raises(DefinitionError, match="look: meta is no JSON"):
        tool(effect="read", name="look", description="Look.", details=Details(meta=meta))(lambda: 1)


def _say(**said: Any) -> None:
    tool(effect="read", **said)(_greet)


def _greet(who: str) -> str:
    """Greet somebody."""
    return who


@pytest.mark.rule("define-words")
@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda: _say(name="greet", description=5), "greet: description must be a text, got 5"),
        (lambda: _say(name="greet", description=0), "greet: description must be a text, got 0"),
        (lambda: _say(name="greet", description=b"x"), "greet: description must be a text, got b"),
        (lambda: _say(name="greet", title=["x"]), "greet: title must be a text, got .'x"),
        (lambda: _say(name="greet", details={"tags": ()}), r"write details=Details\(...\)"),
        (lambda: _say(name="greet", behavior={"timeout": 1}), r"write behavior=Behavior\(...\)"),
        (lambda: _say(name="greet", details=Details(tags=cast("Any", "x"))), "greet: tags must be"),
        (
            lambda: _say(name="greet", details=Details(guidelines=cast("Any", ("a", 5)))),
            "greet: guidelines must be a tuple of texts",
        ),
        (lambda: define_tool(defined(title=5), lambda input: ""), "greet: title must be a text"),
        (lambda: define_tool(defined(snippet=5), lambda input: ""), "greet: snippet must be a"),
        (
            lambda: define_tool(defined(), lambda input: "", behavior=cast("Any", 5)),
            "greet: behavior must be a Behavior",
        ),
        (
            lambda: describe(LocalToolkit("t"), {"greet": cast("Any", 5)}),
            "greet: description must be a text, got 5; write it in quotes",
        ),
        (lambda: _say(name=5), "5 is no tool name"),
    ],
)
def test_what_is_said_of_a_tool_in_another_type_is_told_with_tool_and_field(
    make: Any, says: str
) -> None:
    with pytest.raises(DefinitionError, match=says):
        make()


@pytest.mark.rule("define-not-a-schema")
@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")], ids=repr)
def test_a_default_that_json_cannot_hold_is_told_as_one(number: float) -> None:
    def measure(level: float = number) -> float:
        """Measure."""
        return level

    with pytest.raises(DefinitionError) as caught:
        tool(effect="read")(measure)
    assert str(caught.value) == (
        f"measure: input_schema at /properties/level/default: the default {number!r} must be a "
        "finite number; JSON cannot hold it, give another one."
    )
    assert caught.value.pointer == "/properties/level/default"
