"""Arguments that are JSON as they stand, and how whole JSON is told from other text."""

import pytest

from toolroll.repair import ArgumentStream, is_complete_json, read_arguments, read_calls


def kinds(text: str) -> list[str]:
    return [repair.kind for repair in read_arguments(text).repairs]


@pytest.mark.rule("args-strict-untouched")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            '{"a": 1, "b": [true, null, "x"], "c": {"d": -1.5e3}}',
            {"a": 1, "b": [True, None, "x"], "c": {"d": -1500.0}},
        ),
        ('{"n": 123456789012345678901234567890}', {"n": 123456789012345678901234567890}),
        ('{"s": "a }{ b", "t": "{\\"a\\": 1}"}', {"s": "a }{ b", "t": '{"a": 1}'}),
        ('{"s": "\\ud800"}', {"s": "\ud800"}),
        ('{"s": "\\ud83d\\ude00 \\ude00\\ud83d"}', {"s": "\U0001f600 \ude00\ud83d"}),
        ('{"s": "raw \ud800"}', {"s": "raw \ud800"}),
        ('{"s": "\\\\ud83d a\\\\nb"}', {"s": "\\ud83d a\\nb"}),
        (' {"s": "x\\n", "t": "  "} \n', {"s": "x\n", "t": "  "}),
        ('{"a": "\u2028 \x7f \ufeff"}', {"a": "\u2028 \x7f \ufeff"}),
        ("{}", {}),
    ],
)
def test_strict_json_is_untouched(text: str, value: object) -> None:
    read = read_arguments(text)
    assert (read.value, read.status, read.repairs, read.partial) == (value, "complete", (), ())
    assert read.complete


@pytest.mark.rule("args-strict-untouched")
def test_whole_numbers_stay_whole_and_others_do_not() -> None:
    value = read_arguments('{"a": 1, "b": 1.0, "c": 1e2, "d": -0}').value
    assert repr(value) == "{'a': 1, 'b': 1.0, 'c': 100.0, 'd': 0}"


@pytest.mark.rule("args-blank-is-no-arguments")
@pytest.mark.parametrize("text", [None, "", "  \n", "null", " null ", "\t"])
def test_no_arguments_are_an_empty_object(text: str | None) -> None:
    assert (read_arguments(text).value, read_arguments(text).status) == ({}, "complete")
    assert [one.value for one in read_calls(text)] == [{}]


@pytest.mark.rule("args-other-json-stays")
@pytest.mark.parametrize(
    ("text", "value"), [("[1, 2]", [1, 2]), ('"s"', "s"), ("12", 12), ("true", True)]
)
def test_other_json_is_the_value(text: str, value: object) -> None:
    assert (read_arguments(text).value, read_arguments(text).status) == (value, "complete")


@pytest.mark.rule("args-duplicate-keys-are-told")
@pytest.mark.parametrize(
    ("text", "value", "pointer"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}, "/a"),
        ('{"a": ":", "a": "b:c"}', {"a": "b:c"}, "/a"),
        ('{"o": {"a": 1, "b": 2, "a": {"c": 3}}}', {"o": {"a": {"c": 3}, "b": 2}}, "/o/a"),
        ('{"l": [{"x/y": "1", "x/y": "2"}]}', {"l": [{"x/y": "2"}]}, "/l/0/x~1y"),
        ('{"\\u0061": 1, "a" : 2}', {"a": 2}, "/a"),
    ],
)
def test_the_last_of_two_equal_keys_counts_and_is_told(
    text: str, value: object, pointer: str
) -> None:
    read = read_arguments(text)
    assert (read.value, read.status) == (value, "repaired")
    assert [(repair.kind, repair.pointer) for repair in read.repairs] == [
        ("duplicate_key", pointer)
    ]


@pytest.mark.rule("args-duplicate-keys-are-told")
def test_keys_that_stand_twice_are_told_in_long_texts_too() -> None:
    text = '{"a": 1, "u": "a:b", "b": [{"c" :2, "d": 3, "c": 4}], "e": "' + "x" * 4000 + '"}'
    read = read_arguments(text)
    assert read.value == {"a": 1, "u": "a:b", "b": [{"c": 4, "d": 3}], "e": "x" * 4000}
    assert [(repair.kind, repair.pointer) for repair in read.repairs] == [
        ("duplicate_key", "/b/0/c")
    ]
    stream = ArgumentStream()
    stream.feed(text)
    assert stream.finish() == read
    assert [repair.kind for repair in read_arguments(text + "}").repairs] == [
        "duplicate_key",
        "extra_closer",
    ]


@pytest.mark.rule("args-duplicate-keys-are-told")
@pytest.mark.parametrize("space", ["", " ", "\n", "\t", "\r"])
def test_space_before_a_colon_hides_no_key_that_stands_twice(space: str) -> None:
    assert kinds(f'{{"a"{space}: 1, "a": 2}}') == ["duplicate_key"]
    assert kinds(f'{{"a": 1, "b": "x:y", "a"{space}: 2}}') == ["duplicate_key"]


@pytest.mark.rule("args-duplicate-keys-are-told")
def test_equal_keys_in_different_objects_are_no_duplicates() -> None:
    assert kinds('[{"a": 1}, {"a": 2, "b": {"a": ":"}}]') == []


@pytest.mark.rule("args-no-nan")
@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "nan", "inf"])
def test_nan_and_infinity_are_malformed(word: str) -> None:
    read = read_arguments(f'{{"a": {word}}}')
    assert (read.value, read.status) == ({}, "malformed")
    assert "is no JSON value" in read.problem


@pytest.mark.rule("args-complete-json")
@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ('{"a": 1}', True),
        ("[1]", True),
        ('"s"', True),
        ("null", True),
        (" 12 ", True),
        ('{"a": "\\ud800"}', True),
        ('{"a": 1, "a": 2}', True),
        ("[" * 300 + "]" * 300, True),
        (None, False),
        ("", False),
        ("  ", False),
        ('{"a": 1', False),
        ('"s', False),
        ('{"a": 1,}', False),
        ('{"a": "x\ny"}', False),
        ('{"a": 1}{}', False),
        ('{"a": 1}{"b": 2}', False),
        ('{"a": "\\ud800"', False),
        ('{"a": "\\ud800"} x', False),
        ("NaN", False),
        ("True", False),
        ("x", False),
    ],
)
def test_only_json_as_it_stands_is_complete(text: str | None, complete: bool) -> None:
    assert is_complete_json(text) is complete
