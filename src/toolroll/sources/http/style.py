"""Values as the text of a path, a query or a header.

Source: OpenAPI 3.1, "Style Values" and "Style Examples", which follow RFC 6570, sections 3.2.2
(simple), 3.2.5 (label), 3.2.7 (matrix) and 3.2.8 (form). Every character outside the unreserved
set is percent-encoded (RFC 3986, section 2.3), so that a value cannot end its place.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, cast
from urllib.parse import quote

from toolroll.content import JsonValue, compact_json
from toolroll.sources.http.place import Style

Flat: TypeAlias = str | list[str] | list[tuple[str, str]]
"""A value in texts: a scalar, a list, or the pairs of an object."""

_RESERVED_KEPT = ":/?@!$'()*"
"""What `allow_reserved` keeps. The rest of the reserved characters ends or parts query values."""

_HEADER_UNFIT = re.compile(r"[^\t\x20-\x7e]")
_EXACT = 2**53


class UnfitError(Exception):
    """A value that its place cannot hold; the text says why, for a model.

    Args:
        problem: the fault in words.
        path: keys and indexes from the property to the value at fault.
    """

    def __init__(self, problem: str, *path: str | int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.path = path


def scalar_text(value: JsonValue) -> str:
    """A text, number or boolean as text.

    Raises:
        UnfitError: it is none of these, or a number that JSON cannot say.

    Example:
        >>> [scalar_text(value) for value in ("a", 7, 5.0, 0.5, True)]
        ['a', '7', '5', '0.5', 'true']
    """
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise UnfitError("must not hold half a surrogate pair") from error
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _digits(value)
    if isinstance(value, float) and math.isfinite(value):
        return str(int(value)) if value.is_integer() and abs(value) < _EXACT else repr(value)
    raise UnfitError("must be a text, a number or a boolean")


def _digits(value: int) -> str:
    try:
        return str(value)
    except ValueError as error:  # Python writes no number of thousands of digits
        raise UnfitError("must be a shorter number") from error


def flat(value: JsonValue) -> Flat:
    """A value in texts; what is null in an object counts as left out.

    Raises:
        UnfitError: lists or objects within a list or an object, null in a list.
    """
    if isinstance(value, Mapping):
        given = [(key, item) for key, item in value.items() if item is not None]
        return [(scalar_text(key), _within(item, key)) for key, item in given]
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_within(item, at) for at, item in enumerate(value)]
    return scalar_text(value)


def _within(value: JsonValue, at: str | int) -> str:
    try:
        return scalar_text(value)
    except UnfitError as error:
        raise UnfitError(error.problem, at) from error


def path_text(name: str, value: JsonValue, style: Style, *, explode: bool) -> str:
    """A value as (part of) a path segment, percent-encoded.

    Raises:
        UnfitError: it is empty, or no style can say it.

    Example:
        >>> path_text("id", "a/b", "simple", explode=False)
        'a%2Fb'
        >>> path_text("color", {"R": 1, "G": 2}, "matrix", explode=True)
        ';R=1;G=2'
    """
    parts = flat(value)
    if not parts:
        raise UnfitError("must not be empty")
    if style == "matrix":
        return _matrix(encoded(name), parts, explode=explode)
    between = "." if style == "label" and explode else ","
    text = _joined(parts, between, explode=explode)
    return f".{text}" if style == "label" else text


def _matrix(name: str, parts: Flat, *, explode: bool) -> str:
    if isinstance(parts, str):
        return f";{name}={encoded(parts)}"
    if explode:
        pairs = [item if isinstance(item, tuple) else (None, item) for item in parts]
        return "".join(
            f";{name if key is None else encoded(key)}={encoded(item)}" for key, item in pairs
        )
    return f";{name}={_joined(parts, ',', explode=False)}"


def query_texts(
    name: str, value: JsonValue, style: Style, *, explode: bool, allow_reserved: bool = False
) -> list[str]:
    """A value as the `name=value` pieces of a query, percent-encoded; [] for an empty list.

    Raises:
        UnfitError: the style cannot say it.

    Example:
        >>> query_texts("id", [1, 2], "form", explode=True)
        ['id=1', 'id=2']
        >>> query_texts("id", ["a b", "c"], "pipeDelimited", explode=False)
        ['id=a%20b%7Cc']
        >>> query_texts("filter", {"gt": 3}, "deepObject", explode=True)
        ['filter%5Bgt%5D=3']
    """
    return [
        f"{key}={text}"
        for key, text in query_pairs(
            name, value, style, explode=explode, write=_writer(allow_reserved=allow_reserved)
        )
    ]


def query_pairs(
    name: str,
    value: JsonValue,
    style: Style,
    *,
    explode: bool,
    write: Callable[[str], str],
) -> list[tuple[str, str]]:
    """The pairs of a query or a form; `write` encodes names and values.

    Raises:
        UnfitError: the style cannot say it.
    """
    parts = flat(value)
    if isinstance(parts, str):
        if style != "form":
            raise UnfitError(f"must be a list or an object to be written as {style}")
        return [(write(name), write(parts))]
    if not parts:
        return []
    if style == "deepObject":
        if not isinstance(parts[0], tuple):
            raise UnfitError("must be an object to be written as deepObject")
        pairs = cast("list[tuple[str, str]]", parts)
        return [(write(f"{name}[{key}]"), write(text)) for key, text in pairs]
    if explode:
        pairs = [item if isinstance(item, tuple) else (name, item) for item in parts]
        return [(write(key), write(text)) for key, text in pairs]
    between = {"spaceDelimited": write(" "), "pipeDelimited": write("|")}.get(style, ",")
    return [(write(name), _joined(parts, between, explode=False, write=write))]


def header_text(value: JsonValue, *, explode: bool) -> str:
    """A value as a header's, not encoded.

    Raises:
        UnfitError: it would end the header, be trimmed, or read as more items than it has.

    Example:
        >>> header_text(["a", "b"], explode=False)
        'a,b'
    """
    parts = flat(value)
    texts = [parts] if isinstance(parts, str) else [t for item in parts for t in _texts(item)]
    for text in texts:
        if _HEADER_UNFIT.search(text):
            raise UnfitError("must hold only visible ASCII characters, spaces and tabs")
        if text != text.strip(" \t"):
            raise UnfitError("must not begin or end with a space")
        if not isinstance(parts, str) and ("," in text or not text):
            raise UnfitError("must not hold an item that is empty or has a comma")
    return _joined(parts, ",", explode=explode, write=str)


def _texts(item: str | tuple[str, str]) -> tuple[str, ...]:
    return item if isinstance(item, tuple) else (item,)


def media_text(value: JsonValue, media_type: str) -> str:
    """A value as the text of a media type: JSON, or a scalar for any other.

    Raises:
        UnfitError: it cannot be written.
    """
    return json_text(value) if is_json(media_type) else scalar_text(value)


def json_text(value: JsonValue) -> str:
    """A value as compact JSON.

    Raises:
        UnfitError: it is no JSON, or holds half a surrogate pair.
    """
    try:
        text = compact_json(value)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise UnfitError("must be JSON") from error
    return text


def is_json(media_type: str) -> bool:
    """Whether a media type is JSON: `application/json`, `text/json` or any `+json`."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence in ("application/json", "text/json") or essence.endswith("+json")


def encoded(text: str) -> str:
    """Percent-encode everything but unreserved characters.

    Example:
        >>> encoded("../a b~%2e")
        '..%2Fa%20b~%252e'
    """
    return quote(text, safe="")


def _writer(*, allow_reserved: bool) -> Callable[[str], str]:
    if not allow_reserved:
        return encoded
    return lambda text: quote(text, safe=_RESERVED_KEPT)


def _joined(
    parts: Flat, between: str, *, explode: bool, write: Callable[[str], str] = encoded
) -> str:
    if isinstance(parts, str):
        return write(parts)
    equals = "=" if explode else between
    return between.join(equals.join(map(write, _texts(item))) for item in parts)
