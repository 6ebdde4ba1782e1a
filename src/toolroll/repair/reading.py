"""The arguments text of a model, read whole."""

from toolroll.content import JsonValue
from toolroll.repair.arguments import Arguments
from toolroll.repair.beginning import read_beginning
from toolroll.repair.conclusion import conclude, of_string, one_of, read_text
from toolroll.repair.habit import read_habit
from toolroll.repair.record import make_arguments
from toolroll.repair.rule import DEEPEST, DEFAULT_RULES, ReadingRules
from toolroll.repair.shape import has_all_members, is_deeper
from toolroll.repair.strict import BEHIND, CUT, DEEPEST_PARSED, NO_KEY, parse_strict

_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_NEVER_JSON = _LETTERS - frozenset("fnt") | frozenset("\ufeff`<")  # at its beginning
_ODD_KEYS = {**dict.fromkeys(_LETTERS | frozenset("_$\u201c"), NO_KEY), "'": ""}
"""By the character behind the first brace that begins a key unlike JSON: what the parser says."""
_OBJECT_ENDS = frozenset("} \t\n\r")
_NEVER_CUT = frozenset("}\x00")  # hardly the end, and never
_NO_VALUE = "expected value at line 1 column 1"
_DEEP = ReadingRules(depth=DEEPEST)


def read_arguments(text: str | None, rules: ReadingRules = DEFAULT_RULES) -> Arguments:
    r"""Read the arguments of one call.

    Strict JSON comes back untouched. What is damaged so that only one reading is possible is
    repaired, and each repair is told (see `REPAIRS`). A text that stops early gives what is certain
    and says that it was cut. Anything else is malformed, with line and column: a guess is never
    better than an error. The time is linear in the length of the text, whatever it holds.

    Args:
        text: what the model wrote; None and blank text are no arguments.
        rules: the limits.

    Returns:
        The value and how it was read. Of several different objects the last one, the others in
        `dropped`.

    Example:
        >>> read_arguments('{"path": "a.txt"}').value
        {'path': 'a.txt'}
        >>> read = read_arguments('```json\n{"path": "a.txt", "text": "hel')
        >>> read.value, read.status, read.partial
        ({'path': 'a.txt', 'text': 'hel'}, 'truncated', ('/text',))
        >>> read_arguments('{"path": a.txt}').problem
        "line 1, column 10: expected a value, found 'a.txt'"
    """
    if text is None:
        return make_arguments({})
    if rules is DEFAULT_RULES:
        first = text[:1]
        if first == "{":
            last = text[-1]
            if last not in _NEVER_CUT:
                cut = read_beginning(text, rules)
                if cut is not None:
                    return cut
            hint = None
            if text[1:2] != '"':
                hint = BEHIND if text[:3] == "{}{" else _ODD_KEYS.get(text[1:2])
            if hint is not None or last not in _OBJECT_ENDS:
                found = read_habit(text, rules, hint or "")
                return one_of(found or conclude(read_text(text, rules, quick=hint == BEHIND)))
        elif first in _NEVER_JSON:
            found = read_habit(text, rules, "")
            return one_of(found or conclude(read_text(text, rules, quick=True)))
    try:
        value = parse_strict(text, allow_inf_nan=False, cache_strings="keys")
    except (ValueError, TypeError) as fault:
        return one_of(_read(text, rules, fault.args[0]))
    if (
        rules is DEFAULT_RULES
        and isinstance(value, dict)
        and len(text) <= rules.size
        and has_all_members(value, text)
    ):
        return make_arguments(value)
    return one_of(_of_json(text, value, rules))


def read_calls(text: str | None, rules: ReadingRules = DEFAULT_RULES) -> list[Arguments]:
    """Read the arguments of one call or of several that were glued into one text.

    Empty objects beside others are left out and the same object counts once. Each record tells its
    own repairs and whether it is whole.

    Args:
        text: what the model wrote.
        rules: the limits.

    Returns:
        At least one record; several only where several different objects stood in the text.

    Example:
        >>> [one.value for one in read_calls('{}{"url": "u1"}{"url": "u2"}')]
        [{'url': 'u1'}, {'url': 'u2'}]
    """
    if text is None:
        return [make_arguments({})]
    try:
        value = parse_strict(text, allow_inf_nan=False, cache_strings="keys")
    except (ValueError, TypeError) as fault:
        return _read(text, rules, fault.args[0])
    return _of_json(text, value, rules)


def is_complete_json(text: str | None) -> bool:
    """Tell whether a text is JSON as it stands: any value, whole, at most 500 levels deep.

    It is how a caller tells a cut call from an intact one. Blank text is not JSON.

    Example:
        >>> is_complete_json('{"a": 1}'), is_complete_json('{"a": 1'), is_complete_json("")
        (True, False, False)
    """
    if text is None or not text.strip():
        return False
    try:
        parse_strict(text, allow_inf_nan=False)
    except (ValueError, TypeError) as fault:
        if str(fault).startswith(CUT):
            return False
        reader = read_text(text, _DEEP)
        known = all(kind == "duplicate_key" for _, kind, _, _ in reader.noted)
        cut = any(cut for _, _, cut in reader.found.roots)
        return known and not reader.problem and not cut and len(reader.found.roots) < 2
    return True


def _read(text: str, rules: ReadingRules, hint: str = "") -> list[Arguments]:
    """Read what the strict parser refused.

    Args:
        text: the text.
        rules: the limits.
        hint: what the parser said. With it the reading is quicker, without it the result is equal.
    """
    if rules is DEFAULT_RULES or not (rules.heal_unicode or rules.repairs < DEFAULT_RULES.repairs):
        if hint.startswith(CUT):
            cut = read_beginning(text, rules)
            if cut is not None:
                return [cut]
        elif hint:
            found = read_habit(text, rules, hint)
            if found is not None:
                return found
    quick = hint.startswith((BEHIND, _NO_VALUE))
    return conclude(read_text(text, rules, quick=quick))


def _of_json(text: str, value: JsonValue, rules: ReadingRules) -> list[Arguments]:
    """Conclude from what the strict parser gave."""
    if len(text) > rules.size or _is_deeper(value, text, rules.depth):
        return _read(text, rules)
    if isinstance(value, str):
        return of_string(value, rules, at=text.index('"'))
    if value is None:
        return [make_arguments({})]
    if rules.heal_unicode and "\\\\u" in text:
        return _read(text, rules)
    if not has_all_members(value, text):
        return _read(text, rules)  # a key may stand twice
    return [make_arguments(value)]


def _is_deeper(value: JsonValue, text: str, depth: int) -> bool:
    if depth >= DEEPEST_PARSED or text.count("{") + text.count("[") <= depth:
        return False
    return is_deeper(value, depth)
