"""The outcome of a call: a closed union of eight frozen records.

match await kit.call(call, context):
case Answer(result=result): ...
case InvalidInput(issues=issues): ...
case Refused(code=code, lines=lines): ...
case NeedsApproval(request=request): ...
case Failed() | TimedOut() | Aborted() | Unavailable() as bad: ...
"""

from dataclasses import dataclass, field
from typing import ClassVar, Literal, NoReturn, TypeAlias, cast

from toolroll.content import Content, JsonValue, Text, ToolResult, result_to_json
from toolroll.outcome.approval import ApprovalRequest
from toolroll.outcome.codes import CODES
from toolroll.outcome.error import OutcomeKind, Refusal, ToolrollError
from toolroll.outcome.issue import Issue, Repair
from toolroll.outcome.lines import issue_lines, shown_lines
from toolroll.outcome.record import issue_to_json, repair_to_json, request_to_json

_OF_THE_CODE = cast("bool", None)
"""Default of `retryable` and `may_have_run`: replaced by what the table of codes says."""


class UnwrapError(ToolrollError):
    """`unwrap()` met a bad outcome; it is in `.outcome`.

    Example:
        >>> try:
        ...     Failed(code="handler-error", message="It failed.").unwrap()
        ... except UnwrapError as error:
        ...     print(error.outcome.code)
        handler-error
    """

    def __init__(self, outcome: "BadOutcome") -> None:
        super().__init__(f"{outcome.code}: {outcome.message}")
        self.outcome = outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The tool ran and answered.

    Args:
        result: what it answered.
        call_id: the id of the call, as the host gave it.
        duration: seconds the run took; waiting for an approval is not part of it.
        repairs: what was put right in the arguments, in order of place.

    Example:
        >>> from toolroll.content import Text
        >>> Answer(result=ToolResult((Text("done"),))).for_model()
        [Text(text='done', extra={})]
    """

    ok: ClassVar[Literal[True]] = True
    kind: ClassVar[OutcomeKind] = "ok"

    result: ToolResult
    call_id: str = ""
    duration: float = 0.0
    repairs: tuple[Repair, ...] = ()

    def for_model(self) -> list[Content]:
        """The blocks a model reads."""
        return self.result.for_model()

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON; the same form on every door."""
        written: dict[str, JsonValue] = {
            "kind": self.kind,
            "call_id": self.call_id,
            "duration": self.duration,
        }
        if self.repairs:
            written["repairs"] = [repair_to_json(repair) for repair in self.repairs]
        return {**written, "result": result_to_json(self.result)}

    def unwrap(self) -> ToolResult:
        """The result."""
        return self.result


@dataclass(frozen=True, slots=True, kw_only=True)
class BadOutcome:
    """What the seven bad outcomes share; `isinstance(outcome, BadOutcome)` is `not outcome.ok`.

    Args:
        code: from the table of codes, or a tool's own (in `Refused`).
        message: one sentence for the model.
        call_id, duration, repairs: as in `Answer`.
        retryable: the same call may work later, unchanged. Default: what the table says.
        may_have_run: the handler may have had an effect. Default: what the table says.
        retry_after: seconds after which another try may work, where known.
        cause: for the host and its log; never shown to a model, never written to JSON.

    Example:
        >>> Failed(code="handler-error", message="It failed.").retryable
        False
        >>> isinstance(Aborted(code="aborted", message="Stopped."), BadOutcome)
        True
    """

    ok: ClassVar[Literal[False]] = False
    kind: ClassVar[OutcomeKind]

    code: str
    message: str
    call_id: str = ""
    duration: float = 0.0
    repairs: tuple[Repair, ...] = ()
    retryable: bool = _OF_THE_CODE
    may_have_run: bool = _OF_THE_CODE
    retry_after: float | None = None
    cause: BaseException | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        row = CODES.get(self.code)
        if cast("bool | None", self.retryable) is None:
            object.__setattr__(self, "retryable", bool(row and row.retryable))
        if cast("bool | None", self.may_have_run) is None:
            object.__setattr__(self, "may_have_run", bool(row and row.may_have_run))

    def lines_for_model(self) -> list[str]:
        """The sentence, then advice, a line each and without what nobody sees."""
        return shown_lines(self.message.splitlines()) or [self.code]

    def for_model(self) -> list[Content]:
        """The blocks a model reads."""
        return [Text("\n".join(self.lines_for_model()))]

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON; the same form on every door. The cause is left out."""
        written: dict[str, JsonValue] = {
            "kind": self.kind,
            "call_id": self.call_id,
            "duration": self.duration,
            "code": self.code,
            "message": self.message,
            "retryable": self.retryable,
            "may_have_run": self.may_have_run,
        }
        if self.retry_after is not None:
            written["retry_after"] = self.retry_after
        if self.repairs:
            written["repairs"] = [repair_to_json(repair) for repair in self.repairs]
        return written

    def unwrap(self) -> NoReturn:
        """Raise `UnwrapError`, which carries this outcome; a `Refused` raises its `Refusal`."""
        raise UnwrapError(self) from self.cause


@dataclass(frozen=True, slots=True, kw_only=True)
class InvalidInput(BadOutcome):
    """The arguments do not fit, and the tool did not run. `issues` lists every fault.

    Args:
        issues: every fault of the arguments, in order of place.

    Example:
        >>> InvalidInput(
        ...     code="bad-arguments", message="m", issues=(Issue("/n", "must be integer"),)
        ... ).lines_for_model()
        ['Invalid arguments at /n: must be integer']
    """

    kind: ClassVar[OutcomeKind] = "invalid_input"
    issues: tuple[Issue, ...] = ()

    def lines_for_model(self) -> list[str]:
        """Every issue on a line of its own."""
        if self.issues:
            return shown_lines(issue_lines(self.issues))
        return BadOutcome.lines_for_model(self)

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON, with its issues."""
        return {
            **BadOutcome.to_json(self),
            "issues": [issue_to_json(issue) for issue in self.issues],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused(BadOutcome):
    """Refused before or by the handler. `lines` is advice: a row each, fields parted by tabs.

    Args:
        lines: advice, a row each.

    Example:
        >>> Refused(code="gone", message="It was changed.", lines=("now 7",)).lines_for_model()
        ['It was changed.', 'now 7']
    """

    kind: ClassVar[OutcomeKind] = "refused"
    lines: tuple[str, ...] = ()

    def lines_for_model(self) -> list[str]:
        """The sentence, then the advice."""
        return shown_lines([self.message, *self.lines]) or [self.code]

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON, with its advice."""
        return {**BadOutcome.to_json(self), "lines": list(self.lines)}

    def unwrap(self) -> NoReturn:
        """Raise the `Refusal`."""
        raise Refusal(self.code, self.message, self.lines) from self.cause


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsApproval(BadOutcome):
    """A person has to say yes first; the tool has not run.

    `request` is what to show them. Answer with `context.with_answers({request.id: True})` and the
    same call again.

    Args:
        request: what is shown to whoever answers.

    Example:
        >>> asked = ApprovalRequest(id="a1", tool="note_delete", source="notes", input={"id": 3})
        >>> NeedsApproval(code="needs-approval", message="Ask first.", request=asked).request.id
        'a1'
    """

    kind: ClassVar[OutcomeKind] = "needs_approval"
    request: ApprovalRequest

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON, with what is asked."""
        return {**BadOutcome.to_json(self), "request": request_to_json(self.request)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed(BadOutcome):
    """The tool failed. `result` is what it answered when it reported the failure itself.

    Args:
        result: what the tool reported of its failure, or None.

    Example:
        >>> from toolroll.content import Text
        >>> reported = ToolResult((Text("no such note"),), is_error=True)
        >>> Failed(code="tool-error", message="It failed.", result=reported).for_model()
        [Text(text='no such note', extra={})]
    """

    kind: ClassVar[OutcomeKind] = "failed"
    result: ToolResult | None = None

    def for_model(self) -> list[Content]:
        """What the tool reported, else the sentence."""
        blocks = self.result.for_model() if self.result is not None else []
        return blocks or BadOutcome.for_model(self)

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON, with the tool's own report."""
        written = BadOutcome.to_json(self)
        return (
            written if self.result is None else {**written, "result": result_to_json(self.result)}
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedOut(BadOutcome):
    """The run met its limit. `limit` is that limit in seconds.

    Args:
        limit: seconds of the limit that was met, where known.

    Example:
        >>> late = TimedOut(code="timed-out", message="Too slow.", limit=2.0)
        >>> late.may_have_run, late.limit
        (True, 2.0)
    """

    kind: ClassVar[OutcomeKind] = "timeout"
    limit: float | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """The outcome as JSON, with the limit."""
        return {**BadOutcome.to_json(self), "limit": self.limit}


@dataclass(frozen=True, slots=True, kw_only=True)
class Aborted(BadOutcome):
    """The host's cancel signal ended the call.

    Example:
        >>> Aborted(code="aborted", message="Stopped.").kind
        'aborted'

    Args:
        code, message: as in every bad outcome.
    """

    kind: ClassVar[OutcomeKind] = "aborted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unavailable(BadOutcome):
    """What the tool needs is not there now; nothing was run.

    Example:
        >>> Unavailable(code="unavailable", message="Try later.", retry_after=3.0).retryable
        True

    Args:
        code, message, retry_after: as in every bad outcome.
    """

    kind: ClassVar[OutcomeKind] = "unavailable"


Outcome: TypeAlias = (
    Answer | InvalidInput | Refused | NeedsApproval | Failed | TimedOut | Aborted | Unavailable
)
"""What a call came to."""
