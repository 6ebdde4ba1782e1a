"""How tools are offered."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from toolroll.content import JsonObject

Strict: TypeAlias = Literal["auto", "on", "off"]
"""`on`: the provider holds the schema of an authored tool, where nothing is lost by it and its
known budgets allow. `auto`: the same, but not at a provider that refuses whole requests beyond a
budget it does not tell. `off`: no tool is strict. Imported tools never are."""

View: TypeAlias = Callable[[JsonObject], JsonObject]
"""A schema -> what is shown of it, before the dialect; the tool's own check uses the whole."""

CUT_MARK = " [...]"
"""Ends a description that was cut."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferOptions:
    """How tools are offered.

    Args:
        strict: see `Strict`.
        view: see `View`; for instance `toolroll.schema.slim`.
        describe: bounds that the dialect cannot say are said in the descriptions.
        max_description: most characters of a tool's description; the rest is cut, with a mark and a
            note. For endpoints that refuse longer ones; None cuts nothing.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, tool
        >>> from toolroll.providers import openai_chat
        >>> @tool(effect="read")
        ... def note_read(number: int) -> str:
        ...     '''Read a note.'''
        ...     return "bread, tea"
        >>> kit, plain = LocalToolkit("notes", note_read), OfferOptions(strict="off")
        >>> "strict" in openai_chat.offer(kit, CallContext(), options=plain).tools[0]["function"]
        False
    """

    strict: Strict = "auto"
    view: View | None = None
    describe: bool = False
    max_description: int | None = None


DEFAULT_OPTIONS = OfferOptions()
"""Strict where nothing is lost by it, everything shown, nothing cut."""
