"""Strict JSON by the fastest parsers at hand: for a whole text, a part of one, a string."""

from collections.abc import Callable
from json import JSONDecoder
from json.scanner import make_scanner
from typing import Any, Literal, Protocol, cast

from pydantic_core import from_json

from toolroll.content import JsonValue


class _Parser(Protocol):
    def __call__(
        self,
        data: str,
        /,
        *,
        allow_inf_nan: bool,
        cache_strings: Literal["all", "keys", "none"] = "keys",
        allow_partial: Literal["off", "trailing-strings"] = "off",
    ) -> JsonValue: ...


def _refuse(constant: str) -> JsonValue:
    raise ValueError(constant)  # NaN and the infinities


parse_strict = cast("_Parser", from_json)
"""Parse a text with `allow_inf_nan=False`; whole numbers are exact.

Raises `ValueError` where the text is no JSON or nested deeper than `DEEPEST_PARSED` levels, and
`TypeError` where it holds half a surrogate pair.

With `allow_partial="trailing-strings"` a text that is cut is parsed as far as it goes: an open
string is in the value, and so is a number at the end; a word or a key is not. The options are given
in each call, because a call through `functools.partial` takes twice as long.
"""

DEEPEST_PARSED = 201

CUT = "EOF while parsing"
"""How the message of `parse_strict` begins where the text is a beginning of JSON."""

BEHIND = "trailing characters"
"""How it begins where JSON is whole and more follows."""

NO_COMMA = "expected `,` or `}`"
"""How it begins where an object goes on without a comma."""

NO_KEY = "key must be a string"
"""How it begins where a key has no quotes, or others."""

NO_VALUE = "expected value"
"""How it begins where a word stands that is none of JSON."""

LAST_COMMA = "trailing comma"
"""How it begins at a closing bracket behind a comma."""

parse_at = cast(
    "Callable[[str, int], tuple[JsonValue, int]]",
    make_scanner(cast("Any", JSONDecoder(parse_constant=_refuse))),
)
"""Parse the value that begins at an offset, and say where it ends.

Raises one of `NOT_PARSED` where it is no JSON or nested too deep.
"""

NOT_PARSED = (ValueError, StopIteration, RecursionError)

parse_string = cast("Callable[[str], tuple[str, int]]", JSONDecoder(strict=False).raw_decode)
"""Parse a string with its quotes; control characters may stand in it, lone surrogates stay."""
