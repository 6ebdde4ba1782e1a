"""Values, and texts that are almost JSON, for properties."""

import json
import re

from hypothesis import strategies as st

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=()))
    | st.sampled_from(
        ["it's {x}", 'say "hi": 1,', "a\\nb \\u00e9", "// no", "}{", "\ud83d\ude00", "```"]
    )
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
OBJECTS = st.dictionaries(st.text(max_size=6), VALUES, max_size=5)

_PIECES = [
    *"{}[]:,\"'\\ \n\tabnu01-.eE/#*`;=<>",
    *['{"a": ', '"b":', '"c"', "true", "None", "NaN", "\\u", "\\ud83d", "\\ude00", "\\n", "\\'"],
    *["```json\n", "```", "//", "/*", "*/", "\ufeff", "\x00", "é", "“", "”", "😀", "\ud800", "1_0"],
    *['{"k": "v"}', "{}", "[]", "Here: ", '\\"', "\\\\"],
]
ALMOST_JSON = st.lists(st.sampled_from(_PIECES), max_size=30).map("".join)


@st.composite
def json_of(draw: st.DrawFn, values: st.SearchStrategy[object]) -> tuple[object, str]:
    """A value and one of the ways to write it."""
    value = draw(values)
    return value, json.dumps(
        value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 2]))
    )


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """The text of an object with one piece put in, taken out or in the place of another."""
    _, text = draw(json_of(OBJECTS))
    start = draw(st.integers(0, len(text)))
    end = min(start + draw(st.integers(0, 3)), len(text))
    return text[:start] + draw(st.sampled_from(["", *_PIECES])) + text[end:]


def _bare(text: str) -> str:
    return re.sub(r'"([A-Za-z_]\w*)":', r"\1:", text)


_SYNTAX = [
    str,
    lambda text: repr(json.loads(text)),
    _bare,
    lambda text: text.replace(', "', ' "', 1),
    lambda text: text.replace("}", ",}", 1),
    lambda text: text.replace("{", "{ // which\n", 1),
    lambda text: text.replace(", ", ", /* and */ ", 1),
    lambda text: text.replace("\\n", "\n"),
    lambda text: text.replace("true", "True").replace("null", "None"),
    lambda text: re.sub(r'"(\w+)":', "\u201c\\1\u201d:", text),
    lambda text: text.replace("'", "\\'"),
    lambda text: text + "}",
    lambda text: text + text,
    lambda text: "{}" + text,
]
_AROUND = [
    "{}",
    "```json\n{}\n```",
    "Sure, it's:\n{}\nDone.",
    "<call>{}</call>",
    "\ufeff{} ",
    "f({});",
]


@st.composite
def habitual(draw: st.DrawFn) -> str:
    """The text of an object in the manner of models, often with one more piece put in or cut."""
    keys = st.sampled_from(["path", "text", "n_1", "a-b", "é", "x/y", "path:"])
    _, text = draw(json_of(st.dictionaries(keys, VALUES, max_size=5)))
    text = draw(st.sampled_from(_SYNTAX))(text)
    text = draw(st.sampled_from(_AROUND)).replace("{}", text, 1)
    start = draw(st.integers(0, len(text)))
    how = draw(st.sampled_from(["whole", "whole", "cut", "put in"]))
    if how == "cut":
        return text[:start]
    piece = draw(st.sampled_from(_PIECES)) if how == "put in" else ""
    return text[:start] + piece + text[start:]


ANY_TEXT = ALMOST_JSON | damaged() | habitual() | st.text(st.characters(exclude_categories=()))
