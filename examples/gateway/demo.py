"""The main job, shown: tools from three real places, governed, called and served.

    python examples/gateway/demo.py [--yes | --no] [--serve [HOST:PORT]]

A notebook in SQLite (this process), the loans of a library (an HTTP API read from its OpenAPI
document), a clock (an MCP server over stdio). Nothing is left running and nothing is left behind.
"""

import argparse
import os
import sys
from pathlib import Path


def main() -> int:
    """Run the demo; returns the exit code."""
    parser = argparse.ArgumentParser(
        description="Tools from three places, governed, called and served."
    )
    answer = parser.add_mutually_exclusive_group()
    answer.add_argument("--yes", dest="answer", action="store_true", default=None, help="approve")
    answer.add_argument("--no", dest="answer", action="store_false", help="deny")
    parser.add_argument(
        "--serve", nargs="?", const="127.0.0.1:8800", metavar="HOST:PORT", help="go on serving"
    )
    options = parser.parse_args()
    # Commands of this environment (the clock) are found without an activated environment.
    os.environ["PATH"] = os.pathsep.join(
        (str(Path(sys.executable).parent), os.environ.get("PATH", ""))
    )
    try:
        # Loaded here: it takes a second or two, and Ctrl-C is answered in that time too.
        import anyio  # noqa: PLC0415
        from tour import run  # noqa: PLC0415

        from toolroll.outcome import ConfigError  # noqa: PLC0415

        try:
            anyio.run(run, options.answer, options.serve)
        except ConfigError as error:
            parser.error(str(error))
    except KeyboardInterrupt:
        print("\nstopped; nothing is left running")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
