"""Reading the input of a tool whose schema comes from types.

Types decide; where they refuse, the schema made from them explains, so that every tool speaks in
the same words. What only types can say (a date that is none, an author's own check) is added in
theirs.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Repair
from toolroll.schema.bound import Clamped, clamp
from toolroll.schema.check import Check, compile_check
from toolroll.schema.fault import Fault, to_issues
from toolroll.schema.inference.explanation import explain, integral_floats
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.mending import mend
from toolroll.schema.plain import fresh, is_plain, plain_copy
from toolroll.schema.pointer import escape_part
from toolroll.schema.reader import takes_nothing
from toolroll.schema.reading import ReadInput, RejectedInput, RepairMode, read_input
from toolroll.schema.settling import Plan, plan_for, settle
from toolroll.schema.work import TOO_DEEP, count_work, multiplies

if TYPE_CHECKING:
    from toolroll.schema.inference.adaptation import TypedError, TypedInput


_TOO_MUCH: "Sequence[TypedError]" = []


class TypedReader:
    """Checks inputs against types; made by `function_front` and `model_front`.

    Safe to share between threads. What an author's own validator raises comes through, unless it is
    a ValueError or an AssertionError.

    Args:
        typed: what the parameters or the model are as an input.
        as_instance: the loaded value is one instance, handed out under the key "".
        clamps: cut values beyond their bounds before the check, and report it.
        limits: how large inputs may be.
    """

    __slots__ = (
        "_as_instance",
        "_blanks",
        "_check",
        "_clamps",
        "_defaults",
        "_depth",
        "_direct",
        "_limits",
        "_load",
        "_multiplies",
        "_ready",
        "_refused",
        "_schema",
        "_take",
        "_takes_nothing",
        "_typed",
        "_write",
    )

    def __init__(
        self,
        typed: "TypedInput",
        *,
        as_instance: bool = False,
        clamps: bool = False,
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self._typed = typed
        self._schema: JsonObject = typed.schema
        self._load = typed.load
        self._write = typed.write
        self._refused = typed.refused
        self._as_instance = as_instance
        self._clamps = clamps
        self._limits = limits
        self._depth = limits.value_depth
        self._takes_nothing = takes_nothing(self._schema)
        self._blanks: Plan | None = None
        if typed.blanks:
            self._blanks = plan_for(
                self._schema, defaults=False, integers=False, blanks=typed.blanks
            )
        self._take = typed.take
        special = clamps or typed.opens or self._takes_nothing or self._blanks is not None
        self._direct: Callable[[JsonValue], Any] | None = None if special else typed.take
        self._defaults: Plan | None = None
        self._ready = False
        self._check: Check | None = None
        self._multiplies: bool | None = None

    def read(
        self, arguments: JsonValue, /, *, repair: RepairMode = "schema"
    ) -> ReadInput | RejectedInput:
        """Check, mend if asked and possible, and bind."""
        direct = self._direct
        if direct is None:
            return self._read_prepared(arguments, repair)
        try:
            loaded = direct(arguments)
        except self._refused:
            return self._read_prepared(arguments, repair)
        return read_input(loaded, loaded)

    def _read_prepared(self, arguments: JsonValue, repair: RepairMode) -> ReadInput | RejectedInput:
        plain: JsonValue = arguments
        if not is_plain(arguments, self._depth):
            plain, unsound = plain_copy(arguments, self._depth)
            if unsound:
                return RejectedInput(to_issues(unsound, self._limits.issues))
        repairs: tuple[Repair, ...] = ()
        if self._takes_nothing and isinstance(plain, dict):
            repairs = tuple(Repair("drop_filler", f"/{escape_part(key)}") for key in plain)
            plain = {}
        if self._blanks is not None:
            plain, repairs = settle(self._blanks, plain)
        if self._clamps:
            clamped = self._cut(plain)
            plain = clamped.value
            repairs += clamped.repairs
        bound, errors = self._try(plain)
        if errors is None:
            return self._done(plain, bound, repairs)
        return self._read_again(plain, errors, repair, repairs)

    def _read_again(
        self,
        value: JsonValue,
        errors: "Sequence[TypedError]",
        repair: RepairMode,
        repairs: tuple[Repair, ...],
    ) -> ReadInput | RejectedInput:
        """The way of a refused input: `5.0` for `5`, then repairs, then all that is wrong."""
        value, faults = self._faults(fresh(value), errors)
        if faults and repair == "schema":
            value, faults, done = mend(
                value,
                faults,
                lambda mended: self._checked(mended)[1],
                self._cut if self._clamps else None,
            )
            repairs += tuple(done)
        if not faults:
            value, faults = self._checked(value)
        if faults:
            return RejectedInput(to_issues(faults, self._limits.issues))
        return self._done(value, self._load(self._write(value)), repairs)

    def _cut(self, value: JsonValue) -> Clamped:
        return clamp(value, self._schema)

    def _try(self, value: JsonValue) -> "tuple[Any, Sequence[TypedError] | None]":
        """What the types make of a value, or why they refuse it."""
        if self._multiplies is None:
            self._multiplies = "$defs" in self._schema and multiplies(self._schema)
        if self._multiplies:
            most = self._limits.explained
            if count_work(self._schema, value, most) > most:
                return None, _TOO_MUCH
        unknown = self._unknown(value) if self._typed.opens else ()
        try:
            bound = self._load(self._write(value))
        except self._refused as error:
            return None, (*self._typed.errors_of(error), *unknown)
        return (None, unknown) if unknown else (bound, None)

    def _unknown(self, value: JsonValue) -> "tuple[TypedError, ...]":
        """The keys that an open tool does not take: those of models that allow none."""
        return tuple(
            self._typed.unknown((*fault.parts, fault.unknown))
            for fault in self._explaining().faults(value)
            if fault.unknown is not None
        )

    def _explaining(self) -> Check:
        if self._check is None:
            messages = self._typed.messages
            self._check = compile_check(self._schema, messages=messages, limits=self._limits)
        return self._check

    def _checked(self, value: JsonValue) -> tuple[JsonValue, list[Fault]]:
        _, errors = self._try(value)
        return (value, []) if errors is None else self._faults(value, errors)

    def _faults(
        self, value: JsonValue, errors: "Sequence[TypedError]"
    ) -> tuple[JsonValue, list[Fault]]:
        if errors is _TOO_MUCH:
            return value, [TOO_DEEP]
        whole = integral_floats(value, errors)
        if whole is not value:
            return self._checked(whole)
        return value, explain(value, errors, self._explaining().faults(value))

    def _done(self, value: JsonValue, bound: Any, repairs: tuple[Repair, ...]) -> ReadInput:
        if self._take is not None and not self._as_instance:
            return read_input(bound, bound, repairs)
        if not self._ready:
            self._defaults = plan_for(self._schema, defaults=True, integers=False)
            self._ready = True
        if self._defaults is not None:
            value = settle(self._defaults, value)[0]
        if self._as_instance:
            bound = {"": bound}
        return read_input(cast("JsonObject", value), bound, repairs)
