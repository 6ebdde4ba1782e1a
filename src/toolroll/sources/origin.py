"""Scheme, host and port of an address: credentials are for one origin alone.

Source: RFC 6454.
"""

from urllib.parse import SplitResult, urlsplit

PORTS = {"http": 80, "https": 443}
"""The schemes of a source's address, and the port of each where the address names none."""


def split_url(url: str) -> SplitResult | None:
    """The parts of an address; None where it cannot be read as one.

    Example:
        >>> split_url("https://api.test/v1").hostname, split_url("https://api.test:x/")
        ('api.test', None)
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return None
    return parts


def same_origin(one: str, other: str) -> bool:
    """Whether two addresses have one origin; never where one is none or holds a user or password.

    Example:
        >>> same_origin("https://api.test/a", "https://API.test:443/b")
        True
        >>> same_origin("https://api.test/a", "https://me@api.test/a")
        False
    """
    first, second = _origin(one), _origin(other)
    return first is not None and first == second


def _origin(url: str) -> tuple[str, str, int | None] | None:
    parts = split_url(url)
    if parts is None or "@" in parts.netloc:
        return None
    port = parts.port or PORTS.get(parts.scheme)
    return parts.scheme, (parts.hostname or "").rstrip("."), port
