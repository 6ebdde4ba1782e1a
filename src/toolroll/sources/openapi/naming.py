"""Names of tools and of their properties, made of a document's."""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from toolroll.sources.http import Place

LONGEST_KEY = 64
"""Most characters of a property's name that providers accept."""

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]+")
_NOT_IN_KEYS = re.compile(r"[^A-Za-z0-9_.-]+")


def tool_name(operation_id: str, method: str, path: str) -> str:
    """The name of a tool: its operation id, or method and path.

    Each run of characters that providers refuse becomes one `_`.

    Example:
        >>> tool_name("actions/list runs", "GET", "/runs")
        'actions_list_runs'
        >>> tool_name("", "GET", "/pets/{petId}/toys")
        'get_pets_petId_toys'
    """
    return _with_underscores(operation_id, _NOT_IN_NAMES) or _with_underscores(
        f"{method.lower()} {path}", _NOT_IN_NAMES
    )


def other_name(name: str, method: str, path: str) -> str:
    """Another name for an operation without an id whose name is taken; always the same."""
    return f"{name}_{hashlib.sha256(f'{method} {path}'.encode()).hexdigest()[:6]}"


def input_keys(places: Sequence[Place], *, body: bool) -> list[str]:
    """The property of the input for each place.

    It is the parameter's name with `_` for what agents do not accept. Where two would share a name,
    or one would be called `body`, the location is put before it, whether there is a body or not.

    Args:
        places: with their names on the wire.
        body: the property `body` is taken.

    Example:
        >>> places = [Place(key="", name="id", location=at) for at in ("path", "query")]
        >>> input_keys(places, body=False)
        ['path_id', 'query_id']
    """
    plain = [_key(place.wire_name) for place in places]
    taken = {"body"} if body else set[str]()
    own = {key for key, count in Counter(plain).items() if count == 1 and key != "body"}
    names = Names(own | taken)
    return [
        key if key in own else names.take(f"{place.location}_{key}"[:LONGEST_KEY])
        for place, key in zip(places, plain, strict=True)
    ]


class Names:
    """Names that are given once each; many of one kind cost no more than many of different kinds.

    Args:
        taken: that are given already.
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}

    def take(self, wanted: str) -> str:
        """The name, with a number behind it where it is taken."""
        free, stem = wanted, wanted[: LONGEST_KEY - 4]
        number = self._numbers.get(stem, 2)
        while free in self._taken:
            free = f"{stem}_{number}"
            number += 1
        self._numbers[stem] = number
        self._taken.add(free)
        return free


def _key(name: str) -> str:
    return _with_underscores(name, _NOT_IN_KEYS)[:LONGEST_KEY] or "parameter"


def _with_underscores(name: str, unfit: re.Pattern[str]) -> str:
    """A name with one `_` for each run of unfit characters within it, none at its ends."""
    pieces = [piece for piece in unfit.split(name) if piece]
    return "_".join(pieces)


def definition_name(reference: str, names: Names) -> str:
    """The name under `$defs` of what a reference leads to.

    Example:
        >>> definition_name("#/components/schemas/Pet%20Shop", Names(["Pet_Shop"]))
        'Pet_Shop_2'
    """
    return names.take(_key(reference.rpartition("/")[2].replace("%20", " ")))
