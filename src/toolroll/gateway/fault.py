"""What is wrong with a `toolroll.toml`, in the words of the file."""

import json
from typing import Any, cast, get_args

from pydantic import BaseModel, ValidationError

from toolroll.gateway.config import Config

_MENDS = {
    "string_type": "write a text in quotes",
    "int_type": "write a whole number",
    "float_type": "write a number",
    "bool_type": "write true or false",
    "list_type": "write a list in [ ]",
    "dict_type": "write a table",
    "model_type": "write a table",
}


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
    got = json.dumps(item["input"], default=lambda value: type(value).__name__, ensure_ascii=False)
    got = got if len(got) <= 60 else f"{got[:57]}..."
    message = str(item["msg"]).removeprefix("Input should be ")
    mend = _MENDS.get(kind)
    return f"{key}: must be {message}, got {got}{'; ' + mend if mend else ''}."


def _told_once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the branches of a union only the table's faults: a table was written, so one was meant."""
    tables = {tuple(_steps(item["loc"])) for item in items if item["loc"][-1] != "str"}
    return [
        item
        for item in items
        if item["loc"][-1] != "str" or tuple(_steps(item["loc"])) not in tables
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
