"""Functions and models as tools."""

import dataclasses
import datetime as dt
import decimal
import enum
import functools
import inspect
import pathlib
import uuid
from collections.abc import Awaitable, Callable, Iterable
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    TypeVar,
    Union,
)

import pytest
from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    field_validator,
)
from pydantic.v1 import BaseModel as OldModel
from typing_extensions import Doc, TypedDict

from toolroll.outcome import DefinitionError, issue_lines
from toolroll.schema import (
    BlankIsAbsent,
    ReadInput,
    RejectedInput,
    Required,
    function_front,
    lint,
    model_front,
    schema_reader,
)

T = TypeVar("T")


class Context(Generic[T]):
    pass


class Color(enum.Enum):
    """What a thing is painted in."""

    RED = "red"
    BLUE = "blue"


class Size(enum.IntEnum):
    S = 1
    L = 2


@dataclasses.dataclass
class Point:
    x: int
    y: int = 0


class Page(TypedDict):
    start: int
    size: NotRequired[int]


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Node(BaseModel):
    """A node of a tree."""

    name: str = Field(description="What it is called")
    weight: int = Field(5, ge=1)
    due: dt.date | None = None
    kids: list["Node"] = []


class Box(BaseModel, Generic[T]):
    value: T


def front(function: Callable[..., Any], **options):
    return function_front(function, context_types=(Context,), **options)


def schema_of(function, **options) -> dict[str, Any]:
    return dict(front(function, **options).input_schema)


def bound(function, arguments, **options):
    got = front(function, **options).reader.read(arguments)
    assert isinstance(got, ReadInput), got
    return dict(got.bound)


def refused(function, arguments, repair="off", **options) -> list[str]:
    got = front(function, **options).reader.read(arguments, repair=repair)
    assert isinstance(got, RejectedInput), got
    return issue_lines(got.issues)


@pytest.mark.rule("schema-front-schema")
def test_a_signature_becomes_a_plain_closed_schema() -> None:
    def find(
        query: Annotated[str, Field(description="What to look for", min_length=1)],
        limit: int = 10,
        sort: Literal["name", "date"] | None = None,
        tags: Annotated[list[str], "words"] = (),  # type: ignore[assignment]
        near: Annotated[float, Doc("degrees")] = 0.5,
    ) -> None: ...

    assert schema_of(find) == {
        "type": "object",
        "properties": {
            "query": {"type": "string", "minLength": 1, "description": "What to look for"},
            "limit": {"type": "integer", "default": 10},
            "sort": {
                "anyOf": [{"type": "string", "enum": ["name", "date"]}, {"type": "null"}],
                "default": None,
            },
            "tags": {
                "type": "array",
                "items": {"type": "string"},
                "default": [],
                "description": "words",
            },
            "near": {"type": "number", "default": 0.5, "description": "degrees"},
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    assert list(schema_of(find)) == ["type", "properties", "required", "additionalProperties"]


@pytest.mark.rule("schema-front-schema")
@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        (Literal["a"], {"type": "string", "enum": ["a"]}),
        (Literal[1, True], {"enum": [1, True]}),
        (Literal["a"] | Literal["b"], {"type": "string", "enum": ["a", "b"]}),  # noqa: PYI030
        (
            Union[Literal["a"], int, Literal["b"]],  # noqa: UP007, PYI030
            {"anyOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "integer"}]},
        ),
        (Optional[int], {"anyOf": [{"type": "integer"}, {"type": "null"}]}),  # noqa: UP045
        (str | int, {"anyOf": [{"type": "string"}, {"type": "integer"}]}),
        (int | str, {"anyOf": [{"type": "integer"}, {"type": "string"}]}),
        (dict[str, int], {"type": "object", "additionalProperties": {"type": "integer"}}),
        (tuple[int, str], {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}],
                           "minItems": 2, "maxItems": 2}),
        (set[int], {"type": "array", "items": {"type": "integer"}, "uniqueItems": True}),
        (bytes, {"type": "string", "contentEncoding": "base64"}),
        (dt.date, {"type": "string", "format": "date"}),
        (uuid.UUID, {"type": "string", "format": "uuid"}),
        (pathlib.Path, {"type": "string", "format": "path"}),
        (decimal.Decimal, {"anyOf": [{"type": "number"}, {"type": "string"}]}),
        (Any, {}),
    ],
)  # fmt: skip
def test_types_as_schemas(annotation, schema) -> None:
    def tool(x): ...

    tool.__annotations__["x"] = annotation

    assert schema_of(tool)["properties"]["x"] == schema


@pytest.mark.rule("schema-front-schema")
def test_records_keep_their_docs_and_lose_made_up_titles() -> None:
    def tool(
        color: Color, size: Size, point: Point, page: Page, pair: Pair, node: Node, box: Box[int]
    ): ...

    schema = schema_of(tool)

    assert "title" not in str(schema)
    assert schema["$defs"]["Color"] == {
        "type": "string",
        "enum": ["red", "blue"],
        "description": "What a thing is painted in.",
    }
    assert schema["$defs"]["Size"] == {"type": "integer", "enum": [1, 2]}
    assert schema["$defs"]["Point"]["required"] == ["x"]
    assert schema["$defs"]["Page"]["required"] == ["start"]
    assert schema["$defs"]["Node"]["description"] == "A node of a tree."
    assert schema["$defs"]["Node"]["properties"]["name"]["description"] == "What it is called"
    assert [f for f in lint(schema) if f.severity == "error"] == []


def test_titles_and_examples_of_the_author_stay() -> None:
    class Titled(BaseModel):
        model_config = ConfigDict(title="The thing")
        a: int = Field(title="The a", examples=[3])

    def tool(x: Titled, y: Annotated[int, Field(title="The y")]): ...

    schema = schema_of(tool)

    assert schema["$defs"]["Titled"]["title"] == "The thing"
    assert schema["$defs"]["Titled"]["properties"]["a"] == {
        "type": "integer",
        "title": "The a",
        "examples": [3],
    }
    assert schema["properties"]["y"]["title"] == "The y"


@pytest.mark.rule("schema-front-context")
def test_the_context_is_the_first_parameter_by_type_or_by_name() -> None:
    def bare(run: Context, a: int): ...  # pyright: ignore[reportMissingTypeArgument]
    def subscripted(run: Context[int], a: int): ...
    def optional(run: Context[int] | None, a: int): ...
    def annotated(run: Annotated[Context[int], "x"], a: int): ...
    def positional(run: Context, /, a: int): ...  # pyright: ignore[reportMissingTypeArgument]
    def named(ctx, a: int): ...
    def named_long(context, a: int): ...
    def text(run: "Context[NotThere]", a: int): ...  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    for function in (bare, subscripted, optional, annotated, positional, named, named_long, text):
        made = front(function)
        assert made.wants_context, function
        assert made.parameters == ("a",)
        assert list(made.input_schema["properties"]) == ["a"]


@pytest.mark.rule("schema-front-context")
def test_no_context_where_none_is_meant() -> None:
    def typed(ctx: int): ...
    def keyword(*, run: Context[int]): ...

    assert not front(typed).wants_context
    with pytest.raises(DefinitionError, match="not the first parameter"):
        front(keyword)
    with pytest.raises(DefinitionError, match="not the first parameter"):
        front(lambda a, run: 0) if False else front(_late_context)


def _late_context(a: int, run: Context[int]): ...


class Thing:
    async def method(self, a: int) -> str:
        """Do it."""
        return str(a)

    def __call__(self, ctx, a: int) -> str:
        """Called."""
        return str(a)


def test_methods_partials_callables_and_async_functions() -> None:
    def three(a: int, b: int, c: int = 3): ...

    assert front(Thing().method).parameters == ("a",)
    assert front(Thing().method).description == "Do it."
    assert front(Thing()).wants_context
    assert front(Thing()).description == "Called."
    partial = front(functools.partial(three, b=5))
    assert partial.input_schema["required"] == ["a"]
    assert partial.input_schema["properties"]["b"] == {"type": "integer", "default": 5}


def test_string_annotations_of_local_names_resolve() -> None:
    class Local(BaseModel):
        q: int

    def tool(a: "Local", b: "list[Local]" = []): ...  # noqa: B006

    assert bound(tool, {"a": {"q": 1}}) == {"a": Local(q=1), "b": []}


@pytest.mark.rule("schema-front-unusable")
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def t(*args: int): ...", ["'*args'", "args: list[...]"]),
        ("def t(**more: int): ...", ["'**more'", "dict[str, ...]"]),
        ("def t(a: int, /): ...", ["'a'", "positional-only"]),
        ("def t(a): ...", ["'a'", "no annotation", "a: str"]),
        ("def t(a: 'Nope'): ...", ["'a'", "'Nope'", "TYPE_CHECKING"]),
        ("def t(b: int, a: Callable): ...", ["parameter 'a'", "JSON"]),
        ("def t(b: int, a: object()): ...", ["parameter 'a'", "JSON"]),
        ("def t(a: Iterable[int]): ...", ["parameter 'a'", "write list[...]"]),
        ("def t(a: list[Iterable[int]]): ...", ["parameter 'a'", "write list[...]"]),
        ("def t(a: type[int]): ...", ["parameter 'a'", "no JSON is a class"]),
        ("def t(a: Old): ...", ["parameter 'a'", "model of pydantic 1"]),
        ("def t(a: Open): ...", ["parameter 'a'", "Open", "extra='forbid'"]),
        ("def t(a: list[Open]): ...", ["parameter 'a'", "Open"]),
        ("def t(a: Annotated[str, Field(pattern='(?=x)')]): ...", ["parameter 'a'", "look-around"]),
    ],
)
def test_what_cannot_be_an_input_is_refused_by_name(source: str, words: list[str]) -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")

    names: dict[str, Any] = {
        "Open": Open,
        "Callable": Callable,
        "Iterable": Iterable,
        "Old": OldModel,
        "Annotated": Annotated,
        "Field": Field,
    }
    exec(source, names)

    with pytest.raises(DefinitionError) as caught:
        front(names["t"])

    assert str(caught.value).startswith("t: ")
    assert all(word in str(caught.value) for word in words), caught.value


@pytest.mark.rule("schema-front-closed")
def test_models_are_closed_at_every_depth() -> None:
    class Ignoring(BaseModel):
        model_config = ConfigDict(extra="ignore")
        n: int = 1

    def tool(a: Point, b: Page, c: Node, d: Ignoring): ...

    good = {"a": {"x": 1}, "b": {"start": 1}, "c": {"name": "n"}, "d": {}}
    schema = schema_of(tool)

    assert all(part["additionalProperties"] is False for part in schema["$defs"].values())
    bound(tool, good)
    assert refused(tool, {key: {**value, "zz": 1} for key, value in good.items()}) == [
        'Invalid arguments at /a: unknown property "zz"; takes x, y',
        'Invalid arguments at /b: unknown property "zz"; takes start, size',
        'Invalid arguments at /c: unknown property "zz"; takes name, weight, due, kids',
        'Invalid arguments at /d: unknown property "zz"; takes n',
    ]


@pytest.mark.rule("schema-front-closed")
def test_an_open_model_takes_unknown_keys_where_the_tool_is_open() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        n: int = 1

    def tool(a: Open): ...

    got = bound(tool, {"a": {"zz": 1}}, allow_open=True)

    assert got["a"].model_extra == {"zz": 1}
    assert schema_of(tool, allow_open=True)["$defs"]["Open"]["additionalProperties"] is True


@pytest.mark.rule("schema-front-strict")
@pytest.mark.parametrize(
    ("annotation", "sent", "meant"),
    [
        (int, 7, 7),
        (int, 7.0, 7),
        (float, 7, 7.0),
        (bool, True, True),
        (Color, "blue", Color.BLUE),
        (Size, 2, Size.L),
        (dt.date, "2026-01-02", dt.date(2026, 1, 2)),
        (dt.timedelta, "P1D", dt.timedelta(days=1)),
        (uuid.UUID, "12345678-1234-5678-1234-567812345678", uuid.UUID("12345678-1234-5678-1234-567812345678")),
        (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
        (decimal.Decimal, 1.5, decimal.Decimal("1.5")),
        (pathlib.Path, "a/b", pathlib.Path("a/b")),
        (bytes, "aGk=", b"hi"),
        (set[int], [1, 1], {1}),
        (tuple[int, str], [1, "a"], (1, "a")),
        (Point, {"x": 1}, Point(1)),
        (Page, {"start": 1}, {"start": 1}),
        (Pair, [1], Pair(1)),
        (Box[int], {"value": 1}, Box[int](value=1)),
        (Node, {"name": "a", "kids": [{"name": "b", "due": "2026-01-02"}]},
         Node(name="a", kids=[Node(name="b", due=dt.date(2026, 1, 2))])),
        (int | None, None, None),
        (list[Box[int]], [{"value": 1.0}], [Box[int](value=1)]),
    ],
)  # fmt: skip
def test_json_is_read_as_the_type_says(annotation, sent, meant) -> None:
    def tool(x): ...

    tool.__annotations__["x"] = annotation
    for repair in ("schema", "off"):
        got = front(tool).reader.read({"x": sent}, repair=repair)
        assert isinstance(got, ReadInput)
        assert got.bound == {"x": meant}
        assert type(got.bound["x"]) is type(meant)
        assert got.repairs == ()


class Word(str):
    """A text that is more than a text."""

    __slots__ = ()


ODD_VALUES = [
    None,
    True,
    False,
    0,
    1,
    1.0,
    5.0,
    -1,
    10**30,
    "",
    "a",
    "1",
    "\x00",
    "\ud800",
    Word("a"),
    b"a",
    Color.RED,
    Size.L,
    float("nan"),
    [],
    ["a"],
    ("a",),
    ["a", 1],
    [True],
    ["\ud800"],
    [["a"]],
    {},
    {"a"},
    range(2),
    [Word("a")],
    [["\ud800"]],
    "a" * 300,
]


@pytest.mark.rule("schema-front-strict")
@pytest.mark.parametrize(
    "annotation",
    [str, int, bool, None, int | None, list[str], list[list[str]], Literal["a", 1], Literal[True, 0],
     Annotated[str, Field(min_length=1, pattern="^a")], Annotated[int, Field(ge=1, multiple_of=5)]],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("sent", ODD_VALUES, ids=range(len(ODD_VALUES)))
def test_any_python_value_is_read_as_its_json(annotation, sent) -> None:
    """What is read without a text between is read as through one."""

    def tool(x): ...

    tool.__annotations__ = {"x": annotation}

    def tool_by_text(x, y="text"): ...  # a date keeps it from being read as it is

    tool_by_text.__annotations__ = {"x": annotation, "y": str | dt.date}

    got = function_front(tool).reader.read({"x": sent})
    meant = function_front(tool_by_text).reader.read({"x": sent})

    if isinstance(meant, RejectedInput):
        assert got == meant
        return
    assert isinstance(got, ReadInput)
    assert got.value["x"] == meant.value["x"]
    assert repr(got.bound["x"]) == repr(meant.bound["x"])
    assert got.repairs == meant.repairs


@pytest.mark.rule("schema-front-strict")
@pytest.mark.parametrize(
    ("annotation", "sent", "problem"),
    [
        (int, "7", "must be integer"),
        (int, True, "must be integer"),
        (int, 7.5, "must be integer"),
        (str, 7, "must be string"),
        (bool, 1, "must be boolean"),
        (bool, "true", "must be boolean"),
        (float, "7", "must be number"),
        (float, float("nan"), "must be a finite number"),
        (dt.date, 5, "must be string"),
        (dt.date, "soon", 'must match format "date"'),
        (dt.datetime, "soon", 'must match format "date-time"'),
        (dt.timedelta, "soon", 'must match format "duration"'),
        (uuid.UUID, "x", 'must match format "uuid"'),
        (decimal.Decimal, "x", "must be a valid decimal"),
        (bytes, "!", "must be base64 text"),
        (Color, "green", "must be one of red, blue"),
        (tuple[int, str], [1], "must not have fewer than 2 items"),
        (Literal["a", "b"], "c", "must be one of a, b"),
        (Literal["a", "b"] | None, "c", "must be one of a, b"),
        (Point, {}, "must have required properties x"),
        (Page, [], "must be object"),
        (Annotated[int, Field(ge=3)], 2, "must be >= 3"),
        (Point | Page, 5, "must be object"),
        (Any, {1}, "must be a JSON value"),
    ],
)
def test_anything_else_is_refused_in_the_words_of_schemas(annotation, sent, problem: str) -> None:
    def tool(x): ...

    tool.__annotations__["x"] = annotation

    assert refused(tool, {"x": sent}) == [f"Invalid arguments at /x: {problem}"]


def test_known_differences_between_types_and_their_schema() -> None:
    """Types take a little more than they say; the page on inputs lists it."""

    def tool(unique: set[int], pair: Pair, access: Access): ...

    sent = {"unique": [1, 1], "pair": {"left": 1}, "access": 3}

    assert bound(tool, sent) == {
        "unique": {1},
        "pair": Pair(1),
        "access": Access.READ | Access.WRITE,
    }


class Access(enum.IntFlag):
    READ = 1
    WRITE = 2


class Step(enum.IntEnum):
    NONE = 0
    ONE = 1


class Switch(enum.Enum):
    ON = True


class Odd(enum.Enum):
    WORD = "a"
    SMALL = 1
    HALF = 2.5


class Constants(BaseModel):
    step: Step = Step.ONE
    kind: Literal[1] = 1


class Tree(BaseModel):
    kind: Literal[0, "leaf"]
    trees: list["Tree"] = []


class Marked(TypedDict):
    on: Literal[True]


@pytest.mark.rule("schema-front-same-words")
@pytest.mark.parametrize(
    "annotation",
    [Literal["a", 1], Literal[1], Literal[True], Literal[False, "a"], Literal[True, 1],
     Literal[0] | None, Step, Switch, Odd, list[Literal[1, 2]], dict[str, Step], Literal[1] | None,
     Literal[1] | float, Step | str, Constants, Tree, list[Constants], Marked,
     Annotated[Literal[1], Field(description="one")]],
    ids=str,
)  # fmt: skip
@pytest.mark.parametrize("number", [True, False, 1, 0, 1.0, 0.0, 2.5, "a", "1", None], ids=repr)
def test_constants_of_types_tell_numbers_from_booleans_as_their_schema_does(
    annotation, number
) -> None:
    def tool(x): ...

    tool.__annotations__["x"] = annotation
    front = function_front(tool)
    by_schema = schema_reader(front.input_schema)
    shapes = [number, [number], {"k": number}, {"step": number}, {"kind": number}, {"on": number}]
    shapes += [{"kind": 0, "trees": [{"kind": number}]}]

    for sent in shapes:
        for repair in ("off", "schema"):
            got = front.reader.read({"x": sent}, repair=repair)
            meant = by_schema.read({"x": sent}, repair=repair)
            assert type(got) is type(meant), (sent, got, meant)
            if isinstance(got, RejectedInput):
                assert got == meant
            else:
                # Where a union leaves open what is meant, a schema leaves 1.0 as it is.
                assert repr(got.value).replace(".0", "") == repr(meant.value).replace(".0", "")


@pytest.mark.rule("schema-front-same-words")
@pytest.mark.parametrize("model", [Constants, Tree, Marked], ids=lambda kind: kind.__name__)
def test_a_model_tells_numbers_from_booleans_too(model) -> None:
    front = model_front(model)

    for sent in ({"kind": True}, {"kind": False}, {"step": True}, {"on": 1}):
        got = front.reader.read(sent, repair="off")
        assert got == schema_reader(front.input_schema).read(sent, repair="off")
        assert isinstance(got, RejectedInput)


@pytest.mark.rule("schema-front-own-words")
def test_an_authors_own_check_speaks_for_itself_beside_the_schema() -> None:
    class Order(BaseModel):
        count: int

        @field_validator("count")
        @classmethod
        def check(cls, value: int) -> int:
            if value > 5:
                raise ValueError("We have only 5")
            return value

    def even(value: int) -> int:
        if value % 2:
            raise AssertionError("must be\neven")
        return value

    def tool(order: Order, n: Annotated[int, AfterValidator(even)], when: dt.date, t: str): ...

    assert refused(tool, {"order": {"count": 9}, "n": 3, "when": "x", "t": 1}) == [
        "Invalid arguments at /order/count: We have only 5",
        "Invalid arguments at /n: must be even",
        'Invalid arguments at /when: must match format "date"',
        "Invalid arguments at /t: must be string",
    ]


def test_validators_change_what_the_handler_gets() -> None:
    def tool(
        a: Annotated[int, AfterValidator(lambda value: value + 1)],
        b: Annotated[str, BeforeValidator(lambda value: value.strip())],
    ): ...

    assert bound(tool, {"a": 1, "b": " x "}) == {"a": 2, "b": "x"}


@pytest.mark.rule("schema-front-required-message")
def test_required_says_one_sentence_for_missing_null_and_empty() -> None:
    class Line(BaseModel):
        text: Annotated[str, Required("a line needs text")]

    def tool(
        text: Annotated[str, Required("note_write needs text")],
        tags: Annotated[list[str], Required("note_write needs tags")],
        line: Line,
    ): ...

    sentence = [
        "Invalid arguments at /text: note_write needs text",
        "Invalid arguments at /tags: note_write needs tags",
        "Invalid arguments at /line/text: a line needs text",
    ]
    assert sorted(refused(tool, {"line": {}})) == sorted(sentence)
    assert refused(tool, {"text": "", "tags": [], "line": {"text": ""}}) == sentence
    assert sorted(
        refused(tool, {"text": None, "tags": None, "line": {"text": None}}, repair="schema")
    ) == sorted(sentence)
    assert refused(tool, {"text": 5, "tags": ["a"], "line": {"text": "x"}}) == [
        "Invalid arguments at /text: must be string"
    ]
    assert "toolroll" not in str(schema_of(tool))


@pytest.mark.rule("schema-front-blank-absent")
def test_blank_is_absent_takes_the_default_at_every_depth() -> None:
    class Filter(BaseModel):
        owner: Annotated[str, BlankIsAbsent()] = "me"

    def tool(
        filter: Filter, note: Annotated[str | None, BlankIsAbsent()] = None, plain: str = "p"
    ): ...

    got = front(tool).reader.read({"filter": {"owner": " "}, "note": "\n\t", "plain": ""})

    assert isinstance(got, ReadInput)
    assert got.bound == {"filter": Filter(owner="me"), "note": None, "plain": ""}
    assert [(repair.kind, repair.pointer) for repair in got.repairs] == [
        ("drop_blank", "/filter/owner"),
        ("drop_blank", "/note"),
    ]
    assert "toolroll" not in str(schema_of(tool))


@pytest.mark.rule("schema-front-blank-absent")
def test_a_required_blank_counts_as_missing() -> None:
    def tool(a: Annotated[str, BlankIsAbsent()]): ...

    assert refused(tool, {"a": "  "}) == ["Invalid arguments at /: must have required properties a"]


@pytest.mark.rule("schema-defaults-filled")
def test_defaults_are_fresh_and_stand_in_the_checked_input() -> None:
    def tool(
        node: Node,
        tags: list[str] = [],  # noqa: B006
        color: Color = Color.RED,
        at: Annotated[list[int], Field(default_factory=list)] = ...,
    ): ...  # type: ignore[assignment]

    reader = front(tool).reader
    first, second = (reader.read({"node": {"name": "a"}}) for _ in range(2))

    assert first.value == {
        "node": {"name": "a", "weight": 5, "due": None, "kids": []},
        "tags": [],
        "color": "red",
    }
    assert first.bound["tags"] == first.bound["at"] == []
    first.bound["tags"].append("x")
    assert second.bound["tags"] == []
    assert tool.__defaults__[0] == []


def test_a_default_without_a_json_form_holds_but_is_not_shown() -> None:
    marker = object()

    def tool(a: int = marker): ...  # type: ignore[assignment]

    assert "default" not in schema_of(tool)["properties"]["a"]
    assert bound(tool, {}) == {"a": marker}


def test_fields_as_defaults_and_aliases() -> None:
    def tool(
        a: int = Field(5, ge=1), b: Annotated[int, Field(alias="from", description="where")] = 3
    ): ...

    schema = schema_of(tool)

    assert schema["properties"] == {
        "a": {"type": "integer", "minimum": 1, "default": 5},
        "from": {"type": "integer", "default": 3, "description": "where"},
    }
    assert bound(tool, {"from": 7}) == {"a": 5, "b": 7}
    assert refused(tool, {"b": 7}) == ['Invalid arguments: unknown property "b"; takes a, from']


@pytest.mark.rule("schema-filler-dropped")
def test_a_function_without_parameters_takes_any_key() -> None:
    def tool(ctx): ...

    got = front(tool).reader.read({"_": ""})

    assert (got.value, got.bound, len(got.repairs)) == ({}, {}, 1)
    assert refused(tool, [1]) == ["Invalid arguments at /: must be object"]


GOOGLE = """Find notes.

        All of them.

        Args:
            query: What to look for,
                over two lines.
            limit (int): How many.

        Returns:
            The notes found.

        Raises:
            ValueError: never.
        """
NUMPY = """Find notes.

        All of them.

        Parameters
        ----------
        query : str
            What to look for,
            over two lines.
        limit : int
            How many.

        Returns
        -------
        list
            The notes found.
        """
SPHINX = """Find notes.

        All of them.

        :param query: What to look for,
            over two lines.
        :param int limit: How many.
        :returns: The notes found.
        """


@pytest.mark.rule("schema-front-docstring")
@pytest.mark.parametrize("text", [GOOGLE, NUMPY, SPHINX])
def test_docstrings_describe_parameters_and_are_not_repeated(text: str) -> None:
    def tool(query: str, limit: int, other: Annotated[int, "own words"] = 1): ...

    tool.__doc__ = text
    made = front(tool)

    assert made.description == "Find notes.\n\nAll of them.\n\nReturns: The notes found."
    described = made.input_schema["properties"]
    assert described["query"]["description"] == "What to look for, over two lines."
    assert described["limit"]["description"] == "How many."
    assert described["other"]["description"] == "own words"


@pytest.mark.rule("schema-front-docstring")
@pytest.mark.parametrize(
    "text", ["Only a sentence.", "Args are welcome here: a, b.\n\n    code:\n        x", ""]
)
def test_docstrings_without_sections_are_the_description(text: str) -> None:
    def tool(a: int): ...

    tool.__doc__ = text
    assert front(tool).description == inspect.cleandoc(text)
    assert front(tool, description="other").description == "other"


def test_one_definition_for_a_model_used_twice_and_recursion() -> None:
    def tool(a: Node, b: Node | None = None): ...

    schema = schema_of(tool)

    assert list(schema["$defs"]) == ["Node"]
    assert schema["properties"]["a"] == {"$ref": "#/$defs/Node"}


@pytest.mark.rule("schema-never-mutates")
def test_the_models_own_schema_and_validation_are_left_alone() -> None:
    class Lax(BaseModel):
        n: int

    def tool(a: Lax): ...

    front(tool)

    assert Lax.model_validate({"n": "5", "x": 1}).n == 5
    assert refused(tool, {"a": {"n": "5"}}) == ["Invalid arguments at /a/n: must be integer"]


def test_models_dataclasses_and_typed_dicts_are_whole_inputs() -> None:
    for model, sent, meant in (
        (Node, {"name": "a"}, Node(name="a")),
        (Point, {"x": 1}, Point(1)),
        (Page, {"start": 1}, {"start": 1}),
        (Box[int], {"value": 1}, Box[int](value=1)),
    ):
        made = model_front(model)
        got = made.reader.read(sent)
        assert isinstance(got, ReadInput)
        assert got.bound == {"": meant}
        assert made.input_schema["type"] == "object"
        assert made.input_schema["additionalProperties"] is False
        assert made.parameters == ()
        assert isinstance(made.reader.read({**sent, "zz": 1}), RejectedInput)

    assert model_front(Node).description == "A node of a tree."
    assert "description" not in model_front(Node).input_schema
    assert model_front(Node).reader.read({"name": "a"}).value["weight"] == 5
    assert model_front(Node).reader.read({"name": "a", "weight": "7"}).value["weight"] == 7


@pytest.mark.rule("schema-front-unusable")
@pytest.mark.parametrize("model", [int, Pair, RootModel[int], "text", Color])
def test_what_is_no_record_is_no_whole_input(model) -> None:
    with pytest.raises(DefinitionError):
        model_front(model)


@pytest.mark.rule("schema-front-closed")
def test_an_open_model_as_a_whole_input() -> None:
    class Open(BaseModel):
        model_config = ConfigDict(extra="allow")
        n: int = 1

    with pytest.raises(DefinitionError, match="Open takes unknown keys"):
        model_front(Open)
    assert model_front(Open, allow_open=True).reader.read({"z": 1}).value == {"z": 1, "n": 1}


def test_output_schemas_of_records_only() -> None:
    async def node() -> Node: ...
    def page() -> Page: ...
    def later() -> Awaitable[Point]: ...
    def text() -> str: ...
    def number() -> int: ...
    def nodes() -> list[Node]: ...
    def nothing(): ...
    def unresolved() -> "Nope": ...  # noqa: F821  # pyright: ignore[reportUndefinedVariable]

    assert front(node).output_schema["type"] == "object"
    assert front(page).output_schema["required"] == ["start"]
    assert front(later).output_schema["properties"]["x"] == {"type": "integer"}
    for function in (text, number, nodes, nothing, unresolved):
        assert front(function).output_schema is None


class Leaf(BaseModel):
    below: "Leaf | Twig | None" = None
    n: int = 1


class Twig(BaseModel):
    below: "Leaf | Twig | None" = None
    m: int = 1


class Plus(BaseModel):
    kind: Literal["plus"]
    below: "Annotated[Plus | Minus, Field(discriminator='kind')] | None" = None


class Minus(BaseModel):
    kind: Literal["minus"]
    below: "Annotated[Plus | Minus, Field(discriminator='kind')] | None" = None


@pytest.mark.rule("schema-limits-hold")
@pytest.mark.parametrize("leaf", [{"m": 2}, {"m": "bad"}])
def test_untagged_unions_that_hold_themselves_end_in_time(leaf) -> None:
    def tool(tree: Leaf | Twig): ...

    value = dict(leaf)
    for _ in range(60):
        value = {"below": value}
    assert refused(tool, {"tree": value}) == ["Invalid arguments at /: must not be nested so deep"]
    assert bound(tool, {"tree": {"below": {"below": {"m": 2}}}})


@pytest.mark.rule("schema-limits-hold")
def test_tagged_unions_may_be_nested_deep() -> None:
    def tool(tree: Annotated[Plus | Minus, Field(discriminator="kind")]): ...

    value: dict[str, Any] = {"kind": "plus"}
    for number in range(30):
        value = {"kind": "minus" if number % 2 else "plus", "below": value}

    assert bound(tool, {"tree": value})
    assert "discriminator" not in str(schema_of(tool))
    assert refused(tool, {"tree": {"kind": "times"}}) == [
        "Invalid arguments at /tree/kind: must be one of plus, minus"
    ]


@pytest.mark.rule("schema-front-same-words")
def test_very_many_unknown_keys_are_refused_in_time_that_grows_with_them_only() -> None:
    def tool(a: int = 1): ...

    front = function_front(tool)
    sent = {f"k{number}": 1 for number in range(40_000)}

    for reader in (front.reader, schema_reader(front.input_schema)):
        got = reader.read(sent)
        assert isinstance(got, RejectedInput)
        assert got.issues[0].problem == 'unknown property "k0"; takes a'
        assert len(got.issues) == 101
