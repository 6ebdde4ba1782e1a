"""What a provider would refuse in a schema, and why: rules in a table, apart from the dialects.

A dialect is right when nothing here finds a fault in what it made. The rules are read from error
texts, vendors' documentation and vendors' SDKs as of 2026; none was tried against a live API here.
The docs print this table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.draft import TYPES, types_of
from toolroll.dialects.rule import (
    ANTHROPIC_KEY,
    ANTHROPIC_STRICT,
    ANTHROPIC_STRICT_FORMATS,
    GEMINI_OPENAPI3,
    OPENAI_STRICT,
    OPENAI_STRICT_FORMATS,
)
from toolroll.schema.refs import recursive_targets, reference_of
from toolroll.schema.walk import Place, as_list, as_mapping, places

Mode: TypeAlias = Literal[
    "openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3"
]
"""One way of one provider to take a schema; named like the dialects."""

_OPENAI = frozenset({"openai", "openai_strict"})
_ANTHROPIC = frozenset({"anthropic", "anthropic_strict"})
_GEMINI = frozenset({"gemini", "gemini_openapi3"})
_STRICT = frozenset({"openai_strict", "anthropic_strict"})
_ALL = _OPENAI | _ANTHROPIC | _GEMINI

_SAID = {
    "openai_strict": OPENAI_STRICT - {"oneOf", "prefixItems"},
    "anthropic_strict": ANTHROPIC_STRICT - {"oneOf", "prefixItems"},
    "gemini_openapi3": GEMINI_OPENAPI3
    - {"const", "exclusiveMaximum", "exclusiveMinimum", "oneOf", "prefixItems"},
}
_FORMATS = {"openai_strict": OPENAI_STRICT_FORMATS, "anthropic_strict": ANTHROPIC_STRICT_FORMATS}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing a provider would refuse.

    Args:
        pointer: JSON pointer of the subschema.
        rule: id of the rule, from `FAULT_RULES`.
        reason: what is wrong, in one sentence.
    """

    pointer: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultRule:
    """One rule of some providers.

    Args:
        id: its name.
        modes: where it holds.
        find: what is wrong with one subschema; None where nothing is.
        source: who said so.
    """

    id: str
    modes: frozenset[str]
    find: "Callable[[_Looked], str | None]"
    source: str


@dataclass(frozen=True, slots=True)
class _Looked:
    """One subschema while it is looked at."""

    node: JsonObject
    place: Place
    mode: str
    circles: frozenset[str]

    @property
    def at_root(self) -> bool:
        return self.place.pointer == ""


def faults(schema: JsonValue, mode: Mode) -> list[Fault]:
    """Everything a provider would refuse in a schema, in order of place.

    Args:
        schema: as it would be sent.
        mode: see `Mode`.

    Raises:
        SchemaTooLarge: it is deeper or larger than `toolroll.schema`'s limits.

    Example:
        >>> [fault.reason for fault in faults({"type": "object", "anyOf": [{}, {}]}, "anthropic")]
        ['anyOf stands at the root']
    """
    rules = [rule for rule in FAULT_RULES if mode in rule.modes]
    root = as_mapping(schema)
    circles = recursive_targets(root) if root is not None else frozenset[str]()
    found: list[Fault] = []
    for place in places(schema):
        looked = _Looked(place.mapping or {}, place, mode, circles)
        if place.mapping is None and not looked.at_root:
            continue
        for rule in rules:
            reason = rule.find(looked)
            if reason is not None:
                found.append(Fault(place.pointer, rule.id, reason))
    return found


def _root_object(it: _Looked) -> str | None:
    return "the root is no object" if it.at_root and it.node.get("type") != "object" else None


def _root_union(it: _Looked) -> str | None:
    words = ("anyOf", "oneOf", "allOf", *(("enum", "not") if it.mode in _OPENAI else ()))
    found = [word for word in words if it.at_root and word in it.node]
    return f"{' and '.join(found)} stands at the root" if found else None


def _root_properties(it: _Looked) -> str | None:
    return "the root lists no properties" if it.at_root and "properties" not in it.node else None


def _shapes(it: _Looked) -> str | None:
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


def _older_drafts(it: _Looked) -> str | None:
    if as_list(it.node.get("items")) is not None:
        return "items is a list of schemas"
    for word in ("exclusiveMinimum", "exclusiveMaximum"):
        if isinstance(it.node.get(word), bool):
            return f"{word} is true or false"
    return None


def _array_items(it: _Looked) -> str | None:
    lacks = "array" in types_of(it.node) and "items" not in it.node
    return "an array does not say what its items are" if lacks else None


def _key_names(it: _Looked) -> str | None:
    odd = [
        name
        for name in as_mapping(it.node.get("properties")) or ()
        if ANTHROPIC_KEY.fullmatch(name) is None
    ]
    return f"the property {odd[0]!r} has a name that is not taken" if odd else None


def _all_required(it: _Looked) -> str | None:
    named = as_list(it.node.get("required")) or []
    optional = [name for name in as_mapping(it.node.get("properties")) or () if name not in named]
    return f"the property {optional[0]!r} is optional" if optional else None


def _known_required(it: _Looked) -> str | None:
    listed = as_mapping(it.node.get("properties")) or {}
    ghosts = [name for name in as_list(it.node.get("required")) or () if name not in listed]
    return f"required names {ghosts[0]!r}, which is no property" if ghosts else None


def _closed(it: _Looked) -> str | None:
    opened = "object" in types_of(it.node) and it.node.get("additionalProperties") is not False
    return "an object is not closed" if opened else None


def _words(it: _Looked) -> str | None:
    unknown = [word for word in it.node if word not in _SAID[it.mode]]
    return f"there is no keyword {unknown[0]!r}" if unknown else None


def _format(it: _Looked) -> str | None:
    said = it.node.get("format")
    return f"there is no format {said!r}" if said and said not in _FORMATS[it.mode] else None


def _few_items(it: _Looked) -> str | None:
    said = it.node.get("minItems", 0)
    return "minItems is more than 1" if said not in (0, 1) else None


def _typed(it: _Looked) -> str | None:
    words = {"type", "anyOf", "$ref", "enum", "const"}
    return "a value may be of any type" if not words & it.node.keys() else None


def _reference_alone(it: _Looked) -> str | None:
    if reference_of(it.node) is None:
        return None
    allowed = {"$ref", "description", "default"} if it.mode == "gemini" else {"$ref"}
    if it.at_root:
        allowed |= {"$defs", "type"}
    beside = sorted(it.node.keys() - allowed)
    return f"{beside[0]} stands beside a reference" if beside else None


def _finite(it: _Looked) -> str | None:
    return "it leads back to itself" if it.place.pointer in it.circles else None


def _text_enum(it: _Looked) -> str | None:
    values = as_list(it.node.get("enum"))
    if values is None:
        return None
    if not all(isinstance(value, str) for value in values):
        return "a fixed value is no text"
    if "" in values:
        return "a fixed value is empty"
    return None if it.node.get("type") == "string" else "fixed values need the type string"


def _plain_enum(it: _Looked) -> str | None:
    values = [*(as_list(it.node.get("enum")) or ()), it.node.get("const")]
    held = any(isinstance(value, (dict, list, tuple)) for value in values)
    return "a fixed value is an object or array" if held else None


def _one_type(it: _Looked) -> str | None:
    return "type is a list" if as_list(it.node.get("type")) is not None else None


def _union_alone(it: _Looked) -> str | None:
    beside = sorted(it.node.keys() - {"anyOf"}) if "anyOf" in it.node else []
    return f"{beside[0]} stands beside anyOf" if beside else None


def _schema_word(it: _Looked) -> str | None:
    return "it says $schema" if it.at_root and "$schema" in it.node else None


def _rules() -> Iterator[FaultRule]:
    """The table."""
    rows: tuple[tuple[str, frozenset[str], Callable[[_Looked], str | None], str], ...] = (
        ("root-object", _ALL, _root_object, "softwaremill/sttp-ai#521, kirodotdev/Kiro#10270"),
        (
            "root-union",
            _ALL - {"gemini"},
            _root_union,
            "dearlordylord/huly-mcp#66, anomalyco/opencode#35516",
        ),
        ("root-properties", _OPENAI, _root_properties, "openai/openai-agents-python#449"),
        ("shapes", _ALL, _shapes, "JSON Schema 2020-12; maximhq/bifrost#1720"),
        ("older-drafts", _ALL, _older_drafts, "JSON Schema 2020-12; anomalyco/opencode#39995"),
        ("schema-word", _OPENAI | _GEMINI, _schema_word, "router-for-me/CLIProxyAPI#97"),
        (
            "array-items",
            _OPENAI | {"gemini_openapi3"},
            _array_items,
            "sigoden/aichat#1049, cline/cline#7339",
        ),
        ("key-names", _ANTHROPIC, _key_names, "beautyfree/appstore-connect-mcp#2"),
        ("all-required", frozenset({"openai_strict"}), _all_required, "kevinwatt/mysql-mcp#5"),
        (
            "known-required",
            _GEMINI | {"openai_strict"},
            _known_required,
            "iBUHub/AIStudioToAPI#154",
        ),
        ("closed", _STRICT, _closed, "github/github-mcp-server#376"),
        ("words", _STRICT | {"gemini_openapi3"}, _words, "vendors' lists of keywords"),
        ("formats", _STRICT, _format, "posit-dev/chatlas#255"),
        ("typed", _STRICT | {"gemini_openapi3"}, _typed, "vendors' SDKs"),
        ("few-items", frozenset({"anthropic_strict"}), _few_items, "BerriAI/litellm#39115"),
        ("plain-enum", frozenset({"anthropic_strict"}), _plain_enum, "vendor's documentation"),
        (
            "reference-alone",
            frozenset({"gemini", "openai_strict"}),
            _reference_alone,
            "su-kaka/gcli2api#374",
        ),
        (
            "finite",
            frozenset({"gemini", "gemini_openapi3", "anthropic_strict"}),
            _finite,
            "vendor's documentation; NousResearch/hermes-agent#98928",
        ),
        (
            "text-enum",
            frozenset({"gemini_openapi3"}),
            _text_enum,
            "microsoft/azure-devops-mcp#145, decolua/9router#359, sbroenne/mcp-server-excel#607",
        ),
        ("one-type", frozenset({"gemini_openapi3"}), _one_type, "vercel/ai#19000"),
        ("union-alone", frozenset({"gemini_openapi3"}), _union_alone, "vercel/ai#19000"),
    )
    for identifier, modes, find, source in rows:
        yield FaultRule(id=identifier, modes=modes, find=find, source=source)


FAULT_RULES: tuple[FaultRule, ...] = tuple(_rules())
"""Every rule, with where it holds and who said so."""
