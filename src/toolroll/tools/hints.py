"""What a tool is said to do: an effect (authored) or claims (imported)."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, cast, get_args

from toolroll.content import JsonObject, JsonValue
from toolroll.outcome import DefinitionError

Effect: TypeAlias = Literal["read", "write", "destructive"]
"""`read` changes nothing; `write` changes what the next call can undo or overwrite; `destructive`
removes or overwrites what cannot be given back."""

_EFFECTS = get_args(Effect)
_WIRE = (
    ("read_only", "readOnlyHint"),
    ("destructive", "destructiveHint"),
    ("idempotent", "idempotentHint"),
    ("open_world", "openWorldHint"),
)

WIRE_HINTS = tuple(wire for _, wire in _WIRE)
"""MCP's names of the hints."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Claims about a tool, each True, False or None (not said). Never a guarantee.

    Source: MCP 2026-07-28, schema, `ToolAnnotations`.

    Args:
        read_only: it changes nothing.
        destructive: it removes or overwrites what cannot be given back.
        idempotent: calling it twice does no more than once.
        open_world: it reaches systems outside the application's own.

    Example:
        >>> Hints.of_effect("write").to_json()["destructiveHint"], Hints(read_only=True).effect
        (False, 'read')
    """

    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None

    @property
    def effect(self) -> Effect | None:
        """The effect these hints amount to; None where they do not say."""
        if self.read_only:
            return "read"
        if self.destructive is None:
            return None
        return "destructive" if self.destructive else "write"

    @staticmethod
    def of_effect(
        effect: Effect, *, idempotent: bool | None = None, open_world: bool = False
    ) -> "Hints":
        """The hints of an authored tool; `idempotent` defaults to whether it only reads.

        Raises:
            DefinitionError: there is no such effect.
        """
        if effect not in _EFFECTS:
            raise DefinitionError(
                f"{effect!r} is no effect; write 'read', 'write' or 'destructive'."
            )
        return Hints(
            read_only=effect == "read",
            destructive=effect == "destructive",
            idempotent=effect == "read" if idempotent is None else idempotent,
            open_world=open_world,
        )

    def to_json(self) -> dict[str, JsonValue]:
        """The hints in MCP's spelling; what is not said is left out."""
        said = ((wire, getattr(self, name)) for name, wire in _WIRE)
        return {wire: cast("bool", value) for wire, value in said if value is not None}

    @staticmethod
    def from_json(raw: JsonObject) -> "Hints":
        """Read MCP's spelling; what is not a boolean counts as not said."""
        said = {name: raw.get(wire) for name, wire in _WIRE}
        return Hints(**{name: value for name, value in said.items() if isinstance(value, bool)})
