"""What Toolroll raises travels as any exception does: copied, and to another process."""

import copy
import pickle

import pytest

from toolroll.outcome import (
    ConfigError,
    DefinitionError,
    Failed,
    MissingExtra,
    NameClash,
    OutcomeError,
    Refusal,
    Refused,
    ToolrollError,
    UnwrapError,
)
from toolroll.schema import SchemaError
from toolroll.sources import SourceError


class Mine(Refusal):
    def __init__(self, number: int) -> None:
        super().__init__("too-many", f"{number} are too many.", [f"limit\t{number}"])
        self.number = number


RAISED = [
    DefinitionError("add: wrong.", tool="add", pointer="/a"),
    SchemaError("no schema."),
    NameClash({"add": (("math", "add"), ("sums", "add"))}),
    MissingExtra("http", "an HTTP source"),
    ConfigError("file: wrong."),
    Refusal("rev-conflict", "It was changed.", ["revision\t7"]),
    OutcomeError("unavailable", "overloaded", "Later.", detail="queue of 900", retry_after=3.0),
    SourceError("loans", "unavailable", "connect 10.0.0.7:443"),
    UnwrapError(Failed(code="handler-error", message="It failed.")),
    Mine(7),
]


@pytest.mark.rule("error-travels")
@pytest.mark.parametrize("error", RAISED, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))]
)
def test_an_exception_is_the_same_when_copied_or_pickled(error: ToolrollError, again) -> None:
    error.add_note("seen")

    back = again(error)

    assert type(back) is type(error)
    assert (str(back), back.args, vars(back)) == (str(error), error.args, vars(error))


@pytest.mark.rule("error-travels")
def test_an_outcome_goes_to_another_process_with_the_refusal_behind_it() -> None:
    refusal = Refusal("gone", "It was changed.", ["now\t7"])
    outcome = Refused(code="gone", message="It was changed.", lines=("now\t7",), cause=refusal)

    back = pickle.loads(pickle.dumps(outcome))

    assert back == outcome
    assert isinstance(back.cause, Refusal)
    assert back.cause.lines == ("now\t7",)
