"""An object in almost JSON, put right as a text for the strict parser.

The ways are tried from the quickest to the one that looks at each mark.
"""

import re

from toolroll.content import JsonValue
from toolroll.repair.certain import parse_certain
from toolroll.repair.mark import respell
from toolroll.repair.patch import patch
from toolroll.repair.quoting import read_odd_keys, with_double_quotes
from toolroll.repair.strict import NO_COMMA, NO_KEY
from toolroll.repair.tape import Noted

_MOST_PATCHES = 3
_OTHER_QUOTES = re.compile(
    '["\\\\\u201c/#]'
)  # beside these a single quote may be a part of something


def read_respelt(core: str, start: int, hint: str, noted: list[Noted]) -> JsonValue:
    """Read an object that is not strict JSON.

    Args:
        core: the text from its opening to its closing brace.
        start: the offset of it.
        hint: what the strict parser says of it.
        noted: takes the repairs.

    Returns:
        The object; None where that is not certain.
    """
    value: JsonValue = None
    if "'" in core:
        strict = None
        if _OTHER_QUOTES.search(core) is None:
            strict = core.replace("'", '"')
        elif core[1] == "'":
            strict = with_double_quotes(core)
        if strict is not None:
            value, said = parse_certain(strict)
            if value is not None or len(strict) == len(core):  # else `said` names other places
                noted.append((start + core.index("'"), "single_quotes", "", ""))
                core, hint = strict, said
    for _ in range(_MOST_PATCHES):
        if value is not None:
            return value
        patched = patch(core, start, hint, noted)
        if patched is None:
            break
        core = patched
        value, hint = parse_certain(core)
    if value is not None:
        return value
    if hint.startswith(NO_COMMA):
        return None  # something stands where nothing can, however it is spelt
    if hint.startswith(NO_KEY):
        value = read_odd_keys(core, start, noted)
        if value is not None:
            return value
    strict = respell(core, start, noted)
    return None if strict is None else parse_certain(strict)[0]
