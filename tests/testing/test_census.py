"""What is alive is seen: threads, tasks, sockets, pipes and processes, and what is gone is not."""

import os
import socket
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from toolroll.testing.census import left_over, take_census
from toolroll.testing.polling import until

pytestmark = [pytest.mark.anyio, pytest.mark.rule("exam-sees-what-is-left")]


async def test_nothing_new_is_nothing_left() -> None:
    before = take_census()
    assert await left_over(before, take_census(), within=0.05) == []


async def test_a_thread_that_runs_is_seen_and_an_idle_worker_is_not() -> None:
    before = take_census()
    await anyio.to_thread.run_sync(len, "")  # leaves a worker that waits for work
    assert await left_over(before, before, within=60) == []
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait, name="left")
    thread.start()
    try:
        assert await left_over(before, before, within=0.05) == ["thread 'left'"]
    finally:
        stop.set()
        thread.join()
    assert await left_over(before, before, within=60) == []


async def test_work_that_goes_on_in_a_worker_is_seen() -> None:
    before, begun, stop = take_census(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        stop.wait()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(partial(anyio.to_thread.run_sync, work, abandon_on_cancel=True))
        assert await until(begun.is_set, 60)
        tasks.cancel_scope.cancel()
    try:
        assert len(await left_over(before, before, within=0.05)) == 1
    finally:
        stop.set()
    assert await left_over(before, before, within=60) == []


async def test_a_task_is_seen() -> None:
    before = take_census()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(anyio.sleep_forever, name="left")
        assert await left_over(before, before, within=0.05) == ["task 'left'"]
        tasks.cancel_scope.cancel()
    assert await left_over(before, before, within=60) == []


@pytest.mark.skipif(not Path("/dev/fd").is_dir(), reason="descriptors cannot be listed here")
async def test_sockets_and_pipes_are_seen() -> None:
    before = take_census()
    one, other = socket.socketpair()
    reading, writing = os.pipe()
    left = await left_over(before, before, within=0.05)
    assert sorted(each.split()[0] for each in left) == ["pipe", "socket", "socket"]
    one.close()
    other.close()
    os.close(reading)
    os.close(writing)
    assert await left_over(before, before, within=60) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes cannot be listed here")
async def test_a_process_is_seen_until_somebody_waits_for_it() -> None:
    before = take_census()
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    assert process.stdin is not None
    used = take_census()
    left = await left_over(before, used, within=0.05)
    assert [each.split()[:2] for each in left if each.startswith("process")] == [
        ["process", str(process.pid)]
    ]
    process.stdin.close()
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    (ended,) = await left_over(before, used, within=0.05)
    assert ended.endswith("(ended, not waited for)")
    process.wait()
    assert await left_over(before, used, within=60) == []


@pytest.mark.skipif(sys.platform != "linux", reason="processes cannot be listed here")
async def test_a_process_whose_parent_has_gone_is_still_seen() -> None:
    code = "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=0); print(p.pid, flush=True); input()"
    before = take_census()
    parent = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    assert parent.stdin is not None
    child = int(parent.stdout.readline())
    used = take_census()
    parent.kill()
    parent.wait()
    left = await left_over(before, used, within=0.05)
    assert [each.split()[1] for each in left if each.startswith("process")] == [str(child)]
    os.kill(child, 9)
    parent.stdin.close()
    parent.stdout.close()
    assert await left_over(before, used, within=60) == []
