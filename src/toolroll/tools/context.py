"""What a handler knows of the call it serves, and what it can ask the host for."""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, cast

from typing_extensions import TypeVar

from toolroll.content import JsonObject, JsonValue
from toolroll.tools.cancel import CancelSignal
from toolroll.tools.thread import raise_if_abandoned

App_co = TypeVar("App_co", covariant=True, default=None)
T = TypeVar("T")

_NO_ANSWERS: Mapping[str, bool | str] = {}
_NO_TRACE: Mapping[str, str] = {}
_NO_CLAIMS: Mapping[str, JsonValue] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who a call is for. Set by the host only; nothing a model sends reaches it.

    Args:
        id: stable for one caller.
        tenant: whose data it is, where there are several.
        groups: for policies.
        claims: what else the host knows, e.g. of a token.

    Example:
        >>> Principal(id="ana", groups=("staff",)).groups
        ('staff',)
    """

    id: str
    tenant: str = ""
    groups: tuple[str, ...] = ()
    claims: Mapping[str, JsonValue] = field(default_factory=lambda: _NO_CLAIMS)


@dataclass(frozen=True, slots=True)
class Progress:
    """One step of a long run: a line for people and, where known, how far it is.

    Args:
        message: one line.
        progress: how far it is, in any unit.
        total: how far it goes, in the same unit.

    Example:
        >>> Progress("copying", 3, 10).total
        10
    """

    message: str
    progress: float | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a person: a message and a form (a flat object schema).

    Args:
        message: what the person reads.
        schema: of the form: an object of texts, numbers, booleans and choices.
        key: a name of its own within the call. Hosts that ask by running a handler again tell
            questions apart by it; without one they count.

    Example:
        >>> form = {"type": "object", "properties": {"size": {"type": "string"}}}
        >>> Question("Which size?", form, key="size").key
        'size'
    """

    message: str
    schema: JsonObject
    key: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    """A person's reply: `accept` with the form's content, `decline` or `cancel`.

    Args:
        action: what the person did.
        content: the form's content where it was accepted.

    Example:
        >>> Reply("accept", {"size": "M"}).content
        {'size': 'M'}
    """

    action: Literal["accept", "decline", "cancel"]
    content: JsonObject | None = None


ProgressListener: TypeAlias = Callable[[Progress], None]
Asker: TypeAlias = Callable[[Question], Awaitable[Reply]]


# Without slots: a subscripted call of a frozen, slotted and generic class fails on Python 3.11.
@dataclass(frozen=True, kw_only=True)
class CallContext(Generic[App_co]):
    """What comes with a call.

    Args:
        app: the host's own object, typed.
        principal: who the call is for.
        host: an object of the host, handed through untouched.
        deadline: end of the run on the event loop's clock (`anyio.current_time()`), in seconds.
        cancel: the host's cancel signal.
        on_progress: gets each step of a run; None where nobody listens.
        on_ask: puts a question to a person; None where nobody can be asked.
        answers: approval request id -> True, False, or the reason of a no, which the model reads.
        trace: W3C trace context (`traceparent`, ...), passed on to servers.
        parent: id of the call this one belongs to, "" for none.
        call_id: id of the call itself; set by the runner.

    Example:
        >>> context = CallContext(app={"notes": []}, principal=Principal(id="ana"))
        >>> context.app, context.with_answers({"a1": True}).answers
        ({'notes': []}, {'a1': True})
    """

    app: App_co = cast("App_co", None)
    principal: Principal | None = None
    host: object = None
    deadline: float | None = None
    cancel: CancelSignal | None = None
    on_progress: ProgressListener | None = None
    on_ask: Asker | None = None
    answers: Mapping[str, bool | str] = field(default_factory=lambda: _NO_ANSWERS)
    trace: Mapping[str, str] = field(default_factory=lambda: _NO_TRACE)
    parent: str = ""
    call_id: str = ""

    @property
    def bounds_runs(self) -> bool:
        """The host itself may end a run: it gave a deadline or a cancel signal."""
        return self.deadline is not None or self.cancel is not None

    @property
    def has_progress(self) -> bool:
        """Somebody listens to progress."""
        return self.on_progress is not None

    def progress(
        self, message: str, progress: float | None = None, total: float | None = None
    ) -> None:
        """Tell how far the run is; does nothing where nobody listens."""
        if self.on_progress is not None:
            self.on_progress(Progress(message, progress, total))

    @property
    def has_ask(self) -> bool:
        """A person can be asked."""
        return self.on_ask is not None

    async def ask(self, question: Question) -> Reply:
        """Put a question to a person; `cancel` where nobody can be asked."""
        return Reply("cancel") if self.on_ask is None else await self.on_ask(question)

    def raise_if_cancelled(self) -> None:
        """End a sync handler in its worker thread when its call has ended; for long loops.

        Does nothing elsewhere: an async handler is cancelled by its event loop.

        Raises:
            HandlerAbandoned: the call was cancelled or timed out.
        """
        raise_if_abandoned()

    def host_as(self, kind: type[T]) -> T | None:
        """The host's object if it is one of this kind, else None."""
        return self.host if isinstance(self.host, kind) else None

    def with_answers(self, answers: Mapping[str, bool | str]) -> "CallContext[App_co]":
        """The same context with answers to approval requests added."""
        return dataclasses.replace(self, answers={**self.answers, **answers})

    def child(self, parent: str) -> "CallContext[App_co]":
        """The same context for a call made on behalf of another."""
        return dataclasses.replace(self, parent=parent)
