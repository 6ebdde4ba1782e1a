"""Values, and texts that are almost JSON, for properties."""

import json

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


ANY_TEXT = ALMOST_JSON | damaged() | st.text(st.characters(exclude_categories=()))
