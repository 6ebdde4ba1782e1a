"""JSON-RPC messages: written, read, and what is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.protocol import (
    DEEPEST,
    ErrorResponse,
    Malformed,
    Notification,
    Request,
    Response,
    encode_message,
    is_batch,
    parse_json,
    parse_messages,
    write_error,
    write_notification,
    write_request,
    write_response,
)


def test_what_is_written_is_read_as_the_same_kind() -> None:
    messages = [
        write_request(1, "tools/list", {"cursor": "x"}),
        write_notification("notifications/initialized"),
        write_response("a", {"tools": []}),
        write_error(None, -32700, "Parse error", {"at": 1}),
    ]
    assert [parse_messages(encode_message(message))[0] for message in messages] == [
        Request(id=1, method="tools/list", params={"cursor": "x"}),
        Notification(method="notifications/initialized"),
        Response(id="a", result={"tools": []}),
        ErrorResponse(id=None, code=-32700, message="Parse error", data={"at": 1}),
    ]


@pytest.mark.rule("mcp-wire-reading-never-fails")
@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", -32700),
        ("{", -32700),
        ("[NaN]", -32700),
        ('{"a": 1e999}', -32700),
        ("1" * 5000, -32700),
        ("[" * 100_000, -32700),
        ("{" * 201 + '"\\' * 1_000_000, -32700),  # a walk back from each quote would not end
        (b"\xff\xfe", -32700),
        ("7", -32600),
        ("[]", -32600),
        ('{"id": 1, "method": "x"}', -32600),
        ('{"jsonrpc": "1.0", "id": 1, "method": "x"}', -32600),
        ('{"jsonrpc": "2.0", "id": null, "method": "x"}', -32600),
        ('{"jsonrpc": "2.0", "id": true, "method": "x"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": 7}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "x", "params": [1]}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "result": 7}', -32600),
        ('{"jsonrpc": "2.0", "result": {}}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "error": "no"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "error": {"message": "no code"}}', -32600),
    ],
)
def test_what_is_no_message_becomes_a_code_to_answer(text: str | bytes, code: int) -> None:
    [read] = parse_messages(text)
    assert isinstance(read, Malformed)
    assert read.code == code


@pytest.mark.rule("mcp-wire-reading-never-fails")
@given(
    st.one_of(
        st.binary(),
        st.text(),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(),
            lambda inner: (
                st.lists(inner)
                | st.dictionaries(
                    st.sampled_from(
                        ["jsonrpc", "id", "method", "params", "result", "error", "code"]
                    ),
                    inner,
                )
            ),
        ).map(json.dumps),
    )
)
def test_no_text_makes_the_reader_raise(text: str | bytes) -> None:
    assert parse_messages(text)


@pytest.mark.rule("mcp-wire-batch")
def test_the_members_of_a_batch_are_read_one_by_one() -> None:
    text = '[{"jsonrpc":"2.0","method":"a"}, 7, {"jsonrpc":"2.0","id":2,"method":"b"}]'
    read = parse_messages(text)
    assert [type(message) for message in read] == [Notification, Malformed, Request]
    assert is_batch("\ufeff " + text)
    assert is_batch(b"\xef\xbb\xbf\n" + text.encode())
    assert not is_batch('{"a": [1]}')


@pytest.mark.rule("mcp-wire-read-can-be-written")
def test_half_surrogate_pairs_are_replaced_and_whole_ones_stay() -> None:
    read = parse_json('{"half \\ud83d": "\\uDE00", "whole": "\\ud83d\\ude00"}')
    assert read == {"half \ufffd": "\ufffd", "whole": "\U0001f600"}
    assert encode_message({"a": "\ud83d"}) == b'{"a":"\\ud83d"}'


@pytest.mark.rule("mcp-wire-read-can-be-written")
def test_depth_is_bounded_and_brackets_inside_texts_do_not_count() -> None:
    assert isinstance(parse_json("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1)), Malformed)
    assert not isinstance(parse_json("[" * DEEPEST + "]" * DEEPEST), Malformed)
    text = json.dumps(["[" * 5000, '\\"[{' * 500])
    assert parse_json(text) == json.loads(text)


@pytest.mark.rule("mcp-wire-read-can-be-written")
@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_json_comes_back_as_it_was_written(value: object) -> None:
    text = json.dumps(value)
    read = parse_json(text)
    assert read == json.loads(encode_message({"value": read}))["value"]
