"""JSON pointers (RFC 6901)."""

from collections.abc import Iterable


def pointer_of(parts: Iterable[str | int]) -> str:
    """Write path parts as a pointer; no part at all is the root, "".

    Example:
        >>> pointer_of(["a/b", 0, "~"])
        '/a~1b/0/~0'
    """
    return "".join(["/" + escape_part(str(part)) for part in parts])


def parts_of(pointer: str) -> list[str]:
    """Read a pointer as its parts.

    Example:
        >>> parts_of("/a~1b/0/~0")
        ['a/b', '0', '~']
    """
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def escape_part(part: str) -> str:
    """Write one part so that it can stand in a pointer.

    Example:
        >>> escape_part("a/b~")
        'a~1b~0'
    """
    return part.replace("~", "~0").replace("/", "~1") if "~" in part or "/" in part else part
