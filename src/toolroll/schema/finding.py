"""One thing wrong with a schema, as the rules of definition time tell it."""

from dataclasses import dataclass
from typing import Literal

from toolroll.schema.error import SchemaError


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing wrong with a schema.

    Args:
        severity: `error`: it cannot be used. `warning`: it can, but serves a model badly.
        rule: the rule that was broken.
        pointer: JSON pointer into the schema; "" is the root.
        fault: what is wrong, without the place.
        mend: what to do.

    Example:
        >>> from toolroll.schema import lint
        >>> print(lint({"type": "array"})[0])
        at /: the input must be an object schema, got "array"; write "type": "object".
    """

    severity: Literal["error", "warning"]
    rule: str
    pointer: str
    fault: str
    mend: str

    def __str__(self) -> str:
        return f"at {self.pointer or '/'}: {self.fault}; {self.mend}."

    def to_error(self, tool: str = "") -> SchemaError:
        """The finding as the exception of an authored tool."""
        head = f"{tool}: schema" if tool else "schema"
        return SchemaError(f"{head} {self}", tool=tool, pointer=self.pointer)


def error(rule: str, pointer: str, fault: str, mend: str) -> Finding:
    """A finding of severity `error`."""
    return Finding(severity="error", rule=rule, pointer=pointer, fault=fault, mend=mend)


def warning(rule: str, pointer: str, fault: str, mend: str) -> Finding:
    """A finding of severity `warning`."""
    return Finding(severity="warning", rule=rule, pointer=pointer, fault=fault, mend=mend)
