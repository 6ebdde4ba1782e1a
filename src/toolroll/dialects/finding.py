"""What is wrong with one subschema, by one rule each; the table of rules is in `fault`."""

from dataclasses import dataclass

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.draft import is_of_type, types_of
from toolroll.dialects.form import TYPES
from toolroll.dialects.rule import (
    ANTHROPIC_KEY,
    ANTHROPIC_STRICT,
    ANTHROPIC_STRICT_FORMATS,
    GEMINI_OPENAPI3,
    OPENAI_STRICT,
    OPENAI_STRICT_FORMATS,
)
from toolroll.schema.refs import reference_of
from toolroll.schema.walk import Place, as_list, as_mapping

_OPENAI = frozenset({"openai", "openai_strict"})

_SAID = {
    "openai_strict": OPENAI_STRICT - {"oneOf", "prefixItems"},
    "anthropic_strict": ANTHROPIC_STRICT - {"oneOf", "prefixItems"},
    "gemini_openapi3": GEMINI_OPENAPI3
    - {"const", "exclusiveMaximum", "exclusiveMinimum", "oneOf", "prefixItems"},
}
_FORMATS = {"openai_strict": OPENAI_STRICT_FORMATS, "anthropic_strict": ANTHROPIC_STRICT_FORMATS}


@dataclass(frozen=True, slots=True)
class Looked:
    """One subschema while it is looked at.

    Args:
        node: the subschema; an empty one where it is `True` or `False`.
        place: where it stands.
        mode: of which provider.
        circles: pointers of the definitions that lead back to themselves.
    """

    node: JsonObject
    place: Place
    mode: str
    circles: frozenset[str]

    @property
    def at_root(self) -> bool:
        """It is the root of the schema."""
        return self.place.pointer == ""


def root_object(it: Looked) -> str | None:
    """The root is an object."""
    return "the root is no object" if it.at_root and it.node.get("type") != "object" else None


def root_union(it: Looked) -> str | None:
    """No union stands at the root."""
    words = ("anyOf", "oneOf", "allOf", *(("enum", "not") if it.mode in _OPENAI else ()))
    found = [word for word in words if it.at_root and word in it.node]
    return f"{' and '.join(found)} stands at the root" if found else None


def root_properties(it: Looked) -> str | None:
    """The root lists its properties, if only none."""
    return "the root lists no properties" if it.at_root and "properties" not in it.node else None


def shapes(it: Looked) -> str | None:
    """`properties` is an object, `required` a list of names, `type` a type of JSON Schema."""
    for word in ("properties", "$defs", "patternProperties"):
        if word in it.node and as_mapping(it.node[word]) is None:
            return f"{word} is no object"
    named = it.node.get("required", [])
    names = as_list(named)
    if names is None or not all(isinstance(name, str) for name in names):
        return "required is no list of names"
    if "type" not in it.node:
        return None
    said = it.node["type"]
    types = as_list(said)
    unknown = [name for name in ([said] if types is None else types) if not _is_type(name)]
    if types == []:
        return "type is an empty list"
    return f"there is no type {unknown[0]!r}" if unknown else None


def _is_type(name: JsonValue) -> bool:
    return isinstance(name, str) and name in TYPES


def older_drafts(it: Looked) -> str | None:
    """No tuple stands under `items`, no exclusive bound is true or false."""
    if as_list(it.node.get("items")) is not None:
        return "items is a list of schemas"
    for word in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(it.node.get(word), bool):
            return f"{word} is true or false"
    return None


def array_items(it: Looked) -> str | None:
    """An array says what its items are."""
    lacks = "array" in types_of(it.node) and "items" not in it.node
    return "an array does not say what its items are" if lacks else None


def key_names(it: Looked) -> str | None:
    """Names of properties have 1 to 64 letters, digits, `_`, `.` or `-`."""
    odd = [
        name
        for name in as_mapping(it.node.get("properties")) or ()
        if ANTHROPIC_KEY.fullmatch(name) is None
    ]
    return f"the property {odd[0]!r} has a name that is not taken" if odd else None


def all_required(it: Looked) -> str | None:
    """Every property is required."""
    named = as_list(it.node.get("required")) or []
    optional = [name for name in as_mapping(it.node.get("properties")) or () if name not in named]
    return f"the property {optional[0]!r} is optional" if optional else None


def known_required(it: Looked) -> str | None:
    """`required` names properties that are listed beside it."""
    listed = as_mapping(it.node.get("properties")) or {}
    ghosts = [name for name in as_list(it.node.get("required")) or () if name not in listed]
    return f"required names {ghosts[0]!r}, which is no property" if ghosts else None


def closed(it: Looked) -> str | None:
    """Objects are closed."""
    opened = "object" in types_of(it.node) and it.node.get("additionalProperties") is not False
    return "an object is not closed" if opened else None


def words(it: Looked) -> str | None:
    """Only keywords of the provider's list stand there."""
    unknown = [word for word in it.node if word not in _SAID[it.mode]]
    return f"there is no keyword {unknown[0]!r}" if unknown else None


def format(it: Looked) -> str | None:
    """Only formats of the provider's list stand there."""
    said = it.node.get("format")
    return f"there is no format {said!r}" if said and said not in _FORMATS[it.mode] else None


def few_items(it: Looked) -> str | None:
    """`minItems` is 0 or 1."""
    said = it.node.get("minItems", 0)
    return "minItems is more than 1" if said not in (0, 1) else None


def typed(it: Looked) -> str | None:
    """Every value has a type, fixed values, a union or a reference."""
    words = {"type", "anyOf", "$ref", "enum", "const"}
    return "a value may be of any type" if not words & it.node.keys() else None


def reference_alone(it: Looked) -> str | None:
    """Nothing stands beside a reference (for Gemini: but a description and a default)."""
    if reference_of(it.node) is None:
        return None
    allowed = {"$ref", "description", "default"} if it.mode == "gemini" else {"$ref"}
    if it.at_root:
        allowed |= {"$defs", "type"}
    beside = sorted(it.node.keys() - allowed)
    return f"{beside[0]} stands beside a reference" if beside else None


def finite(it: Looked) -> str | None:
    """No reference leads back to itself."""
    return "it leads back to itself" if it.place.pointer in it.circles else None


def text_enum(it: Looked) -> str | None:
    """Fixed values are texts, none of them empty, of the type `string`."""
    values = as_list(it.node.get("enum"))
    if values is None:
        return None
    if not all(isinstance(value, str) for value in values):
        return "a fixed value is no text"
    if "" in values:
        return "a fixed value is empty"
    return None if it.node.get("type") == "string" else "fixed values need the type string"


def plain_enum(it: Looked) -> str | None:
    """Fixed values are no objects and arrays."""
    values = [*(as_list(it.node.get("enum")) or ()), it.node.get("const")]
    held = any(isinstance(value, (dict, list, tuple)) for value in values)
    return "a fixed value is an object or array" if held else None


def fitting_values(it: Looked) -> str | None:
    """Fixed values are of the type that stands beside them."""
    types = types_of(it.node)
    held = "enum" in it.node or "const" in it.node
    values = as_list(it.node["enum"]) if "enum" in it.node else [it.node.get("const")]
    fits = not types or not held or all(is_of_type(value, types) for value in values or ())
    return None if fits else "a fixed value is not of its type"


def one_type(it: Looked) -> str | None:
    """`type` is no list."""
    return "type is a list" if as_list(it.node.get("type")) is not None else None


def union_alone(it: Looked) -> str | None:
    """Nothing stands beside `anyOf`."""
    beside = sorted(it.node.keys() - {"anyOf"}) if "anyOf" in it.node else []
    return f"{beside[0]} stands beside anyOf" if beside else None


def schema_word(it: Looked) -> str | None:
    """`$schema` is not said."""
    return "it says $schema" if it.at_root and "$schema" in it.node else None
