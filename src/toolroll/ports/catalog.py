"""Where the definitions of sources are kept between discoveries."""

from dataclasses import dataclass
from typing import Protocol

from toolroll.content import JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class PinnedTool:
    """One kept definition and the fingerprint it was accepted with.

    Args:
        definition: the stored form (`ToolDefinition.to_json`).
        fingerprint: of the definition and, where the source has one, of its origin.
    """

    definition: JsonObject
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCatalog:
    """What is kept of one source.

    Args:
        source: its name.
        tools: in the source's order.
        origin: a digest of where the source lives, "" where it has none.
        saved: seconds since the epoch; None before it is kept.
    """

    source: str
    tools: tuple[PinnedTool, ...]
    origin: str = ""
    saved: float | None = None


class CatalogStore(Protocol):
    """Keeps one catalog for each source."""

    async def get(self, source: str, /) -> StoredCatalog | None:
        """What is kept of a source, or None."""
        ...

    async def put(self, catalog: StoredCatalog, /) -> None:
        """Keep a catalog in place of the source's last one."""
        ...

    async def sources(self) -> tuple[str, ...]:
        """The names of all sources that have a catalog, sorted."""
        ...

    async def remove(self, source: str, /) -> bool:
        """Forget a source; whether there was one."""
        ...
