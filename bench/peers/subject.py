"""What is called and described in every library: one tool, and many functions.

It runs in the peers' environments too, so it imports nothing but the standard library, and pydantic
where that is there.
"""

from collections.abc import Callable, Coroutine
from typing import Annotated, Any, Literal, Optional

TEXT = '{"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"], "sort": "date"}'
SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string", "description": "What to look for"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 100},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sort": {"type": "string", "enum": ["name", "date", "size"]},
    },
    "required": ["query", "limit", "tags"],
    "additionalProperties": False,
}
VERBS = ("create", "list", "get", "update", "delete", "search", "export", "import", "archive",
         "restore", "approve", "cancel", "send", "merge", "split")  # fmt: skip
NOUNS = ("invoice", "customer", "ticket", "repository", "issue", "comment", "order", "shipment",
         "payment", "user", "group", "document", "folder", "event", "report")  # fmt: skip
FIELDS = ("id", "name", "title", "status", "owner", "region", "currency", "amount", "since",
          "until", "page", "label")  # fmt: skip

AsyncFunction = Callable[..., Coroutine[Any, Any, str]]


def typed_function() -> AsyncFunction:
    """The one tool, with pydantic's bounds and descriptions."""
    from pydantic import Field

    async def find_items(
        query: Annotated[str, Field(description="What to look for")],
        limit: Annotated[int, Field(ge=1, le=100)],
        tags: list[str],
        sort: Literal["name", "date", "size"] | None = None,
    ) -> str:
        """Find the items that match a query.

        Args:
            query: What to look for
            limit: How many at most
            tags: Tags that each item must have
            sort: The order
        """
        return f"{query}:{limit}:{len(tags)}:{sort}"

    return find_items


def plain_function() -> AsyncFunction:
    """The one tool, for libraries that read plain types only."""

    async def find_items(
        query: str,
        limit: int,
        tags: list[str],
        sort: Literal["name", "date", "size"] | None = None,
    ) -> str:
        """Find the items that match a query."""
        return f"{query}:{limit}:{len(tags)}:{sort}"

    return find_items


def functions(count: int, *, typed: bool = True) -> list[Callable[..., object]]:
    """Functions of four parameters with docstrings, each with annotations of its own."""
    names: dict[str, Any] = {"Annotated": Annotated, "Literal": Literal, "Optional": Optional}
    bounded = "int"
    if typed:
        from pydantic import Field

        names["Field"], bounded = Field, "Annotated[int, Field(ge=1, le=100)]"
    made: list[Callable[..., object]] = []
    for number in range(count):
        verb, noun = VERBS[number % len(VERBS)], NOUNS[number // len(VERBS) % len(NOUNS)]
        first, name = FIELDS[number % len(FIELDS)], f"{verb}_{noun}_{number}"
        source = f'''async def {name}(
    {first}: str,
    limit: {bounded},
    tags: list[str],
    sort: Optional[Literal["name", "date", "size"]] = None,
) -> str:
    """{verb.capitalize()} {noun} number {number} of the workspace.

    Args:
        {first}: The {first} of the {noun}
        limit: How many at most
        tags: Tags that each {noun} must have
        sort: The order
    """
    return ""
'''
        exec(source, names)
        made.append(names[name])
    return made
