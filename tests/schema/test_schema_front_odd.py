"""Types that pydantic and JSON see differently: what the schema shows is what is taken."""

import dataclasses
import datetime as dt
import enum
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal

import pytest
from pydantic import (
    AfterValidator,
    AliasChoices,
    AliasPath,
    Base64Bytes,
    Base64UrlBytes,
    BaseModel,
    ConfigDict,
    Field,
    RootModel,
    field_serializer,
    model_serializer,
)
from pydantic_core import core_schema

from toolroll.outcome import DefinitionError
from toolroll.schema import Front, ReadInput, compile_check, function_front, schema_reader


class Kind(enum.Enum):
    CAT = "cat"
    DOG = "dog"


class Number(enum.IntEnum):
    ONE = 1


class Odd(enum.Enum):
    PAIR = (1, 2)
    DAY = dt.date(2026, 1, 2)
    TEXT = "text"


class Cat(BaseModel):
    kind: Literal[Kind.CAT]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal[Kind.DOG]
    barks: bool = True


def front_of(annotation: Any) -> Front:
    def run(x) -> str:
        return ""

    run.__annotations__["x"] = annotation
    return function_front(run)


@pytest.mark.rule("schema-front-constants-as-shown")
@pytest.mark.parametrize(
    ("annotation", "sent", "meant"),
    [
        (Literal[Kind.CAT], "cat", Kind.CAT),
        (Literal[Kind.DOG, "x", 2] | None, "dog", Kind.DOG),
        (Literal[Kind.DOG, "x", 2] | None, None, None),
        (Literal[Number.ONE, "x"], 1, Number.ONE),
        (Cat | Dog, {"kind": "dog"}, Dog(kind=Kind.DOG)),
        (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cat"}, Cat(kind=Kind.CAT)),
        (Odd, [1, 2], Odd.PAIR),
        (Odd, "2026-01-02", Odd.DAY),
        (list[Odd], ["text"], [Odd.TEXT]),
    ],
)
def test_a_constant_is_taken_as_its_schema_shows_it(annotation, sent, meant) -> None:
    front = front_of(annotation)
    assert isinstance(schema_reader(front.input_schema).read({"x": sent}), ReadInput)

    got = front.reader.read({"x": sent})

    assert isinstance(got, ReadInput), got
    assert got.bound == {"x": meant}
    assert got.value == {"x": sent} or isinstance(sent, dict)


@pytest.mark.rule("schema-front-constants-as-shown")
@pytest.mark.parametrize(
    ("annotation", "sent"),
    [
        (Literal[Number.ONE], True),
        (Literal[Kind.CAT], "dog"),
        (Odd, [1, True]),
        (Odd, "2026-01-03"),
        (Annotated[Cat | Dog, Field(discriminator="kind")], {"kind": "cow"}),
        (Cat | Dog, {"kind": "cow"}),
    ],
)
def test_another_constant_is_refused_in_the_words_of_its_schema(annotation, sent) -> None:
    front = front_of(annotation)
    got = front.reader.read({"x": sent})
    assert got == schema_reader(front.input_schema).read({"x": sent})


@pytest.mark.rule("schema-front-strict")
def test_encoded_bytes_are_decoded_once() -> None:
    read = front_of(list[Base64Bytes | bytes]).reader.read({"x": ["aGk="]})
    assert isinstance(read, ReadInput)
    assert read.bound == {"x": [b"hi"]}
    read = front_of(Base64UrlBytes).reader.read({"x": "_-8="})
    assert isinstance(read, ReadInput)
    assert read.bound == {"x": b"\xff\xef"}
    (issue,) = front_of(Base64Bytes).reader.read({"x": "aGk"}).issues  # type: ignore[union-attr]
    assert issue.problem == "must be base64 text"


def _even(name: str) -> str:
    if len(name) % 2:
        raise ValueError("must be even")
    return name


@pytest.mark.rule("schema-front-same-words")
@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        (Literal["a", "b"], "must be one of a, b"),
        (Kind, "must be one of cat, dog"),
        (dt.date, 'must match format "date"'),
        (Annotated[str, AfterValidator(_even)], "must be even"),
        (Annotated[str, Field(min_length=2)], "must not have fewer than 2 characters"),
    ],
)
def test_a_wrong_key_is_one_fault_of_its_object(keys, problem: str) -> None:
    got = front_of(dict[keys, int]).reader.read({"x": {"z": True}})
    assert [(issue.pointer, issue.problem) for issue in got.issues] == [  # type: ignore[union-attr]
        ("/x", f'property name "z" {problem}'),
        ("/x/z", "must be integer"),
    ]


@dataclasses.dataclass
class Stamped:
    text: str
    stamp: int = dataclasses.field(init=False, default=7)


class ByName(BaseModel):
    model_config = ConfigDict(validate_by_alias=False, validate_by_name=True)
    size: int = Field(alias="pageSize")


@pytest.mark.rule("schema-front-names-as-taken")
def test_a_field_that_only_its_class_sets_is_not_shown() -> None:
    front = front_of(Stamped)
    assert list(front.input_schema["$defs"]["Stamped"]["properties"]) == ["text"]  # type: ignore[index,call-overload]
    read = front.reader.read({"x": {"text": "a"}})
    assert isinstance(read, ReadInput)
    assert read.bound["x"].stamp == 7
    assert front.reader.read({"x": {"text": "a", "stamp": 8}}) == schema_reader(
        front.input_schema
    ).read({"x": {"text": "a", "stamp": 8}})


@pytest.mark.rule("schema-front-names-as-taken")
@pytest.mark.parametrize("alias", [AliasPath("sizes", 0), AliasPath("sizes")])
def test_an_alias_that_no_schema_can_show_is_refused(alias) -> None:
    class Sized(BaseModel):
        size: int = Field(validation_alias=alias)

    with pytest.raises(DefinitionError, match=r"'x'.* the alias of 'size' is a path"):
        front_of(Sized)


@pytest.mark.rule("schema-front-names-as-taken")
def test_the_first_plain_alias_of_several_is_shown() -> None:
    class Sized(BaseModel):
        size: int = Field(validation_alias=AliasChoices(AliasPath("sizes", 0), "length"))

    front = front_of(Sized)
    assert list(front.input_schema["$defs"]["Sized"]["properties"]) == ["length"]  # type: ignore[index,call-overload]
    assert isinstance(front.reader.read({"x": {"length": 1}}), ReadInput)


@pytest.mark.rule("schema-front-names-as-taken")
def test_two_names_that_are_sent_as_one_are_refused() -> None:
    class Twice(BaseModel):
        a: int = Field(alias="z")
        b: int = Field(alias="z")

    def both(a: Annotated[int, Field(alias="b")], b: int) -> str:
        return ""

    def swapped(a: Annotated[int, Field(alias="b")], b: Annotated[int, Field(alias="a")]) -> str:
        return ""

    with pytest.raises(DefinitionError, match="two of the fields a, b have one alias"):
        front_of(Twice)
    with pytest.raises(DefinitionError, match="'a' and 'b' are both sent as 'b'"):
        function_front(both)
    read = function_front(swapped).reader.read({"a": 1, "b": 2})
    assert isinstance(read, ReadInput)
    assert read.bound == {"a": 2, "b": 1}


class Raising:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> None:
        raise ImportError("email-validator is not installed")


class Mute:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        return core_schema.str_schema()

    @classmethod
    def __get_pydantic_json_schema__(cls, core: object, handler: object) -> None:
        raise RuntimeError("\n")


@pytest.mark.rule("schema-front-unusable")
@pytest.mark.parametrize(
    ("annotation", "words"),
    [(Raising, "email-validator is not installed"), (Mute, "RuntimeError"), (..., "Ellipsis")],
)
def test_whatever_a_type_raises_names_the_parameter(annotation, words: str) -> None:
    with pytest.raises(DefinitionError, match=f"parameter 'x' cannot be .*{words}"):
        front_of(annotation)


def given_signature(**annotations: object) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def wrapper(**arguments: object) -> object:
            return function(**arguments)

        wrapper.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [
                inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation)
                for name, annotation in annotations.items()
            ],
            return_annotation=list[int],
        )
        return wrapper

    return decorate


@pytest.mark.rule("schema-front-own-signature")
def test_a_signature_that_a_decorator_gives_counts() -> None:
    @given_signature(text=int, more="Annotated[bool, 'Go on.']")
    def run(text: str) -> str:
        """Run."""
        return text

    front = function_front(run)

    assert front.input_schema["properties"] == {
        "text": {"type": "integer"},
        "more": {"type": "boolean", "description": "Go on."},
    }
    assert front.description == "Run."
    assert front.writer.write([1]).data == [1]


@pytest.mark.rule("schema-front-own-signature")
def test_a_decorators_text_that_means_nothing_names_its_parameter() -> None:
    @given_signature(text="Nothing")
    def run(text: str) -> str:
        return text

    with pytest.raises(DefinitionError, match=r"run: parameter 'text' .*'Nothing'"):
        function_front(run)


class Wordless:
    def __call__(self, text: str) -> str:
        return text


@pytest.mark.rule("schema-front-docstring")
def test_a_callable_object_without_words_has_no_description() -> None:
    assert function_front(Wordless()).description == ""


class Numbers(RootModel[list[int]]):
    pass


@pytest.mark.rule("schema-result-fits")
def test_a_declared_root_that_is_no_object_is_held_to_without_a_schema() -> None:
    def run() -> Numbers:
        return Numbers([1])

    front = function_front(run)

    assert front.output_schema is None
    assert front.writer.write(Numbers([1])).data == [1]
    with pytest.raises(Exception, match="at /0: must be a valid integer"):
        front.writer.write(["x"])


@pytest.mark.rule("schema-result-fits")
def test_a_wrong_key_of_a_result_stands_at_its_place() -> None:
    def run() -> dict[str, int]:
        return {}

    with pytest.raises(Exception, match="at /1: must be a valid string"):
        function_front(run).writer.write({1: 1})


@pytest.mark.rule("schema-result-own-serializer")
def test_a_serializer_that_declares_nothing_is_shown_as_anything() -> None:
    class Field(BaseModel):
        n: int
        m: int = 1

        @field_serializer("n")
        def as_text(self, value: int):
            return str(value)

        @field_serializer("m")
        def as_declared(self, value: int) -> str:
            return str(value)

    class Whole(BaseModel):
        n: int

        @model_serializer(mode="wrap")
        def more(self, handler: Any):
            return {**handler(self), "z": 1}

    class Holder(BaseModel):
        inner: Whole

    def field() -> Field:
        return Field(n=1)

    def whole() -> Whole:
        return Whole(n=1)

    def holder() -> Holder:
        return Holder(inner=Whole(n=1))

    shown = function_front(field).output_schema
    assert shown is not None
    assert shown["properties"] == {"n": {}, "m": {"type": "string"}}
    assert function_front(whole).output_schema is None
    for function, data in (
        (field, {"n": "1", "m": "1"}),
        (whole, {"n": 1, "z": 1}),
        (holder, {"inner": {"n": 1, "z": 1}}),
    ):
        front = function_front(function)
        written = front.writer.write(function()).data
        assert written == data
        if front.output_schema is not None:
            assert compile_check(front.output_schema)(written) == []
