"""What a handler's return value becomes."""

import dataclasses
import datetime as dt
import decimal
import enum
from typing import Any, NamedTuple, TypeVar

import pytest
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from toolroll.content import Image, Text, ToolResult
from toolroll.outcome import OutcomeError
from toolroll.schema import Front, function_front, result_writer

COUNT = {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]}
PICTURE = Image("aGk=", "image/png")


class Note(BaseModel):
    text: str
    made: dt.date = Field(default=dt.date(2026, 1, 2), alias="on")


@dataclasses.dataclass
class Point:
    x: int


class Page(TypedDict):
    size: int


class Pair(NamedTuple):
    a: int
    b: str


class Color(enum.Enum):
    RED = "red"


@pytest.mark.rule("schema-result-kinds")
@pytest.mark.parametrize(
    ("returned", "result"),
    [
        ("text", ToolResult((Text("text"),))),
        ("", ToolResult((Text(""),))),
        (["a", "b\tc"], ToolResult((Text("a\nb\tc"),))),
        (("a", "b"), ToolResult((Text("a\nb"),))),
        ([], ToolResult()),
        (None, ToolResult()),
        (ToolResult((Text("x"),), data=1), ToolResult((Text("x"),), data=1)),
        (PICTURE, ToolResult((PICTURE,))),
        ([PICTURE, "caption"], ToolResult((PICTURE, Text("caption")))),
        ({"a": 1}, ToolResult(data={"a": 1})),
        ([1, 2], ToolResult(data=[1, 2])),
        (["a", 1], ToolResult(data=["a", 1])),
        (5, ToolResult(data=5)),
        (True, ToolResult(data=True)),
        (Note(text="a"), ToolResult(data={"text": "a", "on": "2026-01-02"})),
        ([Note(text="a")], ToolResult(data=[{"text": "a", "on": "2026-01-02"}])),
        (Point(1), ToolResult(data={"x": 1})),
        ({"p": Point(1), "d": decimal.Decimal("1.5"), "c": Color.RED, "s": {3}},
         ToolResult(data={"p": {"x": 1}, "d": "1.5", "c": "red", "s": [3]})),
        (Pair(1, "b"), ToolResult(data=[1, "b"])),
        (dt.date(2026, 1, 2), ToolResult(data="2026-01-02")),
    ],
)  # fmt: skip
def test_returned_values_become_results(returned, result) -> None:
    assert result_writer().write(returned) == result


@pytest.mark.rule("schema-result-bytes")
@pytest.mark.parametrize(
    ("returned", "word"),
    [
        (b"\xff", "base64"),
        (bytearray(b"a"), "Image"),
        (object(), "JSON form"),
        (lambda: 1, "JSON form"),
        (float("nan"), "finite"),
        ({"a": [float("inf")]}, "finite"),
        ({"a": "\ud800"}, "JSON"),
        ([PICTURE, 5], "content block"),
    ],
)
def test_what_has_no_json_form_is_refused_with_the_way_out(returned, word: str) -> None:
    with pytest.raises(OutcomeError) as caught:
        result_writer().write(returned)

    error = caught.value
    assert (error.kind, error.code) == ("failed", "invalid-result")
    assert word in error.message


def test_a_value_nested_in_itself_is_refused() -> None:
    loop: list[Any] = [1]
    loop.append(loop)

    with pytest.raises(OutcomeError):
        result_writer().write(loop)


def test_bytes_inside_data_are_base64() -> None:
    assert result_writer().write({"raw": b"\xff\xfe"}).data == {"raw": "__4="}


@pytest.mark.rule("schema-result-fits")
def test_data_must_fit_a_declared_output() -> None:
    writer = result_writer(COUNT)

    assert writer.write({"count": 2}) == ToolResult(data={"count": 2})
    assert writer.write(ToolResult((Text("two"),), data={"count": 2})).data == {"count": 2}
    failed = ToolResult((Text("no"),), is_error=True)
    assert writer.write(failed) is failed
    for returned in (
        {"count": "secret"},
        "secret",
        ["secret"],
        ToolResult((Text("secret"),)),
        None,
    ):
        with pytest.raises(OutcomeError) as caught:
            writer.write(returned)
        assert (caught.value.kind, caught.value.code) == ("failed", "invalid-result")
        assert "secret" not in f"{caught.value}{caught.value.detail}"
    with pytest.raises(OutcomeError, match="/count: must be integer"):
        writer.write({"count": "2"})


@pytest.mark.rule("schema-result-fits")
def test_a_declared_output_of_another_type_is_data() -> None:
    assert result_writer({"type": "string"}).write("text") == ToolResult(data="text")
    assert result_writer({"type": "array"}).write(["a"]) == ToolResult(data=["a"])


def declaring(annotation) -> Front:
    def tool(): ...

    tool.__annotations__["return"] = annotation
    return function_front(tool)


def returning(annotation):
    return declaring(annotation).writer


@pytest.mark.rule("schema-result-fits")
@pytest.mark.parametrize(
    ("annotation", "returned", "data"),
    [
        (Note, Note(text="a"), {"text": "a", "on": "2026-01-02"}),
        (Note, {"text": "a"}, {"text": "a", "on": "2026-01-02"}),
        (Point, Point(1), {"x": 1}),
        (Page, {"size": 1}, {"size": 1}),
    ],
)
def test_records_that_a_function_declares_are_written(annotation, returned, data) -> None:
    writer = returning(annotation)

    assert writer.write(returned) == ToolResult(data=data)
    shown = ToolResult((Text("x"),), data=data)
    assert writer.write(shown) == shown
    assert writer.write(ToolResult((Text("no"),), is_error=True)).is_error


@pytest.mark.rule("schema-result-fits")
@pytest.mark.parametrize(
    ("annotation", "returned", "place"),
    [
        (Note, {"on": "secret"}, "/text"),
        (Note, {"text": "a", "on": "secret"}, "/on"),
        (Note, "secret", "/"),
        (Page, {"size": "secret"}, "/size"),
        (Point, {"x": "secret"}, "/x"),
        (Page, ToolResult((Text("secret"),)), "/"),
    ],
)
def test_what_does_not_fit_the_declared_record_names_its_place(
    annotation, returned, place: str
) -> None:
    with pytest.raises(OutcomeError, match=f"at {place}: ") as caught:
        returning(annotation).write(returned)

    assert caught.value.code == "invalid-result"
    assert "secret" not in f"{caught.value.message}{caught.value.detail}"


@pytest.mark.rule("schema-result-kinds")
def test_lists_follow_what_the_function_declares() -> None:
    assert returning(list[str]).write([]) == ToolResult()
    assert returning(list[str]).write(["a"]) == ToolResult((Text("a"),))
    assert returning(list[int]).write([]) == ToolResult(data=[])
    assert returning(list[Note]).write([Note(text="a")]).data == [{"text": "a", "on": "2026-01-02"}]
    assert returning(list).write(["a"]) == ToolResult((Text("a"),))
    assert returning(list[Text | Image]).write([PICTURE]) == ToolResult((PICTURE,))


@pytest.mark.parametrize(
    "annotation",
    [
        str,
        None,
        Any,
        object,
        ToolResult,
        str | None,
        TypeVar("T"),
        list[str] | None,
    ],
)
def test_other_declarations_are_written_by_what_came(annotation) -> None:
    assert returning(annotation).write("text") == ToolResult((Text("text"),))
    assert returning(annotation).write(None) == ToolResult()


@pytest.mark.rule("schema-result-fits")
@pytest.mark.parametrize(
    ("annotation", "good", "data", "bad"),
    [
        (int, 5, 5, "x"),
        (bool, True, True, "perhaps"),
        (float, 1, 1.0, None),
        (float, 0.5, 0.5, float("nan")),
        (list[int], [1], [1], ["x"]),
        (list[int], (1, 2), [1, 2], [None]),
        (dict[str, int], {"a": 1}, {"a": 1}, {"a": "x"}),
        (list[Point], [Point(1), {"x": 3}], [{"x": 1}, {"x": 3}], [{"x": "a"}]),
        (Point | None, None, None, {"x": "a"}),
        (list[Point] | None, None, None, "text"),
        (dt.date, dt.date(2026, 1, 2), "2026-01-02", "tomorrow"),
    ],
)  # fmt: skip
def test_what_a_function_declares_is_held_to_without_an_output_schema(
    annotation, good, data, bad
) -> None:
    writer = returning(annotation)

    assert writer.write(good) == ToolResult(data=data)
    with pytest.raises(OutcomeError) as raised:
        writer.write(bad)
    assert raised.value.code == "invalid-result"
    assert declaring(annotation).output_schema is None


@pytest.mark.rule("schema-result-fits")
@pytest.mark.parametrize(
    "annotation", [dict, list[Any], dict[str, Any], dict[str, object]], ids=str
)
def test_a_declaration_that_says_nothing_is_held_to_nothing(annotation) -> None:
    assert returning(annotation).write({"a": [1, "x"]}).data == {"a": [1, "x"]}
