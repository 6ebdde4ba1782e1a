"""Quick making of frozen records.

The constructor of a frozen record sets each field by a call, which for the five records of a call
took a quarter of all its time. The open form of a record has the same slots and is not frozen: an
instance becomes the record when its fields are set. A test compares what both ways make.
"""

from typing import Any


def open_form(record: type) -> type[Any]:
    """A class with the slots of a frozen, slotted record without bases.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True, slots=True)
        ... class Point:
        ...     x: int
        ...     y: int
        >>> point = open_form(Point)()
        >>> point.x, point.y = 3, 4
        >>> point.__class__ = Point
        >>> point
        Point(x=3, y=4)
    """
    return type(f"Open{record.__name__}", (), {"__slots__": record.__slots__})  # type: ignore[attr-defined]
