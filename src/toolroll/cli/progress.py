"""Progress on the terminal: one line of standard error, rewritten in place."""

import math
import shutil
import sys
from types import TracebackType
from typing import Self

from toolroll.text import cell_width, cut_to_width
from toolroll.tools.context import Progress, ProgressListener


class ProgressLine:
    """Shows the last step of a run while it lasts, and wipes it; only where a person looks."""

    def __init__(self) -> None:
        self._shown = 0
        self.listener: ProgressListener | None = self._show if sys.stderr.isatty() else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._wipe()

    def _show(self, step: Progress) -> None:
        text = step.message
        if _is_finite(step.progress) and _is_finite(step.total):
            text = f"{text} ({step.progress:g}/{step.total:g})"
        text = cut_to_width(text, shutil.get_terminal_size().columns - 1)
        self._wipe()
        sys.stderr.write(text)
        sys.stderr.flush()
        self._shown = cell_width(text)

    def _wipe(self) -> None:
        if self._shown:
            sys.stderr.write(f"\r{' ' * self._shown}\r")
            sys.stderr.flush()
            self._shown = 0


def _is_finite(number: float | None) -> bool:
    return number is not None and math.isfinite(number)
