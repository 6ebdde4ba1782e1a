"""Arguments inside a string, several objects in one text, and the limits of reading."""

import pytest

from toolroll.repair import ReadingRules, read_arguments, read_calls


def kinds(text: str) -> list[str]:
    return [repair.kind for repair in read_arguments(text).repairs]


@pytest.mark.rule("args-encoded-twice")
@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ('"{\\n  \\"city\\": \\"Bengaluru\\"\\n}"', {"city": "Bengaluru"}, ["encoded_twice"]),
        ("\"{'a': 1}\"", {"a": 1}, ["encoded_twice", "single_quotes"]),
        ('"{}"', {}, ["encoded_twice"]),
        ('"[1]"', "[1]", []),
        ('"{not json}"', "{not json}", []),
        ('"text"', "text", []),
        ('"\\"{}\\""', '"{}"', []),
        ('{"s": "{\\"a\\": 1}"}', {"s": '{"a": 1}'}, []),
    ],
)
def test_one_layer_is_peeled_off_an_object_only(text: str, value: object, told: list[str]) -> None:
    assert read_arguments(text).value == value
    assert kinds(text) == told


@pytest.mark.rule("args-encoded-twice")
def test_a_cut_string_that_holds_an_object_is_cut() -> None:
    read = read_arguments('"{\\"a\\": 1, \\"b\\": \\"x')
    assert (read.value, read.status, read.partial) == ({"a": 1, "b": "x"}, "truncated", ("/b",))
    whole_inside = read_arguments('"{\\"a\\": 1}')
    assert (whole_inside.value, whole_inside.status) == ({"a": 1}, "truncated")


@pytest.mark.rule("args-several-objects")
@pytest.mark.parametrize(
    ("text", "value", "status", "dropped"),
    [
        ('{}{"query": "foo"}', {"query": "foo"}, "repaired", ()),
        ('{"a": 1}{}', {"a": 1}, "repaired", ()),
        ('{"a": 1}{"a": 1}', {"a": 1}, "repaired", ()),
        ('{"a": 1, "b": 2} {"b": 2, "a": 1}', {"a": 1, "b": 2}, "repaired", ()),
        ('{"a": 1}{"a": 1.0}', {"a": 1.0}, "concatenated", ({"a": 1},)),
        ('{"a": 1}{"a": true}', {"a": True}, "concatenated", ({"a": 1},)),
        ('{"x": 1}{"y": 2}', {"y": 2}, "concatenated", ({"x": 1},)),
        ('{"x": 1}, {"y": 2},\n{"z": 3}', {"z": 3}, "concatenated", ({"x": 1}, {"y": 2})),
        ("{}{}", {}, "repaired", ()),
        ('{"x": 1}{"y": "cu', {"y": "cu"}, "truncated", ({"x": 1},)),
        ('{"x": 1}{', {"x": 1}, "truncated", ()),
        ('<t>{"x": 1}</t><t>{"y": 2}</t>', {"y": 2}, "concatenated", ({"x": 1},)),
    ],
)
def test_several_objects_are_told_apart(
    text: str, value: object, status: str, dropped: object
) -> None:
    read = read_arguments(text)
    assert (read.value, read.status, read.dropped) == (value, status, dropped)


@pytest.mark.rule("args-glued-calls")
@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('{"url": "u1"}{"url": "u2"}{"url": "u3"}', [{"url": "u1"}, {"url": "u2"}, {"url": "u3"}]),
        ('{}{"a": 1}{}{"a": 1}{"b": 2}', [{"a": 1}, {"b": 2}]),
        ('{"s": "x}{y", "t": "{\\"a\\":1}{"}', [{"s": "x}{y", "t": '{"a":1}{'}]),
        ('{"a": 1}', [{"a": 1}]),
    ],
)
def test_glued_calls_come_apart(text: str, values: object) -> None:
    assert [one.value for one in read_calls(text)] == values


@pytest.mark.rule("args-glued-calls")
def test_each_of_the_glued_calls_tells_its_own_repairs_and_whether_it_is_cut() -> None:
    first, second, third = read_calls('{"a": 1,}{"b": None} {"c": "x')
    assert [repair.kind for repair in first.repairs] == ["trailing_comma"]
    assert [repair.kind for repair in second.repairs] == ["python_literal"]
    assert [one.status for one in (first, second, third)] == ["repaired", "repaired", "truncated"]
    assert third.partial == ("/c",)
    assert len(read_arguments('{"a": 1,}{"b": None} {"c": "x').repairs) == 4


@pytest.mark.rule("args-limits-hold")
@pytest.mark.parametrize("text", ["[" * 256 + "]" * 256, '{"a":' * 255 + "{}" + "}" * 255])
def test_256_levels_are_read_and_one_more_is_not(text: str) -> None:
    assert read_arguments(text).status == "complete"
    assert "nested deeper than 256 levels" in read_arguments(f"[{text}]").problem
    assert "nested deeper than 20 levels" in read_arguments(text, ReadingRules(depth=20)).problem
    assert read_arguments(f"[{text}]", ReadingRules(depth=257)).status == "complete"


@pytest.mark.rule("args-limits-hold")
def test_size_objects_and_listed_repairs_can_be_set() -> None:
    text = '{"a": "' + "x" * 100 + '"}'
    assert "longer than 50 characters" in read_arguments(text, ReadingRules(size=50)).problem
    assert read_arguments(text, ReadingRules(size=len(text))).status == "complete"
    many = "".join(f'{{"n": {n}}}' for n in range(5))
    assert "more than 4 objects" in read_arguments(many, ReadingRules(objects=4)).problem
    assert len(read_calls(many, ReadingRules(objects=5))) == 5
    odd = "{" + ", ".join(f"'k{n}': None" for n in range(50)) + ', "z": .5,}'
    few = read_arguments(odd, ReadingRules(repairs=10))
    assert few.value == read_arguments(odd).value
    assert [r.kind for r in few.repairs].count("python_literal") == 9
    assert {r.kind for r in few.repairs} == {"single_quotes", "python_literal", "trailing_comma"}


@pytest.mark.rule("args-limits-hold")
@pytest.mark.parametrize(
    "wrong", [{"depth": 0}, {"depth": 501}, {"size": 0}, {"objects": 0}, {"repairs": 0}]
)
def test_a_limit_out_of_range_is_an_error(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="must be"):
        ReadingRules(**wrong)


@pytest.mark.rule("args-limits-hold")
def test_a_number_that_python_cannot_hold_is_malformed() -> None:
    assert "too many digits" in read_arguments('{"a": ' + "1" * 5000 + "}").problem
