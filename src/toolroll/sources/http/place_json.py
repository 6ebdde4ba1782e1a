"""Places and bodies as JSON, as a stored template has them."""

from collections.abc import Collection, Mapping, Sequence
from typing import cast, get_args

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.sources.http.place import Body, BodyKind, Location, Part, PartKind, Place, Style


def place_to_json(place: Place) -> dict[str, JsonValue]:
    """A place as JSON; what is as usual is left out."""
    return _without_defaults(
        {
            "key": place.key,
            "name": place.name,
            "location": place.location,
            "style": place.style,
            "explode": place.explode,
            "allow_reserved": place.allow_reserved,
            "media_type": place.media_type,
        }
    )


def place_from_json(raw: JsonObject) -> Place:
    """Read what `place_to_json` wrote.

    Raises:
        DefinitionError: it is not of that form.
    """
    return Place(
        key=text_at(raw, "key"),
        name=text_at(raw, "name", ""),
        location=cast("Location", _word(raw, "location", get_args(Location))),
        style=cast("Style | None", _word(raw, "style", (None, *get_args(Style)))),
        explode=cast("bool | None", _word(raw, "explode", (None, True, False))),
        allow_reserved=bool(_word(raw, "allow_reserved", (None, True, False))),
        media_type=text_at(raw, "media_type", "") or None,
    )


def body_to_json(body: Body) -> dict[str, JsonValue]:
    """A body as JSON; what is as usual is left out."""
    written = _without_defaults({"key": body.key, "kind": body.kind, "media_type": body.media_type})
    if body.parts:
        written["parts"] = [
            _without_defaults(
                {
                    "key": part.key,
                    "kind": part.kind,
                    "media_type": part.media_type,
                    "style": part.style,
                    "explode": part.explode,
                    "allow_reserved": part.allow_reserved,
                }
            )
            for part in body.parts
        ]
    return written


def body_from_json(raw: JsonObject) -> Body:
    """Read what `body_to_json` wrote.

    Raises:
        DefinitionError: it is not of that form.
    """
    return Body(
        key=text_at(raw, "key"),
        kind=cast("BodyKind", _word(raw, "kind", get_args(BodyKind))),
        media_type=text_at(raw, "media_type", ""),
        parts=tuple(
            Part(
                key=text_at(part, "key"),
                kind=cast("PartKind", _word(part, "kind", get_args(PartKind))),
                media_type=text_at(part, "media_type", "") or None,
                style=cast("Style | None", _word(part, "style", (None, *get_args(Style)))),
                explode=cast("bool | None", _word(part, "explode", (None, True, False))),
                allow_reserved=bool(_word(part, "allow_reserved", (None, True, False))),
            )
            for part in objects_at(raw, "parts")
        ),
    )


def _without_defaults(fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    return {
        key: value
        for key, value in fields.items()
        if value not in (None, "") and not (key == "allow_reserved" and value is False)
    }


def text_at(raw: JsonObject, key: str, default: str | None = None) -> str:
    """A text of the stored form.

    Raises:
        DefinitionError: there is none.
    """
    value = raw.get(key, default)
    if not isinstance(value, str):
        raise DefinitionError(f"a stored request template: {key!r} must be a text, got {value!r}.")
    return value


def _word(raw: JsonObject, key: str, words: Collection[JsonValue]) -> JsonValue:
    value = raw.get(key)
    if value not in words or isinstance(value, (int, float)) is not isinstance(value, bool):
        said = ", ".join(map(str, words))
        raise DefinitionError(f"a stored request template: {key!r} must be one of {said}.")
    return value


def object_at(raw: JsonObject, key: str) -> JsonObject:
    """An object of the stored form.

    Raises:
        DefinitionError: there is none.
    """
    value = raw.get(key)
    if not isinstance(value, Mapping):
        raise DefinitionError(f"a stored request template: {key!r} must be an object.")
    return cast("JsonObject", value)


def objects_at(raw: JsonObject, key: str) -> list[JsonObject]:
    """A list of objects of the stored form; empty where it is left out.

    Raises:
        DefinitionError: it is something else.
    """
    value = raw.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(i, Mapping) for i in value):
        raise DefinitionError(f"a stored request template: {key!r} must be a list of objects.")
    return list(cast("Sequence[JsonObject]", value))
