"""The rules of names."""

import hashlib
import re

from toolroll.outcome import DefinitionError

_AUTHORED = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SOURCE = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_LONGEST_GIVEN = 128
_GIVEN = re.compile(rf"[A-Za-z0-9_.:/-]{{1,{_LONGEST_GIVEN}}}")
_NOT_ALLOWED = re.compile(r"[^A-Za-z0-9_-]")
LONGEST = 64
SHORTEST_LIMIT = 16
SEPARATOR = "__"


def check_tool_name(name: object) -> str:
    """Check the name of an authored tool: lower snake case, at most 64 characters.

    Raises:
        DefinitionError: says what is wrong and how to mend it.
    """
    if isinstance(name, str) and len(name) <= LONGEST and _AUTHORED.fullmatch(name):
        return name
    raise DefinitionError(
        f"{name!r} is no tool name: use lower snake case like 'note_write', at most {LONGEST} "
        "characters, without '__' and without '_' at the end.",
        tool=str(name),
    )


def check_given_name(name: object) -> str:
    """Check a name that a host gives to a tool of any origin.

    Providers and protocols take these signs, or have a way to write them.

    Raises:
        DefinitionError: says what is wrong and how to mend it.
    """
    if isinstance(name, str) and _GIVEN.fullmatch(name):
        return name
    raise DefinitionError(
        f"{name!r} is no name for a tool: use letters, digits and any of _ - . : / without "
        "spaces, at most 128 of them.",
        tool=str(name),
    )


def check_length(name: str) -> None:
    """Check the length of a name that a host makes of one from elsewhere, whatever its signs.

    Raises:
        DefinitionError: it is too long.
    """
    if len(name) > _LONGEST_GIVEN:
        raise DefinitionError(
            f"{name!r} is too long for a tool: {len(name)} characters, at most {_LONGEST_GIVEN}; "
            "write a shorter prefix.",
            tool=name,
        )


def check_source_name(name: object, *, what: str = "source") -> str:
    """Check the name of a source or toolkit.

    Raises:
        DefinitionError: says what is wrong and how to mend it.
    """
    if isinstance(name, str) and _SOURCE.fullmatch(name) and SEPARATOR not in name:
        return name
    raise DefinitionError(
        f"{name!r} is no {what} name: use lower case letters, digits, '-' and single '_', "
        "a letter first, at most 32 characters."
    )


def model_name(source: str, tool: str, limit: int = LONGEST) -> str:
    """The name a model sees for a source's tool: `SOURCE__TOOL`, always the same for the same pair.

    Characters that providers refuse become `_`, one for one. Over the limit it is cut and ends in
    `_` and 8 hex digits of SHA-256 over `source NUL tool`.

    Args:
        source, tool: as they stand where they live.
        limit: most characters, at least 16.

    Raises:
        DefinitionError: a limit below 16.

    Example:
        >>> model_name("git hub", "create.issue")
        'git_hub__create_issue'
    """
    if limit < SHORTEST_LIMIT:
        raise DefinitionError(f"max_name_length is {limit}; it must be at least {SHORTEST_LIMIT}.")
    name = _NOT_ALLOWED.sub("_", f"{source}{SEPARATOR}{tool}")
    if len(name) <= limit:
        return name
    digest = hashlib.sha256(f"{source}\0{tool}".encode()).hexdigest()[:8]
    return f"{name[: limit - 9]}_{digest}"
