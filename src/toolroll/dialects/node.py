"""One subschema on its way into a dialect, and what a dialect is."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.plan import Plan
from toolroll.dialects.record import Loss, LossKind, Use

References: TypeAlias = Literal["keep", "bare", "acyclic", "inline"]
"""`keep`: as they are. `bare`: nothing beside them. `acyclic`: bare, and `{}` where one leads back
to itself. `inline`: what they lead to stands in their place, `{}` where that would never end."""


Trail: TypeAlias = tuple[str, ...]
"""The parts of a JSON pointer."""


class Work(Protocol):
    """What a step may ask of the conversion it is part of."""

    dialect: "Dialect"
    use: Use
    losses: dict[tuple[str, str], Loss]
    obstacles: list[Loss]
    renamed: dict[str, str]
    plans: dict[str, Plan]
    inside: list[str]
    recursive: frozenset[str]

    def convert(
        self, schema: JsonValue, trail: Trail, /, *, root: bool = False
    ) -> tuple[JsonValue, Plan | None]:
        """One subschema in the dialect, and the way back."""
        ...

    def resolved(self, schema: JsonObject, /) -> JsonObject:
        """A schema whose own reference is put in place."""
        ...

    def definition(self, name: str, /) -> JsonObject:
        """A definition by its name; the root for ""."""
        ...

    def pointer(self, trail: Trail, /) -> str:
        """Where that stands in the schema that was given."""
        ...

    def cuts(self, trail: Trail, name: str, /) -> bool:
        """A reference that stands there and leads to this definition closes a circle."""
        ...

    def key(self, name: str, /) -> str:
        """The name of a property on the wire."""
        ...


@dataclass(slots=True)
class Node:
    """One subschema on its way.

    Args:
        schema: a fresh dict, to be changed; subschemas in it are still the given ones before the
            walk has gone below, and adapted ones afterwards.
        trail: where it stands, from the root.
        plan: what will have to be undone.
        work: the conversion it belongs to.
        root: it is the root of what is sent.
        lost: what was lost here, for the description.
    """

    schema: dict[str, JsonValue]
    trail: Trail
    plan: Plan
    work: Work
    root: bool
    lost: list[Loss]

    def lose(self, keyword: str, value: JsonValue, kind: LossKind, reason: str) -> None:
        """Write down what the adapted schema no longer says."""
        loss = Loss(self.work.pointer(self.trail), keyword, value, kind, reason)
        self.lost.append(loss)
        self.work.losses.setdefault((loss.pointer, keyword), loss)

    def lose_shape(self, keyword: str, value: JsonValue, reason: str) -> None:
        """Write down a lost rule between values."""
        self.lose(keyword, value, "shape", reason)

    def drop(self, keyword: str, kind: LossKind, reason: str) -> None:
        """Take a keyword away if it is there."""
        if keyword in self.schema:
            self.lose(keyword, self.schema.pop(keyword), kind, reason)

    def block(self, keyword: str, reason: str) -> None:
        """Write down that a strict schema would forbid an input the tool takes."""
        value = self.schema.get(keyword)
        self.work.obstacles.append(
            Loss(self.work.pointer(self.trail), keyword, value, "shape", reason)
        )


Step: TypeAlias = Callable[[Node], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How one provider wants its schemas.

    Args:
        name: of the dialect.
        before: steps on a node before the walk goes below it.
        after: steps on a node after that.
        keeps: keywords that stay; None for all.
        references: see `References`.
        merges: `allOf` is merged into what holds it.
        one_object: the root is one plain object without unions.
        key: what a property's name must match as a whole; None for any name.
        booleans: `true` and `false` may stand for schemas.
        strict: the schema is to be held strictly; obstacles count.
    """

    name: str
    before: tuple[Step, ...] = ()
    after: tuple[Step, ...] = ()
    keeps: frozenset[str] | None = None
    references: References = "keep"
    merges: bool = False
    one_object: bool = True
    key: re.Pattern[str] | None = None
    booleans: bool = True
    strict: bool = False
