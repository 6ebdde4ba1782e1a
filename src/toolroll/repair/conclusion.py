"""From what a reader has found to the record of it."""

from collections.abc import Sequence
from operator import itemgetter

from toolroll.content import JsonValue
from toolroll.outcome import Repair
from toolroll.repair.arguments import Arguments, ArgumentsStatus
from toolroll.repair.around import TextReader
from toolroll.repair.certain import parse_certain
from toolroll.repair.found import Root
from toolroll.repair.record import make_arguments, make_repair
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules
from toolroll.repair.tape import Noted

_OFFSET = itemgetter(0)


def read_text(text: str, rules: ReadingRules, *, quick: bool = False) -> TextReader:
    """Read a whole text.

    Args:
        text: the text.
        rules: the limits.
        quick: whole objects are to be expected in it, so try the standard library's parser.
    """
    reader = TextReader(rules)
    if quick and not rules.heal_unicode:
        reader.quick = text.count("{") + text.count("[") <= rules.depth
    reader.run(text)
    reader.finish()
    return reader


def conclude(reader: TextReader) -> list[Arguments]:
    """Write down what a finished reader has found: one record for each different object."""
    if reader.problem:
        return [Arguments(value={}, status="malformed", problem=reader.problem)]
    roots = reader.found.roots
    if roots:
        return conclude_roots(roots, reader.noted, reader.partial)
    value, at, cut = reader.scalar or reader.found.empty or ({}, 0, False)
    repairs = _told(reader.noted)
    if isinstance(value, str):
        return of_string(value, reader.rules, at=at, repairs=repairs, cut=cut)
    return [_record({} if value is None else value, repairs)]


def conclude_roots(
    roots: Sequence[Root], noted: list[Noted], partial: Sequence[str] = ()
) -> list[Arguments]:
    """Write down objects that were found, and what was put right: a record for each object."""
    if len(roots) == 1:
        value, _, cut = roots[0]
        return [_record(value, _told(noted), cut=cut, partial=partial)]
    return _several(roots, _told(noted), partial)


def conclude_one(value: JsonValue, noted: list[Noted]) -> Arguments:
    """Write down the one object that was found whole, and what was put right."""
    if len(noted) == 1:
        at, kind, pointer, was = noted[0]
        return make_arguments(value, "repaired", (), (make_repair(at, kind, pointer, was),))
    return make_arguments(value, "repaired", (), tuple(_told(noted)))


def _told(noted: list[Noted]) -> list[Repair]:
    if len(noted) > 1:
        noted.sort(key=_OFFSET)
    return [make_repair(at, kind, pointer, was) for at, kind, pointer, was in noted]


def _several(
    roots: Sequence[Root], repairs: Sequence[Repair], partial: Sequence[str]
) -> list[Arguments]:
    """One record for each object, with the repairs that stand before the next one."""
    found: list[Arguments] = []
    ends = [at for _, at, _ in roots[1:]]
    for (value, _, cut), end in zip(roots, [*ends, None], strict=True):
        own = [repair for repair in repairs if end is None or (repair.at or 0) < end]
        repairs = repairs[len(own) :]
        found.append(_record(value, own, cut=cut, partial=partial if cut else ()))
    return found


def of_string(
    text: str,
    rules: ReadingRules,
    *,
    at: int = 0,
    repairs: Sequence[Repair] = (),
    cut: bool = False,
) -> list[Arguments]:
    """Read arguments that are a JSON string: the object inside it, if it holds one.

    One layer is peeled, and only off an object; any other string is the value.
    """
    if text.lstrip().startswith("{"):
        if rules is DEFAULT_RULES and not repairs and not cut:
            strict = parse_certain(text)[0]
            if strict is not None:
                return [conclude_one(strict, [(at, "encoded_twice", "", "")])]
        inner = conclude(read_text(text, rules))
        if all(one.status != "malformed" for one in inner):
            peeled = [*repairs, Repair("encoded_twice", "", at)]
            return [_peeled(one, peeled, at, cut=cut) for one in inner]
    value: JsonValue = text if text or not cut else {}
    return [_record(value, repairs, cut=cut, partial=("",) if cut else ())]


def one_of(found: Sequence[Arguments]) -> Arguments:
    """The one record for several: the last object, the others dropped.

    A cut object that holds nothing yet does not win over a whole one.
    """
    last = found[-1]
    if len(found) == 1:
        return last
    repairs = tuple(repair for one in found for repair in one.repairs)
    partial = last.partial
    if not last.value:
        found, partial = found[:-1], ()
    status: ArgumentsStatus = "truncated" if last.status == "truncated" else "concatenated"
    return Arguments(
        value=found[-1].value,
        status=status,
        partial=partial,
        repairs=repairs,
        dropped=tuple(one.value for one in found[:-1]),
    )


def _record(
    value: JsonValue, repairs: Sequence[Repair], *, cut: bool = False, partial: Sequence[str] = ()
) -> Arguments:
    status: ArgumentsStatus = "truncated" if cut else "repaired" if repairs else "complete"
    return make_arguments(value, status, tuple(partial), tuple(repairs))


def _peeled(inner: Arguments, before: Sequence[Repair], at: int, *, cut: bool) -> Arguments:
    # Places inside the string are no places of the text: all of them are told as where it begins.
    moved = [Repair(repair.kind, repair.pointer, at, repair.was) for repair in inner.repairs]
    return _record(
        inner.value,
        sorted([*before, *moved], key=lambda repair: repair.at or 0),
        cut=cut or inner.status == "truncated",
        partial=inner.partial,
    )
