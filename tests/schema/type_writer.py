"""Random Python types as tools use them, and random JSON near a schema: some fits, some almost."""

import dataclasses
import datetime as dt
import enum
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Optional, Union, cast

from hypothesis import strategies as st
from pydantic import Field, create_model
from typing_extensions import TypedDict

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.refs import Resolver

NAMES = ("name", "page_size", "pageSize", "kind", "items", "title", "x")


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


EXACT = (
    int,
    str,
    bool,
    float,
    Color,
    Literal["a", "b"],
    Annotated[int, Field(ge=1, le=5)],
    Annotated[str, Field(min_length=1, max_length=3)],
    Annotated[list[int], Field(min_length=1)],
    Annotated[float, Field(gt=0, multiple_of=0.5)],
)
"""Types whose JSON Schema says all that they check."""

LOOSE = (dt.date, dt.datetime, uuid.UUID, bytes)
"""Types that check more than their JSON Schema says."""


def _unions(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(inner, min_size=2, max_size=2).map(lambda pair: Union[pair[0], pair[1]])  # noqa: UP007


@st.composite
def _records(draw: st.DrawFn, inner: st.SearchStrategy[Any]) -> Any:
    names = draw(
        st.lists(st.sampled_from(("name", "size", "kind")), min_size=1, max_size=3, unique=True)
    )
    fields = {name: draw(inner) for name in names}
    tag = draw(st.integers(0, 10**6))
    match draw(st.sampled_from(["model", "dataclass", "typeddict"])):
        case "model":
            optional = draw(st.booleans())
            shapes: dict[str, Any] = {
                name: (kind | None, None) if optional and index else (kind, ...)
                for index, (name, kind) in enumerate(fields.items())
            }
            return create_model(f"Model{tag}", **shapes)
        case "dataclass":
            return dataclasses.make_dataclass(f"Data{tag}", fields.items())
        case _:
            return TypedDict(f"Dict{tag}", fields)  # type: ignore[operator]


def types(basic: Sequence[Any] = EXACT) -> st.SearchStrategy[Any]:
    """Types up to three levels deep."""
    leaves = st.sampled_from(list(basic))
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            inner.map(lambda kind: list[kind]),
            inner.map(lambda kind: dict[str, kind]),
            inner.map(lambda kind: Optional[kind]),  # noqa: UP045
            _unions(inner),
            _records(inner),
        ),
        max_leaves=4,
    )


@st.composite
def functions(draw: st.DrawFn, basic: Sequence[Any] = EXACT) -> Any:
    """A function of one to three parameters, some with a default."""
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=3, unique=True))

    def tool(**more: object) -> None: ...

    import inspect

    parameters = []
    for name in names:
        kind = draw(types(basic))
        default = None if draw(st.booleans()) else inspect.Parameter.empty
        if default is None:
            kind = Optional[kind]  # noqa: UP045
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=default
            )
        )
    tool.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    tool.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return tool


SCALARS: st.SearchStrategy[JsonValue] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 9),
    st.sampled_from([5.0, 0.5, -1.5, 3.0]),
    st.sampled_from(["", "a", "abcd", "7", "1.5", "true", "[1]", '{"x": 1}', "2026-01-02", "red"]),
)
ANYTHING: st.SearchStrategy[JsonValue] = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.sampled_from([*NAMES, "size", "zz"]), inner, max_size=3),
    ),
    max_leaves=6,
)


@st.composite
def near(draw: st.DrawFn, schema: JsonValue, root: JsonObject, depth: int = 0) -> JsonValue:
    """A value that fits a schema, but for a fault now and then."""
    if draw(st.integers(0, 9)) == 0 or not isinstance(schema, Mapping):
        return draw(ANYTHING)
    mapping = cast("JsonObject", schema)
    target = Resolver(root).find(cast("str | None", mapping.get("$ref")))
    if target is not None:
        return draw(near(target.schema, root, depth + 1))
    for keyword in ("anyOf", "oneOf"):
        if keyword in mapping:
            branches = cast("Sequence[JsonValue]", mapping[keyword])
            return draw(near(draw(st.sampled_from(list(branches))), root, depth + 1))
    if "enum" in mapping:
        return draw(st.sampled_from(list(cast("Sequence[JsonValue]", mapping["enum"]))))
    match mapping.get("type"):
        case "object":
            return draw(_near_object(mapping, root, depth))
        case "array":
            items = mapping.get("items", True)
            return draw(st.lists(near(items, root, depth + 1), max_size=3))
        case "integer":
            return draw(st.sampled_from([1, 2, 5, 3.0, "4"]))
        case "number":
            return draw(st.sampled_from([1, 0.5, 2.0, "1.5"]))
        case "boolean":
            return draw(st.sampled_from([True, False, "true"]))
        case "string":
            return draw(st.sampled_from(["a", "abc", "", "abcd", "7"]))
        case _:
            return draw(ANYTHING)


@st.composite
def _near_object(draw: st.DrawFn, schema: JsonObject, root: JsonObject, depth: int) -> JsonValue:
    named = cast("JsonObject", schema.get("properties", {}))
    made: dict[str, JsonValue] = {}
    for name, below in named.items():
        if draw(st.integers(0, 5)) == 0:
            continue
        key = name.upper() if draw(st.integers(0, 9)) == 0 else name
        made[key] = None if draw(st.integers(0, 7)) == 0 else draw(near(below, root, depth + 1))
    others = schema.get("additionalProperties")
    if isinstance(others, Mapping):
        made["free"] = draw(near(others, root, depth + 1))
    if draw(st.integers(0, 9)) == 0:
        made["zz"] = draw(SCALARS)
    return made
