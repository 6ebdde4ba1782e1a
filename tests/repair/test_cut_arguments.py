"""Arguments that stop early: what is kept, what goes, what is told."""

import pytest

from toolroll.repair import read_arguments

# Raw text, what the tool definition contract reads from it, and what we read where that differs.
SALVAGE = [
    ('{"a":1,"b":"x","c":"par', {"b": "x", "c": "par"}, {"a": 1, "b": "x", "c": "par"}),
    ('{"title":"A","n":12', {"title": "A"}, None),
    (
        '{"path":"a.py","content":"line1\\nline2\\',
        {"path": "a.py", "content": "line1\nline2"},
        None,
    ),
    ('{"s":"aten\\u00', {"s": "aten"}, None),
    ('{"quote":"she said \\"yes\\" and left', {"quote": 'she said "yes" and left'}, None),
    ('{}{"query":"foo"}', {"query": "foo"}, None),
    ('{"skip":1}{"keep":"yes"}', {"keep": "yes"}, None),
    ('x {"q":"v"}', {"q": "v"}, None),
    ('{"q":"v"} trailing', {"q": "v"}, None),
    ('{"q":1} trailing', {}, {"q": 1}),  # numbers are kept
    ('{"a":"done"', {}, {"a": "done"}),  # a defect: a string that ends at the cut is lost
    ('{"filter":{"q":"x"}', {"q": "x"}, {"filter": {"q": "x"}}),  # a defect: the inner object wins
    ('{"a":"x","o":{"k":"v"}, "t":"cu', None, {"a": "x", "o": {"k": "v"}, "t": "cu"}),  # hoisted
    ('{"a":"1"}{}', {}, {"a": "1"}),  # an empty object never wins
    ('{"k":"","t":"abc', {"k": "", "t": "abc"}, None),
    ('{"k":"', {}, None),
    ("{{{{", {}, None),
    ("not json", {}, None),
    ("[1,2]", {}, [1, 2]),  # other JSON is the value; who wants an object only takes {}
    ('"s"', {}, "s"),
    ("null", {}, None),
]


@pytest.mark.rule("args-salvage-rows", "args-cut-keeps-what-is-certain")
@pytest.mark.parametrize(("text", "contract", "ours"), SALVAGE, ids=[row[0] for row in SALVAGE])
def test_the_salvage_rows_hold_but_for_the_defects(
    text: str, contract: object, ours: object
) -> None:
    assert read_arguments(text).value == (contract if ours is None else ours)


@pytest.mark.rule("args-cut-names-what-is-partial", "args-cut-keeps-what-is-certain")
@pytest.mark.parametrize(
    ("text", "value", "partial"),
    [
        ("{", {}, ()),
        ('{"a', {}, ()),
        ('{"a"', {}, ()),
        ('{"a":', {}, ("/a",)),
        ('{"a": "', {}, ("/a",)),
        ('{"a": "x', {"a": "x"}, ("/a",)),
        ('{"a": "x"', {"a": "x"}, ()),
        ('{"a": "x",', {"a": "x"}, ()),
        ('{"a": 1', {}, ("/a",)),
        ('{"a": 1 ', {"a": 1}, ()),
        ('{"a": -', {}, ("/a",)),
        ('{"a": 1.5e', {}, ("/a",)),
        ('{"a": tru', {}, ("/a",)),
        ('{"a": Non', {}, ("/a",)),
        ('{"a": true', {"a": True}, ()),
        ('{"a": null', {"a": None}, ()),
        ('{"a": [', {"a": []}, ("/a",)),
        ('{"a": ["x", "y', {"a": ["x", "y"]}, ("/a", "/a/1")),
        ('{"a": ["x", 1', {"a": ["x"]}, ("/a", "/a/1")),
        (
            '{"a": [{"b": {"c/d": "x',
            {"a": [{"b": {"c/d": "x"}}]},
            ("/a", "/a/0", "/a/0/b", "/a/0/b/c~1d"),
        ),
        ('{"a": {"b": 1}, "c": {', {"a": {"b": 1}, "c": {}}, ("/c",)),
        ('{"a": {"b": "x"}', {"a": {"b": "x"}}, ()),
        ('[1, "x', [1, "x"], ("/1",)),
        ('```json\n{"a": "x', {"a": "x"}, ("/a",)),
        ('Sure: {"a": "x', {"a": "x"}, ("/a",)),
        ("{'a': 'x", {"a": "x"}, ("/a",)),
        ("{a: 'x', b", {"a": "x"}, ()),
        ('{"a": "x" /* note', {"a": "x"}, ()),
        ('{"a": 1 // note', {"a": 1}, ()),
        ('{"a": "\\ud83d', {}, ("/a",)),
        ('{"a": "x\\ud83d\\ude', {"a": "x"}, ("/a",)),
        ('{"a": "\\\\ud83d', {"a": "\\ud83d"}, ("/a",)),
    ],
)
def test_a_cut_text_keeps_what_is_certain_and_names_the_rest(
    text: str, value: object, partial: tuple[str, ...]
) -> None:
    read = read_arguments(text)
    assert (read.value, read.status, read.partial) == (value, "truncated", partial)
    assert not read.complete


@pytest.mark.rule("args-cut-is-told")
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": "hel', [("closed_string", "/a", 10), ("closed_object", "", 10)]),
        (
            '{"a": [{"b": 12',
            [
                ("dropped_value", "/a/0/b", 13),
                ("closed_object", "", 15),
                ("closed_array", "", 15),
                ("closed_object", "", 15),
            ],
        ),
        ('{"a": 1, "b', [("dropped_key", "", 9), ("closed_object", "", 11)]),
        ('{"a": "', [("dropped_value", "/a", 7), ("closed_object", "", 7)]),
        ('{"a": [1, ', [("closed_array", "", 10), ("closed_object", "", 10)]),
    ],
)
def test_how_a_cut_text_was_closed_is_told(text: str, told: object) -> None:
    repairs = read_arguments(text).repairs
    assert [(repair.kind, repair.pointer, repair.at) for repair in repairs] == told


@pytest.mark.rule("args-guess-is-an-error")
@pytest.mark.parametrize("text", ['{"a": wor', '{"a": "x" b: "', '{"a": 1.1.', '{"a": trux'])
def test_a_cut_text_that_cannot_be_right_is_malformed(text: str) -> None:
    assert read_arguments(text).status == "malformed"
