"""Content: blocks and results as JSON and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import (
    Audio,
    Content,
    EmbeddedResource,
    Image,
    JsonObject,
    Other,
    ResourceLink,
    Text,
    ToolResult,
    canonical_json,
    compact_json,
    content_from_json,
    content_to_json,
    result_from_json,
    result_to_json,
)

BLOCKS: list[Content] = [
    Text("hi"),
    Text("hi", extra={"annotations": {"audience": ["user"]}}),
    Image("aGk=", "image/png"),
    Audio("aGk=", "audio/wav", extra={"_meta": {"a": 1}}),
    ResourceLink("file:///a", "a"),
    ResourceLink("file:///a", "a", title="A", description="d", mime_type="text/plain", size=3),
    EmbeddedResource("file:///a", text="t", mime_type="text/plain"),
    EmbeddedResource("file:///a", blob="aGk="),
    Other({"type": "hologram", "x": 1}),
]


@pytest.mark.parametrize("block", BLOCKS, ids=repr)
def test_a_block_reads_back_from_its_json(block: Content) -> None:
    assert content_from_json(content_to_json(block)) == block


@pytest.mark.rule("content-keeps-unknown")
@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"type": "text"},
        {"type": "text", "text": 5},
        {"type": "image", "data": "x"},
        {"type": "audio", "mimeType": "audio/wav"},
        {"type": "resource", "resource": "x"},
        {"type": "resource", "resource": {"uri": "a"}},
        {"type": "resource", "resource": {"uri": "a", "text": "t", "blob": "b"}},
        {"type": "resource_link"},
        {"type": 7, "text": "x"},
    ],
)
def test_a_block_that_fits_no_kind_is_kept_as_it_came(raw: JsonObject) -> None:
    block = content_from_json(raw)
    assert block == Other(raw)
    assert content_to_json(block) == raw


@pytest.mark.rule("content-keeps-fields")
@pytest.mark.parametrize(
    "raw",
    [
        {"type": "resource", "resource": {"uri": "a", "text": "t", "_meta": {"rank": 1}}},
        {"type": "resource", "resource": {"uri": "a", "blob": "aGk=", "mimeType": 7}, "x": 1},
        {"type": "resource_link", "uri": "a", "name": "a", "size": "3 kB", "title": 7},
        {"type": "resource_link", "uri": "a", "name": "a", "size": 3.0},
    ],
)
def test_what_no_field_of_a_block_holds_is_kept_as_it_came(raw: JsonObject) -> None:
    block = content_from_json(raw)
    assert not isinstance(block, Other)
    assert content_to_json(block) == raw


@pytest.mark.rule("content-keeps-fields")
def test_a_null_where_a_text_or_a_size_may_be_is_nothing() -> None:
    raw: JsonObject = {
        "type": "resource_link",
        "uri": "a",
        "name": "b",
        "title": None,
        "size": None,
    }
    assert content_from_json(raw) == ResourceLink("a", "b")


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(st.lists(st.sampled_from(BLOCKS), max_size=4), _JSON, st.booleans())
def test_any_result_reads_back_from_its_json(
    blocks: list[Content], data: object, is_error: bool
) -> None:
    result = ToolResult(content=tuple(blocks), data=data, is_error=is_error)  # type: ignore[arg-type]
    assert result_from_json(result_to_json(result)) == result


@given(st.dictionaries(st.text(), _JSON, max_size=3))
def test_any_object_is_read_as_some_block(raw: dict[str, object]) -> None:
    for kind in ("text", "image", "resource", "resource_link", "audio"):
        content_to_json(content_from_json({**raw, "type": kind}))  # type: ignore[dict-item]


def test_canonical_json_is_equal_for_equal_values() -> None:
    assert (
        canonical_json({"b": 5.0, "a": [1.0, 1.5]})
        == canonical_json({"a": (1, 1.5), "b": 5})
        == '{"a":[1,1.5],"b":5}'
    )
    assert compact_json({"b": "é", "a": 1}) == '{"b":"é","a":1}'
    for write in (canonical_json, compact_json):
        with pytest.raises(ValueError, match="not JSON compliant"):
            write(float("nan"))
