"""Approvals asked on a terminal: what would run, then yes or no."""

import json
import os
import sys
from collections.abc import Callable
from typing import TextIO

import anyio
import anyio.to_thread

from toolroll.outcome import ApprovalRequest
from toolroll.ports.approvals import ApprovalAnswer
from toolroll.text import json_for_terminal, sanitize_line

_MOST_SHOWN = 4_000
_MOST_TRIES = 3


class TerminalApprovals:
    """Asks the person at the terminal; one question at a time.

    Without a terminal (a pipe, a service) nobody can be asked and the call is refused. So is one
    that is not answered with yes or no in three tries.

    Args:
        answer: gives this answer to every question instead of asking (`--yes`, `--no`).
        reads: where the answer is read; standard input if not given.
        writes: where the question is shown; standard error if not given.
        within: seconds to answer; after them the answer is `expired`.

    Example:
        >>> import io
        >>> from toolroll import run_sync
        >>> shown = io.StringIO()
        >>> approvals = TerminalApprovals(answer=False, writes=shown)
        >>> burn = ApprovalRequest(id="a1", tool="note_burn", source="notes", input={"id": 3})
        >>> run_sync(approvals.ask, burn)
        'denied'
        >>> shown.getvalue().splitlines()[0]
        'approval: note_burn (unknown effect)'
    """

    def __init__(
        self,
        *,
        answer: bool | None = None,
        reads: TextIO | None = None,
        writes: TextIO | None = None,
        within: float = 600.0,
    ) -> None:
        self._answer = answer
        self._reads, self._writes = reads or sys.stdin, writes or sys.stderr
        self._within = within
        self._turn = anyio.Lock()

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        """Show the call and wait for `y` or `n`."""
        async with self._turn:
            if self._answer is not None:
                self._show(request, f"answered {'yes' if self._answer else 'no'} beforehand\n")
                return "approved" if self._answer else "denied"
            if not self._reads.isatty():
                return "nobody"
            with anyio.move_on_after(self._within):
                return await self._asked(request)
            self._write("\n")
            return "expired"

    async def _asked(self, request: ApprovalRequest) -> ApprovalAnswer:
        for _ in range(_MOST_TRIES):
            self._show(request, "run it? [y/N] ")
            line = await _line_from(self._reads)
            if line is None:
                return "nobody"
            match line.strip().lower():
                case "y" | "yes":
                    return "approved"
                case "" | "n" | "no":
                    return "denied"
                case _:
                    self._write("please answer y or n\n")
        return "denied"

    def _show(self, request: ApprovalRequest, then: str) -> None:
        shown = json_for_terminal(json.dumps(request.input, indent=2, ensure_ascii=False))
        if len(shown) > _MOST_SHOWN:
            shown = f"{shown[:_MOST_SHOWN]}\n... {len(shown) - _MOST_SHOWN} characters more"
        effect = request.effect or "unknown effect"
        who = f" for {sanitize_line(request.principal)}" if request.principal else ""
        self._write(f"approval{who}: {sanitize_line(request.tool)} ({effect})\n{shown}\n{then}")

    def _write(self, text: str) -> None:
        self._writes.write(text)
        self._writes.flush()


async def _line_from(stream: TextIO) -> str | None:
    """One line, None at the end of input; a cancelled wait leaves nothing running on POSIX."""
    if os.name == "nt":
        return await anyio.to_thread.run_sync(_blocking_line(stream), abandon_on_cancel=True)
    await anyio.wait_readable(stream.fileno())
    # A terminal in line mode is readable when a whole line is there.
    data = os.read(stream.fileno(), 4096)
    return data.decode("utf-8", "replace") if data else None


def _blocking_line(stream: TextIO) -> Callable[[], str | None]:
    return lambda: stream.readline() or None
