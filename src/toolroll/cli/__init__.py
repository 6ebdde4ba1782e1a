"""The `toolroll` command."""

import os
import sys
from importlib.util import find_spec

from toolroll.outcome import MissingExtra


def main() -> None:
    """Run the command; the entry point of the installed script.

    Raises:
        SystemExit: always; its code says how the command ended.

    Example:
        >>> from unittest.mock import patch
        >>> with patch("sys.argv", ["toolroll", "--version"]):
        ...     main()
        Traceback (most recent call last):
            ...
        SystemExit: 0
    """
    if find_spec("click") is None or find_spec("rich") is None:
        print(MissingExtra("cli", "the toolroll command"), file=sys.stderr)
        sys.exit(4)
    from toolroll.cli.running import run
    from toolroll.cli.stream import make_streams_real
    from toolroll.tools.thread import abandoned_handlers

    make_streams_real()

    code = run(sys.argv[1:])
    if abandoned_handlers():
        # A sync handler that ignores its end would hold the process up until it returns.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
    sys.exit(code)


__all__ = ["main"]
