"""Run the benchmarks and print their figures as a table.

python -m bench [names of benchmarks]
"""

import os
import platform
import subprocess
import sys
import time
from pathlib import Path

from bench.figure import Figure, read

FOLDER = Path(__file__).parent
OUTPUT = FOLDER.parent / ".bench" / "latest.jsonl"
NOT_BENCHMARKS = {"__main__", "damage", "figure"}


def benchmarks() -> list[str]:
    """The names of all benchmarks."""
    return sorted({path.stem for path in FOLDER.glob("*.py")} - NOT_BENCHMARKS)


def _row(name: str, figure: Figure) -> tuple[str, ...]:
    numbers = (f"{value:,.3g}" if value < 100 else f"{value:,.0f}" for value in _values(figure))
    return (name, figure.subject, figure.measure, *numbers, figure.unit, str(figure.rounds))


def _values(figure: Figure) -> tuple[float, float, float]:
    return figure.least, figure.median, figure.greatest


def _table(rows: list[tuple[str, ...]]) -> str:
    head = ("benchmark", "subject", "measure", "min", "median", "max", "unit", "rounds")
    widths = [max(len(row[place]) for row in [head, *rows]) for place in range(len(head))]
    lines = [
        "  ".join(
            cell.rjust(width) if 3 <= place <= 5 else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in [head, *rows]
    ]
    return "\n".join([lines[0], "  ".join("-" * width for width in widths), *lines[1:]])


def main(arguments: list[str]) -> int:
    """Run those named, or all; the number is the exit code."""
    known = benchmarks()
    if unknown := [name for name in arguments if name not in known]:
        print(f"bench: no {', '.join(unknown)}; there are: {', '.join(known)}", file=sys.stderr)
        return 2
    print(f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores\n")
    rows: list[tuple[str, ...]] = []
    lines: list[str] = []
    failed: list[str] = []
    for name in arguments or known:
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", f"bench.{name}"],
            cwd=FOLDER.parent,
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        print(f"bench: {name}, {time.monotonic() - begun:.0f} s", file=sys.stderr)
        if done.returncode:
            failed.append(name)
        for line in done.stdout.splitlines():
            figure = read(line)
            if figure is None:  # what a benchmark says beside its figures
                print(line)
            else:
                lines.append(line)
                rows.append(_row(name, figure))
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(_table(rows))
    if failed:
        print(f"bench: failed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
