import os
import random
from itertools import pairwise
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.hosts.mcp_server.stdio import wire
from toolroll.hosts.mcp_server.stdio.line import TOO_LONG, LineCutter
from toolroll.hosts.mcp_server.stdio.wire import PipeOutlet, read_all, read_all_in_thread


@pytest.mark.rule("mcp-server-stdio-lines")
@given(
    lines=st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line), max_size=8),
    cuts=st.lists(st.integers(min_value=0, max_value=200), max_size=8),
)
def test_lines_come_out_alike_however_the_bytes_arrive(lines: list[bytes], cuts: list[int]) -> None:
    data = b"".join(line + b"\n" for line in lines)
    places = sorted({0, len(data), *(cut for cut in cuts if cut <= len(data))})
    cutter = LineCutter(limit=100)
    got = [line for start, end in pairwise(places) for line in cutter.feed(data[start:end])]
    wanted = [line.strip() for line in data.removeprefix(b"\xef\xbb\xbf").split(b"\n")]
    assert [*got, *cutter.close()] == [line for line in wanted if line]


@pytest.mark.rule("mcp-server-stdio-lines")
def test_blank_lines_a_mark_and_carriage_returns_are_no_part_of_a_message() -> None:
    assert LineCutter(limit=9).feed(b"\xef\xbb\xbf{}\r\n\r\n \n[]\n") == [b"{}", b"[]"]


@pytest.mark.rule("mcp-server-stdio-line-bound")
def test_a_line_without_an_end_is_dropped_while_it_comes() -> None:
    cutter = LineCutter(limit=10)
    for _ in range(1000):
        assert cutter.feed(b"x" * 1000) == []
    assert len(cutter._held) <= 11
    assert cutter.feed(b"\n{}\n") == [TOO_LONG, b"{}"]


@pytest.mark.rule("mcp-server-stdio-line-bound")
def test_a_line_of_just_the_limit_is_taken_also_with_a_carriage_return() -> None:
    assert LineCutter(limit=4).feed(b"1234\r\n12345\n") == [b"1234", TOO_LONG]


@pytest.mark.rule("mcp-server-stdio-lines")
def test_a_last_line_without_an_end_counts() -> None:
    cutter = LineCutter(limit=9)
    assert cutter.feed(b"{}") == []
    assert cutter.close() == [b"{}"]
    assert cutter.close() == []


@pytest.mark.anyio
@pytest.mark.parametrize("read", [read_all, read_all_in_thread])
@pytest.mark.rule("mcp-server-stdio-reads-anything")
async def test_bytes_of_a_pipe_come_until_its_end(read: wire.Reader) -> None:
    ours, theirs = os.pipe()
    got = bytearray()

    async def take(chunk: bytes) -> None:
        got.extend(chunk)
        if bytes(got) == b"abc":
            os.write(theirs, b"def")
            os.close(theirs)

    os.write(theirs, b"abc")
    await read(ours, take)
    assert got == b"abcdef"
    os.close(ours)


@pytest.mark.anyio
@pytest.mark.parametrize("read", [read_all, read_all_in_thread])
@pytest.mark.parametrize("what", ["file", "nothing"])
@pytest.mark.rule("mcp-server-stdio-reads-anything")
async def test_a_file_and_the_null_device_are_read_too(
    read: wire.Reader, what: str, tmp_path: Path
) -> None:
    path = tmp_path / "in"
    path.write_bytes(b"x" * 100_000)
    descriptor = os.open(path if what == "file" else os.devnull, os.O_RDONLY)
    got = bytearray()

    async def take(chunk: bytes) -> None:
        got.extend(chunk)

    await read(descriptor, take)
    assert len(got) == (100_000 if what == "file" else 0)
    os.close(descriptor)


@pytest.mark.anyio
@pytest.mark.parametrize("read", [read_all, read_all_in_thread])
@pytest.mark.rule("mcp-server-stdio-ends-on-signal")
async def test_reading_can_be_cancelled_while_nothing_comes(read: wire.Reader) -> None:
    ours, theirs = os.pipe()

    async def take(chunk: bytes) -> None:
        raise AssertionError

    with anyio.move_on_after(0.05) as scope:
        await read(ours, take)
    assert scope.cancelled_caught
    os.close(theirs)
    os.close(ours)


@pytest.mark.anyio
@pytest.mark.rule("mcp-server-stdio-never-blocks")
async def test_writing_does_not_wait_for_a_reader_and_keeps_the_order() -> None:
    ours, theirs = os.pipe()
    outlet = PipeOutlet(theirs)
    lines = [b"%d:" % number + random.randbytes(50_000).hex().encode() for number in range(20)]
    got = bytearray()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outlet.run)
        for line in lines:
            outlet.put(line + b"\n")  # far more than a pipe takes
        assert outlet.backlog > 1_000_000

        async def take(chunk: bytes) -> None:
            got.extend(chunk)
            if got.count(b"\n") == len(lines):
                tasks.cancel_scope.cancel()

        await read_all(ours, take)
    assert got.split(b"\n")[:-1] == lines
    assert outlet.backlog == 0
    os.close(ours)
    os.close(theirs)


@pytest.mark.anyio
@pytest.mark.rule("mcp-server-stdio-never-blocks")
async def test_who_asks_for_ease_waits_until_the_reader_has_caught_up() -> None:
    ours, theirs = os.pipe()
    outlet = PipeOutlet(theirs)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(outlet.run)
        outlet.put(b"x" * 500_000)

        async def drain() -> None:
            while outlet.backlog:
                await anyio.wait_readable(ours)
                os.read(ours, 65536)

        tasks.start_soon(drain)
        await outlet.ease(100_000)
        assert outlet.backlog < 100_000
        tasks.cancel_scope.cancel()
    os.close(ours)
    os.close(theirs)


@pytest.mark.anyio
@pytest.mark.rule("mcp-server-stdio-reader-gone")
async def test_a_reader_that_is_gone_is_noticed_and_nothing_raises() -> None:
    ours, theirs = os.pipe()
    outlet = PipeOutlet(theirs)
    os.close(ours)
    outlet.put(b"x\n")
    assert outlet.broken.is_set()
    outlet.put(b"y\n")
    assert outlet.backlog == 0
    await outlet.flush(0.1)
    os.close(theirs)


@pytest.mark.anyio
@pytest.mark.rule("mcp-server-stdio-never-blocks")
async def test_flush_gives_up_on_a_reader_that_does_not_read() -> None:
    ours, theirs = os.pipe()
    outlet = PipeOutlet(theirs)
    outlet.put(b"x" * 500_000)
    await outlet.flush(0.02)
    assert outlet.backlog
    os.close(ours)
    os.close(theirs)
