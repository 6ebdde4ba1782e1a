"""Approvals in a database: asked here, answered there."""

import asyncio
import subprocess
import sys

import pytest
from sqlalchemy import select

from toolroll.outcome import ApprovalRequest
from toolroll.store import ApprovalStateError, MemoryApprovals, StoreError, open_store
from toolroll.store.table import approval, approval_id

pytestmark = pytest.mark.anyio

ANSWER = """
import asyncio, sys
from toolroll.store import open_store

async def main():
    async with open_store(sys.argv[1]) as store:
        (asked,) = await store.approvals.list_pending()
        await store.approvals.approve(asked.id, by="ben")
        print(asked.input)

asyncio.run(main())
"""


def request(id: str = "q1", to: str = "ana") -> ApprovalRequest:
    return ApprovalRequest(id=id, tool="mail__send", source="mail", input={"to": to})


@pytest.mark.rule("store-approval-survives-restart")
async def test_another_process_answers(target: str) -> None:
    async with open_store(target) as store:
        assert await store.approvals.ask(request()) == "pending"
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", ANSWER, target], capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("{'to': 'ana'}\n", "")
    async with open_store(target) as store:
        found = await store.approvals.get("q1")
        assert found is not None
        assert (found.status, found.answered_by) == ("approved", "ben")
        assert await store.approvals.ask(request("q2")) == "approved"


@pytest.mark.rule("store-approval-is-single-use")
async def test_of_many_who_ask_at_once_one_may_run(target: str) -> None:
    stores = [open_store(target) for _ in range(4)]
    for store in stores:
        await store.__aenter__()
    try:
        await stores[0].approvals.ask(request())
        await stores[1].approvals.approve("q1")
        answers = await asyncio.gather(
            *(store.approvals.ask(request(f"q{at}")) for at in range(8) for store in stores)
        )
        assert sorted(answers).count("approved") == 1
        assert set(answers) == {"approved", "pending"}
    finally:
        for store in stores:
            await store.aclose()


@pytest.mark.rule("store-approval-answered-once")
async def test_of_two_who_answer_at_once_one_is_told_so(target: str) -> None:
    async with open_store(target) as one, open_store(target) as two:
        await one.approvals.ask(request())
        told = await asyncio.gather(
            one.approvals.approve("q1", by="a"),
            two.approvals.deny("q1", by="b"),
            return_exceptions=True,
        )
        assert sum(isinstance(answer, ApprovalStateError) for answer in told) == 1


@pytest.mark.rule("store-approval-expires")
async def test_a_yes_that_is_not_used_in_time_expires(target: str) -> None:
    async with open_store(target) as store:
        await store.approvals.ask(request())
    async with open_store(target, approvals_expire=1e-9) as store:
        assert (await store.approvals.approve("q1")).status == "approved"
        assert await store.approvals.ask(request()) == "expired"
    async with open_store(target) as store:
        assert await store.approvals.ask(request()) == "pending"
        assert len(await store.approvals.list_pending()) == 1


@pytest.mark.rule("store-approval-expires")
async def test_time_in_memory_is_the_clock_that_was_given() -> None:
    now = [1000.0]
    approvals = MemoryApprovals(lifetime=10.0, clock=lambda: now[0])
    await approvals.ask(request())
    now[0] += 9
    await approvals.approve("q1")
    now[0] += 9
    assert await approvals.ask(request()) == "approved"
    await approvals.ask(request())
    now[0] += 11
    assert await approvals.ask(request()) == "expired"


@pytest.mark.rule("store-approvals-are-bounded")
async def test_too_many_questions_reach_nobody(target: str) -> None:
    async with open_store(target, most_pending=3) as store:
        for approvals in (store.approvals, MemoryApprovals(most_pending=3)):
            answers = [await approvals.ask(request(f"q{at}", to=str(at))) for at in range(5)]
            assert answers == ["pending", "pending", "pending", "nobody", "nobody"]
            await approvals.deny("q0")
            assert await approvals.ask(request("q9", to="9")) == "pending"
        with pytest.raises(StoreError, match="too large"):
            await store.approvals.ask(request("q10", to="x" * 2_000_000))


@pytest.mark.rule("store-approval-ids-change", "store-approvals-are-bounded")
async def test_ids_of_one_question_are_bounded_and_the_newest_counts(target: str) -> None:
    async with open_store(target) as store:
        for at in range(60):
            assert await store.approvals.ask(request(f"q{at}")) == "pending"
        with store.approvals._reading.connect() as connection:
            assert len(connection.execute(select(approval_id)).all()) <= 50
        assert (await store.approvals.approve("q59")).request.id == "q0"


@pytest.mark.rule("store-approval-forgets-inputs")
async def test_what_is_over_keeps_no_input(target: str) -> None:
    async with open_store(target) as store:
        await store.approvals.ask(request(to="a very private address"))
        await store.approvals.approve("q1")
        await store.approvals.ask(request(to="a very private address"))
        with store.approvals._reading.connect() as connection:
            (row,) = connection.execute(select(approval.c.request)).scalars()
        assert "private" not in row


@pytest.mark.rule("store-approval-forgets-inputs")
async def test_what_is_long_over_is_forgotten(target: str) -> None:
    async with open_store(target, approvals_expire=1e-6) as store:
        for at in range(20):
            await store.approvals.ask(request(f"q{at}", to=str(at)))
        with store.approvals._reading.connect() as connection:
            assert len(connection.execute(select(approval)).all()) < 5
            assert len(connection.execute(select(approval_id)).all()) < 5
