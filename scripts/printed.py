"""Keep what programs print in the pages as the programs print it.

    python -m scripts.printed            name the places that have fallen behind
    python -m scripts.printed --write    write them anew

A place is a comment `<!-- printed by: COMMAND -->` and below it either a fence, which then holds
the output, or Markdown up to a comment `<!-- /printed -->`. COMMAND is run without a shell, from
the project's folder; `python` and `toolroll` are those of this environment.
"""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parent.parent

_PLACE: Final = re.compile(
    r"<!-- printed by: (?P<command>.+?) -->\n+"
    r"(?:(?P<open>```\w*\n)(?P<fence>.*?)(?P<close>```\n)|(?P<markdown>.*?)<!-- /printed -->)",
    re.DOTALL,
)


def pages() -> list[Path]:
    """Every page of ours that a reader may open."""
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])


def commands(page: str) -> Iterator[str]:
    """The commands whose output a page shows."""
    for place in _PLACE.finditer(page):
        yield place["command"]


def renewed(page: str) -> str:
    """The page with every output as its command prints it now."""
    return _PLACE.sub(_renew, page)


def _renew(place: re.Match[str]) -> str:
    output = run(place["command"])
    mark = f"<!-- printed by: {place['command']} -->\n"
    if place["open"]:
        return f"{mark}{place['open']}{output}{place['close']}"
    return f"{mark}\n{output}\n<!-- /printed -->"


def run(command: str) -> str:
    """What a command prints, without blanks at the ends of lines, with one line end at the end.

    Raises:
        RuntimeError: the command failed; its error output is in the message.
    """
    program, *arguments = shlex.split(command)
    own = {"python": [sys.executable], "toolroll": [sys.executable, "-m", "toolroll.cli"]}
    if program not in own:
        raise RuntimeError(f"{command}: begins with neither python nor toolroll")
    plain = {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        [*own[program], *arguments],
        cwd=ROOT,
        env={**os.environ, **plain},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command}: exit code {done.returncode}\n{done.stderr}")
    return "\n".join(line.rstrip() for line in done.stdout.rstrip().splitlines()) + "\n"


def main(arguments: list[str]) -> int:
    """Check or write; the number is the exit code."""
    stale = 0
    for path in pages():
        page = path.read_text(encoding="utf-8")
        now = renewed(page)
        if now == page:
            continue
        stale += 1
        if arguments == ["--write"]:
            path.write_text(now, encoding="utf-8")
        print(f"{'wrote' if arguments else 'stale:'} {path.relative_to(ROOT)}")
    return 1 if stale and not arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
