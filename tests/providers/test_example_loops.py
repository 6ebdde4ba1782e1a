"""The loops of `examples/loops` hold conversations, streamed and not, and are short."""

import importlib
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.providers.scripted import Call, Said, endpoint
from tests.providers.test_loop import KIT, NAMES, RAN, start, wipe
from toolroll import (
    Behavior,
    CallContext,
    LocalToolkit,
    Policy,
    Refusal,
    Rule,
    Toolkit,
    assemble,
    tool,
)
from toolroll.store import MemoryApprovals

FOLDER = Path(__file__).parent.parent.parent / "examples/loops"
every = pytest.mark.parametrize("name", NAMES)
both = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])


async def nothing() -> None:
    """What happens between two requests: nothing."""


def held(
    name: str,
    script: list[Said],
    *,
    streamed: bool,
    kit: Toolkit[None] = KIT,
    between: Callable[[], Any] = nothing,
) -> tuple[list[Any], str]:
    """The history after the loop of one provider, and the last request as text."""
    loop = importlib.import_module(f"examples.loops.{name}")
    history = start(name)
    with endpoint(name, script) as at:

        async def post(request: dict[str, Any]) -> AsyncIterator[str]:
            await between()
            ask = lambda: at.events(request, streamed=streamed)  # noqa: E731
            for event in await anyio.to_thread.run_sync(ask):
                yield event

        anyio.run(loop.converse, post, kit, CallContext[None](), history)
    assert len(at.requests) == len(script)
    return history, json.dumps(at.requests[-1])


@pytest.mark.rule("examples-loops")
@every
@both
def test_a_loop_runs_two_calls_of_one_reply(name: str, streamed: bool) -> None:
    calls = [Call("c1", "add", '{"x": 1, "y": 2}'), Call("c2", "add", '{"x": 5}')]
    history, sent = held(name, [Said(calls), Said(text="3 and 15")], streamed=streamed)
    assert sent.index('"3"') < sent.index('"15"')
    assert "3 and 15" in json.dumps(history[-1])


@pytest.mark.rule("examples-loops")
@every
@both
def test_a_loop_has_a_call_that_was_cut_off_made_again(name: str, streamed: bool) -> None:
    RAN.clear()
    cut = Said([Call("c1", "wipe", '{"path": "/data/a')], finish="length")
    again = Said([Call("c2", "wipe", '{"path": "/data/a.txt"}')])
    _, sent = held(name, [cut, again, Said(text="gone")], streamed=streamed)
    assert RAN == ["/data/a.txt"]
    assert "cut off" in sent


@pytest.mark.rule("examples-loops")
@every
@both
def test_a_loop_shows_the_image_of_a_result(name: str, streamed: bool) -> None:
    script = [Said([Call("c1", "draw", "{}")]), Said(text="nice")]
    _, sent = held(name, script, streamed=streamed)
    assert sent.count("AAEC") == 1


@pytest.mark.rule("examples-loops")
@every
@both
def test_a_loop_tells_errors_and_goes_on(name: str, streamed: bool) -> None:
    calls = [Call("c1", "broken", "{}"), Call("c2", "refuse", "{}"), Call("c3", "nope", "{}")]
    history, sent = held(name, [Said(calls), Said(text="oh")], streamed=streamed)
    for told in ("404", "the note was changed", "nope"):
        assert told in sent
    assert "oh" in json.dumps(history[-1])


@pytest.mark.rule("examples-loops")
@every
@both
def test_a_loop_runs_what_was_approved_once(name: str, streamed: bool) -> None:
    RAN.clear()
    approvals = MemoryApprovals()
    policy = Policy(rules=(Rule(decision="approve"),))
    kit = assemble([LocalToolkit("desk", wipe)], policy, approvals=approvals)

    async def approve() -> None:
        for question in await approvals.list_pending():
            assert RAN == []
            await approvals.approve(question.id, by="ana")

    asked, again = (Said([Call(each, "wipe", '{"path": "a"}')]) for each in ("c1", "c2"))
    script = [asked, again, Said(text="gone")]
    held(name, script, streamed=streamed, kit=kit, between=approve)
    assert RAN == ["a"]


@pytest.mark.rule("examples-loops", "edge-terminal")
@every
@both
def test_a_loop_ends_with_the_answer_of_a_terminal_tool(name: str, streamed: bool) -> None:
    @tool(effect="read", behavior=Behavior(terminal=True))
    def conclude(verdict: str, score: int) -> str:
        """Say what it came to, and end."""
        if score < 0:
            raise Refusal("no-score", "A score is not negative.")
        return f"{verdict}: {score}"

    wrong = Said([Call("c1", "conclude", '{"verdict": "good", "score": "much"}')])
    refused = Said([Call("c2", "conclude", '{"verdict": "good", "score": -1}')])
    right = Said([Call("c3", "conclude", '{"verdict": "good", "score": 7}')])
    kit = LocalToolkit("review", conclude)
    history, _ = held(name, [wrong, refused, right], streamed=streamed, kit=kit)
    assert "good: 7" in json.dumps(history[-1])


@pytest.mark.rule("examples-loops")
@every
def test_a_loop_has_at_most_twenty_lines_and_no_word_of_restoring(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    lines = [line for line in text.partition('"""\n\n')[2].splitlines() if line.strip()]
    assert len(lines) <= 20
    assert "restore" not in text
