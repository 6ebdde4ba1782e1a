"""A measured figure, as a line of JSON between a benchmark and the table."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One figure: what was measured, and the least, middle and greatest value."""

    subject: str
    measure: str
    unit: str
    rounds: int
    least: float
    median: float
    greatest: float


def report(subject: str, measure: str, unit: str, values: Sequence[float]) -> Figure:
    """Print the figure of these values as a line of JSON, and return it."""
    figure = Figure(
        subject=subject,
        measure=measure,
        unit=unit,
        rounds=len(values),
        least=min(values),
        median=statistics.median(values),
        greatest=max(values),
    )
    print(json.dumps(asdict(figure)), flush=True)
    return figure


def read(line: str) -> Figure | None:
    """The figure a line of JSON holds; None for any other line."""
    try:
        return Figure(**json.loads(line))
    except (TypeError, json.JSONDecodeError):
        return None
