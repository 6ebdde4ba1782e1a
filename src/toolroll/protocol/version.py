"""Protocol versions of MCP, their eras, and what each can say.

Source: MCP 2026-07-28, basic/versioning and the changelogs of each version.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

MODERN = "2026-07-28"
"""The stateless version: no handshake, no session; every request describes itself."""

LEGACY = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""The versions with an `initialize` handshake, newest first."""

VERSIONS = (MODERN, *LEGACY)
"""Every version that Toolroll speaks, newest first."""

Era: TypeAlias = Literal["modern", "legacy"]
"""`modern` has no sessions, `legacy` begins with `initialize`."""


def era_of(version: object) -> Era | None:
    """The era of a version, or None for one that Toolroll does not speak.

    Example:
        >>> era_of("2026-07-28"), era_of("2025-06-18"), era_of("1900-01-01")
        ('modern', 'legacy', None)
    """
    if version == MODERN:
        return "modern"
    return "legacy" if version in LEGACY else None


def agree_version(offered: object) -> str:
    """What a server answers to `initialize`: the offered version if it is a known legacy one, else
    the newest legacy one.

    Source: MCP 2025-11-25, basic/lifecycle, "Version Negotiation".

    Example:
        >>> agree_version("2025-03-26"), agree_version("2031-01-01")
        ('2025-03-26', '2025-11-25')
    """
    return offered if isinstance(offered, str) and offered in LEGACY else LEGACY[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a version can say about tools.

    Args:
        batches: several messages in one JSON array.
        version_header: `MCP-Protocol-Version` goes with each HTTP request after the handshake.
        annotations: tools carry hints.
        audio: audio blocks.
        titles: titles, `_meta`, output schemas, structured content, resource links.
        any_data: structured content may be any JSON value, not only an object.
        icons: tools carry icons.
        questions: a server may put a form to the user.
        result_type: every result carries `resultType`.

    Example:
        >>> from toolroll.protocol import features_of
        >>> old, new = features_of("2025-03-26"), features_of("2026-07-28")
        >>> old.batches, new.batches, old.titles, new.any_data
        (True, False, False, True)
    """

    batches: bool = False
    version_header: bool = True
    annotations: bool = True
    audio: bool = True
    titles: bool = True
    any_data: bool = False
    icons: bool = True
    questions: bool = True
    result_type: bool = False


_FEATURES = {
    "2026-07-28": Features(any_data=True, result_type=True),
    "2025-11-25": Features(),
    "2025-06-18": Features(icons=False),
    "2025-03-26": Features(
        batches=True, version_header=False, titles=False, icons=False, questions=False
    ),
    "2024-11-05": Features(
        batches=True,
        version_header=False,
        annotations=False,
        audio=False,
        titles=False,
        icons=False,
        questions=False,
    ),
}


def features_of(version: str) -> Features:
    """What a version can say; an unknown one counts as the newest.

    Example:
        >>> features_of("2024-11-05").annotations, features_of("2025-11-25").any_data
        (False, False)
    """
    return _FEATURES.get(version, _FEATURES[MODERN])
