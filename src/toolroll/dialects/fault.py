"""What a provider would refuse in a schema, and why: rules in a table, apart from the dialects.

A dialect is right when nothing here finds a fault in what it made. The rules are read from error
texts, vendors' documentation and vendors' SDKs as of 2026; none was tried against a live API here.
The docs print this table.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolroll.content import JsonValue
from toolroll.dialects import finding
from toolroll.dialects.finding import Looked
from toolroll.schema.refs import recursive_targets
from toolroll.schema.walk import as_mapping, places

Mode: TypeAlias = Literal[
    "openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3"
]
"""One way of one provider to take a schema; named like the dialects."""

_OPENAI = frozenset({"openai", "openai_strict"})
_ANTHROPIC = frozenset({"anthropic", "anthropic_strict"})
_GEMINI = frozenset({"gemini", "gemini_openapi3"})
_STRICT = frozenset({"openai_strict", "anthropic_strict"})
_ALL = _OPENAI | _ANTHROPIC | _GEMINI


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing a provider would refuse.

    Args:
        pointer: JSON pointer of the subschema.
        rule: id of the rule, from `FAULT_RULES`.
        reason: what is wrong, in one sentence.

    Example:
        >>> tags = {"type": "object", "properties": {"tags": {"type": "array"}}}
        >>> (fault,) = faults(tags, "openai")
        >>> fault.pointer, fault.rule
        ('/properties/tags', 'array-items')
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
        says: the rule as a sentence.
        source: who said so.
    """

    id: str
    modes: frozenset[str]
    find: "Callable[[Looked], str | None]"
    says: str
    source: str


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
        looked = Looked(place.mapping or {}, place, mode, circles)
        if place.mapping is None and not looked.at_root:
            continue
        for rule in rules:
            reason = rule.find(looked)
            if reason is not None:
                found.append(Fault(place.pointer, rule.id, reason))
    return found


def _rules() -> Iterator[FaultRule]:
    """The table."""
    strict = frozenset({"openai_strict"})
    claude = frozenset({"anthropic_strict"})
    older = frozenset({"gemini_openapi3"})
    rows: tuple[tuple[str, frozenset[str], Callable[[Looked], str | None], str, str], ...] = (
        (
            "root-object",
            _ALL,
            finding.root_object,
            "The root is an object.",
            "softwaremill/sttp-ai#521, kirodotdev/Kiro#10270",
        ),
        (
            "root-union",
            _ALL - {"gemini"},
            finding.root_union,
            "No union stands at the root.",
            "dearlordylord/huly-mcp#66, anomalyco/opencode#35516",
        ),
        (
            "root-properties",
            _OPENAI,
            finding.root_properties,
            "The root lists its properties, if only none.",
            "openai/openai-agents-python#449",
        ),
        (
            "shapes",
            _ALL,
            finding.shapes,
            "`properties` is an object, `required` a list of names, `type` a type of JSON Schema.",
            "JSON Schema 2020-12; maximhq/bifrost#1720",
        ),
        (
            "older-drafts",
            _ALL,
            finding.older_drafts,
            "No tuple stands under `items`, no exclusive bound is true or false.",
            "JSON Schema 2020-12; anomalyco/opencode#39995",
        ),
        (
            "schema-word",
            _OPENAI | _GEMINI,
            finding.schema_word,
            "`$schema` is not said.",
            "router-for-me/CLIProxyAPI#97",
        ),
        (
            "array-items",
            _OPENAI | older,
            finding.array_items,
            "An array says what its items are.",
            "sigoden/aichat#1049, cline/cline#7339",
        ),
        (
            "key-names",
            _ANTHROPIC,
            finding.key_names,
            "Names of properties have 1 to 64 letters, digits, `_`, `.` or `-`.",
            "beautyfree/appstore-connect-mcp#2",
        ),
        (
            "all-required",
            strict,
            finding.all_required,
            "Every property is required.",
            "kevinwatt/mysql-mcp#5",
        ),
        (
            "known-required",
            _GEMINI | strict,
            finding.known_required,
            "`required` names properties that are listed beside it.",
            "iBUHub/AIStudioToAPI#154",
        ),
        (
            "closed",
            _STRICT,
            finding.closed,
            "Objects are closed.",
            "github/github-mcp-server#376",
        ),
        (
            "words",
            _STRICT | older,
            finding.words,
            "Only keywords of the provider's list stand there.",
            "vendors' lists of keywords",
        ),
        (
            "formats",
            _STRICT,
            finding.format,
            "Only formats of the provider's list stand there.",
            "posit-dev/chatlas#255",
        ),
        (
            "typed",
            _STRICT | older,
            finding.typed,
            "Every value has a type, fixed values, a union or a reference.",
            "vendors' SDKs",
        ),
        (
            "few-items",
            claude,
            finding.few_items,
            "`minItems` is 0 or 1.",
            "BerriAI/litellm#39115",
        ),
        (
            "plain-enum",
            claude,
            finding.plain_enum,
            "Fixed values are no objects and arrays.",
            "vendor's documentation",
        ),
        (
            "fitting-values",
            strict,
            finding.fitting_values,
            "Fixed values are of the type beside them.",
            "vendor's error text 'enum value 0 does not validate against'",
        ),
        (
            "reference-alone",
            strict | {"gemini"},
            finding.reference_alone,
            "Nothing stands beside a reference (for Gemini: but a description and a default).",
            "su-kaka/gcli2api#374",
        ),
        (
            "finite",
            _GEMINI | claude,
            finding.finite,
            "No reference leads back to itself.",
            "vendor's documentation; NousResearch/hermes-agent#98928",
        ),
        (
            "text-enum",
            older,
            finding.text_enum,
            "Fixed values are texts, none of them empty, of the type `string`.",
            "microsoft/azure-devops-mcp#145, decolua/9router#359, sbroenne/mcp-server-excel#607",
        ),
        (
            "one-type",
            older,
            finding.one_type,
            "`type` is no list.",
            "vercel/ai#19000",
        ),
        (
            "union-alone",
            older,
            finding.union_alone,
            "Nothing stands beside `anyOf`.",
            "vercel/ai#19000",
        ),
    )
    for identifier, modes, find, says, source in rows:
        yield FaultRule(id=identifier, modes=modes, find=find, says=says, source=source)


FAULT_RULES: tuple[FaultRule, ...] = tuple(_rules())
"""Every rule, with where it holds and who said so."""
