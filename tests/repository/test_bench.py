"""The frame of the benchmarks."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bench.__main__ import benchmarks
from bench.figure import read, report

ROOT = Path(__file__).parent.parent.parent


def test_a_figure_is_read_back_from_the_line_it_was_reported_in(
    capsys: pytest.CaptureFixture[str],
) -> None:
    figure = report("a call", "time", "us", [3.0, 1.0, 2.0])
    assert (figure.least, figure.median, figure.greatest, figure.rounds) == (1.0, 2.0, 3.0, 3)
    assert read(capsys.readouterr().out) == figure


@pytest.mark.parametrize("line", ["", "built in 3 s", "3", json.dumps({"bench": "search"})])
def test_a_line_that_is_no_figure_is_left_alone(line: str) -> None:
    assert read(line) is None


def test_a_benchmark_that_is_not_there_is_refused_and_all_are_named() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bench", "no_such"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"bench: no no_such; there are: {', '.join(benchmarks())}\n"
    assert "import_time" in benchmarks()
