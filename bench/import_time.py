"""What `import toolroll` adds to the start of a process.

Fresh processes, rounds interleaved with those of the bare interpreter. The first round, which
writes byte code and warms the page cache, is not counted.
"""

import subprocess
import sys
import time

from bench.figure import report

ROUNDS = 15

SUBJECTS = {
    "bare interpreter": "pass",
    "import toolroll": "import toolroll",
    "one record": "from toolroll import Answer",
    "a toolkit": "from toolroll import ToolCall, Toolkit",
}


def _seconds(code: str) -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - begun


def main() -> None:
    """Measure each subject, then what each adds to the bare interpreter of its round."""
    rounds = [{name: _seconds(code) for name, code in SUBJECTS.items()} for _ in range(ROUNDS + 1)]
    counted = rounds[1:]
    for name in SUBJECTS:
        report(name, "start of a process", "ms", [1000 * row[name] for row in counted])
    for name in list(SUBJECTS)[1:]:
        added = [1000 * (row[name] - row["bare interpreter"]) for row in counted]
        report(name, "above the bare interpreter", "ms", added)


if __name__ == "__main__":
    main()
