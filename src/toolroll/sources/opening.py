"""Any source as a block, whether it has anything to open or not."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol, TypeVar, runtime_checkable

from toolroll.sources.source import ToolSource

SourceT = TypeVar("SourceT", bound=ToolSource)


@runtime_checkable
class Openable(Protocol):
    """A source that has to be opened, or may be opened again."""

    async def __aenter__(self) -> object: ...


async def open_source(source: ToolSource) -> None:
    """Open a source that can be opened; nothing to do for any other."""
    if isinstance(source, Openable):
        await source.__aenter__()


@asynccontextmanager
async def opened(source: SourceT) -> AsyncGenerator[SourceT]:
    """A source while the block runs: opened where it has `__aenter__`, closed with `aclose`.

    Sources of ours are such blocks themselves; this is for code that takes anybody's.

    Args:
        source: what is opened.

    Example:
        >>> import anyio
        >>> from toolroll.sources.http import http_source
        >>> async def main() -> str:
        ...     async with opened(http_source("books", "https://books.example", [])) as source:
        ...         return source.name
        >>> anyio.run(main)
        'books'
    """
    try:
        await open_source(source)
        yield source
    finally:
        await source.aclose()
