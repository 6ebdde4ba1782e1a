"""Docstrings as descriptions: what is said of the tool, and of each parameter.

Google, NumPy and Sphinx style are read. What a docstring says of a parameter belongs to that
parameter and is not repeated in the tool's description; of the other sections only what is returned
is kept.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import docstring_parser

_GOOGLE = re.compile(
    r"^(?:Args|Arguments|Parameters|Params|Returns|Raises|Yields|Examples?|Attributes):\s*$",
    re.MULTILINE,
)
_SPHINX = re.compile(
    r"^:(?:param|parameter|arg|argument|key|keyword|type|returns?|raises?|rtype)\b", re.MULTILINE
)
_NUMPY = re.compile(
    r"^(?:Parameters|Returns|Raises|Yields|Notes|Examples|See Also|Other Parameters)\n-{3,}\s*$",
    re.MULTILINE,
)
_SPACES = re.compile(r"[ \t]*\n[ \t]*")


@dataclass(frozen=True, slots=True)
class Docs:
    """A docstring in parts: what is said of the whole, and of each parameter by name."""

    description: str = ""
    parameters: Mapping[str, str] = field(default_factory=dict[str, str])


def read_docs(text: str) -> Docs:
    """Read a docstring that is dedented already (`inspect.getdoc`).

    Example:
        >>> docs = read_docs("Finds notes.\\n\\nArgs:\\n    query: What to look for.")
        >>> docs.description, docs.parameters
        ('Finds notes.', {'query': 'What to look for.'})
    """
    if not text:
        return Docs()
    parsed = _parsed(text)
    if parsed is None:
        return Docs(text.strip())
    said = [part.strip() for part in (parsed.short_description, parsed.long_description) if part]
    returns = parsed.returns
    if returns is not None and returns.description:
        said.append(f"Returns: {_joined(returns.description)}")
    return Docs(
        "\n\n".join(said),
        {item.arg_name.lstrip("*"): _joined(item.description or "") for item in parsed.params},
    )


def _parsed(text: str) -> "docstring_parser.Docstring | None":
    style = (
        "google"
        if _GOOGLE.search(text)
        else "rest"
        if _SPHINX.search(text)
        else "numpydoc"
        if _NUMPY.search(text)
        else ""
    )
    if not style:
        return None
    from docstring_parser import ParseError, google, numpydoc, rest  # noqa: PLC0415 - only where sections are

    try:
        return {"google": google, "rest": rest, "numpydoc": numpydoc}[style].parse(text)
    except ParseError:
        return None


def _joined(text: str) -> str:
    """Lines of one paragraph as one line; blank lines stay."""
    return "\n\n".join(
        _SPACES.sub(" ", part.strip()) for part in re.split(r"\n[ \t]*\n", text)
    ).strip()
