"""One truth on every door: the same calls come to the same outcomes, whatever way they take."""

from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import replace

import pytest

from tests.doors.door import Door
from tests.doors.doors import DOORS
from tests.doors.place import Places
from tests.doors.trial import TRIALS, Trial
from toolroll.outcome import outcome_from_json

NAMES = {door.name: door for door in DOORS}
ENTERED = [
    pytest.param(door, trial, id=f"{door.name}-{trial.id}")
    for door in DOORS
    for trial in TRIALS
    if door.takes(trial)
]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Generator[Places]:
    with ExitStack() as stack:
        yield Places(tmp_path_factory.mktemp("doors"), stack)


@pytest.mark.anyio
@pytest.mark.rule("doors-one-truth")
@pytest.mark.parametrize(("door", "trial"), ENTERED)
async def test_a_call_comes_to_the_same_through_every_door(
    door: Door, trial: Trial, places: Places
) -> None:
    arrival = await door.enter(trial, places)
    expected = door.expected(trial)
    assert arrival.outcome == expected.outcome
    assert arrival.told == expected.told


@pytest.mark.rule("doors-projections-are-needed")
@pytest.mark.parametrize("door", DOORS, ids=list(NAMES))
def test_a_projection_says_why_and_changes_something(door: Door) -> None:
    for at, projection in enumerate(door.projections):
        assert projection.reason.endswith(".")
        trials = [trial for trial in TRIALS if projection.applies(trial)]
        assert trials, projection.reason
        if projection.rewrite is not None:
            before = replace(door, projections=door.projections[:at])
            after = replace(door, projections=door.projections[: at + 1])
            for trial in trials:
                assert before.expected(trial) != after.expected(trial), projection.reason


@pytest.mark.rule("doors-one-truth")
@pytest.mark.parametrize("trial", TRIALS, ids=lambda trial: trial.id)
def test_what_is_expected_is_an_outcome(trial: Trial) -> None:
    request = trial.outcome.get("request")
    whole = {**trial.outcome, **({"request": {**request, "id": ""}} if request else {})}
    assert outcome_from_json(whole).kind == trial.outcome["kind"]


@pytest.mark.rule("doors-every-end")
def test_the_table_has_a_call_for_every_way_to_end() -> None:
    assert {trial.outcome["kind"] for trial in TRIALS} == {
        "ok",
        "refused",
        "invalid_input",
        "needs_approval",
        "failed",
        "timeout",
    }
    assert len({trial.id for trial in TRIALS}) == len(TRIALS)
    assert len(NAMES) == len(DOORS)
