"""What a model never reads."""

import json
from collections.abc import Sequence

from toolroll.outcome import Outcome
from toolroll.sources import as_toolkit
from toolroll.testing.exam import NotApplicable
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.answering import UNKNOWN
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.desk import Desk
from toolroll.testing.source.failing import STATES
from toolroll.testing.source.trial import Trial
from toolroll.testing.source.words import shown
from toolroll.tools import CallContext, Progress, ToolCall

_Told = tuple[str, str]
"""Where a model reads something, and what."""


async def _no_secret(trial: Trial) -> None:
    async with trial.desk() as desk:
        planted = desk.sitting.planted.secrets
    await _find(trial, planted, "secret")


async def _no_address(trial: Trial) -> None:
    async with trial.desk() as desk:
        planted = desk.sitting.planted.addresses
    await _find(trial, planted, "address")


async def _not_in_repr(trial: Trial) -> None:
    async with trial.desk() as desk:
        secrets = desk.sitting.planted.secrets
        if not secrets:
            raise NotApplicable("the exam plants no secret")
        texts = [repr(desk.source), str(desk.source)]
    for secret in secrets:
        if any(secret in text for text in texts):
            raise PromiseBroken(f"printed, the source shows {secret!r}: {shown(texts[0])}")


async def _find(trial: Trial, planted: Sequence[str], what: str) -> None:
    """Look for planted texts in whatever a model is told, in every state."""
    if not planted:
        raise NotApplicable(f"the exam plants no {what}")
    for state in STATES:
        for where, text in await trial.ask_in(state, _told) or []:
            for each in planted:
                if each in text:
                    raise PromiseBroken(f"{state}: {where} tells {each!r}: {_around(text, each)}")


async def _told(desk: Desk) -> list[_Told]:
    steps: list[Progress] = []
    context: CallContext[object] = CallContext(on_progress=steps.append)
    definitions = [*desk.definitions.values()]
    kit = as_toolkit(desk.source, [*definitions, UNKNOWN])
    tools = desk.sitting.tools
    calls = [
        ToolCall.of(tools.echo, tools.echo_input("ping"), id="c1"),
        ToolCall.of(tools.failing, tools.failing_input, id="c2"),
        ToolCall.of(UNKNOWN.name, {}, id="c3"),
        ToolCall.of(tools.echo, {"no_such_property": 1}, id="c4"),
    ]
    told = [
        (f"the listing of {listed.name!r}", _written(listed.definition.to_json()))
        for listed in kit.listing(context).tools
    ]
    for call in calls:
        outcome = await desk.outcome(kit, call, context)
        if not isinstance(outcome, BaseException):
            told += _told_by(call.name, outcome)
    told += [("progress", step.message) for step in steps]
    return told


def _told_by(name: str, outcome: Outcome) -> list[_Told]:
    blocks = [
        text
        for block in outcome.for_model()
        if isinstance(text := getattr(block, "text", None), str)
    ]
    return [
        *((f"the outcome of {name!r}", text) for text in blocks),
        (f"the outcome of {name!r} as JSON", _written(outcome.to_json())),
    ]


def _written(value: object) -> str:
    # What is no JSON is another promise's business; here it is only looked through.
    return json.dumps(value, ensure_ascii=False, default=repr)


def _around(text: str, found: str) -> str:
    at = text.index(found)
    return repr(text[max(0, at - 60) : at + len(found) + 60])


CHECKS = (
    SourceCheck(
        name="no-secret-reaches-a-model",
        promise="No credential is in anything a model reads, whatever the system repeats.",
        run=_no_secret,
    ),
    SourceCheck(
        name="no-address-reaches-a-model",
        promise="No address of the system is in anything a model reads, whatever the system says.",
        run=_no_address,
    ),
    SourceCheck(
        name="no-secret-is-printed",
        promise="A source shows no credential when it is printed.",
        run=_not_in_repr,
    ),
)
