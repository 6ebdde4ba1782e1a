"""What `import toolroll` adds to the start of a process, and what others add.

Fresh processes, rounds interleaved with those of the bare interpreter. The first round, which
writes byte code and warms the page cache, is not counted. Other libraries are measured where
`TOOLROLL_PEERS` has them, each beside the bare interpreter of its own environment.
"""

import os
import subprocess
import sys
import time

from bench.figure import report
from bench.peers.library import IMPORTS
from bench.peers.process import QUIET, peers

ROUNDS = 15

SUBJECTS = {
    "import toolroll": "import toolroll",
    "one record": "from toolroll import Answer",
    "a toolkit": "from toolroll import ToolCall, Toolkit",
    "tool and LocalToolkit": "from toolroll import tool, LocalToolkit",
}


def _milliseconds(python: str, code: str) -> float:
    begun = time.perf_counter()
    subprocess.run([python, "-c", code], check=True, env={**os.environ, **QUIET})
    return (time.perf_counter() - begun) * 1e3


def main() -> None:
    """Measure each subject, and what it adds to the bare interpreter of its round."""
    subjects = [(name, sys.executable, code) for name, code in SUBJECTS.items()]
    subjects += [(peer.name, peer.python, IMPORTS[peer.library]) for peer in peers()]
    whole: dict[str, list[float]] = {}
    added: dict[str, list[float]] = {}
    for number in range(ROUNDS + 1):
        for name, python, code in subjects:
            bare = _milliseconds(python, "pass")
            spent = _milliseconds(python, code)
            if number:
                whole.setdefault("bare interpreter", []).append(bare)
                whole.setdefault(name, []).append(spent)
                added.setdefault(name, []).append(spent - bare)
    for name, values in whole.items():
        report(name, "start of a process", "ms", values)
    for name, values in added.items():
        least = min(whole[name]) - min(whole["bare interpreter"])
        report(name, "above the bare interpreter, round by round", "ms", values)
        report(name, "above the bare interpreter, least of both", "ms", [least])


if __name__ == "__main__":
    main()
