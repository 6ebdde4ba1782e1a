"""What went wrong on the wire, as errors of a source.

    HTTP status                       reason            may have run   retryable
    401, 403                          authentication    no             no
    403 with Retry-After              unavailable       no             yes
    404, 405, 410                     unavailable       no             no
    408, 429, 503                     unavailable       no             yes
    413                               invalid-input     no             no
    500, 502, 504 and other 5xx       unavailable       yes            where it may be repeated
    300 to 399                        invalid-response  no             no
    any other                         source-error      no             no

    JSON-RPC error                    reason            may have run
    -32602                            invalid-input     no
    -32601, -32021, -32022, -32042    unsupported       no
    -32700, -32600, -32020            source-error      no
    any other                         source-error      yes

Only the words of an `invalid-input` reach a model; they are cleaned, cut, and our own credentials
and address are taken out. The rest of what a server says is for the host.
"""

import re
import time
from email.utils import parsedate_to_datetime

from toolroll.protocol import (
    HEADER_MISMATCH,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    ErrorResponse,
)
from toolroll.sources.address import without_addresses
from toolroll.sources.secret import Secrets
from toolroll.sources.source import SourceError, SourceReason
from toolroll.text import sanitize_line

LONGEST_WORDS = 500
"""Most characters of a server's words in an error."""

LONGEST_WAIT = 24 * 3600.0
"""Most seconds of a `Retry-After` that is believed."""

_LOOKED_AT = 64 * 1024
"""Most characters of a server's words that are cleaned."""

_URL_ELICITATION = -32042
_NOT_RUN = frozenset({PARSE_ERROR, INVALID_REQUEST, HEADER_MISMATCH})
_UNSUPPORTED = frozenset(
    {METHOD_NOT_FOUND, MISSING_CAPABILITY, UNSUPPORTED_VERSION, _URL_ELICITATION}
)
SAYS_NOTHING = frozenset({401, 403, 407, 408, 413, 429})
"""Statuses that say nothing about a server's era, nor does any 5xx."""

_REFUSED, _BUSY, _GONE = (
    frozenset({401, 403}),
    frozenset({408, 429, 503}),
    frozenset({404, 405, 410}),
)
_TOO_LARGE = 413
_NOT_IMPLEMENTED = 501
_NO_SECRETS = Secrets(())


def words_of(text: str, secrets: Secrets = _NO_SECRETS) -> str:
    """A server's words as one line of bounded length.

    Args:
        text: the words.
        secrets: what must not stand in them; hidden before they are cut, so that none is cut in
            two.
    """
    return line_of(text, secrets)[:LONGEST_WORDS]


def line_of(text: str, secrets: Secrets) -> str:
    """The beginning of a text as one line without secrets, which are looked for before it is cut
    and again in what cleaning made of it.
    """
    return secrets.mask(sanitize_line(secrets.mask(text)[:_LOOKED_AT]))


def status_failure(
    source: str, status: int, words: str, *, retry_after: float | None, repeatable: bool
) -> SourceError:
    """The error of an HTTP status.

    Args:
        source: the source's name.
        status: of the answer.
        words: of its body, for the host.
        retry_after: from its `Retry-After`.
        repeatable: what was asked may be asked again without harm.
    """
    said = f"HTTP {status}: {words_of(words)}" if words else f"HTTP {status}"
    if status == 403 and retry_after is not None:
        return SourceError(source, "unavailable", said, retry_after=retry_after)
    if status in _REFUSED:
        return SourceError(source, "authentication", said)
    if status in _BUSY:
        return SourceError(source, "unavailable", said, retry_after=retry_after)
    if status in _GONE:
        return SourceError(source, "unavailable", said, retryable=False)
    if status == _TOO_LARGE:
        return SourceError(source, "invalid-input", "The input is too large. Send less.")
    if status >= 500:
        return SourceError(
            source,
            "unavailable",
            said,
            retryable=repeatable and status != _NOT_IMPLEMENTED,
            may_have_run=not repeatable and status != _NOT_IMPLEMENTED,
            retry_after=retry_after,
        )
    reason: SourceReason = "invalid-response" if status < 400 else "source-error"
    return SourceError(source, reason, said, may_have_run=False)


def error_failure(
    source: str, error: ErrorResponse, *, secrets: Secrets = _NO_SECRETS, host: str = ""
) -> SourceError:
    """The error of a JSON-RPC error.

    Args:
        source: the source's name.
        error: the answer.
        secrets: what must not stand in words for a model.
        host: host and port that were asked, "" for none.
    """
    if error.code == INVALID_PARAMS:
        line = line_of(error.message, secrets)[: 4 * LONGEST_WORDS]
        told = without_addresses(line, host)[:LONGEST_WORDS]
        return SourceError(source, "invalid-input", told)
    said = f"error {error.code}: {words_of(error.message, secrets)}"
    if error.code in _UNSUPPORTED:
        return SourceError(source, "unsupported", said)
    return SourceError(source, "source-error", said, may_have_run=error.code not in _NOT_RUN)


def too_large(source: str, most: int) -> SourceError:
    """A message of more bytes than one may have."""
    words = f"The answer has more than {most:,} bytes, which is the limit. Ask for less."
    return SourceError(source, "result-too-large", words)


def lost_failure(source: str, words: str) -> SourceError:
    """The answer of a call is lost, and the call must not be sent again."""
    return SourceError(source, "outcome-unknown", words)


def read_retry_after(value: str | None) -> float | None:
    """Seconds of a `Retry-After`: a number of them, or a date (RFC 9110, section 10.2.3).

    Example:
        >>> read_retry_after("120"), read_retry_after("soon"), read_retry_after(None)
        (120.0, None, None)
    """
    if value is None:
        return None
    text = value.strip()
    if re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text):
        return min(float(text), LONGEST_WAIT)
    try:
        wait = parsedate_to_datetime(text).timestamp() - time.time()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(wait, 0.0), LONGEST_WAIT)
