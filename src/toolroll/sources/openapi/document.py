"""An OpenAPI document as it was parsed, and where its references lead. Nothing is fetched."""

from collections.abc import Mapping, Sequence
from typing import cast
from urllib.parse import unquote

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError
from toolroll.sources.openapi.limit import DEFAULT_LIMITS, ReadingLimits


class LeftOutError(Exception):
    """Something of the document cannot become (part of) a tool; the text says why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def as_object(value: JsonValue) -> JsonObject | None:
    """The value if it is an object, else None."""
    return cast("JsonObject", value) if isinstance(value, Mapping) else None


def as_list(value: JsonValue) -> Sequence[JsonValue]:
    """The items of a list; [] for anything else."""
    return cast("Sequence[JsonValue]", value) if isinstance(value, list | tuple) else ()


def as_text(value: JsonValue) -> str:
    """A text; "" for anything else."""
    return value if isinstance(value, str) else ""


class Document:
    """A parsed document.

    Args:
        raw: the document as parsed from JSON or YAML.
        limits: how far references are followed.

    Raises:
        DefinitionError: it is no OpenAPI document of version 2 or 3.
    """

    def __init__(self, raw: JsonObject, limits: ReadingLimits = DEFAULT_LIMITS) -> None:
        self.raw = raw
        self.limits = limits
        self.version = _version(raw)
        # OpenAPI 3.2: the document's own address; with it a reference is a local one.
        own = as_text(raw.get("$self"))
        self._own = f"{own}#" if own and "#" not in own else ""
        self.is_swagger = self.version == "2.0"
        self.is_3_0 = self.is_swagger or self.version.startswith("3.0")

    def find(self, reference: str) -> JsonValue:
        """What a local reference leads to.

        Raises:
            LeftOutError: it leads out of the document, or to nothing.
        """
        if self._own and reference.startswith(self._own):
            reference = reference[len(self._own) - 1 :]
        if not reference.startswith("#"):
            raise LeftOutError(f"{_shown(reference)} is not in this document")
        value: JsonValue = self.raw
        pointer = unquote(reference[1:])
        if pointer and not pointer.startswith("/"):
            raise LeftOutError(f"{_shown(reference)} is an anchor, which is not looked up")
        for part in pointer.split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            value = _step(value, key, reference)
        return value

    def resolve(self, value: JsonValue, what: str) -> JsonObject:
        """An object, through as many local references as it takes.

        Args:
            value: the object or a reference object.
            what: what it is, for the reason.

        Raises:
            LeftOutError: it is no object, or a reference leads nowhere or in a circle.
        """
        for _ in range(self.limits.references):
            found = as_object(value)
            if found is None:
                raise LeftOutError(f"{what} is not an object")
            reference = found.get("$ref")
            if not isinstance(reference, str):
                return found
            value = self.find(reference)
        raise LeftOutError(f"the references of {what} lead in a circle")

    def peek(self, value: JsonValue) -> JsonObject | None:
        """An object, references followed; None where `resolve` would raise."""
        try:
            return self.resolve(value, "")
        except LeftOutError:
            return None


def _step(value: JsonValue, key: str, reference: str) -> JsonValue:
    if (found := as_object(value)) is not None:
        if key in found:
            return found[key]
        # YAML reads an unquoted status as a number.
        for known, item in found.items():
            if str(known) == key:
                return item
    elif key.isdecimal() and int(key[:9]) < len(items := as_list(value)):
        return items[int(key[:9])]
    raise LeftOutError(f"{_shown(reference)} leads to nothing")


def _shown(reference: str) -> str:
    return f"the reference {reference[:200]!r}"


def _version(raw: JsonObject) -> str:
    if as_object(raw) is None:
        raise DefinitionError(
            f"an OpenAPI document is needed as parsed JSON (a dict), got {type(raw).__name__}."
        )
    said = raw.get("openapi", raw.get("swagger"))
    version = str(said) if isinstance(said, (str, float)) else ""
    if "openapi" in raw and version.startswith("3."):
        return version
    if "swagger" in raw and version.startswith("2."):
        return "2.0"
    raise DefinitionError(
        "this is no OpenAPI document of version 2 or 3: "
        f"'openapi' is {raw.get('openapi')!r}, 'swagger' is {raw.get('swagger')!r}."
    )
