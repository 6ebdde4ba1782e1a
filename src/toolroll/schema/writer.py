"""What a handler's return value becomes.

| returned | result |
| --- | --- |
| `ToolResult` | itself |
| `str` | a text |
| list of `str` | lines: one text, joined by line breaks |
| None | an empty result |
| a content block, a list with blocks | these blocks; texts between them are text blocks |
| mapping, dataclass, model, number, boolean, other list | data, as JSON |
| `bytes` and anything without a JSON form | an error |

Where an output schema is declared, everything but `ToolResult` and blocks is data, and the data
must fit.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast, get_args

from toolroll.content import Content, JsonValue, Text, ToolResult
from toolroll.content.result import text_result
from toolroll.schema.check import Check, compile_check
from toolroll.schema.jsonable import dump_json, misfit
from toolroll.schema.limit import DEFAULT_LIMITS
from toolroll.schema.plain import fresh, is_plain

_BLOCKS = get_args(Content)
_BYTES = frozenset({bytes, bytearray, memoryview})
_DEPTH = DEFAULT_LIMITS.value_depth
_MOST = 10**4300
"""Python writes no number of more digits as text, and few readers of JSON take one."""


class PlainWriter:
    """Writes results by what the returned value is; made by `result_writer`.

    Args:
        schema: JSON Schema of the data, or None.

    Example:
        >>> PlainWriter(None).write({"n": 1}).data
        {'n': 1}
    """

    __slots__ = ("_check", "_schema")

    def __init__(self, schema: Mapping[str, JsonValue] | None) -> None:
        self._schema = schema
        self._check: Check | None = None

    def write(self, returned: object, /) -> ToolResult:
        """Turn what the handler returned into a result."""
        kind = returned.__class__
        if self._schema is not None:
            return self._declared(returned, self._schema)
        if kind is str:
            return text_result(cast("str", returned))
        return free_result(returned)

    def _declared(self, returned: object, schema: Mapping[str, JsonValue]) -> ToolResult:
        result = blocks_of(returned)
        if result is None:
            result = ToolResult(data=to_data(returned))
        if not result.is_error:
            self._must_fit(result.data, schema)
        return result

    def _must_fit(self, data: JsonValue, schema: Mapping[str, JsonValue]) -> None:
        if self._check is None:
            self._check = compile_check(schema)
        if self._check.accepts(data):
            return
        fault = self._check.faults(data)[0].to_issue()
        raise misfit(fault.pointer, fault.problem)


class DataWriter:
    """Writes what is returned as data, blocks and results apart; made for what a function declares.

    Args:
        dump: turns a returned value into data; None for what any value is as JSON.
    """

    __slots__ = ("_dump",)

    def __init__(self, dump: Callable[[object], JsonValue] | None) -> None:
        self._dump = dump

    def write(self, returned: object, /) -> ToolResult:
        """Turn what the handler returned into a result."""
        dump = self._dump
        result = blocks_of(returned)
        if result is None:
            return ToolResult(data=to_data(returned) if dump is None else dump(returned))
        if dump is not None and not result.is_error:
            return replace(result, data=dump(result.data))
        return result


def result_writer(output_schema: Mapping[str, JsonValue] | None = None) -> PlainWriter:
    """Make the writer of a tool.

    Args:
        output_schema: JSON Schema of `ToolResult.data`; None where nothing is declared.

    Example:
        >>> result_writer().write(["a", "b"])
        ToolResult(content=(Text(text='a\\nb', extra={}),), data=None, is_error=False, meta={})
        >>> result_writer().write({"count": 2}).data
        {'count': 2}
    """
    return PlainWriter(output_schema)


def free_result(returned: object) -> ToolResult:
    """The result of a value where nothing is declared."""
    result = blocks_of(returned)
    if result is not None:
        return result
    if returned is None:
        return ToolResult()
    if isinstance(returned, str):
        return text_result(str(returned))
    if isinstance(returned, (list, tuple)):
        items = cast("Sequence[object]", returned)
        if all(isinstance(item, str) for item in items) and not hasattr(items, "_fields"):
            return lines_result(cast("Sequence[str]", items))
        return ToolResult(data=to_data(items))
    return ToolResult(data=to_data(returned))


def lines_result(lines: Sequence[str]) -> ToolResult:
    """Lines as one text; no line, no text."""
    return text_result("\n".join(lines)) if lines else ToolResult()


def blocks_of(returned: object) -> ToolResult | None:
    """The result where a result or content blocks were returned, else None."""
    if isinstance(returned, ToolResult):
        return returned
    if isinstance(returned, _BLOCKS):
        return ToolResult((cast("Content", returned),))
    if not isinstance(returned, (list, tuple)):
        return None
    items = cast("Sequence[object]", returned)
    if not any(isinstance(item, _BLOCKS) for item in items):
        return None
    blocks: list[Content] = []
    for index, item in enumerate(items):
        if isinstance(item, str):
            blocks.append(Text(item))
        elif isinstance(item, _BLOCKS):
            blocks.append(cast("Content", item))
        else:
            raise misfit(
                f"/{index}", "must be a content block or a text, like its neighbours", returned=item
            )
    return ToolResult(tuple(blocks))


def to_data(returned: object) -> JsonValue:
    """A returned value as plain JSON.

    Raises:
        OutcomeError: it has no JSON form.
    """
    if is_plain(returned, _DEPTH):
        return own_data(cast("JsonValue", returned))
    if type(returned) in _BYTES:
        raise misfit(
            "",
            "must not be bytes: return base64 text, or an Image or Audio block",
            returned=returned,
        )

    if _holds_an_iterator(returned, _DEPTH):
        # Its body would run here, without a limit and perhaps without an end.
        raise misfit("", "must not be an iterator: return a list", returned=returned)
    written = dump_json(returned)
    if not is_plain(written, _DEPTH):
        raise misfit(
            "",
            "must be JSON: finite numbers, texts as keys, not nested too deep",
            returned=returned,
        )
    return written


def own_data(plain: JsonValue) -> JsonValue:
    """A copy of plain JSON: the handler may go on with its own.

    Raises:
        OutcomeError: it holds a number that cannot be written.
    """
    if not _has_writable_numbers(plain):
        raise misfit("", "must hold no number of more than 4300 digits")
    return fresh(plain)


def _has_writable_numbers(value: object) -> bool:
    """Whether Python writes each number in a plain value as text."""
    if value.__class__ is int:
        return -_MOST < cast("int", value) < _MOST
    if value.__class__ is dict:
        return all(map(_has_writable_numbers, cast("dict[str, object]", value).values()))
    return value.__class__ is not list or all(
        map(_has_writable_numbers, cast("list[object]", value))
    )


def _holds_an_iterator(value: object, depth: int) -> bool:
    if isinstance(value, Iterator):
        return True
    if depth <= 0 or not isinstance(value, (dict, list, tuple)):
        return False
    held = cast("Mapping[object, object] | Sequence[object]", value)
    items = held.values() if isinstance(held, Mapping) else held
    return any(_holds_an_iterator(item, depth - 1) for item in items)
