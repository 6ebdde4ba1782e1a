"""What is wrong with a `toolroll.toml`, in the words of the file."""

import json
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError

from toolroll.gateway.config import Config

_KINDS = {
    "too_short": ("a list with something in it", ""),
    "string_type": ("a text", "write it in quotes"),
    "int_type": ("a whole number", ""),
    "float_type": ("a number", ""),
    "bool_type": ("true or false", "without quotes"),
    "list_type": ("a list", "write it in [ ]"),
    "dict_type": ("a table", "write key = value under its heading, or { key = value }"),
    "model_type": ("a table", "write key = value under its heading, or { key = value }"),
}
"""What the file must hold, in its own words, by kind of fault; and how that is written."""

_CREDENTIALS = frozenset({"command", "headers", "env", "token"})
"""Keys under which a credential may have been written by mistake: what is there is never shown."""


def faults_of(error: ValidationError) -> list[str]:
    """A sentence for each fault, each once."""
    items = _told_once(cast("list[dict[str, Any]]", error.errors()))
    return list(dict.fromkeys(_fault_of(item) for item in items))


def _fault_of(item: dict[str, Any]) -> str:
    """One fault: the key as it would be written, what is wrong, what to do."""
    place, kind = item["loc"], item["type"]
    steps = _steps(place)
    key = ".".join(steps) or "the file"
    if kind == "extra_forbidden":
        known = ", ".join(_keys_at(steps[:-1])) or "none"
        return f"{key}: unknown key; known here: {known}."
    if kind == "string_pattern_mismatch" and "[key]" in place:
        allowed = "lower case letters, digits, '-' and '_', a letter first"
        return f"{key}: is no source name; use {allowed}."
    if kind == "value_error":
        return f"{key}: {item['ctx']['error']}."
    if kind == "model_type" and steps[-1:] == ["token"]:
        return f'{key}: must be a table; write {{ env = "NAME" }} instead of the value.'
    must, mend = _KINDS.get(kind, (str(item["msg"]).removeprefix("Input should be "), ""))
    got = "" if _CREDENTIALS.intersection(steps) else f", got {_shown(item['input'])}"
    return f"{key}: must be {must}{got}{'; ' + mend if mend else ''}."


def _shown(value: object) -> str:
    """A value of the file for a message: a date as it was written, and cut where it is long."""
    text = json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _told_once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the branches of a union only the table's faults: a table was written, so one was meant."""
    tables = [_steps(item["loc"]) for item in items if item["loc"][-1] != "str"]

    def is_of_a_table(place: list[str]) -> bool:
        return any(table[: len(place)] == place for table in tables)

    return [
        item for item in items if item["loc"][-1] != "str" or not is_of_a_table(_steps(item["loc"]))
    ]


def _steps(place: tuple[str | int, ...]) -> list[str]:
    """The place as keys of the file, without the names of union branches."""
    return [
        str(step)
        for step in place
        if step not in ("[key]", "str", "Secret") and not str(step).startswith("function-")
    ]


def _keys_at(steps: list[str]) -> list[str]:
    """The keys that a table of the file takes."""
    model: type[BaseModel] = Config
    for step in steps:
        field = next(
            (field for name, field in model.model_fields.items() if step in (name, field.alias)),
            None,
        )
        if field is None:
            continue  # the name of a source, or a place in a list
        model = _model_in(field.annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        if (found := _model_in(inner)) is not None:
            return found
    return None
