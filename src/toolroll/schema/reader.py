"""Reading the input of a tool whose schema is plain JSON Schema."""

from collections.abc import Mapping
from typing import Any, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import Repair
from toolroll.schema.bound import Clamped, clamp
from toolroll.schema.check import Check, compile_check
from toolroll.schema.error import SchemaError
from toolroll.schema.fault import Fault, to_issues
from toolroll.schema.limit import DEFAULT_LIMITS, Limits
from toolroll.schema.mending import mend
from toolroll.schema.plain import is_plain, plain_copy
from toolroll.schema.pointer import escape_part
from toolroll.schema.reading import ReadInput, RejectedInput, RepairMode, read_input
from toolroll.schema.settling import Plan, plan_for, settle
from toolroll.schema.walk import Place, transform

_BARE = frozenset(
    {
        "$schema",
        "$id",
        "$comment",
        "type",
        "title",
        "description",
        "properties",
        "required",
        "additionalProperties",
    }
)
_ONLY_AN_OBJECT: JsonObject = {"type": "object"}


class SchemaReader:
    """Checks inputs against a JSON Schema; made by `schema_reader`, safe between threads.

    Example:
        >>> schema_reader({"type": "object"}).read({"filler": ""}).repairs[0].kind
        'drop_filler'
    """

    __slots__ = (
        "_check",
        "_clamps",
        "_limits",
        "_loss",
        "_plan",
        "_schema",
        "_special",
        "_takes_nothing",
        "authored",
    )

    def __init__(self, schema: JsonObject, *, authored: bool, clamps: bool, limits: Limits) -> None:
        self._schema = schema
        self._limits = limits
        self._clamps = clamps
        self._loss = ""
        self._check: Check | None = None
        self._plan: Plan | None = None
        self._takes_nothing = authored and takes_nothing(schema)
        self._special = self._takes_nothing or clamps
        self.authored = authored
        if authored:
            self._prepare()

    @property
    def loss(self) -> str:
        """Why a schema from elsewhere cannot be checked; "" where it can."""
        self._ready()
        return self._loss

    def read(
        self, arguments: JsonValue, /, *, repair: RepairMode = "schema"
    ) -> ReadInput | RejectedInput:
        """Check, mend if asked and possible, fill defaults in."""
        check = self._check
        if check is None:
            check = self._prepare()
        value: Any = arguments  # not cast(): this runs for every call
        repairs: tuple[Repair, ...] = ()
        if self._special:
            value, repairs = self._prepared(arguments)
        settled: Any = value
        if self._plan is not None:
            settled, _ = settle(self._plan, value)
        if check.accepts(settled):
            return read_input(settled, settled, repairs)
        return self._read_again(check, value, repairs, repair)

    def _prepared(self, arguments: JsonValue) -> tuple[JsonValue, tuple[Repair, ...]]:
        if self._takes_nothing and arguments and isinstance(arguments, Mapping):
            keys = cast("JsonObject", arguments)
            return {}, tuple(Repair("drop_filler", f"/{escape_part(key)}") for key in keys)
        if not self._clamps:
            return arguments, ()
        done = self._cut(arguments)
        return done.value, done.repairs

    def _read_again(
        self, check: Check, value: JsonValue, repairs: tuple[Repair, ...], repair: RepairMode
    ) -> ReadInput | RejectedInput:
        plain = value
        if not is_plain(value, self._limits.value_depth):
            plain, unsound = plain_copy(value, self._limits.value_depth)
            if unsound:
                return RejectedInput(to_issues(unsound, self._limits.issues))
        left: list[Fault] = self._faults(plain)
        done: list[Repair] = []
        if left and repair == "schema":
            plain, left, done = mend(plain, left, self._faults, self._cut if self._clamps else None)
        if left:
            return RejectedInput(to_issues(left, self._limits.issues))
        settled = plain if self._plan is None else settle(self._plan, plain)[0]
        read = cast("JsonObject", settled)
        return read_input(read, read, (*repairs, *done))

    def _cut(self, value: JsonValue) -> Clamped:
        return clamp(value, self._schema)

    def _faults(self, value: JsonValue) -> list[Fault]:
        settled = value if self._plan is None else settle(self._plan, value)[0]
        return self._ready().faults(settled)

    def _ready(self) -> Check:
        return self._check if self._check is not None else self._prepare()

    def _prepare(self) -> Check:
        schema = (
            self._schema if self.authored else without_foreign_checks(self._schema, self._limits)
        )
        try:
            check = compile_check(schema, limits=self._limits)
            plan = plan_for(
                cast("JsonObject", check.schema), defaults=self.authored, limits=self._limits
            )
        except SchemaError as error:
            if self.authored:
                raise
            self._loss = str(error)
            check, plan = compile_check(_ONLY_AN_OBJECT, limits=self._limits), None
        self._plan = plan
        self._check = check
        return check


def schema_reader(
    schema: JsonObject,
    *,
    authored: bool = True,
    clamp: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> SchemaReader:
    """Make the reader of a tool whose input is described by a JSON Schema.

    Args:
        schema: the input schema; its root is an object.
        authored: True for a tool of this program: closed as the schema says, defaults filled in (a
            fresh copy each call), and where it takes nothing any filler key is dropped and
            reported. False for a tool from elsewhere: `pattern` and `format` are never run, no
            default is filled in, the input goes on as it came (or as repaired, and reported). A
            schema that cannot be checked then asks for an object only; `reader.loss` says why.
        clamp: cut values beyond their bounds before the check, and report it.
        limits: how large schema and inputs may be.

    Returns:
        A reader whose `ReadInput.bound` is its `value`.

    Raises:
        SchemaError: an authored schema cannot be checked.

    Example:
        >>> reader = schema_reader({"type": "object", "properties": {"n": {"type": "integer"}}})
        >>> read = reader.read({"n": "7"})
        >>> read.value, [(repair.kind, repair.pointer) for repair in read.repairs]
        ({'n': 7}, [('parse_text', '/n')])
    """
    return SchemaReader(schema, authored=authored, clamps=clamp, limits=limits)


def takes_nothing(schema: JsonObject) -> bool:
    """Whether an object schema names no property and does not ask to be open.

    Example:
        >>> takes_nothing({"type": "object"})
        True
        >>> takes_nothing({"type": "object", "additionalProperties": True})
        False
    """
    return (
        _BARE.issuperset(schema)
        and not schema.get("properties")
        and not schema.get("required")
        and schema.get("additionalProperties", False) is False
    )


def without_foreign_checks(schema: JsonObject, limits: Limits = DEFAULT_LIMITS) -> JsonValue:
    """Copy a schema from elsewhere without what would run its regular expressions and formats.

    Keys that only a pattern would allow are allowed then.

    Raises:
        SchemaTooLarge: it is larger than the limits.

    Example:
        >>> without_foreign_checks({"properties": {"pattern": {"pattern": "(a+)+"}}})
        {'properties': {'pattern': {}}}
    """
    return transform(schema, _without, limits=limits)


_FOREIGN = frozenset(
    {
        "pattern",
        "format",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
        "patternProperties",
    }
)


def _without(schema: dict[str, JsonValue], _: Place) -> JsonValue:
    kept = {key: value for key, value in schema.items() if key not in _FOREIGN}
    if "patternProperties" in schema:
        for keyword in ("additionalProperties", "unevaluatedProperties"):
            if kept.get(keyword) is not True:
                kept.pop(keyword, None)
    return kept
