"""Exit codes of the command; the docs print this table."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # not loaded: these codes are needed before anything else is
    from toolroll.outcome import Outcome

OK: Final = 0
BAD_OUTCOME: Final = 1
USAGE: Final = 2
REFUSED: Final = 3
CONFIG: Final = 4
UNAVAILABLE: Final = 5
INTERRUPTED: Final = 130
CLOSED_PIPE: Final = 141

EXIT_CODES: Final = {
    OK: "everything asked for was done",
    BAD_OUTCOME: "the tool failed, timed out or was aborted, or `check` found errors",
    USAGE: "the command line or the arguments of the tool are wrong",
    REFUSED: "the call was refused, or needs an approval that nobody gave",
    CONFIG: "toolroll.toml, a definition or the installation is wrong",
    UNAVAILABLE: "a source that is needed cannot be reached",
    INTERRUPTED: "Ctrl-C; 0 of `serve`, which it ends in order",
    CLOSED_PIPE: "the reader of the output went away",
}


def exit_code_of(outcome: "Outcome") -> int:
    """The exit code that tells how a call ended."""
    match outcome.kind:
        case "ok":
            return OK
        case "invalid_input":
            return USAGE
        case "refused" | "needs_approval":
            return REFUSED
        case "unavailable":
            return UNAVAILABLE
        case _:
            return BAD_OUTCOME
