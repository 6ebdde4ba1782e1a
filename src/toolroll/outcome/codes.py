"""The table of codes: what each means, whether another try may help, whether it may have run.

The docs print this table. Codes are kebab-case and promised; sentences are not.
"""

from dataclasses import dataclass

from toolroll.outcome.error import REFUSED, OutcomeKind


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the table.

    Args:
        code: the spelling in outcomes, journal and JSON.
        kind: the outcome it belongs to.
        retryable: the same call may work later, unchanged.
        may_have_run: the handler may have had an effect.
        sentence: what a model reads when nothing better is known.
        aliases: spellings of the same thing elsewhere.

    Example:
        >>> CODES["unavailable"].retryable, CODES["unavailable"].may_have_run
        (True, False)
    """

    code: str
    kind: OutcomeKind
    retryable: bool
    may_have_run: bool
    sentence: str
    aliases: tuple[str, ...] = ()


_ROWS = (
    # the model's side
    Code(
        "unknown-tool",
        "refused",
        False,
        False,
        "There is no such tool.",
        ("unknown-tool", "NotFoundError"),
    ),
    Code("refused", "refused", False, False, REFUSED),
    Code(
        "not-permitted", "refused", False, False, "This call is not permitted.", ("not-permitted",)
    ),
    Code(
        "approval-denied",
        "refused",
        False,
        False,
        "A person was asked and said no. Do not try again unless the user asks.",
    ),
    Code(
        "nobody-to-ask",
        "refused",
        False,
        False,
        "This call needs a person's approval and nobody can be asked.",
    ),
    Code(
        "approval-expired", "refused", False, False, "The approval came too late and was not used."
    ),
    Code(
        "bad-arguments",
        "invalid_input",
        False,
        False,
        "The arguments do not fit the tool.",
        ("bad-arguments", "InvalidInputError"),
    ),
    Code(
        "malformed-arguments",
        "invalid_input",
        False,
        False,
        "The arguments are not JSON. Send one JSON object.",
    ),
    Code(
        "truncated-arguments",
        "invalid_input",
        False,
        False,
        "The arguments were cut off. Send the whole call again, shorter if need be.",
    ),
    Code(
        "several-arguments",
        "invalid_input",
        False,
        False,
        "The arguments hold several objects. Send one call for each.",
    ),
    Code(
        "needs-approval",
        "needs_approval",
        False,
        False,
        "This call waits for a person's approval. It has not run.",
    ),
    # the tool's side
    Code(
        "tool-error",
        "failed",
        False,
        True,
        "The tool reported a failure.",
        ("CallFailedError", "isError"),
    ),
    Code("handler-error", "failed", False, True, "The tool failed.", ("failed",)),
    Code(
        "invalid-result",
        "failed",
        False,
        True,
        "The tool ran, but its result does not fit what it declares.",
    ),
    Code(
        "result-too-large",
        "failed",
        False,
        True,
        "The result is too large. Ask for less.",
        ("ResultTooLarge",),
    ),
    Code(
        "journal-failed",
        "failed",
        True,
        False,
        "The call could not be recorded, so it was not run.",
    ),
    Code(
        "outcome-unknown",
        "failed",
        False,
        True,
        "The answer was lost. The tool may have run; check before you try again.",
    ),
    # the system behind the tool
    Code(
        "call-failed",
        "failed",
        False,
        True,
        "The system behind the tool refused the call.",
        ("CallFailedError",),
    ),
    Code(
        "invalid-input",
        "failed",
        False,
        False,
        "The system behind the tool did not accept the input.",
        ("InvalidInputError",),
    ),
    Code(
        "authentication",
        "failed",
        False,
        False,
        "The system behind the tool did not accept our credentials.",
        ("AuthenticationError",),
    ),
    Code(
        "not-found",
        "failed",
        False,
        False,
        "The system behind the tool does not have this tool.",
        ("NotFoundError",),
    ),
    Code(
        "invalid-response",
        "failed",
        False,
        True,
        "The answer of the system behind the tool could not be understood.",
        ("InvalidResponseError",),
    ),
    Code(
        "unsupported",
        "failed",
        False,
        False,
        "The system behind the tool asks for something that is not supported here.",
        ("UnsupportedError",),
    ),
    Code(
        "source-error",
        "failed",
        False,
        True,
        "The system behind the tool failed.",
        ("UnknownError",),
    ),
    Code(
        "unavailable",
        "unavailable",
        True,
        False,
        "The system behind the tool is not available now. Try again later.",
        ("UnavailableError",),
    ),
    Code(
        "overloaded",
        "unavailable",
        True,
        False,
        "Too many calls are waiting for this tool. Try again later.",
    ),
    # time and cancelling
    Code(
        "timed-out",
        "timeout",
        False,
        True,
        "The tool did not finish in time.",
        ("timeout", "Timeout"),
    ),
    Code("idle-timed-out", "timeout", False, True, "The tool was silent for too long."),
    Code("aborted", "aborted", False, True, "The call was cancelled.", ("aborted",)),
)

CODES: dict[str, Code] = {row.code: row for row in _ROWS}
"""Every code of Toolroll by its spelling. Tools may refuse with codes of their own."""
