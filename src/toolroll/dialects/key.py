"""Names of properties as a provider takes them."""

import hashlib
import re
from collections.abc import Set as AbstractSet

from toolroll.content import JsonValue
from toolroll.schema.walk import as_mapping, places

LONGEST = 64
"""Most characters of a property's name."""

_ODD = re.compile(r"[^A-Za-z0-9_.-]")


def property_names(root: JsonValue) -> set[str]:
    """Every name that stands under a `properties`, at any depth."""
    names: set[str] = set()
    for place in places(root):
        properties = as_mapping((place.mapping or {}).get("properties"))
        names.update(properties or ())
    return names


def fitting_key(name: str, taken: AbstractSet[str]) -> str:
    """A name of letters, digits, `_`, `.` and `-` that no other property has; equal input, equal
    name.

    Example:
        >>> fitting_key("filter[id]", set()), fitting_key("$top", {"top"})
        ('filter_id', 'top_81bf98e4')
    """
    plain = _ODD.sub("_", name).strip("_") or "value"
    if len(plain) <= LONGEST and plain not in taken:
        return plain
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{plain[: LONGEST - 9]}_{digest[:8]}"
