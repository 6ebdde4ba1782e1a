"""Putting a history in order: every call has one id and one result, right behind it.

Providers refuse a whole request for one call without a result, one result without a call, an id of
another provider, or arguments that are no JSON; the session is lost with it. What is put right here
is told.

Source: the tool kernel's contract, `repairHistory`; error texts "tool_use ids were found without
tool_result blocks immediately after", "No tool output found for function call".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toolroll.content import JsonObject, Text
from toolroll.outcome import Note
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import fits, shortened
from toolroll.providers.turn import CallPart, Part, ResultPart, TextPart, Turn
from toolroll.repair import CallIds
from toolroll.tools.hints import Hints

LOST = (
    "The call was interrupted and its result is not known. The tool may have run: check before you "
    "call it again."
)
"""The result of a call that has none."""

LOST_READ = (
    "The call was interrupted and its result is not known. The tool only reads: call it again."
)
"""The same for a tool that only reads."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """One turn after mending.

    Args:
        turn: with its calls mended and its results taken out.
        results: what follows it: the results of its calls.
        from_turns: the turns that the results stood in.
    """

    turn: Turn
    results: tuple[ResultPart, ...] = ()
    from_turns: tuple[Turn, ...] = ()

    def takes(self, turn: Turn) -> bool:
        """Some of the results stood in this turn of the user."""
        return turn.role == "user" and any(each.index == turn.index for each in self.from_turns)

    @property
    def holder(self) -> JsonObject | None:
        """The message that held all of the results and nothing else; None where there is none."""
        if len(self.from_turns) != 1 or len(self.from_turns[0].raw) != 1:
            return None
        turn = self.from_turns[0]
        is_alone = turn.role == "user" and len(turn.parts) == len(self.results)
        return turn.raw[0] if is_alone else None


def in_turns(
    mended: Sequence[Mended], keeps: str = ""
) -> Iterator[tuple[Mended | None, Turn | None]]:
    """What stands where one message of the user holds all results of a turn.

    Args:
        mended: the turns in order.
        keeps: the provider whose system may speak between the messages.

    Yields:
        A turn whose results are to be written, with the turn of the user that they stand in; or
        none, and a turn as it is. What the system says elsewhere stands beside the messages.
    """
    waiting: Mended | None = None
    for each in mended:
        if each.turn.role == "system" and not (keeps and each.turn.provider == keeps):
            continue
        joined = waiting is not None and waiting.takes(each.turn)
        if waiting is not None:
            yield waiting, each.turn if joined else None
        if not joined:
            yield None, each.turn
        waiting = each if each.results else None
    if waiting is not None:
        yield waiting, None


def system_of(turns: Iterable[Turn], provider: str, notes: list[Note]) -> str:
    """What the system says, for wires that take it beside the messages.

    Args:
        turns: those of the system that stand beside.
        provider: whose messages are written.
        notes: told of what stood among the messages of the provider, and of what is no text.
    """
    said: list[str] = []
    for turn in turns:
        said += [part.text for part in turn.parts if isinstance(part, TextPart)]
        where = f"messages[{turn.index}]"
        if turn.provider == provider:
            reason = "what the system says stands in `History.system` now, beside the messages"
            notes.append(Note("moved", where, reason))
        if any(not isinstance(part, TextPart) for part in turn.parts):
            reason = "what is no text is left out of what the system says"
            notes.append(Note("dropped", where, reason))
    return "\n\n".join(said)


class _Call:
    """One call while the history is read."""

    __slots__ = ("new", "old", "place", "result", "result_turn", "turn")

    def __init__(self, turn: int, place: int, old: CallPart, new: CallPart) -> None:
        self.turn = turn
        self.place = place
        self.old = old
        self.new = new
        self.result: ResultPart | None = None
        self.result_turn = -1


def mend(
    turns: Sequence[Turn], limits: ProviderLimits, hints: Mapping[str, Hints]
) -> tuple[list[Mended], list[Note]]:
    """Put a history in order for a provider.

    Args:
        turns: as read; not changed.
        limits: of the provider it is sent to.
        hints: name of a tool -> its hints; a call of one that only reads is said to be safe to
            repeat.

    Returns:
        The turns in order, each with the results that follow it, and a note for each change.
    """
    mending = _Mending(turns, limits, hints)
    return mending.mended(), mending.notes


class _Mending:
    def __init__(
        self, turns: Sequence[Turn], limits: ProviderLimits, hints: Mapping[str, Hints]
    ) -> None:
        self.notes: list[Note] = [note for turn in turns for note in turn.notes]
        self._turns = turns
        self._limits = limits
        self._hints = hints
        self._ids = CallIds(limits.provider)
        self._used: set[str] = set()
        self._repeats: dict[str, int] = {}
        self._of_turn = [self._calls_of(number, turn) for number, turn in enumerate(turns)]
        self._open: dict[str, list[_Call]] = {}
        self._pair()

    def _calls_of(self, number: int, turn: Turn) -> list[_Call]:
        if turn.calls and turn.role != "assistant":
            where = f"messages[{turn.index}]"
            self._note("dropped", where, "calls are left out: only the model calls tools")
            return []
        return [
            _Call(number, place, call, self._call(turn, place, call))
            for place, call in enumerate(turn.calls)
        ]

    def _pair(self) -> None:
        """Find the call of each result: before it, else behind it."""
        early: list[tuple[int, ResultPart]] = []
        for number, turn in enumerate(self._turns):
            results = [part for part in turn.parts if isinstance(part, ResultPart)]
            early.extend((number, result) for result in results if not self._join(number, result))
            for call in self._of_turn[number]:
                self._open.setdefault(call.old.id.strip(), []).append(call)
        for number, result in early:
            waiting = self._open.get(result.id.strip()) if result.id.strip() else None
            if waiting:
                _answer(waiting.pop(0), number, result)
                continue
            where = f"messages[{self._turns[number].index}]"
            reason = f"the result {result.id!r} answers no call, or a second time"
            self._note("dropped", where, reason)

    def mended(self) -> list[Mended]:
        """The turns in order."""
        mended: list[Mended] = []
        for number, turn in enumerate(self._turns):
            mine = self._of_turn[number]
            fresh = iter(call.new for call in mine)
            taken = (CallPart, ResultPart) if not mine else ResultPart
            parts: tuple[Part, ...] = tuple(
                next(fresh) if isinstance(part, CallPart) else part
                for part in turn.parts
                if not isinstance(part, taken)
            )
            results = tuple(self._result(call) for call in self._in_order(number, mine))
            if not parts and not results and turn.parts:
                continue
            numbers = sorted({call.result_turn for call in mine if call.result is not None})
            sources = tuple(self._turns[number] for number in numbers)
            kept = turn if parts == turn.parts else replace(turn, parts=parts)
            mended.append(Mended(turn=kept, results=results, from_turns=sources))
        return mended

    def _call(self, turn: Turn, place: int, call: CallPart) -> CallPart:
        where = f"messages[{turn.index}]"
        blank = f"call_{turn.index}_{place}"
        own = call.id.strip()
        wanted = own
        while wanted and wanted in self._used:
            self._repeats[own] = self._repeats.get(own, 1) + 1
            wanted = f"{own}_{self._repeats[own]}"
        self._used.add(wanted)
        needs_one = self._ids.rule.limit > 0
        new_id = self._ids.fit(wanted, blank=blank if needs_one else "")
        name = call.name.strip()
        name = name if fits(name, self._limits) else shortened(name, self._limits)
        if new_id != call.id:
            self._note("renamed", where, f"the call {call.id!r} has the id {new_id!r} now")
        if name != call.name:
            self._note("renamed", where, f"the tool {call.name!r} is called {name!r} now")
        if not call.whole:
            self._note(
                "repaired", where, f"the arguments of {name!r} were not as the provider takes them"
            )
        if (new_id, name, True) == (call.id, call.name, call.whole):
            return call
        return replace(call, id=new_id, name=name)

    def _join(self, number: int, result: ResultPart) -> bool:
        """Give a result to a call before it: by its id; by name and place where it has none."""
        waiting = self._open.get(result.id.strip(), [])
        found = -1
        for place in range(len(waiting) - 1, -1, -1):
            call = waiting[place]
            if found >= 0 and call.turn != waiting[found].turn:
                break
            if result.id.strip() or result.name in ("", call.old.name):
                found = place  # the first of the last turn that has one
        if found < 0:
            return False
        _answer(waiting.pop(found), number, result)
        return True

    def _in_order(self, number: int, calls: list[_Call]) -> list[_Call]:
        """In the order of the calls, or in the order in which all their results already follow."""
        if not calls:
            return calls
        following: list[ResultPart] = []
        for place in range(number + 1, len(self._turns)):  # a slice would copy the rest each time
            turn = self._turns[place]
            results = [part for part in turn.parts if isinstance(part, ResultPart)]
            following.extend(results)
            if len(results) < len(turn.parts):
                break
        placed = {id(result): place for place, result in enumerate(following)}
        if all(call.result is not None and id(call.result) in placed for call in calls):
            return sorted(calls, key=lambda call: placed[id(call.result)])
        for call in calls:
            if call.result is not None and id(call.result) not in placed:
                where = f"messages[{self._turns[call.result_turn].index}]"
                self._note(
                    "moved", where, f"the result of {call.new.id!r} stands behind its call now"
                )
        return calls

    def _result(self, call: _Call) -> ResultPart:
        if call.result is None:
            hints = self._hints.get(call.old.name) or self._hints.get(call.new.name)
            said = LOST_READ if hints is not None and hints.read_only else LOST
            where = f"messages[{self._turns[call.turn].index}]"
            self._note("added", where, f"the call {call.new.id!r} had no result")
            return ResultPart(id=call.new.id, name=call.new.name, blocks=(Text(said),), failed=True)
        return replace(call.result, id=call.new.id, name=call.new.name)

    def _note(self, kind: str, subject: str, reason: str) -> None:
        self.notes.append(Note(kind, subject, reason))


def _answer(call: _Call, number: int, result: ResultPart) -> None:
    call.result, call.result_turn = result, number
