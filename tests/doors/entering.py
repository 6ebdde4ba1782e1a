"""Ways into a toolkit: in this process, by the command, and over MCP."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from typing import Any

import anyio.to_thread

from tests.doors.library import KIT
from tests.doors.place import Era, Places
from tests.doors.trial import Arrival, Trial, plain
from toolroll import CallContext, ToolCall, blocking, call_all, search
from toolroll.cli.exit_code import USAGE, exit_code_of
from toolroll.cli.running import run
from toolroll.content import Text
from toolroll.outcome import NeedsApproval, Outcome, outcome_from_json
from toolroll.sources import as_toolkit
from toolroll.tools.context import Question, Reply

# --- in this process


async def direct(trial: Trial, places: Places) -> Arrival:
    """`kit.call`."""
    return await through(KIT.call, trial, _call(trial))


async def together(trial: Trial, places: Places) -> Arrival:
    """`call_all`, with a call before and one after."""
    other = ToolCall.of("say", {"text": "another"})

    async def call(call: ToolCall, context: CallContext[Any]) -> Outcome:
        before, outcome, after = await call_all(KIT, [other, call, other], context)
        assert before.ok
        assert after.ok
        return outcome

    return await through(call, trial, _call(trial))


async def synchronous(trial: Trial, places: Places) -> Arrival:
    """`blocking`, from a thread without an event loop."""

    async def call(call: ToolCall, context: CallContext[Any]) -> Outcome:
        def inside() -> Outcome:
            with blocking(KIT) as kit:
                return kit.call(call, context)

        return await anyio.to_thread.run_sync(inside)

    return await through(call, trial, _call(trial))


async def found(trial: Trial, places: Places) -> Arrival:
    """`tool_call` of a search."""
    text = json.dumps(trial.arguments) if trial.text is None else trial.text
    name = json.dumps(trial.tool)
    cut = trial.text is not None and not trial.text.endswith("}")
    whole = f'{{"name": {name}, "input": {text}' + ("" if cut else "}")
    call = ToolCall.of_text("c1", "tool_call", whole, trial.finish)
    return await through(search(KIT).call, trial, call)


def _call(trial: Trial) -> ToolCall:
    if trial.text is None:
        return ToolCall.of(trial.tool, trial.arguments, id="c1")
    return ToolCall.of_text("c1", trial.tool, trial.text, trial.finish)


async def through(call: Any, trial: Trial, made: ToolCall) -> Arrival:
    """Call, and once more with the person's answer where one is asked for."""
    context: CallContext[Any] = CallContext()
    outcome: Outcome = await call(made, context)
    if isinstance(outcome, NeedsApproval) and trial.answer is not None:
        context = context.with_answers({outcome.request.id: trial.answer})
        outcome = await call(made, context)
    assert outcome.call_id == "c1"
    return Arrival(plain(outcome.to_json()), _told(outcome))


def _told(outcome: Outcome) -> str:
    return "\n".join(block.text for block in outcome.for_model() if isinstance(block, Text))


# --- the command


async def command(trial: Trial, places: Places) -> Arrival:
    """`toolroll call --json`, in this process."""
    return await anyio.to_thread.run_sync(_command, trial, places)


def _command(trial: Trial, places: Places) -> Arrival:
    text = json.dumps(trial.arguments) if trial.text is None else trial.text
    words = ["call", "-c", str(places.config), trial.tool, "--json", text]
    if trial.answer is not None:
        words.append("--yes" if trial.answer else "--no")
    out, errors = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(errors):
        code = run(words)
    if not out.getvalue():
        assert code == USAGE
        # What comes behind it are the words of Python's own reader.
        said = errors.getvalue().strip().splitlines()[-1]
        return Arrival({"usage": ": ".join(said.split(": ")[:3])}, None)
    outcome = json.loads(out.getvalue())
    assert code == exit_code_of(outcome_from_json(outcome))
    return Arrival(plain(outcome), None)


# --- imported again over MCP


async def imported(
    trial: Trial, places: Places, *, over: Callable[[Places, Era], Any], era: Era
) -> Arrival:
    source = over(places, era)
    kit = as_toolkit(source, (await source.discover()).definitions)
    context: CallContext[Any] = CallContext(on_ask=_asked(trial))
    outcome = await kit.call(replace(_call(trial), id="c1"), context)
    assert source.server is not None
    return Arrival(plain(outcome.to_json()), _told(outcome))


def _asked(trial: Trial) -> Any:
    """The person at the client's side, where the trial has one."""
    if trial.answer is None:
        return None

    async def ask(question: Question) -> Reply:
        assert trial.tool in question.message
        return Reply("accept", {"approve": trial.answer})

    return ask
