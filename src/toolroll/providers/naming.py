"""Names of tools as a provider takes them."""

import hashlib
import re
from collections.abc import Iterable

from toolroll.outcome import Note
from toolroll.providers.limit import ProviderLimits
from toolroll.toolkit.protocol import ListedTool

UNNAMED = "unnamed"
"""What a call without a name is called in the history."""

_NO_WORD = re.compile(r"[^A-Za-z0-9_-]")
_DIGITS = 8


def wire_names(
    tools: Iterable[ListedTool], limits: ProviderLimits
) -> tuple[dict[str, str], list[Note]]:
    """Give every tool a name the provider takes; equal lists give equal names.

    Returns:
        Listed name -> name on the wire, and a note for each that differs.
    """
    listed = list(tools)
    taken = {tool.name for tool in listed if fits(tool.name, limits)}
    names: dict[str, str] = {}
    notes: list[Note] = []
    for tool in listed:
        if fits(tool.name, limits):
            names[tool.name] = tool.name
            continue
        name = shortened(tool.name, limits, source=tool.source, taken=taken)
        taken.add(name)
        names[tool.name] = name
        reason = f"{limits.provider} does not take this name; it is called {name!r} there"
        notes.append(Note("renamed", tool.name, reason, tool.source))
    return names, notes


def fits(name: str, limits: ProviderLimits) -> bool:
    """The provider takes this name as it is."""
    return len(name) <= limits.name_length and limits.name.fullmatch(name) is not None


def shortened(
    name: str, limits: ProviderLimits, *, source: str = "", taken: Iterable[str] = ()
) -> str:
    """The name with every odd character as `_`; cut, with 8 digits of its digest, where it is too
    long or would be another tool's.

    Example:
        >>> from toolroll.providers.limit import OPENAI_CHAT
        >>> shortened("files.read", OPENAI_CHAT)
        'files_read'
    """
    plain = _NO_WORD.sub("_", name) or UNNAMED
    if limits.name.fullmatch(plain) is None:
        plain = f"_{plain}"
    if len(plain) <= limits.name_length and plain not in set(taken):
        return plain
    digest = hashlib.sha256(f"{source}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[: limits.name_length - _DIGITS - 1]}_{digest[:_DIGITS]}"
