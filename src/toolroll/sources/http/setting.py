"""Limits of one HTTP source."""

from dataclasses import dataclass
from typing import Literal

from toolroll.outcome import ConfigError

LIMIT = 200_000
"""Most characters of an answer."""

MEDIA_LIMIT = 4_000_000
"""Most bytes of a picture or sound that comes back as one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpSettings:
    """Limits of one HTTP source.

    Args:
        timeout: seconds for one call, whatever happens in it.
        connect: seconds until there is a connection; never more than a third of `timeout`.
        limit: most characters of an answer.
        large: what happens above it: `fail`, or `cut` to head and tail.
        media_limit: most bytes of a picture or sound; a larger one is described.

    Raises:
        ConfigError: a limit that is not positive.

    Example:
        >>> HttpSettings(limit=50_000, large="cut").timeout
        30.0
    """

    timeout: float = 30.0
    connect: float = 10.0
    limit: int = LIMIT
    large: Literal["fail", "cut"] = "fail"
    media_limit: int = MEDIA_LIMIT

    def __post_init__(self) -> None:
        if not (self.timeout > 0 and self.connect > 0 and self.limit > 0 and self.media_limit >= 0):
            raise ConfigError("'timeout', 'connect' and 'limit' of a source must be positive.")
