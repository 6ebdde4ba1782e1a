"""What an operation answers when all goes well.

Source: OpenAPI 3.1, "Responses Object".
"""

import re

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.http.style import is_json
from toolroll.sources.http.template import ACCEPT
from toolroll.sources.openapi.conversion import Schemas
from toolroll.sources.openapi.document import Document, LeftOutError, as_object

_MOST_TYPES = 8
_MEDIA_TYPE = re.compile(r"[\w!#$&^.+*-]+/[\w!#$&^.+*-]+(;[\x20-\x7e]*)?", re.ASCII)


def success_content(document: Document, operation: JsonObject) -> JsonObject:
    """The media types of the first 2xx answer; {} where none is described."""
    responses = as_object(operation.get("responses")) or {}
    by_code = {str(code): raw for code, raw in responses.items()}
    for code in sorted(code for code in by_code if re.fullmatch(r"2(\d\d|XX)", code)):
        try:
            response = document.resolve(by_code[code], "an answer")
        except LeftOutError:
            continue
        content = as_object(response.get("content")) or {}
        return {str(media_type): described for media_type, described in content.items()}
    return {}


def accept_of(content: JsonObject) -> str:
    """The `Accept` header for these media types: JSON first, anything else rather than nothing."""
    types = [name for name in content if _MEDIA_TYPE.fullmatch(name) and "*" not in name]
    chosen = [name for name in types if is_json(name)] or types
    if not chosen or chosen == ["application/json"]:
        return ACCEPT
    return ", ".join([*chosen[:_MOST_TYPES], "*/*;q=0.5"])


def output_schema(
    document: Document, schemas: Schemas, content: JsonObject, most: int
) -> tuple[JsonObject | None, int]:
    """The schema of a JSON answer and its characters, None where none is described.

    Raises:
        LeftOutError: it cannot be read or has more than `most` characters.
    """
    for media_type, described in content.items():
        if not is_json(media_type):
            continue
        schema: JsonValue = document.resolve(described, "a media type").get("schema")
        if schema is None:
            return None, 0
        converted = schemas.convert(schema)
        written = as_object(converted.schema)
        if not written:
            return None, 0
        return schemas.complete(written, converted.references, most)
    return None, 0
