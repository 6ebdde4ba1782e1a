"""What the two ways to a server share."""

from typing import Protocol

from toolroll.protocol import ServerWords
from toolroll.sources.mcp.listening import Listening
from toolroll.sources.mcp.session import Ask, Heard
from toolroll.tools.context import CallContext


class Wire(Protocol):
    """A way to a server: HTTP or a local process."""

    @property
    def mirrors(self) -> bool:
        """Marked arguments travel as headers."""
        ...

    @property
    def words(self) -> ServerWords | None:
        """What the server said of itself last."""
        ...

    async def open(self) -> None:
        """Make ready to be used, after `aclose` too. Nothing is contacted."""
        ...

    async def ask(self, ask: Ask, /) -> Heard:
        """Ask, after a session was begun if need be.

        Raises:
            SourceError: there is no answer.
        """
        ...

    async def listen(self, listening: Listening, /) -> None:
        """Hear of changes of the server's tools, until the stream that tells of them ends.

        Raises:
            NotTold: the server does not tell of them.
            SourceError: it could not be asked, or the stream broke.
        """
        ...

    def owner_of(self, context: CallContext[object], /) -> tuple[str, str]:
        """Whose session a question of this context is asked in; what is kept is kept for them."""
        ...

    def shut(self) -> None:
        """Let no further question begin; those that run go on."""
        ...

    async def aclose(self) -> None:
        """Let go of everything."""
        ...
