"""Calls that do not stand in a reply, though it says that the model called.

The provider could not read them, or they were lost on the way. A loop that only looks at the calls
of a reply would end there without a word. So such a reply has one call with malformed arguments: it
is not run, and the model reads why.

Source: Gemini API reference, `FinishReason` (`MALFORMED_FUNCTION_CALL`, `UNEXPECTED_TOOL_CALL`) and
`finishMessage`; Google's chat completions say the same in small letters, with the message as the
refusal.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from toolroll.providers.wire import RawCall

_UNREAD = frozenset({"malformed_function_call", "unexpected_tool_call"})
_CALLING = frozenset({"tool_calls", "function_call", "tool_use"})
_NAME = re.compile(r"\bdefault_api\.([A-Za-z_][A-Za-z0-9_.:-]{0,127})\(")
_MOST = 500

NO_CALL = "the reply says that a tool is called, but no call came with it; send the call again"
"""What the model reads of a call that was lost on the way."""


def with_unread(
    calls: Sequence[RawCall], finish: str, said: str, *, place: int, others: bool = False
) -> tuple[RawCall, ...]:
    """The calls of a reply, as far as its finish lets them be believed.

    Args:
        calls: that stand in the reply; none of them is whole where the provider calls them
            malformed.
        finish: why the model stopped, in the provider's word.
        said: the provider's message about it; may hold the call as the model wrote it.
        place: where a call that does not stand in the reply would stand.
        others: calls that are no business of ours stand there.

    Example:
        >>> said = "Malformed function call: print(default_api.add(x=1))"
        >>> with_unread([], "MALFORMED_FUNCTION_CALL", said, place=0)[0].name
        'add'
    """
    kind = finish.lower()
    if kind in _CALLING and not calls and not others:
        return (RawCall(place=place, id="", name=kind, problem=f"{finish}: {NO_CALL}"),)
    if kind not in _UNREAD:
        return tuple(calls)
    if calls:
        return tuple(replace(call, cut=True) for call in calls)
    named = _NAME.search(said)
    problem = f"{finish}: {said[:_MOST]}" if said else finish
    return (RawCall(place=place, id="", name=named[1] if named else kind, problem=problem),)
