"""Print a table of the source as Markdown, for the pages that show it.

python -m scripts.tables codes
"""

import sys
from collections.abc import Callable, Iterator

from toolroll.outcome import CODES


def codes() -> Iterator[str]:
    """Every code, in the order of the source."""
    yield "| code | kind | retryable | may have run | what a model reads |"
    yield "| --- | --- | --- | --- | --- |"
    for code, row in CODES.items():
        retry, ran = (_yes(flag) for flag in (row.retryable, row.may_have_run))
        yield f"| `{code}` | `{row.kind}` | {retry} | {ran} | {row.sentence} |"


def _yes(flag: bool) -> str:  # noqa: FBT001
    return "yes" if flag else ""


TABLES: dict[str, Callable[[], Iterator[str]]] = {"codes": codes}


def main(arguments: list[str]) -> int:
    """Print the table of that name; the number is the exit code."""
    if len(arguments) != 1 or arguments[0] not in TABLES:
        print(f"tables: name one of: {', '.join(TABLES)}", file=sys.stderr)
        return 2
    print("\n".join(TABLES[arguments[0]]()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
