"""What a dialect answers: the schema as a provider takes it, the way back, and what was lost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from toolroll.content import JsonObject, JsonValue

Use: TypeAlias = Literal["tool", "response"]
"""`tool`: the arguments of a tool, always an object. `response`: a structured answer of the
model."""

LossKind: TypeAlias = Literal["bound", "shape", "note"]
"""`bound`: a limit the model is no longer told (length, pattern, ...). `shape`: a rule between
values, or the order or names of values. `note`: words without force (`default`, `examples`,
...)."""

Restore: TypeAlias = Callable[[JsonValue], JsonValue]
"""From arguments as the model wrote them to arguments as the tool's own schema means them."""


@dataclass(frozen=True, slots=True)
class Loss:
    """One thing the adapted schema no longer says. The tool's own check still holds it.

    Args:
        pointer: JSON pointer of the subschema in the schema that was given.
        keyword: the keyword that went, or changed its meaning.
        value: what it said.
        kind: see `LossKind`.
        reason: why, in one sentence.

    Example:
        >>> from toolroll.dialects import openai_strict
        >>> name = {"type": "string", "maxLength": 20}
        >>> (loss,) = openai_strict.adapt({"type": "object", "properties": {"name": name}}).losses
        >>> loss.pointer, loss.keyword, loss.value
        ('/properties/name', 'maxLength', 20)
    """

    pointer: str
    keyword: str
    value: JsonValue
    kind: LossKind
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """A schema in a provider's dialect.

    Args:
        schema: what to send. A new object; the schema that was given is not changed.
        restore: arguments as the model wrote them -> arguments for the tool. Never changes what it
            is given, never raises; returns the same object where nothing is to be done.
        losses: what went, and where. Nothing goes without a line here.
        strict: the provider may be asked to hold the schema strictly. Only strict dialects say so,
            and only where every input that the tool takes can still be written.
        renamed: name of a property on the wire -> its own name.
        obstacles: why a strict dialect gave the plain schema instead; empty where it did not.

    Example:
        >>> from toolroll.dialects import openai_strict
        >>> words = {"type": "integer", "minimum": 1}
        >>> adapted = openai_strict.adapt({"type": "object", "properties": {"words": words}})
        >>> adapted.strict, adapted.schema["required"]
        (True, ['words'])
        >>> adapted.restore({"words": None})
        {}
    """

    schema: JsonObject
    restore: Restore
    losses: tuple[Loss, ...] = ()
    strict: bool = False
    obstacles: tuple[Loss, ...] = ()
    renamed: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def lossless(self) -> bool:
        """Nothing with force was lost."""
        return all(loss.kind == "note" for loss in self.losses)
