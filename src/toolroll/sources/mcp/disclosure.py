"""What of an answer is passed on: all but the credentials it was asked with."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol import ErrorResponse, Response
from toolroll.sources.secret import Secrets

_SENT_BACK = ("nextCursor", "requestState")
_ASKED = "inputRequests"
"""Fields that only the server reads again, and one whose keys it does: they stay as they came."""


def disclosed(
    message: Response | ErrorResponse, secrets: Secrets, raw: bytes | None = None
) -> Response | ErrorResponse:
    """An answer without secrets.

    Args:
        message: as it came.
        secrets: what it may not say.
        raw: the JSON it was read from, where it is at hand: one that shows no secret is not walked.
    """
    if isinstance(message, ErrorResponse):
        words = secrets.mask(message.message)
        return replace(message, message=words, data=secrets.masked(message.data))
    result = message.result
    if raw is None:
        shown = secrets.masked(result)
    else:
        shown = secrets.mask_json(result, raw.decode("utf-8", "replace"))
    if shown is result:
        return message
    return replace(message, result=_with_tokens(cast("JsonObject", shown), result, secrets))


def _with_tokens(shown: JsonObject, result: JsonObject, secrets: Secrets) -> JsonObject:
    """A result whose opaque texts go back to the server exactly as it wrote them."""
    back: dict[str, JsonValue] = {key: result[key] for key in _SENT_BACK if key in result}
    asked = result.get(_ASKED)
    if isinstance(asked, Mapping):
        back[_ASKED] = {key: secrets.masked(value) for key, value in asked.items()}
    return {**shown, **back}
