"""Prints how far the reported cases are covered: `python -m tests.pains.counting`."""

from collections import Counter
from collections.abc import Iterable

from tests.pains.case import DIFFERENCES, GAPS, RAW


def main() -> None:
    """Print the counts, the cases by kind, the differences and the gaps."""
    part = [id for id, gap in GAPS.items() if gap.keys]
    left = [id for id, gap in GAPS.items() if not gap.keys]
    whole = len(RAW) - len(GAPS)
    print(
        f"{len(RAW)} cases: {whole} run whole, {len(part)} in part ({', '.join(part) or '-'}), "
        f"{len(left)} not yet."
    )
    print("\n## By kind\n")
    kinds, open_ = Counter(_kinds(RAW)), Counter(_kinds(left))
    rows = ([kind, str(count), str(open_[kind] or "")] for kind, count in kinds.items())
    _table(["kind", "cases", "not yet"], rows)
    print("\n## Where a decision stands over a case\n")
    _table(
        ["case", "decision"],
        ([f"`{id}`", difference.reason] for id, difference in DIFFERENCES.items()),
    )
    print("\n## Not covered yet\n")
    _table(["case", "why"], ([f"`{id}`", gap.reason] for id, gap in GAPS.items()))


def _kinds(ids: Iterable[str]) -> list[str]:
    return [RAW[id]["kind"] for id in ids]


def _table(head: list[str], rows: Iterable[list[str]]) -> None:
    for row in (head, ["---"] * len(head), *rows):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
