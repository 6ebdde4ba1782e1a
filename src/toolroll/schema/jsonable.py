"""Returned values as JSON, and the error of those that have no JSON form."""

from toolroll.content import JsonValue
from toolroll.outcome import OutcomeError


def dump_json(value: object) -> JsonValue:
    """Any value with a JSON form as JSON: models, dataclasses, dates, enums, sets, ...

    Raises:
        OutcomeError: it has none.

    Example:
        >>> import datetime
        >>> dump_json({"on": datetime.date(2026, 1, 2)})
        {'on': '2026-01-02'}
    """
    from pydantic_core import (  # noqa: PLC0415 - only where something else than JSON is returned
        PydanticSerializationError,
        to_jsonable_python,
    )

    try:
        return to_jsonable_python(value, by_alias=True, bytes_mode="base64")
    except (PydanticSerializationError, ValueError, TypeError, RecursionError) as error:
        raise misfit("", "must have a JSON form", returned=value) from error


def misfit(pointer: str, problem: str, *, returned: object = None) -> OutcomeError:
    """The error of a result that cannot be used; names the place, shows no value.

    Args:
        pointer: JSON pointer of the place.
        problem: what it must be.
        returned: what came; only its type is told, and only to the log.

    Example:
        >>> misfit("/count", "must be integer").message
        'The tool ran, but its result cannot be used: at /count: must be integer.'
    """
    kind = type(returned)
    came = "" if returned is None else f" (returned {kind.__module__}.{kind.__qualname__})"
    place = pointer or "/"
    return OutcomeError(
        "failed",
        "invalid-result",
        f"The tool ran, but its result cannot be used: at {place}: {problem}.",
        detail=f"at {place}: {problem}{came}",
    )
