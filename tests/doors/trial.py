"""The one table of calls that goes through every door, and what each comes to."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

VISIBLE = "tools\tsay\tadd\tlend\tquote\tcrash\twait\terase\tbalance\tflood\tpicture\tcount"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One call.

    Args:
        id: names it.
        tool: that is called.
        arguments: as JSON; None where they are text.
        text: the arguments as a model wrote them.
        finish: why the model stopped.
        answer: what a person says when asked; None where nobody is asked.
        outcome: its JSON, without ids, times and offsets in a text.
        told: what a model reads.
    """

    id: str
    tool: str
    arguments: Json | None = None
    text: str | None = None
    finish: str | None = None
    answer: bool | None = None
    outcome: Json
    told: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came through a door: the JSON of the outcome, and what a model reads there.

    `told` is None at a door that shows a model nothing.
    """

    outcome: Json
    told: str | None


def _ok(content: list[Json], **more: Any) -> Json:
    return {"kind": "ok", "result": {"content": content, **more}}


def _bad(kind: str, code: str, message: str, **more: Any) -> Json:
    flags = {"retryable": False, "may_have_run": False}
    return {"kind": kind, "code": code, "message": message, **flags, **more}


def _text(text: str) -> Json:
    return {"type": "text", "text": text}


_CUT = "The arguments were cut off. Send the whole call again, shorter if need be."

TRIALS = (
    Trial(
        id="text",
        tool="say",
        arguments={"text": "good morning"},
        outcome=_ok([_text("good morning")]),
        told="good morning",
    ),
    Trial(
        id="data",
        tool="add",
        arguments={"a": 1, "b": 2},
        outcome=_ok([], data={"sum": 3}),
        told='{"sum":3}',
    ),
    Trial(
        id="undeclared-data",
        tool="count",
        arguments={},
        outcome=_ok([], data={"count": 3}),
        told='{"count":3}',
    ),
    Trial(
        id="media",
        tool="picture",
        arguments={},
        outcome=_ok(
            [_text("the cover"), {"type": "image", "data": "AAEC", "mimeType": "image/png"}]
        ),
        told="the cover",
    ),
    Trial(
        id="repaired-by-schema",
        tool="add",
        arguments={"A": "1", "b": 2},
        outcome=_ok([], data={"sum": 3})
        | {
            "repairs": [
                {"kind": "rename_key", "pointer": "/a", "was": "A"},
                {"kind": "parse_text", "pointer": "/a"},
            ]
        },
        told='{"sum":3}',
    ),
    Trial(
        id="repaired-text",
        tool="add",
        text='{"a": 1, "b": 2,}',
        outcome=_ok([], data={"sum": 3}) | {"repairs": [{"kind": "trailing_comma", "pointer": ""}]},
        told='{"sum":3}',
    ),
    Trial(
        id="wrong-arguments",
        tool="add",
        arguments={"a": "x", "c": 1},
        outcome=_bad(
            "invalid_input",
            "bad-arguments",
            "The arguments do not fit add.",
            issues=[
                {
                    "pointer": "",
                    "problem": 'unknown property "c"; takes a, b',
                    "keyword": "additionalProperties",
                },
                {
                    "pointer": "",
                    "problem": "must have required properties b",
                    "missing": ["b"],
                    "keyword": "required",
                },
                {"pointer": "/a", "problem": "must be integer", "keyword": "type"},
            ],
        ),
        told=(
            'Invalid arguments: unknown property "c"; takes a, b\n'
            "Invalid arguments at /: must have required properties b\n"
            "Invalid arguments at /a: must be integer"
        ),
    ),
    Trial(
        id="cut",
        tool="add",
        text='{"a": 1, "b": 2',
        outcome=_bad(
            "invalid_input",
            "truncated-arguments",
            _CUT,
            issues=[],
            repairs=[
                {"kind": "dropped_value", "pointer": "/b"},
                {"kind": "closed_object", "pointer": ""},
            ],
        ),
        told=_CUT,
    ),
    Trial(
        id="cut-between-properties",
        tool="add",
        text='{"a": 1}',
        finish="length",
        outcome=_bad("invalid_input", "truncated-arguments", _CUT, issues=[]),
        told=_CUT,
    ),
    Trial(
        id="malformed",
        tool="add",
        text='{"a": one}',
        outcome=_bad(
            "invalid_input",
            "malformed-arguments",
            "The arguments are not JSON. Send one JSON object. "
            "(line 1, column 7: expected a value, found 'one')",
            issues=[],
        ),
        told=(
            "The arguments are not JSON. Send one JSON object. "
            "(line 1, column 7: expected a value, found 'one')"
        ),
    ),
    Trial(
        id="unknown-tool",
        tool="subtract",
        arguments={},
        outcome=_bad("refused", "unknown-tool", 'There is no tool "subtract".', lines=[VISIBLE]),
        told=f'There is no tool "subtract".\n{VISIBLE}',
    ),
    Trial(
        id="blocked-tool",
        tool="purge",
        arguments={},
        outcome=_bad("refused", "unknown-tool", 'There is no tool "purge".', lines=[VISIBLE]),
        told=f'There is no tool "purge".\n{VISIBLE}',
    ),
    Trial(
        id="refusal-with-advice",
        tool="lend",
        arguments={"book": "b1"},
        outcome=_bad(
            "refused",
            "already-lent",
            "b1 is lent already.",
            lines=["due\t2026-03-01", "ask\tthe desk"],
        ),
        told="b1 is lent already.\ndue\t2026-03-01\nask\tthe desk",
    ),
    Trial(
        id="words-of-others",
        tool="quote",
        arguments={},
        outcome=_bad(
            "refused",
            "not-clean",
            "It says \x1b[31mred\u202e\nand more.",
            lines=["line\t1\r\n2", "\x07"],
        ),
        told="It says red and more.\nline\t1 2",
    ),
    Trial(
        id="exception",
        tool="crash",
        arguments={},
        outcome=_bad("failed", "handler-error", "crash failed.", may_have_run=True),
        told="crash failed.",
    ),
    Trial(
        id="timeout",
        tool="wait",
        arguments={},
        outcome=_bad(
            "timeout",
            "timed-out",
            "wait did not finish in 0.05 seconds.",
            retryable=True,  # it is ours, and it only reads
            may_have_run=True,
            limit=0.05,
        ),
        told="wait did not finish in 0.05 seconds.",
    ),
    Trial(
        id="reported-failure",
        tool="balance",
        arguments={"account": "7"},
        outcome=_bad(
            "failed",
            "tool-error",
            "There is no account 7.",
            may_have_run=True,
            result={"content": [_text("There is no account 7.")], "is_error": True},
        ),
        told="There is no account 7.",
    ),
    Trial(
        id="large-result",
        tool="flood",
        arguments={},
        outcome=_bad(
            "failed",
            "result-too-large",
            "The result has 5,000 characters, the limit is 1,000. Ask for less.",
            may_have_run=True,
        ),
        told="The result has 5,000 characters, the limit is 1,000. Ask for less.",
    ),
    Trial(
        id="approval-needed",
        tool="erase",
        arguments={"number": 1},
        outcome=_bad(
            "needs_approval",
            "needs-approval",
            "erase waits for a person's approval. It has not run.",
            request={
                "tool": "erase",
                "source": "doors",
                "input": {"number": 1},
                "principal": "",
                "effect": "destructive",
            },
        ),
        told="erase waits for a person's approval. It has not run.",
    ),
    Trial(
        id="approval-denied",
        tool="erase",
        arguments={"number": 1},
        answer=False,
        outcome=_bad(
            "refused",
            "approval-denied",
            "A person was asked and said no. Do not try again unless the user asks.",
            lines=[],
        ),
        told="A person was asked and said no. Do not try again unless the user asks.",
    ),
    Trial(
        id="approval-given",
        tool="erase",
        arguments={"number": 1},
        answer=True,
        outcome=_ok([_text("note 1 is erased")]),
        told="note 1 is erased",
    ),
)

BY_ID: Mapping[str, Trial] = {trial.id: trial for trial in TRIALS}

_OWN = ("call_id", "duration")
_OWN_OF_REQUEST = ("id", "digest", "fingerprint", "asked", "expires")


def plain(outcome: Mapping[str, Any]) -> Json:
    """The JSON of an outcome without ids, times and offsets in a text."""
    kept = {key: value for key, value in outcome.items() if key not in _OWN}
    if "request" in kept:
        request = kept["request"].items()
        kept["request"] = {key: value for key, value in request if key not in _OWN_OF_REQUEST}
    if "repairs" in kept:
        kept["repairs"] = [
            {key: value for key, value in repair.items() if key != "at"}
            for repair in kept["repairs"]
        ]
    return kept
