"""`x-mcp-header` marks: arguments that also travel as HTTP headers.

A mark may stand on a property that is reached through `properties` alone. One that stands elsewhere
is a fault, and a tool with a fault is left out of the list by an HTTP client.

Source: MCP 2026-07-28, server/tools, "x-mcp-header", and basic/transports/streamable-http,
"Custom Headers from Tool Parameters".
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import is_plain
from toolroll.protocol.header import PARAM_PREFIX, decode_value, encode_value
from toolroll.schema.error import SchemaTooLarge
from toolroll.schema.pointer import parts_of
from toolroll.schema.walk import places

MARK = "x-mcp-header"
"""The keyword."""

MarkKind: TypeAlias = Literal["string", "integer", "boolean", "number"]

_MARKED = frozenset({MARK})
_KINDS = ("string", "integer", "boolean")
_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_BIGGEST = 2**53 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One marked property.

    Args:
        name: what follows `Mcp-Param-` in the header's name.
        path: names of the properties that lead to it, from the root.
        kind: the type its schema declares.

    Example:
        >>> Mark(name="Region", path=("region",), kind="string").header
        'Mcp-Param-Region'
    """

    name: str
    path: tuple[str, ...]
    kind: MarkKind

    @property
    def header(self) -> str:
        """The header's name."""
        return PARAM_PREFIX + self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkReading:
    """The marks of a schema, and what is wrong with them (empty: the tool can be used).

    Args:
        marks: in the schema's order.
        faults: one sentence each; with one, the protocol leaves the tool out.

    Example:
        >>> region = {"type": "string", "x-mcp-header": "Region"}
        >>> reading = find_marks({"type": "object", "properties": {"region": region}})
        >>> [mark.path for mark in reading.marks], reading.faults
        ([('region',)], ())
    """

    marks: tuple[Mark, ...]
    faults: tuple[str, ...]


_NO_MARKS = MarkReading(marks=(), faults=())


def find_marks(schema: JsonObject, *, number_marks: bool = False) -> MarkReading:
    """Find the marks of an input schema and check each.

    Args:
        schema: the input schema.
        number_marks: take a mark on a `number` too, which the protocol forbids.

    Example:
        >>> schema = {"properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
        >>> find_marks(schema).marks
        (Mark(name='Region', path=('region',), kind='string'),)
    """
    if is_plain(schema, _MARKED):
        return _NO_MARKS
    marks: dict[str, Mark] = {}
    faults: list[str] = []
    try:
        for place in places(schema):
            if place.mapping is None or MARK not in place.mapping:
                continue
            mark = _read_mark(place.pointer, place.mapping, number_marks=number_marks)
            if isinstance(mark, str):
                faults.append(mark)
            elif mark.name.lower() in marks:
                faults.append(f"{MARK} {mark.name!r} stands twice")
            else:
                marks[mark.name.lower()] = mark
    except SchemaTooLarge as error:
        faults.append(str(error))
    return MarkReading(marks=tuple(marks.values()), faults=tuple(faults))


def mark_headers(marks: Sequence[Mark], arguments: JsonObject) -> tuple[tuple[str, str], ...]:
    """The headers that go with a call; an argument that is null or absent has none.

    Args:
        marks: from `find_marks` of the tool's schema.
        arguments: of the call.

    Raises:
        ValueError: an integer beyond 2**53-1, or a number that is not finite; the message names
            the argument.

    Example:
        >>> mark_headers([Mark(name="N", path=("n",), kind="integer")], {"n": 42})
        (('Mcp-Param-N', '42'),)
    """
    headers: list[tuple[str, str]] = []
    for mark in marks:
        text = _header_text(mark, _value_at(arguments, mark.path))
        if text is not None:
            headers.append((mark.header, encode_value(text)))
    return tuple(headers)


def check_mark_headers(
    marks: Sequence[Mark], arguments: JsonObject, headers: Mapping[str, str]
) -> str | None:
    """What a server has to say of the headers of a call: a reason to refuse it, or None.

    Args:
        marks: of the tool that is called.
        arguments: as the body has them.
        headers: names in lower case.

    Example:
        >>> marks = [Mark(name="N", path=("n",), kind="integer")]
        >>> check_mark_headers(marks, {"n": 42}, {"mcp-param-n": "42.0"}) is None
        True
        >>> check_mark_headers(marks, {"n": 42}, {})
        'Mcp-Param-N is missing'
    """
    for mark in marks:
        value = _value_at(arguments, mark.path)
        sent = headers.get(mark.header.lower())
        try:
            wanted = _header_text(mark, value)
        except ValueError as error:
            return str(error)
        if wanted is None:
            if sent is not None:
                return f"{mark.header} stands for no argument"
        elif sent is None:
            return f"{mark.header} is missing"
        elif not _says_the_same(decode_value(sent), wanted, value):
            return f"{mark.header} differs from the argument"
    return None


def _read_mark(pointer: str, schema: JsonObject, *, number_marks: bool) -> Mark | str:
    name, kind = schema[MARK], schema.get("type")
    parts = parts_of(pointer)
    if not parts or len(parts) % 2 or set(parts[::2]) != {"properties"}:
        return f"{MARK} at {pointer or '/'} stands where no plain property is"
    place = ".".join(parts[1::2])
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return f"{MARK} of {place!r} is not an HTTP token"
    if kind in _KINDS or (kind == "number" and number_marks):
        return Mark(name=name, path=tuple(parts[1::2]), kind=cast("MarkKind", kind))
    return f"{MARK} of {place!r} stands on a type other than {', '.join(_KINDS)}"


def _value_at(arguments: JsonObject, path: tuple[str, ...]) -> JsonValue:
    value: JsonValue = arguments
    for name in path:
        value = cast("JsonObject", value).get(name) if isinstance(value, Mapping) else None
    return value


def _header_text(mark: Mark, value: JsonValue) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    if not isinstance(value, (int, float)):
        return None
    if not abs(value) < math.inf or (value == int(value) and abs(value) > _BIGGEST):
        raise ValueError(f"{'.'.join(mark.path)} must be a number between -(2**53-1) and 2**53-1")
    return str(int(value)) if value == int(value) else json.dumps(value)


def _says_the_same(sent: str | None, wanted: str, value: JsonValue) -> bool:
    if sent == wanted:
        return True
    if sent is None or isinstance(value, (bool, str)) or not isinstance(value, (int, float)):
        return False
    return bool(re.fullmatch(r"-?\d{1,20}(\.\d{1,20})?", sent)) and float(sent) == value
