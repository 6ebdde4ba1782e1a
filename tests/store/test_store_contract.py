"""What journals, approvals and catalogs do, in memory and in every database."""

import dataclasses
import time

import pytest

from tests.store.conftest import Parts
from toolroll.content import JsonObject
from toolroll.outcome import ApprovalRequest
from toolroll.ports.catalog import PinnedTool, StoredCatalog
from toolroll.ports.journal import JournalEvent, JournalRecord
from toolroll.store import ApprovalStateError, JournalFilter, JournalOrderError, StoreError

pytestmark = pytest.mark.anyio


def record(event: JournalEvent, call_id: str = "c1", **fields: object) -> JournalRecord:
    made = JournalRecord(event=event, call_id=call_id, time=1000.0, tool="note_write")
    return dataclasses.replace(made, **fields)  # type: ignore[arg-type]


def request(id: str = "q1", **fields: object) -> ApprovalRequest:
    made = ApprovalRequest(
        id=id,
        tool="mail__send",
        source="mail",
        input={"to": "ana", "n": 1},
        principal="kim",
        digest="d1",
        fingerprint="f1",
        effect="write",
    )
    return dataclasses.replace(made, **fields)  # type: ignore[arg-type]


@pytest.mark.rule("store-one-finish-for-each-begin")
async def test_a_begin_is_open_until_its_one_finish(parts: Parts) -> None:
    await parts.journal.write(record("begun"))
    (open_,) = await parts.journal.unfinished()
    assert open_.record.call_id == "c1"
    await parts.journal.write(record("finished", outcome="ok", duration=0.5))
    assert await parts.journal.unfinished() == ()
    with pytest.raises(JournalOrderError, match="exactly one finish"):
        await parts.journal.write(record("finished", outcome="ok"))
    with pytest.raises(JournalOrderError):
        await parts.journal.write(record("finished", "c2", outcome="ok"))
    finish, begin = (await parts.journal.read()).entries
    assert (begin.record.event, finish.record.event) == ("begun", "finished")
    assert begin.run == finish.run != ""
    assert finish.record == record("finished", outcome="ok", duration=0.5)


@pytest.mark.rule("store-repeated-ids-pair")
async def test_repeated_ids_are_told_apart(parts: Parts) -> None:
    """Some providers number calls anew in each conversation."""
    await parts.journal.write(record("begun", "0", principal="ana"))
    await parts.journal.write(record("begun", "0", principal="ben"))
    await parts.journal.write(record("begun", "0", principal="ana"))
    await parts.journal.write(record("finished", "0", principal="ben", outcome="failed"))
    await parts.journal.write(record("finished", "0", principal="ana", outcome="ok"))
    (left,) = await parts.journal.unfinished()
    assert left.record.principal == "ana"
    entries = (await parts.journal.read(oldest_first=True)).entries
    first, second, third, of_second, of_first = entries
    assert (second.run, first.run) == (of_second.run, of_first.run)
    assert third.run == left.run


@pytest.mark.rule("store-reading-filters-and-pages")
async def test_records_are_read_by_what_they_hold(parts: Parts) -> None:
    await parts.journal.write(record("decided", "a", time=10.0, code="not-permitted"))
    await parts.journal.write(record("asked", "b", time=20.0, principal="ana", tenant="t1"))
    await parts.journal.write(record("answered", "b", time=30.0, outcome="denied"))
    await parts.journal.write(record("begun", "c", time=40.0, tool="ping", source="net"))

    async def ids(which: JournalFilter) -> list[str]:
        return [one.record.call_id for one in (await parts.journal.read(which)).entries]

    assert await ids(JournalFilter()) == ["c", "b", "b", "a"]
    assert await ids(JournalFilter(tool="ping")) == ["c"]
    assert await ids(JournalFilter(source="net")) == ["c"]
    assert await ids(JournalFilter(principal="ana")) == ["b"]
    assert await ids(JournalFilter(tenant="t1")) == ["b"]
    assert await ids(JournalFilter(event="decided")) == ["a"]
    assert await ids(JournalFilter(outcome="denied")) == ["b"]
    assert await ids(JournalFilter(call_id="b")) == ["b", "b"]
    assert await ids(JournalFilter(since=20.0, until=40.0)) == ["b", "b"]
    assert await ids(JournalFilter(tool="' OR 1=1 --")) == []


@pytest.mark.rule("store-reading-filters-and-pages")
async def test_pages_follow_each_other_in_both_orders(parts: Parts) -> None:
    for at in range(7):
        await parts.journal.write(record("decided", str(at)))
    for oldest_first in (False, True):
        found: list[str] = []
        cursor, more = None, True
        while more:
            page = await parts.journal.read(limit=3, cursor=cursor, oldest_first=oldest_first)
            assert len(page.entries) <= 3
            found += [one.record.call_id for one in page.entries]
            cursor, more = page.cursor, page.cursor is not None
        wanted = [str(at) for at in range(7)]
        assert found == (wanted if oldest_first else wanted[::-1])
    assert len((await parts.journal.read(limit=0)).entries) == 1
    assert len((await parts.journal.read(limit=10**9)).entries) == 7


@pytest.mark.rule("store-reading-filters-and-pages")
async def test_what_is_new_is_followed_by_number(parts: Parts) -> None:
    await parts.journal.write(record("decided", "a"))
    (last,) = (await parts.journal.read()).entries
    await parts.journal.write(record("decided", "b"))
    page = await parts.journal.read(cursor=last.number, oldest_first=True)
    assert [one.record.call_id for one in page.entries] == ["b"]


@pytest.mark.rule("store-prune-keeps-open-begins")
async def test_old_records_are_forgotten_but_no_open_begin(parts: Parts) -> None:
    await parts.journal.write(record("begun", "open", time=1.0))
    await parts.journal.write(record("begun", "done", time=2.0))
    await parts.journal.write(record("finished", "done", time=3.0, outcome="ok"))
    await parts.journal.write(record("decided", "new", time=100.0))
    assert await parts.journal.prune(50.0) == 2
    left = [one.record.call_id for one in (await parts.journal.read()).entries]
    assert left == ["new", "open"]
    await parts.journal.write(record("finished", "open", time=4.0, outcome="ok"))
    assert await parts.journal.unfinished() == ()


@pytest.mark.rule("store-inputs-are-digests")
async def test_inputs_are_not_kept(parts: Parts) -> None:
    await parts.journal.write(record("begun", digest="abc", input={"town": "Pune"}))
    (kept,) = (await parts.journal.read()).entries
    assert kept.record.input is None
    assert kept.record.digest == "abc"


@pytest.mark.rule("store-texts-are-cleaned")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("nul\x00 here", "nul\ufffd here"),
        ("half \ud83d", "half \ufffd"),
        ("whole 😀 é", "whole 😀 é"),
        ("x" * 5_000, "x" * 1_000),
        ("'; DROP TABLE toolroll_journal; --", "'; DROP TABLE toolroll_journal; --"),
    ],
    ids=["nul", "surrogate", "emoji", "long", "quotes"],
)
async def test_any_text_is_kept(parts: Parts, given: str, kept: str) -> None:
    begun = record("begun", given, tool=given, principal=given)
    await parts.journal.write(begun)
    await parts.journal.write(dataclasses.replace(begun, event="finished", outcome="ok"))
    page = await parts.journal.read(JournalFilter(call_id=given) if given == kept else None)
    for one in page.entries:
        assert (one.record.call_id, one.record.tool, one.record.principal) == (kept, kept, kept)
    assert len(page.entries) == 2


@pytest.mark.rule("store-texts-are-cleaned")
async def test_the_applications_own_part_comes_back(parts: Parts) -> None:
    domain: JsonObject = {"n": 1, "f": 0.1, "deep": [{"a": None}, "é😀\x00\ud800"], "big": 2**60}
    await parts.journal.write(record("begun", domain=domain))
    (kept,) = (await parts.journal.read()).entries
    assert kept.record.domain == domain


@pytest.mark.rule("store-texts-are-cleaned")
async def test_what_is_no_json_or_too_much_is_told(parts: Parts) -> None:
    with pytest.raises(StoreError, match="domain of note_write is no JSON"):
        await parts.journal.write(record("begun", domain={"x": {1, 2}}))
    assert (await parts.journal.read()).entries == ()
    await parts.journal.write(record("begun", domain={"x": "y" * 200_000}, time=float("nan")))
    (kept,) = (await parts.journal.read()).entries
    assert "200" in str(kept.record.domain["left out"])


@pytest.mark.rule("store-approval-is-single-use")
async def test_a_yes_is_for_one_call(parts: Parts) -> None:
    assert await parts.approvals.ask(request()) == "pending"
    assert await parts.approvals.ask(request()) == "pending"
    (open_,) = await parts.approvals.list_pending()
    assert (open_.id, open_.input, open_.effect) == ("q1", {"to": "ana", "n": 1}, "write")
    answered = await parts.approvals.approve("q1", by="kim")
    assert (answered.status, answered.answered_by) == ("approved", "kim")
    assert await parts.approvals.list_pending() == ()
    assert await parts.approvals.ask(request()) == "approved"
    assert await parts.approvals.ask(request()) == "pending"


@pytest.mark.rule("store-approval-answered-once")
async def test_a_no_stays_a_no_and_nothing_is_answered_twice(parts: Parts) -> None:
    await parts.approvals.ask(request())
    assert (await parts.approvals.deny("q1", by="kim")).status == "denied"
    assert await parts.approvals.ask(request()) == "denied"
    assert await parts.approvals.ask(request()) == "denied"
    with pytest.raises(ApprovalStateError, match="denied already"):
        await parts.approvals.approve("q1")
    with pytest.raises(ApprovalStateError, match="no approval 'q9'"):
        await parts.approvals.approve("q9")
    assert await parts.approvals.get("q9") is None


@pytest.mark.rule("store-approval-binds-the-call")
@pytest.mark.parametrize(
    "other",
    [
        {"input": {"to": "eve", "n": 1}},
        {"digest": "d2"},
        {"tool": "mail__send_all"},
        {"source": "post"},
        {"principal": "eve"},
        {"fingerprint": "f2"},
    ],
    ids=lambda other: next(iter(other)),
)
async def test_a_yes_is_for_exactly_that_call(parts: Parts, other: dict[str, object]) -> None:
    await parts.approvals.ask(request())
    await parts.approvals.approve("q1")
    assert await parts.approvals.ask(request("q1", **other)) == "denied"
    assert await parts.approvals.ask(request("q2", **other)) == "pending"
    assert await parts.approvals.ask(request()) == "approved"


@pytest.mark.rule("store-approval-ids-change")
async def test_a_call_made_again_under_another_id_finds_its_answer(parts: Parts) -> None:
    """A host gives each try an id of its own."""
    assert await parts.approvals.ask(request("q1")) == "pending"
    assert await parts.approvals.ask(request("q2")) == "pending"
    assert [one.id for one in await parts.approvals.list_pending()] == ["q1"]
    await parts.approvals.approve("q2")
    found = await parts.approvals.get("q1")
    assert found is not None
    assert found.status == "approved"
    assert await parts.approvals.ask(request("q3")) == "approved"
    assert await parts.approvals.ask(request("q4")) == "pending"


async def test_two_questions_about_one_tool_are_two(parts: Parts) -> None:
    await parts.approvals.ask(request("c1", input={"to": "ana"}))
    await parts.approvals.ask(request("c2", input={"to": "ben"}))
    await parts.approvals.approve("c1")
    await parts.approvals.deny("c2")
    assert await parts.approvals.ask(request("c1", input={"to": "ana"})) == "approved"
    assert await parts.approvals.ask(request("c2", input={"to": "ben"})) == "denied"


@pytest.mark.rule("store-approval-expires")
async def test_a_question_that_came_with_its_own_end_keeps_it(parts: Parts) -> None:
    past = request(expires=time.time() - 1)
    assert await parts.approvals.ask(past) == "pending"
    assert await parts.approvals.list_pending() == ()
    with pytest.raises(ApprovalStateError, match="expired"):
        await parts.approvals.approve("q1")
    assert await parts.approvals.ask(request()) == "expired"
    assert await parts.approvals.ask(request()) == "pending"


@pytest.mark.rule("store-catalogs-round-trip")
async def test_catalogs_come_back_as_they_were(parts: Parts) -> None:
    schema: JsonObject = {"type": "object", "properties": {"é": {"const": 1.5, "maximum": 10**19}}}
    tool = PinnedTool(definition={"name": "find", "inputSchema": schema}, fingerprint="1:ab")
    assert await parts.catalogs.get("loans") is None
    await parts.catalogs.put(StoredCatalog(source="loans", tools=(tool,), origin="o1"))
    await parts.catalogs.put(StoredCatalog(source="books", tools=()))
    kept = await parts.catalogs.get("loans")
    assert kept is not None
    assert (kept.source, kept.tools, kept.origin) == ("loans", (tool,), "o1")
    assert kept.saved is not None
    assert await parts.catalogs.sources() == ("books", "loans")
    await parts.catalogs.put(StoredCatalog(source="loans", tools=()))
    kept = await parts.catalogs.get("loans")
    assert kept is not None
    assert kept.tools == ()
    assert await parts.catalogs.remove("loans")
    assert not await parts.catalogs.remove("loans")
    assert await parts.catalogs.sources() == ("books",)
    with pytest.raises(StoreError, match="name"):
        await parts.catalogs.put(StoredCatalog(source="", tools=()))
