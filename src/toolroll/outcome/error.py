"""Every exception Toolroll raises on purpose, in one tree.

    ToolrollError
    ├── DefinitionError        the author of a tool wrote something that cannot work
    │   └── NameClash          several tools want one name
    ├── MissingExtra           an optional dependency is not installed (also an ImportError)
    ├── ConfigError            a file or an option of the host is wrong
    └── CodedError             carries a code from the table of codes
        ├── Refusal            a handler refuses; becomes the outcome `Refused`
        └── OutcomeError       a handler or a source failed in a known way; becomes that outcome

A `DefinitionError` is never a `Refusal`: a programmer mends the first, a model reads the second.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeAlias, cast

OutcomeKind: TypeAlias = Literal[
    "ok",
    "refused",
    "invalid_input",
    "needs_approval",
    "failed",
    "timeout",
    "aborted",
    "unavailable",
]
"""The kinds of outcome as JSON and journal spell them."""


REFUSED = "The tool refused the call."
"""What a model reads of a refusal that says nothing itself."""


def _said(text: str, instead: str) -> str:
    """A text, or another one where it is blank; what is no text is left to whoever reads it."""
    blank = isinstance(cast("object", text), str) and not text.strip()
    return instead if blank else text


class ToolrollError(Exception):
    """The family: catch it to catch everything Toolroll raises on purpose.

    Example:
        >>> issubclass(Refusal, ToolrollError), issubclass(DefinitionError, ToolrollError)
        (True, True)
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle as it is: what is made of `args` alone would lack the rest."""
        return _as_it_was, (type(self), self.args), self.__dict__


def _as_it_was(kind: type[ToolrollError], args: tuple[object, ...]) -> ToolrollError:
    error = kind.__new__(kind, *args)
    error.args = args
    return error


class DefinitionError(ToolrollError):
    """A definition that cannot work; the message names tool, place, fault and mend.

    Args:
        message: the sentence.
        tool: the tool's name, "" where it has none yet.
        pointer: JSON pointer into its schema, "" for the tool itself.

    Example:
        >>> error = DefinitionError("note_write: ...", tool="note_write", pointer="/a")
        >>> error.tool, error.pointer
        ('note_write', '/a')
    """

    def __init__(self, message: str, *, tool: str = "", pointer: str = "") -> None:
        super().__init__(message)
        self.tool = tool
        self.pointer = pointer


class NameClash(DefinitionError):
    """Several tools want one name; `clashes` lists all: model name -> (source, tool) pairs.

    Example:
        >>> NameClash({"add": (("math", "add"), ("sums", "add"))}).clashes["add"]
        (('math', 'add'), ('sums', 'add'))
    """

    def __init__(self, clashes: dict[str, tuple[tuple[str, str], ...]]) -> None:
        rows = "; ".join(
            f"{name!r} is wanted by " + ", ".join(f"{source}/{tool}" for source, tool in owners)
            for name, owners in clashes.items()
        )
        super().__init__(f"tool names clash: {rows}. Rename or block all but one of each.")
        self.clashes = clashes


class MissingExtra(ToolrollError, ImportError):
    """An optional dependency is missing; the message says which `pip install` brings it.

    Args:
        extra: the extra that brings it.
        what: what needs it.

    Example:
        >>> print(MissingExtra("http", "an HTTP source"))
        an HTTP source needs the extra 'http': pip install 'toolroll[http]'
    """

    def __init__(self, extra: str, what: str) -> None:
        super().__init__(f"{what} needs the extra {extra!r}: pip install 'toolroll[{extra}]'")
        self.extra = extra


class ConfigError(ToolrollError):
    """A configuration that cannot be used; the message names file, key and mend.

    Example:
        >>> issubclass(ConfigError, ToolrollError)
        True
    """


class CodedError(ToolrollError):
    """An error with a code from the table of codes (`toolroll.outcome.CODES`).

    Args:
        code: of the table of codes, or a tool's own.
        message: the sentence.

    Example:
        >>> CodedError("not-permitted", "Not yours.").code
        'not-permitted'
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Refusal(CodedError):
    """Raised by a handler that will not do what was asked, for a reason the model can act on.

    Args:
        code: kebab-case; of the table or the tool's own, e.g. `rev-conflict`.
        message: one sentence for the model.
        lines: advice, a row each; fields of a row are separated by tabs.

    A blank code becomes `refused` and a blank message its sentence: a refusal that says nothing is
    still one.

    Example:
        >>> raise Refusal("rev-conflict", "the note was changed", ["revision\\t7"])
        Traceback (most recent call last):
            ...
        toolroll.outcome.error.Refusal: the note was changed
    """

    def __init__(self, code: str, message: str, lines: Sequence[str] = ()) -> None:
        super().__init__(_said(code, "refused"), _said(message, REFUSED))
        self.lines = tuple(lines)


class OutcomeError(CodedError):
    """A failure whose outcome is known where it is raised.

    Args:
        kind: the outcome it becomes: `failed`, `timeout`, `aborted` or `unavailable`.
        code: of the table of codes.
        message: the sentence a model may read. Addresses, credentials and internals belong into
            `detail`, which never reaches a model.
        detail: for the log and the host.
        retryable, may_have_run: None takes the code's own value from the table.
        retry_after: seconds after which another try may work, where the other side said so.
        limit: seconds of the limit that was met, for a `timeout`.

    Example:
        >>> error = OutcomeError("unavailable", "overloaded", "Try later.", detail="queue of 900")
        >>> error.message, str(error)
        ('Try later.', 'Try later. (queue of 900)')
    """

    def __init__(
        self,
        kind: Literal["failed", "timeout", "aborted", "unavailable"],
        code: str,
        message: str,
        *,
        detail: str = "",
        retryable: bool | None = None,
        may_have_run: bool | None = None,
        retry_after: float | None = None,
        limit: float | None = None,
    ) -> None:
        super().__init__(code, message)
        self.kind: Literal["failed", "timeout", "aborted", "unavailable"] = kind
        self.detail = detail
        self.retryable = retryable
        self.may_have_run = may_have_run
        self.retry_after = retry_after
        self.limit = limit

    def __str__(self) -> str:
        return f"{self.message} ({self.detail})" if self.detail else self.message
