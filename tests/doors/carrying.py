"""What a door cannot carry, once for each door, and why."""

from dataclasses import replace

from tests.doors.door import Projection
from tests.doors.trial import Arrival, Trial

_CHECKED_BEFORE = frozenset(
    {
        "unknown-tool",
        "bad-arguments",
        "truncated-arguments",
        "malformed-arguments",
        "several-arguments",
    }
)
"""Codes of calls that never leave the side they are made on."""


def _is_bad_there(trial: Trial) -> bool:
    return trial.outcome["kind"] != "ok" and trial.outcome["code"] not in _CHECKED_BEFORE


def _as_reported(trial: Trial, arrival: Arrival) -> Arrival:
    before = arrival.outcome
    said = {"kind": before["kind"], "code": before["code"]}
    said |= {"retryable": before["retryable"], "mayHaveRun": before["may_have_run"]}
    outcome = {
        "kind": "failed",
        "code": "tool-error",
        "message": arrival.told,
        "retryable": False,
        "may_have_run": True,
        "result": {
            "content": [{"type": "text", "text": arrival.told}],
            "is_error": True,
            "meta": {"toolroll/outcome": said},
        },
    }
    return replace(arrival, outcome=outcome)


def _as_text(trial: Trial, arrival: Arrival) -> Arrival:
    result = {"content": [{"type": "text", "text": arrival.told}]}
    return replace(arrival, outcome={**arrival.outcome, "result": result})


OVER_MCP = (
    Projection(
        reason="A result over MCP is good or an error: refused, failed, timed out and waiting for a "
        "yes all are the tool's own report there, with kind and code in its `_meta`.",
        applies=_is_bad_there,
        rewrite=_as_reported,
    ),
    Projection(
        reason="Without an output schema data is sent as text.",
        applies=lambda trial: trial.id == "undeclared-data",
        rewrite=_as_text,
    ),
)


def _nobody(trial: Trial, arrival: Arrival) -> Arrival:
    outcome = {
        "kind": "refused",
        "code": "nobody-to-ask",
        "message": "This call needs a person's approval and nobody can be asked.",
        "retryable": False,
        "may_have_run": False,
        "lines": [],
    }
    return replace(arrival, outcome=outcome)


def _usage(trial: Trial, arrival: Arrival) -> Arrival:
    return replace(arrival, outcome={"usage": "Error: --json: must be JSON"})


def _is_no_json(trial: Trial) -> bool:
    return trial.id in ("cut", "malformed", "repaired-text")


def _missing(trial: Trial, arrival: Arrival) -> Arrival:
    issue = {"pointer": "", "problem": "must have required properties b"}
    outcome = {
        **arrival.outcome,
        "code": "bad-arguments",
        "message": "The arguments do not fit add.",
        "issues": [{**issue, "missing": ["b"], "keyword": "required"}],
    }
    return replace(arrival, outcome=outcome)


AT_THE_TERMINAL = (
    Projection(
        reason="What a person types is not repaired: text that is no JSON is a wrong command line.",
        applies=_is_no_json,
        rewrite=_usage,
    ),
    Projection(
        reason="A person at a terminal meets no limit of a model, so what is missing is missing.",
        applies=lambda trial: trial.finish == "length",
        rewrite=_missing,
    ),
    Projection(
        reason="The command asks at the terminal; without one nobody can be asked.",
        applies=lambda trial: trial.id == "approval-needed",
        rewrite=_nobody,
    ),
)


def _closed_once_more(trial: Trial, arrival: Arrival) -> Arrival:
    repairs = arrival.outcome["repairs"]
    return replace(arrival, outcome={**arrival.outcome, "repairs": [*repairs, repairs[-1]]})


def _further_on(trial: Trial, arrival: Arrival) -> Arrival:
    before, after = "line 1, column 7", "line 1, column 32"
    outcome = {**arrival.outcome, "message": arrival.outcome["message"].replace(before, after)}
    return Arrival(outcome, (arrival.told or "").replace(before, after))


IN_A_SEARCH = (
    Projection(
        reason="The object around the input is cut too.",
        applies=lambda trial: trial.id == "cut",
        rewrite=_closed_once_more,
    ),
    Projection(
        reason="The place of a fault is one in the whole text.",
        applies=lambda trial: trial.id == "malformed",
        rewrite=_further_on,
    ),
)


def _headed(trial: Trial, arrival: Arrival) -> Arrival:
    return replace(arrival, told=f"The tool reported a failure:\n{arrival.told}")


def _with_media(trial: Trial, arrival: Arrival) -> Arrival:
    return replace(arrival, told=f"{arrival.told}\n[image image/png, 3 bytes]")


UNMARKED = Projection(
    reason="The wire has no mark for an error, so a sentence stands before a tool's own report.",
    applies=lambda trial: trial.id == "reported-failure",
    rewrite=_headed,
)
MEDIA_LINE = Projection(
    reason="A picture goes into a part of its own; in the text of the result stands one line.",
    applies=lambda trial: trial.id == "media",
    rewrite=_with_media,
)
JSON_ONLY = Projection(
    reason="Arguments come as JSON, never as text.",
    applies=lambda trial: trial.text is not None,
    rewrite=None,
)
