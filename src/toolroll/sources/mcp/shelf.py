"""Lists of tools that are kept as long as their server said that they hold.

Source: MCP 2026-07-28, server/utilities/caching.
"""

import dataclasses
import time
from collections.abc import Hashable

from toolroll.sources.source import Discovery
from toolroll.toolkit.news import News


@dataclasses.dataclass(frozen=True, slots=True)
class _Kept:
    discovery: Discovery
    until: float
    heard: int


class Shelf:
    """Keeps one list for each owner; word of a change makes all of them stale.

    Args:
        news: where changes are told.
        room: most lists.
    """

    __slots__ = ("_kept", "_news", "_room")

    def __init__(self, news: News, room: int) -> None:
        self._news, self._room = news, room
        self._kept: dict[Hashable, _Kept] = {}

    def take(self, owner: Hashable) -> Discovery | None:
        """The list of an owner where it still holds; its `ttl` is what is left of its life."""
        kept = self._kept.get(owner)
        if kept is None:
            return None
        left = kept.until - time.monotonic()
        if left <= 0 or kept.heard != self._news.count:
            del self._kept[owner]
            return None
        return dataclasses.replace(kept.discovery, ttl=left)

    def put(self, owner: Hashable, discovery: Discovery, *, heard: int) -> None:
        """Keep a list for its `ttl`.

        Args:
            owner: whose list it is.
            discovery: the list.
            heard: `News.count` when it was asked for: a change since then makes it stale.
        """
        if not discovery.ttl:
            return
        if owner not in self._kept and len(self._kept) >= self._room:
            self._kept.pop(next(iter(self._kept)))
        self._kept[owner] = _Kept(discovery, time.monotonic() + discovery.ttl, heard)

    def clear(self) -> None:
        """Forget all lists."""
        self._kept.clear()
