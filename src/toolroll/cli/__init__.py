"""The `toolroll` command."""

import sys
from importlib.util import find_spec

from toolroll.outcome import MissingExtra


def main() -> None:
    """Run the command; the entry point of the installed script."""
    if find_spec("click") is None or find_spec("rich") is None:
        print(MissingExtra("cli", "the toolroll command"), file=sys.stderr)
        sys.exit(4)
    from toolroll.cli.running import run

    sys.exit(run(sys.argv[1:]))


__all__ = ["main"]
