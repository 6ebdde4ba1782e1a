"""The `toolroll` command."""

import sys

from toolroll.outcome import MissingExtra


def main() -> None:
    """Run the command; the entry point of the installed script."""
    try:
        import click  # noqa: F401
        import rich  # noqa: F401
    except ImportError:
        print(MissingExtra("cli", "the toolroll command"), file=sys.stderr)  # noqa: T201
        sys.exit(4)
    from toolroll.cli.running import run

    sys.exit(run(sys.argv[1:]))


__all__ = ["main"]
