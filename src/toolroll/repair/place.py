"""Places in a text of JSON: as the strict parser says them, and as pointers say them."""

from toolroll.repair.strict import parse_strict
from toolroll.repair.value import step_to


def offset_of(text: str, line: int, column: int) -> int:
    """The offset of a place that the strict parser names by its line and the bytes before it there.

    Example:
        >>> offset_of('{"é": True}', 1, 7)
        6
    """
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at + len(text[at : at + column].encode()[:column].decode(errors="ignore"))


def pointer_behind(before: str) -> str | None:
    """The pointer of the value that comes behind a beginning of JSON; None where none can.

    Example:
        >>> pointer_behind('{"a": [1, {"b": ')
        '/a/1/b'
    """
    try:
        value = parse_strict(f"{before}null", allow_inf_nan=False, allow_partial="trailing-strings")
    except (ValueError, TypeError):
        return None
    pointer = ""
    while value:
        if isinstance(value, dict):
            key = next(reversed(value))
            value = value[key]
        elif isinstance(value, list):
            key = len(value) - 1
            value = value[-1]
        else:
            break
        pointer += step_to(key)
    return pointer
