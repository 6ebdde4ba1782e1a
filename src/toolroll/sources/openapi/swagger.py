"""Operations of Swagger 2.0 in the words of OpenAPI 3.0.

Only what a request needs is said anew; schemas stay where they are (`#/definitions/...`).

Source: OpenAPI 2.0, "Parameter Object" and "Operation Object"; OpenAPI 3.0, "Style Values", which
names the style that replaces each `collectionFormat`.
"""

from collections.abc import Iterable, Mapping, Sequence

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.document import Document, LeftOutError, as_list, as_object, as_text

_NOT_OF_THE_SCHEMA = frozenset(
    {"name", "in", "required", "description", "collectionFormat", "allowEmptyValue", "schema"}
)

_FORMATS: Mapping[str, Mapping[str, JsonValue]] = {
    "csv": {"explode": False},
    "ssv": {"style": "spaceDelimited", "explode": False},
    "pipes": {"style": "pipeDelimited", "explode": False},
    "multi": {"explode": True},
}
"""Style of each `collectionFormat`; `tsv` has none."""


def modern_operation(document: Document, item: JsonObject, operation: JsonObject) -> JsonObject:
    """An operation of Swagger 2.0 as one of OpenAPI 3.0, with the parameters of its path.

    Raises:
        LeftOutError: a parameter cannot be said in OpenAPI 3.0.
    """
    parameters = _parameters(document, item, operation)
    in_body = [one for one in parameters if one.get("in") == "body"]
    in_form = [one for one in parameters if one.get("in") == "formData"]
    consumes = _texts(operation.get("consumes", document.raw.get("consumes")))
    written: dict[str, JsonValue] = {
        **operation,
        "parameters": [_parameter(one) for one in parameters if one not in (*in_body, *in_form)],
        "responses": _responses(document, operation),
    }
    if in_form:
        written["requestBody"] = _form(in_form, consumes)
    elif in_body:
        written["requestBody"] = {
            "required": in_body[0].get("required") is True,
            "description": as_text(in_body[0].get("description")),
            "content": {
                media_type: {"schema": in_body[0].get("schema", True)}
                for media_type in consumes or ["application/json"]
            },
        }
    return written


def _parameters(document: Document, item: JsonObject, operation: JsonObject) -> list[JsonObject]:
    found: dict[tuple[str, str], JsonObject] = {}
    for raw in (*as_list(item.get("parameters")), *as_list(operation.get("parameters"))):
        one = document.resolve(raw, "a parameter")
        found[as_text(one.get("name")), as_text(one.get("in"))] = one
    return list(found.values())


def _parameter(raw: JsonObject) -> JsonObject:
    written: dict[str, JsonValue] = {key: raw[key] for key in ("name", "in") if key in raw}
    written |= {key: raw[key] for key in ("required", "description") if key in raw}
    written["schema"] = _schema(raw)
    if raw.get("type") == "array":
        written |= _format(raw)
    return written


def _format(raw: JsonObject) -> Mapping[str, JsonValue]:
    said = as_text(raw.get("collectionFormat")) or "csv"
    if raw.get("in") in ("path", "header") and said == "csv":
        return {}
    if said not in _FORMATS or raw.get("in") in ("path", "header"):
        name = as_text(raw.get("name"))
        raise LeftOutError(f"its parameter {name!r} has collectionFormat {said}")
    return _FORMATS[said]


def _schema(raw: JsonObject) -> JsonObject:
    return {key: value for key, value in raw.items() if key not in _NOT_OF_THE_SCHEMA}


def _form(parameters: Sequence[JsonObject], consumes: Sequence[str]) -> JsonObject:
    holds_file = any(one.get("type") == "file" for one in parameters)
    is_multipart = holds_file or "multipart/form-data" in consumes
    is_plain = "application/x-www-form-urlencoded" in consumes and not holds_file
    media_type = "application/x-www-form-urlencoded"
    if is_multipart and not is_plain:
        media_type = "multipart/form-data"
    properties: dict[str, JsonValue] = {}
    encoding: dict[str, JsonValue] = {}
    for one in parameters:
        name = as_text(one.get("name"))
        properties[name] = {**_schema(one), "description": as_text(one.get("description"))}
        if one.get("type") == "array":
            encoding[name] = {"style": "form", **_format(one)}
    required = [as_text(one.get("name")) for one in parameters if one.get("required") is True]
    schema: JsonObject = {"type": "object", "properties": properties, "required": required}
    return {
        "required": bool(required),
        "content": {media_type: {"schema": schema, "encoding": encoding}},
    }


def _responses(document: Document, operation: JsonObject) -> JsonObject:
    produces = _texts(operation.get("produces", document.raw.get("produces")))
    written: dict[str, JsonValue] = {}
    for code, raw in (as_object(operation.get("responses")) or {}).items():
        try:
            response = document.resolve(raw, "an answer")
        except LeftOutError:
            continue
        schema = response.get("schema")
        if schema is not None:
            content: JsonObject = {
                media_type: {"schema": schema} for media_type in produces or ["application/json"]
            }
            written[str(code)] = {"content": content}
    return written


def _texts(raw: JsonValue) -> list[str]:
    items: Iterable[JsonValue] = as_list(raw)
    return [item for item in items if isinstance(item, str)]
