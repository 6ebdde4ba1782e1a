"""What holds of every text."""

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.repair.json_texts import ANY_TEXT, OBJECTS, VALUES, habitual, json_of
from toolroll.repair import (
    DEFAULT_RULES,
    REPAIRS,
    Arguments,
    ArgumentStream,
    ReadingRules,
    is_complete_json,
    read_arguments,
    read_calls,
)
from toolroll.repair.conclusion import conclude, one_of, read_text

HEALING = ReadingRules(heal_unicode=True)


def same(one: object, other: object) -> bool:
    """Equal, to the types and the order of keys."""
    return repr(one) == repr(other)


def begins(part: object, whole: object) -> bool:
    """Whether a value is a beginning of another: no key, item or character that is not in it."""
    if isinstance(whole, dict) and isinstance(part, dict):
        return all(key in whole and begins(value, whole[key]) for key, value in part.items())
    if isinstance(whole, list) and isinstance(part, list):
        return len(part) <= len(whole) and all(map(begins, part, whole))
    if isinstance(whole, str) and isinstance(part, str):
        return whole.startswith(part)
    return same(part, whole)


def streamed(text: str, sizes: list[int], rules: ReadingRules = DEFAULT_RULES) -> Arguments:
    stream = ArgumentStream(rules)
    at = 0
    for size in [*sizes, len(text)]:
        stream.feed(text[at : at + size])
        at += size
    return stream.finish()


@pytest.mark.rule("args-strict-untouched")
@given(json_of(VALUES))
def test_every_json_value_comes_back_equal_and_untouched(written: tuple[object, str]) -> None:
    value, text = written
    read = read_arguments(text)
    if value is None:
        assert read.value == {}
    elif isinstance(value, str) and value.lstrip().startswith("{"):
        assert read.value == value or read.repairs[0].kind == "encoded_twice"
    else:
        assert same(read.value, json.loads(text))
        assert (read.status, read.repairs, read.partial) == ("complete", (), ())
    assert is_complete_json(text)


@pytest.mark.rule("args-strict-untouched")
@given(json_of(VALUES))
def test_the_reader_reads_json_as_the_strict_parser_does(written: tuple[object, str]) -> None:
    _, text = written
    assert same(one_of(conclude(read_text(text, DEFAULT_RULES))), read_arguments(text))


@pytest.mark.rule("args-cut-is-told", "args-cut-keeps-what-is-certain")
@given(json_of(OBJECTS), st.data())
def test_an_object_cut_anywhere_is_a_true_beginning(
    written: tuple[object, str], data: st.DataObject
) -> None:
    _, text = written
    whole = json.loads(text)
    cut = data.draw(st.integers(1, len(text) - 1))
    read = read_arguments(text[:cut])
    assert read.status == "truncated"
    assert begins(read.value, whole)
    assert isinstance(read.value, dict)
    for key, value in read.value.items():
        if "/" + key.replace("~", "~0").replace("/", "~1") not in read.partial:
            assert same(value, whole[key])


@pytest.mark.rule("stream-equals-whole", "args-never-raises")
@settings(max_examples=400)
@given(ANY_TEXT, st.lists(st.integers(1, 9)))
@example('{"a": "\\ud83d\\ude00"}', [7, 3, 4])
@example('"\\u00', [2])
def test_pieces_of_any_size_give_what_the_whole_gives(text: str, sizes: list[int]) -> None:
    read = read_arguments(text)
    assert same(streamed(text, sizes), read)
    assert same(streamed(text, [1] * len(text)), read)
    assert same(streamed(text, sizes, HEALING), read_arguments(text, HEALING))


@pytest.mark.rule("stream-takes-nothing-back")
@given(json_of(OBJECTS), st.lists(st.integers(1, 9)))
def test_what_a_stream_shows_is_a_beginning_of_its_end(
    written: tuple[object, str], sizes: list[int]
) -> None:
    _, text = written
    stream = ArgumentStream()
    at = 0
    for size in [*sizes, len(text)]:
        shown = stream.feed(text[at : at + size])
        at += size
        assert begins(shown, json.loads(text))
    assert same(stream.finish().value, json.loads(text))


@pytest.mark.rule("args-never-raises", "args-repairs-are-listed")
@settings(max_examples=400)
@given(ANY_TEXT)
def test_no_text_raises_and_every_record_is_sound(text: str) -> None:
    read = read_arguments(text)
    for one in [read, *read_calls(text)]:
        assert bool(one.problem) == (one.status == "malformed")
        assert {repair.kind for repair in one.repairs} <= set(REPAIRS)
        places = [repair.at for repair in one.repairs if repair.at is not None]
        assert len(places) == len(one.repairs)
        assert all(0 <= place <= len(text) for place in places)
        assert places == sorted(places)
        if one.status == "complete":
            assert one.repairs == one.partial == one.dropped == ()
        if one.status == "repaired":
            assert one.repairs
        json.dumps(one.value)
    assert is_complete_json(text) <= read.complete


@pytest.mark.rule("args-never-raises")
@settings(max_examples=600)
@given(habitual() | ANY_TEXT)
@example('{"a": 1, "a": ')
@example('{"\\"": ')
@example('{"q": "\\"')
@example('{"a": "x\\ut_')
@example('{"a": [1, /*x*/],}')
@example("{'a': 1 // it's\n}")
@example('{"a": "x,\\n" "b": 1}')
@example('{"a": "x"/**/"b": 1}')
@example("{#\n\ud800}")
@example('See {"a": 1}{"b": 2}{"b": 2}{}')
@example('{"a": 1, "a')
@example("{,")
@example("{'a': 1\t'b': 2}")
@example("{\\")
@example('{"a": 1, \\u00')
@example('{"a": "x\\')
@example('{"a": "\\')
@example('{"a\\')
@example('\n"{\\"a\\": 1}"')
@example('{"a": 1}\x00')
@example('{"a": 1} ')
@example('{"a": 1 b}')
@example("{} ")
@example('{"a": "x\n//\ny"}')
@example('{"a": "x\n/* y */ z"}')
@example("{}{'a': 1}")
@example('{"a": 1}{} ')
@example('{\u201ck\u201d: [\u201ca", "b\u201d]}')
@example('{\u201ck": 1, "b\u201d: 2}')
def test_what_is_read_at_once_is_what_the_reader_gives_step_by_step(text: str) -> None:
    slow = one_of(conclude(read_text(text, DEFAULT_RULES)))
    assert same(read_arguments(text), slow)
    assert same(one_of(conclude(read_text(text, DEFAULT_RULES, quick=True))), slow)


@pytest.mark.rule("args-syntax-of-other-languages")
@given(st.dictionaries(st.text(), st.none() | st.booleans() | st.integers() | st.text()))
def test_the_repr_of_a_dict_is_read(value: dict[str, object]) -> None:
    read = read_arguments(repr(value))
    if read.status == "malformed":  # an escape for which JSON and Python differ
        assert "\\x" in repr(value) or "\\U" in repr(value)
    else:
        assert same(read.value, value)
