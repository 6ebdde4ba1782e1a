"""What can be set of an MCP source beside its address."""

from dataclasses import dataclass
from typing import Literal

from toolroll.outcome import ConfigError
from toolroll.sources.source import Timeouts


@dataclass(frozen=True, slots=True, kw_only=True)
class McpOptions:
    """The rarer settings of an MCP source; `source.with_options(...)` takes one.

    Args:
        era: `auto` finds out, `modern` and `legacy` never try the other.
        questions: a legacy session, which says once what its client can do, says that forms can be
            shown; where a call has nobody to ask, the answer is `cancel`. Modern servers are told
            with each call whether somebody can be asked.
        number_marks: take `x-mcp-header` marks on numbers too, which the protocol forbids.
        message_bytes: most bytes of one message, media included.
        listing_bytes: most bytes of a listing, all pages together.
        pages: most pages of a listing.
        tools: most tools of a listing.
        rounds: how often one call may ask for more input.
        redirects: how many redirects one request follows, within its own origin.
        sessions: most sessions at a time, where headers differ from user to user; the one that was
            used longest ago is ended for another, and those in use stay.
        session_idle: seconds after which a session that nobody used is not used again. It is ended
            when the next one begins, or with the source.
        probe: most seconds to wait for a local server to say whether it is modern.
        caching: a list of tools is not asked for again as long as the server said that it holds.
        relisten: seconds before a stream that tells of changes is opened again when it ended; twice
            as many after each that ended at once, up to a minute.
        quiet: most seconds of silence of such a stream over HTTP, before it counts as dead.
        grace: seconds a local server gets to end by itself, and again after it was told to; also
            the limit of telling a server that a call was cancelled or a session is over.

    Raises:
        ConfigError: a limit below its least useful value.

    Example:
        >>> from toolroll.sources.mcp import mcp_stdio
        >>> options = McpOptions(era="legacy", grace=5)
        >>> source = mcp_stdio("loans", ["loans-mcp"]).with_options(options)
    """

    era: Literal["auto", "modern", "legacy"] = "auto"
    questions: bool = False
    number_marks: bool = False
    message_bytes: int = 16 * 1024 * 1024
    listing_bytes: int = 64 * 1024 * 1024
    pages: int = 1000
    tools: int = 10_000
    rounds: int = 8
    redirects: int = 3
    sessions: int = 256
    session_idle: float = 900.0
    probe: float = 10.0
    grace: float = 2.0
    caching: bool = True
    relisten: float = 1.0
    quiet: float = 600.0

    def __post_init__(self) -> None:
        """Refuse limits that nothing could keep."""
        least = {
            "message_bytes": 1024,
            "listing_bytes": 1024,
            "pages": 1,
            "tools": 1,
            "sessions": 1,
        }
        for key, value in (
            ("message_bytes", self.message_bytes),
            ("listing_bytes", self.listing_bytes),
            ("pages", self.pages),
            ("tools", self.tools),
            ("sessions", self.sessions),
            ("session_idle", self.session_idle),
            ("rounds", self.rounds),
            ("redirects", self.redirects),
            ("probe", self.probe),
            ("grace", self.grace),
            ("relisten", self.relisten),
            ("quiet", self.quiet),
        ):
            if not value >= least.get(key, 0):
                raise ConfigError(f"{key} is {value!r}; it must be at least {least.get(key, 0)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything a source of either kind knows of how to behave.

    Args:
        name: the source's name.
        timeouts: its limits of time.
        limit: most characters of text and data of a result.
        large: what happens above it.
        trust: its hints decide whether a lost call may be sent again.
        options: the rest.
    """

    name: str
    timeouts: Timeouts
    limit: int
    large: Literal["fail", "cut"]
    trust: bool
    options: McpOptions
