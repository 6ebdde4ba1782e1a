"""What an answer may not say: where the system lives."""

import re
from contextlib import suppress
from functools import lru_cache
from ipaddress import ip_address

from toolroll.sources.secret import Secrets, longest_first

ADDRESS = "[address]"
"""Stands where an internal address stood."""

_HOST = re.compile(r"(\[[^\]]*\]|[^:]*)(:\d+)?:?")
"""Host and port of an address."""

_LEAST_6 = 7
"""Least characters of an address of IPv6 that is found without its brackets."""

_INTERNAL = re.compile(
    r"""
    \b(?:https?://)?
    (?:
        (?:10|127)(?:\.\d{1,3}){3}
      | (?:192\.168|169\.254)(?:\.\d{1,3}){2}
      | 172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2}
      | 100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])(?:\.\d{1,3}){2}
      | localhost
      | (?:[A-Za-z0-9-]{1,63}\.){1,10}
        (?:internal|local|localdomain|lan|corp|intranet|intra|home|private|svc)
    )
    (?![A-Za-z0-9.-]*[A-Za-z0-9])
    (?::\d{1,5})?
    """,
    re.VERBOSE | re.IGNORECASE,
)

_LOCAL_6 = r"""
    (?: (?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f])
        (?: (?::[0-9a-f]{1,4}){7}
          | (?::[0-9a-f]{1,4}){0,6}::(?:[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,6})?
        )
        (?:%[\w.-]{1,15})?
      | ::1
    )
"""
_INTERNAL_6 = re.compile(
    rf"(?<![\w:.])(?:https?://)?(?:\[{_LOCAL_6}\](?::\d{{1,5}})?|{_LOCAL_6}(?![\w:]))",
    re.VERBOSE | re.IGNORECASE,
)


def own_address(host: str) -> Secrets:
    """The address that is asked, to be taken out of texts of any length.

    Args:
        host: host and port, "" for none. A bare name without a dot is a word like any other and is
            found only behind `http://`.

    Example:
        >>> own_address("10.0.0.7:8080").mask("no answer from http://10.0.0.7:8080/mcp")
        'no answer from [address]/mcp'
    """
    if not host:
        return Secrets(())
    port = _HOST.fullmatch(host)
    ending = port[2] if port else ""
    names = _names_of(host)
    plain = {f"{name}{ending}" for name in names} if ending else set[str]()
    plain |= {name for name in names if "." in name or (":" in name and len(name) >= _LEAST_6)}
    urls = {
        f"{scheme}://{name}{end}"
        for scheme in ("http", "https")
        for name in names
        for end in (ending, "")
    }
    return Secrets(plain | urls, shown=ADDRESS, any_case=True)


def without_addresses(text: str, host: str) -> str:
    """A text without the addresses of internal systems and of the one that was asked.

    Args:
        text: at most some thousand characters.
        host: host and port that were asked, e.g. `api.test:8443`; "" for none.

    Example:
        >>> without_addresses("no route to db-7.corp.internal:5432 from api.test", "api.test")
        'no route to [address] from [address]'
    """
    if host:
        text = _own(host).sub(ADDRESS, text)
    return _INTERNAL_6.sub(ADDRESS, _INTERNAL.sub(ADDRESS, text))


@lru_cache(maxsize=64)
def _own(host: str) -> re.Pattern[str]:
    bare = "".join(f"(?<!:){re.escape(name)}|" for name in _names_of(host) if ":" in name)
    names = bare + "|".join(re.escape(name) for name in _names_of(host) if ":" not in name)
    return re.compile(
        rf"(?<![\w-])(?:https?://)?(?:{names.rstrip('|')})(?::\d{{1,5}})?(?![\w-]|\.\w)",
        re.IGNORECASE,
    )


def _names_of(host: str) -> list[str]:
    """A host without its port, in every way that it may be written; the longest first."""
    found = _HOST.fullmatch(host)
    name = (found[1] if found else host).lower().rstrip(".")
    names = {name}
    if name.startswith("["):
        names |= {name[1:-1]}
        with suppress(ValueError):
            short = ip_address(name[1:-1]).compressed
            names |= {short, f"[{short}]"}
    else:
        with suppress(ValueError):  # UnicodeError is one
            names |= {name.encode("idna").decode(), name.encode("idna").decode("idna")}
    return [*longest_first(names)]
