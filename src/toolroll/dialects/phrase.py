"""What was lost, in words a model reads in a description."""

from collections.abc import Callable, Iterable, Mapping

from toolroll.content import JsonValue, compact_json
from toolroll.dialects.record import Loss

_LONGEST = 200
"""Values that are longer than this as JSON are not put into a description."""

_PHRASES: Mapping[str, Callable[[JsonValue], str]] = {
    "minLength": lambda value: f"at least {value} characters",
    "maxLength": lambda value: f"at most {value} characters",
    "pattern": lambda value: f"matches the regular expression {value}",
    "format": lambda value: f"in the format {value}",
    "minimum": lambda value: f"at least {value}",
    "maximum": lambda value: f"at most {value}",
    "exclusiveMinimum": lambda value: f"more than {value}",
    "exclusiveMaximum": lambda value: f"less than {value}",
    "multipleOf": lambda value: f"a multiple of {value}",
    "minItems": lambda value: f"at least {value} items",
    "maxItems": lambda value: f"at most {value} items",
    "uniqueItems": lambda _: "no item twice",
    "minProperties": lambda value: f"at least {value} properties",
    "maxProperties": lambda value: f"at most {value} properties",
    "prefixItems": lambda value: f"items in this order: {compact_json(value)}",
    "oneOf": lambda value: f"exactly one of: {compact_json(value)}",
    "anyOf": lambda value: f"at least one of: {compact_json(value)}",
}


def phrase_of(losses: Iterable[Loss]) -> str:
    """One line for the losses of one place; "" where nothing can be said shortly.

    Of words without force only a default is said.

    Example:
        >>> phrase_of([Loss("/a", "maxLength", 3, "bound", "it is not supported")])
        'Must be: at most 3 characters.'
        >>> phrase_of([Loss("/a", "default", 10, "note", "the dialect has no such keyword")])
        'Default: 10.'
    """
    phrases: list[str] = []
    default = ""
    for loss in losses:
        if loss.kind == "note":
            default = _said(loss) if loss.keyword == "default" else default
        elif (phrase := _said(loss)) and phrase not in phrases:
            phrases.append(phrase)
    lines = [f"Must be: {'; '.join(phrases)}."] if phrases else []
    return " ".join([*lines, f"Default: {default}."] if default else lines)


def _said(loss: Loss) -> str:
    try:
        if loss.keyword == "default":
            said = compact_json(loss.value)
        else:
            write = _PHRASES.get(loss.keyword)
            said = write(loss.value) if write else _plainly(loss.keyword, loss.value)
    except (TypeError, ValueError):
        return ""  # a value that is no JSON has no words
    return said if len(said) <= _LONGEST else ""


def _plainly(keyword: str, value: JsonValue) -> str:
    return f"{keyword} {compact_json(value)}"
