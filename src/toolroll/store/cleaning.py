"""What of a record is kept: texts that every database takes, JSON of bounded size."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.ports.journal import JournalRecord
from toolroll.store.fault import StoreError

Redact: TypeAlias = Callable[[JsonObject], JsonObject]

LONGEST_TEXT = 1_000
LONGEST_JSON = 100_000
LEFT_OUT = "left out"

TEXTS = (
    "event",
    "call_id",
    "tool",
    "source",
    "parent",
    "principal",
    "tenant",
    "fingerprint",
    "digest",
    "outcome",
    "code",
)
"""The texts of a record."""


def storable(text: str) -> str:
    """A text that every database keeps: no NUL, no half of a surrogate pair, not too long.

    Example:
        >>> storable("call\\x00\\ud800")
        'call��'
    """
    text = text[:LONGEST_TEXT]
    if text.isascii() and "\0" not in text:
        return text
    return (
        text.replace("\0", "\ufffd").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    )


def storable_json(value: JsonObject, what: str) -> str:
    """An object as ASCII JSON; above 100,000 characters a note of its size in its place.

    Raises:
        StoreError: it is no JSON.
    """
    try:
        written = json.dumps(value, separators=(",", ":"), allow_nan=False, default=_as_json)
    except (TypeError, ValueError, RecursionError) as error:
        raise StoreError(f"{what} is no JSON that can be kept: {error}.") from error
    if len(written) > LONGEST_JSON:
        return json.dumps({LEFT_OUT: f"{len(written)} characters of JSON"})
    return written


def kept_input(record: JournalRecord, redact: Redact | None) -> str | None:
    """The input as it is kept; None without `redact`, or where none came."""
    if redact is None or record.input is None:
        return None
    return storable_json(redact(record.input), f"the input of {record.tool}")


def kept_domain(record: JournalRecord) -> str | None:
    """The application's own part as it is kept; None where there is none."""
    return storable_json(record.domain, f"the domain of {record.tool}") if record.domain else None


def kept_record(record: JournalRecord, redact: Redact | None) -> JournalRecord:
    """A record as it is read back."""
    domain = read_object(kept_domain(record))
    texts = {name: storable(getattr(record, name)) for name in TEXTS[1:]}
    kept = replace(record, input=read_object(kept_input(record, redact)), domain=domain or {})
    return replace(kept, **texts)


def read_object(text: object) -> JsonObject | None:
    """An object that was kept, or None."""
    return cast("JsonObject", json.loads(text)) if isinstance(text, str) else None


def _as_json(value: object) -> JsonValue:
    if isinstance(value, Mapping):
        return dict(cast("JsonObject", value))
    raise TypeError(f"{type(value).__name__} is no JSON")
