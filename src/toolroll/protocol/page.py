"""Pages of a list: cursors on the side that writes, limits on the side that reads.

Source: MCP 2026-07-28, server/utilities/pagination and server/utilities/caching.
"""

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from toolroll.content import JsonObject

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page(Generic[Item]):
    """A part of a list, and the cursor of the next part (None: this is the last).

    Args:
        items: in order.
        cursor: opaque text that asks for the next part; None where this is the last.

    Example:
        >>> page = cut_page(["note_read", "note_write"], None, size=1, revision="r1")
        >>> page.items, page.cursor is None
        (('note_read',), False)
    """

    items: tuple[Item, ...]
    cursor: str | None = None


def cut_page(
    items: Sequence[Item], cursor: object = None, *, size: int = 100, revision: str = ""
) -> Page[Item] | None:
    """The page that a cursor stands for; None where the cursor is none of ours.

    Args:
        items: the whole list.
        cursor: as the request has it; None for the first page.
        size: items of a page, at least 1.
        revision: of the list: a cursor of another revision is refused, so that nobody walks half
            of one list and half of another.

    Example:
        >>> first = cut_page(["a", "b", "c"], size=2)
        >>> first.items, cut_page(["a", "b", "c"], first.cursor, size=2)
        (('a', 'b'), Page(items=('c',), cursor=None))
        >>> cut_page(["a"], "nonsense") is None
        True
    """
    start = 0 if cursor is None else _offset(cursor, revision)
    if start is None or (start and start >= len(items)):
        return None
    end = start + max(1, size)
    following = _cursor(end, revision) if end < len(items) else None
    return Page(items=tuple(items[start:end]), cursor=following)


def next_cursor(result: JsonObject) -> str | None:
    """The cursor of a result; an empty one is the end, like none.

    Example:
        >>> next_cursor({"tools": [], "nextCursor": "p2"}), next_cursor({"nextCursor": ""})
        ('p2', None)
    """
    cursor = result.get("nextCursor")
    return cursor if isinstance(cursor, str) and cursor else None


def read_ttl(result: JsonObject) -> float | None:
    """Seconds a result may be kept: `ttlMs`, with a negative one as 0; None where it is absent.

    Example:
        >>> read_ttl({"ttlMs": 1500}), read_ttl({"ttlMs": -1}), read_ttl({})
        (1.5, 0.0, None)
    """
    ttl = result.get("ttlMs")
    if not isinstance(ttl, (int, float)) or isinstance(ttl, bool) or ttl != ttl:  # noqa: PLR0124
        return None
    return float(max(0, min(ttl, 1e15))) / 1000


def _cursor(offset: int, revision: str) -> str:
    return base64.urlsafe_b64encode(f"{offset}:{revision}".encode()).decode()


def _offset(cursor: object, revision: str) -> int | None:
    if not isinstance(cursor, str) or len(cursor) > 1000:
        return None
    try:
        number, _, of = base64.urlsafe_b64decode(cursor.encode()).decode().partition(":")
    except (binascii.Error, ValueError):
        return None
    valid = of == revision and number.isascii() and number.isdigit() and len(number) < 12
    return int(number) if valid else None
