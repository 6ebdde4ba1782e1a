"""From the name a model wrote to a tool, or to a refusal that helps."""

import difflib
import json
import re
from collections.abc import Iterable, Sequence

from toolroll.outcome import Refused
from toolroll.text import sanitize_line
from toolroll.tools.call import ToolCall

MAX_LISTED = 50
"""Most names in the refusal of an unknown tool unless the toolkit says otherwise; after them stands
how many more there are."""

_LONGEST_NAME = 200
_MOST_COMPARED = 2_000
_SEPARATORS = re.compile(r"[\s_.:/-]+")
_PREFIX = re.compile(r"^.*[.:/]")


class NameTable:
    """Names by their folded form: case and separators do not count."""

    __slots__ = ("_by_fold", "_names")

    def __init__(self, names: Iterable[str]) -> None:
        self._names = names
        self._by_fold: dict[str, list[str]] | None = None

    def folded(self, written: str) -> Sequence[str]:
        """Names that differ from `written` only in case and separators, else only in what a vendor
        put in front (up to the last `.`, `:` or `/`, as in `functions.read_file`).
        """
        if len(written) > _LONGEST_NAME:
            return ()
        if self._by_fold is None:
            self._by_fold = {}
            for name in self._names:
                self._by_fold.setdefault(_fold(name), []).append(name)
        return self._by_fold.get(_fold(written)) or self._by_fold.get(
            _fold(_PREFIX.sub("", written.strip())), ()
        )


def _fold(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


def unknown_tool(call: ToolCall, names: Sequence[str], most: int = MAX_LISTED) -> Refused:
    """Refuse a name that fits no tool: says which there are, and which may have been meant."""
    said = json.dumps(sanitize_line(call.name[:_LONGEST_NAME]), ensure_ascii=False)
    message = f"There is no tool {said}."
    if close := _close(call.name, names):
        message += f" Did you mean {' or '.join(close)}?"
    lines = ["\t".join(("tools", *names[:most]))] if names else []
    if len(names) > most:
        lines.append(f"more\t{len(names) - most}")
    return Refused(
        code="unknown-tool",
        message=message,
        call_id=call.id,
        repairs=call.arguments.repairs,
        lines=tuple(lines),
    )


def _close(name: str, names: Sequence[str]) -> list[str]:
    if len(name) > _LONGEST_NAME:
        return []
    return difflib.get_close_matches(name, names[:_MOST_COMPARED], n=2, cutoff=0.75)
