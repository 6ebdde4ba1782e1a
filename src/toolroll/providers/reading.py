"""From the calls of a reply to calls a toolkit takes, and to the same calls as the history keeps
them.
"""

import hashlib
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from toolroll.content import JsonObject, JsonValue, compact_json
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import fits, shortened
from toolroll.providers.wire import RawCall, RawReply, WireCall
from toolroll.repair import CallIds, read_arguments, read_calls
from toolroll.repair.arguments import Arguments

_NOTHING: JsonObject = {}
_GIVEN = re.compile(r"call_[0-9a-f]{12}_\d+(_\d+)?")


def is_given_here(call_id: str) -> bool:
    """The id was given by `read_reply`, because the model gave none.

    Example:
        >>> is_given_here("call_2207b6f04d1a_0"), is_given_here("call_1")
        (True, False)
    """
    return _GIVEN.fullmatch(call_id) is not None


def read_reply(reply: RawReply, limits: ProviderLimits) -> list[WireCall]:
    """Read the calls of one reply: split glued ones, give every one an id of its own.

    The same reply gives the same ids every time it is read.

    Where the model was cut off (`length`), the last call counts as cut if nothing of its arguments
    was
    written: its blank text does not mean "no arguments".
    """
    ids = CallIds(limits.provider)
    taken: set[str] = set()
    seed = ""
    read: list[WireCall] = []
    for index, raw in enumerate(reply.calls):
        at_the_cut = index == len(reply.calls) - 1 and reply.finish == "length"
        parts = _arguments_of(raw, at_the_cut=at_the_cut)
        for number, arguments in enumerate(parts):
            wanted = raw.id.strip()
            if not wanted:
                seed = seed or _seed(reply)
                wanted = f"call_{seed}_{index}"
            own = _untaken(wanted if number == 0 else f"{wanted}_{number + 1}", taken)
            taken.add(own)
            name = raw.name.strip()
            read.append(
                WireCall(
                    place=raw.place,
                    id=ids.fit(own),
                    name=name if fits(name, limits) else shortened(name, limits),
                    written=raw.name,
                    arguments=arguments,
                    text=_text_of(raw, arguments, alone=len(parts) == 1),
                )
            )
    return read


def _untaken(wanted: str, taken: set[str]) -> str:
    """The id, with a number where another call of the same reply has it."""
    own, number = wanted, 1
    while own in taken:
        number += 1
        own = f"{wanted}_{number}"
    return own


def _arguments_of(raw: RawCall, *, at_the_cut: bool) -> list[Arguments]:
    if raw.problem:
        return [Arguments(value=_NOTHING, status="malformed", problem=raw.problem)]
    if raw.text is None:
        value = _NOTHING if raw.value is None else raw.value
        return [Arguments(value=value, status="truncated" if raw.cut else "complete")]
    read = read_calls(raw.text)
    nothing_came = not raw.text.strip()
    if raw.cut or (at_the_cut and nothing_came):
        read = [*read[:-1], replace(read[-1], status="truncated")] if read[-1].complete else read
    return read


def object_of(arguments: JsonValue) -> tuple[JsonObject, bool]:
    """The arguments of a call in a history, and whether they stood there as one JSON object.

    Example:
        >>> object_of('{"a": 1}'), object_of('{"a": "1'), object_of("null")
        (({'a': 1}, True), ({'a': '1'}, False), ({}, False))
    """
    if isinstance(arguments, Mapping):
        return cast("JsonObject", arguments), True
    if not isinstance(arguments, str):
        return _NOTHING, False
    read = read_arguments(arguments)
    is_object = isinstance(read.value, Mapping)
    whole = is_object and read.status == "complete" and arguments.lstrip().startswith("{")
    return cast("JsonObject", read.value) if is_object else _NOTHING, whole


def call_text(arguments: JsonValue) -> str:
    """Arguments as the text of a call."""
    try:
        return compact_json(arguments)
    except ValueError:  # NaN and Infinity are no JSON; the provider would refuse them
        return compact_json(_finite(arguments))


def _finite(value: JsonValue) -> JsonValue:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {key: _finite(item) for key, item in cast("JsonObject", value).items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in cast("list[JsonValue]", value)]
    return value


def _text_of(raw: RawCall, arguments: Arguments, *, alone: bool) -> str:
    """The model's own text where it was one object; else what was read of it, as an object."""
    text = raw.text or ""
    if alone and arguments.status == "complete" and text.lstrip().startswith("{"):
        return text
    return call_text(arguments.value if isinstance(arguments.value, Mapping) else _NOTHING)


def _seed(reply: RawReply) -> str:
    digest = hashlib.sha256(reply.id.encode("utf-8", "surrogatepass"))
    for raw in reply.calls:
        text = raw.text if raw.text is not None else call_text(raw.value)
        digest.update(f"{raw.name}\0{raw.id}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
