"""Marks for `Annotated` that say more of a parameter than its type.

They are read when a function or a model is turned into a schema, and leave no trace in what a model
sees.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

_Schema: TypeAlias = dict[str, object]

MARK_REQUIRED: Final = "x-toolroll-required"
MARK_BLANK: Final = "x-toolroll-blank"
_SIZED = frozenset({"str", "list", "tuple", "set", "frozenset", "dict", "bytes"})


@dataclass(frozen=True, slots=True)
class Required:
    """Not missing and not empty, with one and the same message for both.

    Args:
        message: what the model reads, e.g. `note_write needs text`.

    Example:
        >>> from typing import Annotated
        >>> Text = Annotated[str, Required("note_write needs text")]
    """

    message: str

    def __get_pydantic_core_schema__(
        self, source: object, handler: Callable[[object], _Schema]
    ) -> _Schema:
        schema = handler(source)
        if schema.get("type") in _SIZED and not schema.get("min_length"):
            return {**schema, "min_length": 1}
        return schema

    def __get_pydantic_json_schema__(
        self, core: object, handler: Callable[[object], _Schema]
    ) -> _Schema:
        return {**handler(core), MARK_REQUIRED: self.message}


@dataclass(frozen=True, slots=True)
class BlankIsAbsent:
    """A text of nothing but white space counts as left out; its default stands in.

    Some hosts fill every optional field in, and an empty text is what they fill in.

    Example:
        >>> from typing import Annotated
        >>> Owner = Annotated[str | None, BlankIsAbsent()]
    """

    def __get_pydantic_json_schema__(
        self, core: object, handler: Callable[[object], _Schema]
    ) -> _Schema:
        return {**handler(core), MARK_BLANK: True}
