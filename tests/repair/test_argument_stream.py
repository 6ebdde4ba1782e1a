"""Arguments that come in pieces."""

import json

import pytest

from tests.text.slowdown import slowdown
from toolroll.repair import ArgumentStream, ReadingRules, read_arguments


@pytest.mark.rule("stream-takes-nothing-back")
def test_a_stream_shows_what_is_certain_so_far() -> None:
    stream = ArgumentStream()
    shown = [
        json.dumps(stream.feed(piece))
        for piece in [
            'Sure:\n```json\n{"pa',
            'th": "a.t',
            'xt", "n": 1',
            '2, "l": [tr',
            'ue, "x\\',
            'n"',
            "]}",
        ]
    ]
    assert shown == [
        "{}",
        '{"path": "a.t"}',
        '{"path": "a.txt"}',
        '{"path": "a.txt", "n": 12, "l": []}',
        '{"path": "a.txt", "n": 12, "l": [true, "x"]}',
        '{"path": "a.txt", "n": 12, "l": [true, "x\\n"]}',
        '{"path": "a.txt", "n": 12, "l": [true, "x\\n"]}',
    ]


@pytest.mark.rule("stream-ends-once")
def test_a_finished_stream_says_the_same_again_and_takes_no_more() -> None:
    stream = ArgumentStream()
    stream.feed('{"a": "x')
    first = stream.finish()
    assert stream.finish() == first == read_arguments('{"a": "x')
    assert stream.finish_calls() == [first]
    with pytest.raises(RuntimeError, match="finished"):
        stream.feed('y"}')


@pytest.mark.rule("stream-equals-whole")
def test_a_stream_of_nothing_is_no_arguments() -> None:
    assert ArgumentStream().finish() == read_arguments("")
    assert ArgumentStream().feed("") == {}


@pytest.mark.rule("stream-equals-whole")
def test_a_stream_of_several_calls_ends_in_several_records() -> None:
    stream = ArgumentStream()
    for piece in ('{"a": 1}{', '"b": 2}'):
        stream.feed(piece)
    assert [one.value for one in stream.finish_calls()] == [{"a": 1}, {"b": 2}]


@pytest.mark.rule("stream-equals-whole", "args-limits-hold")
def test_a_malformed_stream_stays_malformed_and_shows_nothing() -> None:
    stream = ArgumentStream()
    assert stream.feed('{"a": 1,\n "b": oo') == {"a": 1}
    assert stream.feed("ps}") == {}
    assert stream.feed(' {"c": 1}') == {}
    assert stream.finish().problem == "line 2, column 7: expected a value, found 'oops'"
    bounded = ArgumentStream(ReadingRules(size=20))
    bounded.feed('{"a": "' + "x" * 10)
    bounded.feed("x" * 10)
    assert "longer than 20 characters" in bounded.finish().problem


@pytest.mark.rule("stream-takes-nothing-back")
def test_a_long_open_string_is_shown_with_little_delay() -> None:
    stream = ArgumentStream()
    stream.feed('{"a": "')
    sent = 0
    for _ in range(3000):
        shown = stream.feed("0123456789" * 10)
        sent += 1000 // 10
        assert isinstance(shown, dict)
        text = shown["a"]
        assert isinstance(text, str)
        assert sent - len(text) <= sent // 15
    stream.feed('"}')
    assert stream.finish().value == {"a": "0123456789" * 30_000}


def _fed_by(size: int):
    def feed(text: str) -> object:
        stream = ArgumentStream()
        for at in range(0, len(text), size):
            stream.feed(text[at : at + size])
        return stream.finish()

    return feed


@pytest.mark.rule("stream-linear-time")
@pytest.mark.parametrize(
    ("head", "unit"),
    [
        ('{"a": "', "x"),
        ('{"a": "', "\\n"),
        ('{"a": "', "\\\\"),
        ('{"a": ', "1"),
        ('{"', "k"),
        ("{", "k"),
        ("{", " "),
        ("[", "1,"),
        ("{", '"a":1,'),
        ("", "prose "),
        ("", "``` "),
        ("", "\n"),
        ('{"a": 1 /*', " *"),
        ('{"a": 1 //', "/"),
        ("", "{}"),
        ('"', "\\u00e9"),
        ('{"a": 1} ', "}"),
    ],
    ids=ascii,
)
def test_small_pieces_of_a_hostile_text_take_linear_time(head: str, unit: str) -> None:
    short, long = head + unit * (8_000 // len(unit)), head + unit * (64_000 // len(unit))
    assert slowdown(_fed_by(4), short, long) < 24  # 8 times the length
