"""The patterns the reader scans with.

All repeats are possessive or atomic, so that no pattern ever goes back: a text is scanned in linear
time whatever it holds. A repeated group is written `(?>(?:...)*)`, never `(?:...)*+`: before 3.11.5
Python left the place amid a repetition that had failed. Source of the grammar: RFC 8259.
"""

import re

_SPACE = "[ \\t\\n\\r]*+"
_PLAIN = '"([^"\\\\\\x00-\\x1f]*+)"'
_NUMBER = "(-?(?:0|[1-9][0-9]*+))((?>(?:\\.[0-9]++)?)(?>(?:[eE][+-]?+[0-9]++)?))"
_SCALAR = f"(?:{_PLAIN}|{_NUMBER}|(true|false|null))"

_FLAT = '(\\[[^]\\["{}\\\\]*+(?>(?:"[^"\\\\\\x00-\\x1f]*+"[^]\\["{}\\\\]*+)*)\\])'

MEMBER = re.compile(
    f"{_SPACE}{_PLAIN}{_SPACE}:{_SPACE}(?>(?:(?:{_SCALAR}|{_FLAT}){_SPACE}([,}}]))?)"
)
"""A plain key, its colon and, where it is plain too, the value with what ends it.

Groups: key, text, whole part, rest of the number, literal, an array without others in it, end mark.
"""

ITEM = re.compile(f"{_SPACE}{_SCALAR}{_SPACE}([,\\]])")
"""A plain item of an array with what ends it. Groups as in `MEMBER`, without the key."""

_SINGLE = "'([^'\\\\\\x00-\\x1f]*+)'"
_SMART = "\u201c([^\u201d\\\\\\x00-\\x1f]*+)\u201d"
_ODD_KEY = f"(?:{_PLAIN}|{_SINGLE}|{_SMART}|([A-Za-z_$][\\w$-]*+))"
_ODD_SCALAR = f"(?:{_PLAIN}|{_SINGLE}|{_SMART}|{_NUMBER}|([A-Za-z]++))"

ODD_MEMBER = re.compile(
    f"{_SPACE}{_ODD_KEY}{_SPACE}:{_SPACE}(?>(?:(?:{_ODD_SCALAR}|{_FLAT}){_SPACE}([,}}]))?)"
)
"""As `MEMBER`, with other quotes, bare keys and words.

Groups: 1 to 4 a key in plain, single, typographic quotes, bare; 5 to 7 a text likewise; 8 and 9 the
whole part and the rest of a number; 10 a word; 11 an array without others in it; 12 the end mark.
"""

BLANK = re.compile(_SPACE)
MARK = re.compile(f"{_SPACE}([,}}\\]])")
COMMENT = re.compile("/\\*[^*]*+\\*++(?>(?:[^/*][^*]*+\\*++)*)/|(?://|\\#)[^\\n]*+\\n")
CONTROL = re.compile("[\\x00-\\x1f]")
NUMBER = re.compile(_NUMBER)
NUMBER_BEGUN = re.compile("[+-]?+(?>(?:[0-9][0-9_]*+)?)\\.?+[0-9_]*+(?>(?:[eE][+-]?+[0-9_]*+)?)")
_DIGITS = "[0-9](?>(?:_?[0-9])*)"
PYTHON_NUMBER = re.compile(
    f"[+-]?(?:(?:0|[1-9](?>(?:_?[0-9])*))(?:\\.(?:{_DIGITS})?)?|\\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?"
)
"""A decimal number as Python writes it beyond JSON: `1_000`, `.5`, `1.`, `+1`."""

WORD = re.compile("[\\w.+$-]*+")
NAME = re.compile("[\\w$-]*+")
ESCAPE_BEGUN = re.compile("\\\\(?>(?:u[0-9a-fA-F]{0,3}+|x[0-9a-fA-F]?+)?)")
HIGH_SURROGATE = re.compile("\\\\u[dD][89abAB][0-9a-fA-F]{2}")

QUOTES = {'"': '"', "'": "'", "\u201c": "\u201d"}
"""Opening and closing quotes."""

_ESCAPES = {
    '"': "[\"'\\\\/bfnrt]|u[0-9a-fA-F]{4}",
    "'": "[\"'\\\\/bfnrt]|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}",
    "\u201d": "[\"'\u201d\\\\/bfnrt]|u[0-9a-fA-F]{4}",
}


def _run(closing: str) -> str:
    return f"[^{closing}\\\\]*+(?>(?:\\\\(?:{_ESCAPES[closing]})[^{closing}\\\\]*+)*)"


RUN = {closing: re.compile(_run(closing)) for closing in QUOTES.values()}
"""By closing quote: as much of a string as is whole, without the quote."""

WHOLE = {closing: re.compile(_run(closing) + closing) for closing in QUOTES.values()}
"""By closing quote: the rest of a string and its closing quote."""

FENCE = re.compile("`{3,}+[ \\t]*+[\\w+-]*+\\s*+$")
"""An opening code fence at the end of a text."""

KEY_BEFORE = re.compile("[\"'\u201d]\\s*+:\\s*+$")
"""A quoted key and a colon at the end of a text: what follows is no whole object."""

LABEL_BEFORE = re.compile("[\\w\"'\u201d][ \\t]*+[:=][ \\t]*+$")
"""A word and a colon at the end of a text: a label, or a key whose object lost its beginning."""

BROKEN = re.compile("[}]|[\"'\u201d]\\s{0,20}+(?:[:}]|,\\s{0,20}+[\"'\u201c])")
"""What stands inside objects and hardly in prose: a closing brace, a key, two strings in a row."""
