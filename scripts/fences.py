"""The fences of a Markdown page, as programs."""

import re
from typing import Final

NOT_RUN: Final = "# not run here: "

_FENCE = re.compile(
    r"^(?P<indent> *)```(?P<info>[^\n]+)\n(?P<code>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
_INFO = re.compile(r'\w+( \w+="[^"]*")*')


def program_of(page: str) -> str:
    """The python fences of a page as one program, each line where it stands in the page.

    Fences of a page share their names, as a reader who types them in would have it. A fence whose
    first line is `# not run here: REASON` is left out.
    """
    lines = [""] * (page.count("\n") + 1)
    for fence in _FENCE.finditer(page):
        if fence["info"].split()[0] != "python" or fence["code"].lstrip().startswith(NOT_RUN):
            continue
        first = page.count("\n", 0, fence.start("code"))
        width = len(fence["indent"])
        for offset, line in enumerate(fence["code"].splitlines()):
            lines[first + offset] = line[width:]
    return "\n".join(lines).rstrip() + "\n"


def odd_fences(page: str) -> list[str]:
    """The first lines of fences that the documentation would not show as code."""
    return [fence["info"] for fence in _FENCE.finditer(page) if not _INFO.fullmatch(fence["info"])]
