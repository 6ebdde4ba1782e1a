"""Where an HTTP source sends its requests."""

import re
from urllib.parse import urlsplit

from toolroll.outcome import ConfigError
from toolroll.sources.origin import PORTS, same_origin, split_url


def checked_base_url(url: str) -> str:
    """A base URL without a slash at its end.

    Raises:
        ConfigError: it is no plain `http` or `https` URL.

    Example:
        >>> checked_base_url("https://api.test/v1/")
        'https://api.test/v1'
    """
    fault = ""
    parts = split_url(url)
    if parts is None or parts.scheme not in PORTS or not parts.hostname:
        fault = "it must begin with https:// or http:// and name a host"
    elif "@" in parts.netloc:
        fault = "it must hold no user or password; give them as headers or in a client"
    elif parts.query or parts.fragment or "?" in url or "#" in url:
        fault = "it must hold neither '?' nor '#'"
    elif re.search(r"[^\x21-\x7e]|[\\{}]", url):
        fault = "it must be plain ASCII with every {variable} filled in"
    if fault or parts is None:
        shown = re.split(r"[?#]", url.rpartition("@")[2])[0]  # no password and no key in a query
        raise ConfigError(f"base_url {shown!r} cannot be used: {fault}.")
    return url.rstrip("/")


def same_url(one: str, other: str) -> bool:
    """Whether two base URLs lead to one place.

    Example:
        >>> same_url("https://api.test/v1/", "https://api.test/v1")
        True
    """
    if not same_origin(one, other):
        return False
    return urlsplit(one).path.rstrip("/") == urlsplit(other).path.rstrip("/")
