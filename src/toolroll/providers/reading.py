"""From the calls of a reply to calls a toolkit takes, and to the same calls as the history keeps
them.
"""

import hashlib
from dataclasses import replace

from toolroll.content import JsonObject, compact_json
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import fits, shortened, unique_id
from toolroll.providers.wire import RawCall, RawReply, WireCall
from toolroll.repair import read_calls
from toolroll.repair.arguments import Arguments

_NOTHING: JsonObject = {}


def read_reply(reply: RawReply, limits: ProviderLimits) -> list[WireCall]:
    """Read the calls of one reply: split glued ones, give every one an id of its own.

    The same reply gives the same ids every time it is read.

    Where the model was cut off (`length`), the last call counts as cut if nothing of its arguments
    was
    written: its blank text does not mean "no arguments".
    """
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
            call_id = unique_id(wanted if number == 0 else f"{wanted}_{number + 1}", limits, taken)
            taken.add(call_id)
            name = raw.name.strip()
            read.append(
                WireCall(
                    place=raw.place,
                    id=call_id,
                    name=name if fits(name, limits) else shortened(name, limits),
                    written=raw.name,
                    arguments=arguments,
                    text=_text_of(raw, arguments, alone=len(parts) == 1),
                )
            )
    return read


def _arguments_of(raw: RawCall, *, at_the_cut: bool) -> list[Arguments]:
    if raw.text is None:
        value = _NOTHING if raw.value is None else raw.value
        return [Arguments(value=value, status="truncated" if raw.cut else "complete")]
    read = read_calls(raw.text)
    nothing_came = not raw.text.strip()
    if raw.cut or (at_the_cut and nothing_came):
        read = [*read[:-1], replace(read[-1], status="truncated")] if read[-1].complete else read
    return read


def _text_of(raw: RawCall, arguments: Arguments, *, alone: bool) -> str:
    """The model's own text where it was whole; else what was read of it, so that it is JSON."""
    if alone and raw.text is not None and raw.text.strip() and arguments.status == "complete":
        return raw.text
    return compact_json(arguments.value)


def _seed(reply: RawReply) -> str:
    digest = hashlib.sha256(reply.id.encode("utf-8", "surrogatepass"))
    for raw in reply.calls:
        text = raw.text if raw.text is not None else compact_json(raw.value)
        digest.update(f"{raw.name}\0{raw.id}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:12]
