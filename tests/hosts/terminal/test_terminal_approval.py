"""Approvals asked on a real terminal: a pseudo-terminal of this machine."""

import io
import os
import sys
from collections.abc import Iterator

import anyio
import pytest

from toolroll.hosts.terminal import TerminalApprovals
from toolroll.outcome import ApprovalRequest

if sys.platform == "win32":
    collect_ignore_glob = ["*"]
else:
    import pty

pytestmark = [pytest.mark.anyio, pytest.mark.rule("approval-terminal")]

REQUEST = ApprovalRequest(
    id="r1",
    tool="mail_send",
    source="mail",
    input={"to": "ana", "text": "hi\x1b[31m\u202e"},
    effect="destructive",
)


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "r", encoding="utf-8") as stream:
        yield ours, stream
    os.close(ours)


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        (b"y\n", "approved"),
        (b"Yes\n", "approved"),
        (b"n\n", "denied"),
        (b"\n", "denied"),
        (b"perhaps\n", "denied"),
    ],
)
async def test_y_or_n_decides(
    typed: bytes, answer: str, terminal: tuple[int, io.TextIOWrapper]
) -> None:
    ours, reads = terminal
    shown = io.StringIO()
    approvals = TerminalApprovals(reads=reads, writes=shown)
    os.write(ours, typed * 3)  # each line is read by itself
    assert await approvals.ask(REQUEST) == answer
    text = shown.getvalue()
    assert "mail_send (destructive)" in text
    assert '"to": "ana"' in text
    assert "\x1b" not in text
    assert "\u202e" not in text


async def test_nobody_answers_in_time(terminal: tuple[int, io.TextIOWrapper]) -> None:
    approvals = TerminalApprovals(reads=terminal[1], writes=io.StringIO(), within=0.02)
    assert await approvals.ask(REQUEST) == "expired"


async def test_without_a_terminal_nobody_can_be_asked() -> None:
    approvals = TerminalApprovals(reads=io.StringIO("y\n"), writes=io.StringIO())
    assert await approvals.ask(REQUEST) == "nobody"


@pytest.mark.parametrize(("answer", "expected"), [(True, "approved"), (False, "denied")])
async def test_an_answer_given_beforehand_is_used_and_the_call_still_shown(
    answer: bool, expected: str
) -> None:
    shown = io.StringIO()
    assert await TerminalApprovals(answer=answer, writes=shown).ask(REQUEST) == expected
    assert "mail_send" in shown.getvalue()


async def test_questions_are_asked_one_after_the_other(
    terminal: tuple[int, io.TextIOWrapper],
) -> None:
    ours, reads = terminal
    shown = io.StringIO()
    approvals = TerminalApprovals(reads=reads, writes=shown)
    answers: list[str] = []
    first_is_answered = anyio.Event()

    async def asked() -> None:
        answers.append(await approvals.ask(REQUEST))
        first_is_answered.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(asked)
        tasks.start_soon(asked)
        await anyio.wait_all_tasks_blocked()
        assert shown.getvalue().count("run it?") == 1
        os.write(ours, b"y\n")
        await first_is_answered.wait()
        os.write(ours, b"n\n")
    assert answers == ["approved", "denied"]
