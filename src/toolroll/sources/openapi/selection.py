"""Which operations of a document become tools."""

from collections.abc import Callable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TypeAlias

from toolroll.content import JsonObject
from toolroll.sources.openapi.document import as_list, as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Operations by what the document says of them; an empty field asks for nothing.

    Args:
        tags: patterns, one of which one tag must match.
        paths: patterns for the path; `*` matches slashes too.
        methods: upper or lower case.
        operation_ids: patterns for the operation id.

    Example:
        >>> wanted = Selection(paths=("/repos/*",), methods=("GET",))
        >>> wanted("GET", "/repos/a/b", {}), wanted("POST", "/repos/a", {})
        (True, False)
    """

    tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    operation_ids: tuple[str, ...] = ()

    def __call__(self, method: str, path: str, operation: JsonObject, /) -> bool:
        """Whether an operation is wanted."""
        tags = [as_text(tag) for tag in as_list(operation.get("tags"))]
        return (
            (not self.tags or any(_matches(tag, self.tags) for tag in tags))
            and (not self.paths or _matches(path, self.paths))
            and (not self.methods or method in {word.upper() for word in self.methods})
            and (
                not self.operation_ids
                or _matches(as_text(operation.get("operationId")), self.operation_ids)
            )
        )


Select: TypeAlias = Callable[[str, str, JsonObject], bool]
"""Method (upper case), path, raw operation -> whether it is wanted. A `Selection` is one."""


def _matches(word: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(word, pattern) for pattern in patterns)
