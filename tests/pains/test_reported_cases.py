"""Every case of real reports, run through our own API, each a test of its own."""

from collections.abc import Awaitable
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import anyio
import pytest

from tests.pains.case import DIFFERENCES, GAPS, RAW, Case, case_of, covered
from tests.pains.table import OPERATIONS, is_async, run

IDS = covered()
BLOCKING = [id for id in IDS if not is_async(case_of(id))]
ASYNC = [id for id in IDS if is_async(case_of(id))]


def check_whole(case: Case) -> None:
    """Nothing of the case may have gone unread."""
    assert case.given.unread == [], f"{case.op} reads nothing of it"
    assert case.wanted.unread == [], f"{case.op} checks nothing of it"


@pytest.mark.rule("pains-come-out-as-wanted", "pains-read-whole")
@pytest.mark.parametrize("id", BLOCKING)
def test_a_reported_case_comes_out_as_wanted(id: str, tmp_path: Path) -> None:
    case = case_of(id)
    run(case, tmp_path)
    check_whole(case)


@pytest.mark.anyio
@pytest.mark.rule("pains-come-out-as-wanted", "pains-read-whole")
@pytest.mark.parametrize("id", ASYNC)
async def test_a_reported_case_comes_out_as_wanted_on_both_loops(id: str, tmp_path: Path) -> None:
    case = case_of(id)
    await cast("Awaitable[None]", run(case, tmp_path))
    check_whole(case)


@pytest.mark.rule("pains-differences-are-real")
@pytest.mark.parametrize("id", list(DIFFERENCES))
def test_where_we_decide_otherwise_the_case_itself_would_fail(id: str, tmp_path: Path) -> None:
    case = case_of(id, decided=False)

    async def in_a_loop() -> None:
        await cast("Awaitable[None]", run(case, tmp_path))

    with pytest.raises(AssertionError):
        anyio.run(in_a_loop) if is_async(case) else run(case, tmp_path)


@pytest.mark.rule("pains-differences-are-real")
@pytest.mark.parametrize("id", list(DIFFERENCES))
def test_a_difference_says_why_and_replaces_words_of_its_case(id: str) -> None:
    difference, expected = DIFFERENCES[id], RAW[id]["expected"]
    assert difference.reason.endswith(".")
    assert set(difference.wanted) <= set(expected)
    assert all(expected[key] != value for key, value in difference.wanted.items())


@pytest.mark.rule("pains-none-is-lost")
@pytest.mark.parametrize(
    "count", [len(RAW) - len(IDS)], ids=lambda count: f"{count}-of-{len(RAW)}-not-covered-yet"
)
def test_every_case_runs_or_stands_in_the_table_of_gaps(count: int) -> None:
    whole = {id for id, gap in GAPS.items() if not gap.keys}
    assert set(GAPS) <= set(RAW)
    assert {*IDS, *whole} == set(RAW)
    assert len(IDS) + count == len(RAW) == 112


@pytest.mark.rule("pains-none-is-lost")
@pytest.mark.parametrize("id", list(GAPS))
def test_a_gap_says_why_and_stands_for_something_that_is_not_there(id: str) -> None:
    gap, expected = GAPS[id], RAW[id]["expected"]
    assert gap.reason.endswith(".")
    assert set(gap.keys) < set(expected)
    assert not _is_there(gap.module), f"{gap.module} is there: give {id} its operation"


@pytest.mark.rule("pains-none-is-lost")
def test_an_operation_of_no_case_would_be_dead() -> None:
    assert {case_of(id).op for id in IDS} == set(OPERATIONS)


@pytest.mark.rule("pains-read-whole")
def test_a_word_that_nothing_reads_is_named() -> None:
    case = case_of("args-truncated-4")
    _ = case.wanted["value"], case.given["raw"]
    with pytest.raises(AssertionError, match="checks nothing of it"):
        check_whole(case)
    assert case.wanted.unread == ["report", "partial"]


def _is_there(module: str) -> Any:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # not even the package around it
        return False
