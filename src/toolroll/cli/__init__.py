"""The `toolroll` command."""

import os
import sys
from importlib.util import find_spec

from toolroll.cli import exit_code


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
    try:
        code = _run()
    except KeyboardInterrupt:  # while modules are loaded; later `run` answers it
        print("toolroll: interrupted", file=sys.stderr)
        code = exit_code.INTERRUPTED
    sys.exit(code)


def _run() -> int:
    """Load the command and run it; most of the time of a short one is spent on loading."""
    if find_spec("click") is None or find_spec("rich") is None:
        from toolroll.outcome import MissingExtra

        print(MissingExtra("cli", "the toolroll command"), file=sys.stderr)
        return exit_code.CONFIG
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
    return code


__all__ = ["main"]
