"""Damaged arguments: what is put right, and what is an error."""

import pytest

from toolroll.repair import REPAIRS, ReadingRules, read_arguments, read_calls


def kinds(text: str) -> list[str]:
    return [repair.kind for repair in read_arguments(text).repairs]


@pytest.mark.rule("args-raw-control-characters")
def test_raw_control_characters_in_strings_are_kept() -> None:
    read = read_arguments('{"code": "def f():\n\treturn 1\n", "b": 1}')
    assert (read.value, read.status) == ({"code": "def f():\n\treturn 1\n", "b": 1}, "repaired")
    assert [(r.kind, r.pointer, r.at) for r in read.repairs] == [("control_character", "/code", 18)]


@pytest.mark.rule("args-double-escapes-on-request")
@pytest.mark.parametrize(
    ("text", "plain", "healed"),
    [
        ('{"t": "aten\\\\u00e7\\\\u00e3o"}', "aten\\u00e7\\u00e3o", "atenção"),
        ('{"t": "\\\\ud83d\\\\ude00"}', "\\ud83d\\ude00", "\U0001f600"),
        ('{"t": "\\\\ud83d x"}', "\\ud83d x", "\ud83d x"),
        ('{"t": "a\\\\nb \\\\u12"}', "a\\nb \\u12", "a\\nb \\u12"),
        ('{"t": "cut \\\\u00e7\\\\u00', "cut \\u00e7\\u00", "cut ç"),
        ('{"t": "cut \\\\ud83d', "cut \\ud83d", "cut "),
    ],
)
def test_double_escapes_are_healed_only_when_asked(text: str, plain: str, healed: str) -> None:
    assert read_arguments(text).value == {"t": plain}
    asked = read_arguments(text, ReadingRules(heal_unicode=True))
    assert asked.value == {"t": healed}
    if asked.complete and plain != healed:
        assert [(r.kind, r.pointer) for r in asked.repairs] == [("double_escape", "/t")]


@pytest.mark.rule("args-surroundings-are-taken-off")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('```json\n{"q": "v"}\n```', ["code_fence"]),
        ('```\n{"q": "v"}```', ["code_fence"]),
        ('````json\n{"q": "v"}\n````\n', ["code_fence"]),
        ('{"q": "v"}\n```', ["code_fence"]),
        (
            'Here you go:\n```json\n{"q": "v"}\n```\nDone.',
            ["text_before", "code_fence", "text_after"],
        ),
        ('x {"q": "v"}', ["text_before"]),
        ('"Sure" {"q": "v"}', ["text_before"]),
        ('{"q": "v"} trailing', ["text_after"]),
        ('Arguments: {"q": "v"}', ["text_before"]),
        ('<tool_call>\n{"q": "v"}\n</tool_call>', ["text_before", "text_after"]),
        ('search({"q": "v"});', ["text_before", "text_after"]),
        ('{"q": "v"}}', ["extra_closer"]),
        ('{"q": "v"}]}', ["extra_closer", "extra_closer"]),
        ('{"q": "v"},', ["trailing_comma"]),
        ('\ufeff {"q": "v"}', ["odd_space"]),
        ('{\u00a0"q":\u00a0"v"}', ["odd_space"]),
        ('{"q": "v"}\x00', ["text_after"]),
    ],
)
def test_what_stands_around_the_object_is_taken_off(text: str, told: list[str]) -> None:
    read = read_arguments(text)
    assert (read.value, read.status) == ({"q": "v"}, "repaired")
    assert kinds(text) == told


@pytest.mark.rule("args-syntax-of-other-languages")
@pytest.mark.parametrize(
    ("text", "value", "told"),
    [
        ('{"a": [1, 2,], "b": {"c": 1,},}', {"a": [1, 2], "b": {"c": 1}}, ["trailing_comma"]),
        (
            '{"a": 1, // one\n "b": 2 /* two */, # three\n "c": 3}',
            {"a": 1, "b": 2, "c": 3},
            ["comment"],
        ),
        ("{'a': 'it\\'s', 'b': \"x'y\"}", {"a": "it's", "b": "x'y"}, ["single_quotes"]),
        (
            """{'a': 'say "hi" "now" "o"', 'b': [1,], 'k,y': 2}""",
            {"a": 'say "hi" "now" "o"', "b": [1], "k,y": 2},
            ["single_quotes", "trailing_comma"],
        ),
        ("{'a': 'caf\\xe9\\n'}", {"a": "café\n"}, ["single_quotes"]),
        (
            '{"a": True, "b": None, "c": FALSE}',
            {"a": True, "b": None, "c": False},
            ["python_literal"] * 3,
        ),
        (
            '{"a": 1_000, "b": .5, "c": [+1, 1.]}',
            {"a": 1000, "b": 0.5, "c": [1, 1.0]},
            ["python_literal"] * 4,
        ),
        ("{a: 1, b_c: {d-e: 2}, $f: 3}", {"a": 1, "b_c": {"d-e": 2}, "$f": 3}, ["unquoted_key"]),
        ("{0: 1}", {"0": 1}, ["unquoted_key"]),
        ('{“a”: “x "y"”, "b": 1}', {"a": 'x "y"', "b": 1}, ["smart_quotes"]),
        (
            '{"a": "x" "b": 1\n"c": {} "d": 2}',
            {"a": "x", "b": 1, "c": {}, "d": 2},
            ["missing_comma"],
        ),
        ('{"a": "it\\\'s"}', {"a": "it's"}, ["escape"]),
        ('{"a": "x\\\\\'y"}', {"a": "x\\'y"}, []),
        ("None", {}, ["python_literal"]),
    ],
)
def test_syntax_with_one_reading_is_read(text: str, value: object, told: list[str]) -> None:
    read = read_arguments(text)
    assert (read.value, read.status) == (value, "repaired" if told else "complete")
    assert kinds(text) == told


@pytest.mark.rule("args-repairs-are-listed")
def test_repairs_say_kind_place_and_pointer_in_order() -> None:
    text = 'See: {\'ok\': True, rows: [{"é": None,}], /* x */ "t": "a\nb"}!'
    listed = [(r.kind, r.pointer, r.at, r.was) for r in read_arguments(text).repairs]
    assert listed == [
        ("text_before", "", 0, ""),
        ("single_quotes", "", 6, ""),
        ("python_literal", "/ok", 12, "True"),
        ("unquoted_key", "", 18, ""),
        ("python_literal", "/rows/0/é", 31, "None"),
        ("trailing_comma", "", 35, ""),
        ("comment", "", 40, ""),
        ("control_character", "/t", 55, ""),
        ("text_after", "", 59, ""),
    ]
    assert {kind for kind, *_ in listed} <= set(REPAIRS)


@pytest.mark.rule("args-guess-is-an-error")
@pytest.mark.parametrize(
    "text",
    [
        '{"a": word}',
        '{"a": he said}',
        '{"a": "x" b}',
        '{"a": "he said "hi", then left"}',
        '{"a": "he said "hi": b", "c": 1}',
        '{"a": "x""b": 1}',
        "{'a': '27'19.90', 'b': 'c'}",
        "{'a': 'it's', 'b': 'c'}",
        '{"a": 1 2}',
        "[1 2]",
        '["a" "b"]',
        '{"a": [1, 2}',
        '{"a": {"b": 1], "c": 2}',
        '{"a"}',
        '{"a": }',
        '{"a": , "b": 1}',
        '{, "a": 1}',
        "[1,, 2]",
        "{{{{",
        '{{"a": 1}}',
        '{"a": 007}',
        '{"a": 0x1f}',
        '{"a": 1.1.1}',
        '{"a": 1/3}',
        '{"a": "C:\\xampp"}',
        '{"a": "\\d+"}',
        '{"a": (1, 2)}',
        '{"a": ...}',
        '{"a": `x`}',
        '{"a": b"x"}',
        '"a": 1, "b": {"c": 2}}',
        'a": 1, "b": {"c": 2}',
        'filter: {"c": 2}}',
        '{"a": 1}, "b": 2}',
        '{"a": 1} "b": 2}',
        '{"a": 1}: {"b": 2}',
        '{"a": 1}[1, 2]',
        '[{"a": 1}]{"b": 2}',
        '{"a": 1} and [{"b": 2}]',
        '{"a": 1} then {b}',
        '{"a": 1} or {"b": 2}, "c": 3}',
        '{"a": "x," "b": 1}',
        '{"a": "f"x{y"}\\"", "b": 1}',
        '{"html": "<p>{fine"}</p>", "b": 1}',
        '{"html": "<p>{fine"}</p>"',
        'b": "y"}, {"c": 2}',
        '{"o": {} "a": 1}}',
        '{"a": 1 "b": 2 "a": 3}',
        "use {name} here",
        "not json",
        '["tool"] {"a": 1}',
        "True story",
    ],
)
def test_what_has_no_single_reading_is_malformed(text: str) -> None:
    read = read_arguments(text)
    assert (read.value, read.status, read.complete) == ({}, "malformed", False)
    assert (read.repairs, read.partial, read.dropped) == ((), (), ())
    assert read.problem.startswith("line 1, column ")
    assert [one.status for one in read_calls(text)] == ["malformed"]


@pytest.mark.rule("args-malformed-says-where")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": word}', "line 1, column 7: expected a value, found 'word'"),
        ('{\n  "é": 1,\n  "b": oops\n}', "line 3, column 8: expected a value, found 'oops'"),
        ('{"a" 1}', "line 1, column 6: expected a colon behind the key, found '1'"),
        ('{"a": 1 ;}', "line 1, column 9: expected a comma or \"}\", found ';'"),
        ("[1 2]", "line 1, column 4: expected a comma or \"]\", found '2'"),
        ("{=}", "line 1, column 2: expected a key in quotes, found '='"),
        ('{"a": "\\q"}', "line 1, column 8: unknown escape '\\\\q' in a string"),
        ("\n\n  nothing here", "line 3, column 3: found no JSON object"),
        ('{"a": \u202e}', "line 1, column 7: expected a value, found '\\u202e'"),
        (
            '{"a": ' + "x" * 50 + "}",
            "line 1, column 7: expected a value, found 'xxxxxxxxxxxxxxxxxxxx...'",
        ),
    ],
)
def test_the_problem_names_line_and_column_and_is_safe_to_show(text: str, problem: str) -> None:
    assert read_arguments(text).problem == problem
    assert problem.isascii()
