"""Whole conversations over each wire, streamed and not, against endpoints that refuse what is wrong."""

import json
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import anyio
import pytest

from tests.providers.scripted import Call, Endpoint, Said, endpoint, signature
from toolroll import CallContext, LocalToolkit, NeedsApproval, Refusal, providers, tool
from toolroll.content import Image, Text, ToolResult
from toolroll.outcome import Failed, InvalidInput, Outcome, Refused

NAMES = ("openai_chat", "openai_responses", "anthropic", "gemini")
EDGES: dict[str, ModuleType] = {name: getattr(providers, name) for name in NAMES}
FIELDS = {"openai_responses": "input", "gemini": "contents"}
RAN: list[str] = []


@tool(effect="read")
def add(x: int, y: int = 10) -> int:
    """Add two numbers."""
    return x + y


@tool(effect="read")
def draw() -> ToolResult:
    """Draw a picture."""
    return ToolResult(content=(Text("Here it is:"), Image("AAEC", "image/png")))


@tool(effect="read")
def broken() -> ToolResult:
    """Fail with a picture."""
    return ToolResult(content=(Text("404"), Image("AAEC", "image/png")), is_error=True)


@tool(effect="write")
def refuse() -> str:
    """Refuse."""
    raise Refusal("rev-conflict", "the note was changed", ["revision\t7"])


@tool(effect="destructive", name="wipe")
def wipe(path: str) -> str:
    """Remove a file."""
    RAN.append(path)
    return f"removed {path}"


KIT = LocalToolkit("desk", add, draw, broken, refuse, wipe)


def asking_kit() -> LocalToolkit[None]:
    from dataclasses import replace

    behavior = replace(wipe.behavior, needs_approval=True)
    return LocalToolkit("desk", replace(wipe, behavior=behavior))


def start(name: str) -> list[Any]:
    if name == "gemini":
        return [{"role": "user", "parts": [{"text": "go"}]}]
    return [{"role": "user", "content": "go"}]


def converse(
    name: str, at: Endpoint, *, streamed: bool, kit: Any = KIT, approve: bool = False
) -> tuple[list[Any], list[Outcome]]:
    """The loop a host writes."""
    context: CallContext[None] = CallContext()
    offer = EDGES[name].offer(kit, context)
    history = start(name)
    outcomes: list[Outcome] = []

    async def run(calls: Sequence[Any]) -> list[Outcome]:
        done: list[Outcome] = []
        for call in calls:
            outcome = await kit.call(call, context)
            if isinstance(outcome, NeedsApproval) and approve:
                outcome = await kit.call(call, context.with_answers({outcome.request.id: True}))
            done.append(outcome)
        return done

    while True:
        request = {FIELDS.get(name, "messages"): history, "tools": offer.tools}
        reply = at.ask(request, offer.assembler() if streamed else None)
        calls = offer.read(reply)
        said = offer.assistant(reply)
        history += said if isinstance(said, list) else [said]
        if not calls:
            return history, outcomes
        done = anyio.run(run, calls)
        outcomes += done
        history += offer.results(calls, done)


both = pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
every = pytest.mark.parametrize("name", NAMES)


@pytest.mark.rule("edge-parallel-calls")
@every
@both
def test_two_parallel_calls_are_run_and_answered_in_order(name: str, streamed: bool) -> None:
    script = [
        Said([Call("c1", "add", '{"x": 1, "y": 2}'), Call("c2", "add", '{"x": 5}')]),
        Said(text="3 and 15"),
    ]
    with endpoint(name, script) as at:
        history, outcomes = converse(name, at, streamed=streamed)
    assert [outcome.unwrap().data for outcome in outcomes] == [3, 15]
    assert "3 and 15" in json.dumps(history[-1])


@pytest.mark.rule("edge-optional-null")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses"])
@both
def test_the_null_of_strict_mode_is_the_default_again(name: str, streamed: bool) -> None:
    script = [Said([Call("c1", "add", '{"x": 1, "y": null}')]), Said(text="11")]
    with endpoint(name, script) as at:
        _, outcomes = converse(name, at, streamed=streamed)
    assert outcomes[0].unwrap().data == 11
    assert not outcomes[0].repairs


@pytest.mark.rule("edge-truncated-call")
@every
@both
def test_a_call_that_was_cut_off_is_not_run_and_the_model_sends_it_again(
    name: str, streamed: bool
) -> None:
    RAN.clear()
    cut = Said([Call("c1", "wipe", '{"path": "/tmp/a')], finish="length")
    script = [cut, Said([Call("c2", "wipe", '{"path": "/tmp/a.txt"}')]), Said(text="gone")]
    with endpoint(name, script) as at:
        history, outcomes = converse(name, at, streamed=streamed)
    assert RAN == ["/tmp/a.txt"]
    assert isinstance(outcomes[0], InvalidInput)
    assert outcomes[0].code == "truncated-arguments"
    assert "cut off" in json.dumps(history)


@pytest.mark.rule("edge-truncated-call")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
@both
def test_a_call_that_was_cut_off_before_its_arguments_is_no_call_without_arguments(
    name: str, streamed: bool
) -> None:
    script = [Said([Call("c1", "draw", "")], finish="length"), Said(text="sorry")]
    with endpoint(name, script) as at:
        _, outcomes = converse(name, at, streamed=streamed)
    assert [getattr(outcome, "code", "ok") for outcome in outcomes] == ["truncated-arguments"]


@pytest.mark.rule("edge-media")
@every
@both
def test_the_model_sees_an_image_where_the_wire_has_a_place(name: str, streamed: bool) -> None:
    with endpoint(name, [Said([Call("c1", "draw", "{}")]), Said(text="nice")]) as at:
        history, _ = converse(name, at, streamed=streamed)
        sent = json.dumps(at.requests[-1])
    shown = {
        "openai_chat": '{"type": "image_url", "image_url": {"url": "data:image/png;base64,AAEC"}}',
        "openai_responses": '{"type": "input_image", "image_url": "data:image/png;base64,AAEC"}',
        "anthropic": '{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAEC"}}',
        "gemini": '{"inlineData": {"mimeType": "image/png", "data": "AAEC"}}',
    }
    assert shown[name] in sent
    assert "Here it is:" in json.dumps(history)
    assert sent.count("AAEC") == 1


@pytest.mark.rule("edge-errors")
@every
@both
def test_an_error_is_marked_as_the_wire_marks_errors_and_costs_nothing_else(
    name: str, streamed: bool
) -> None:
    script = [
        Said([Call("c1", "broken", "{}"), Call("c2", "refuse", "{}"), Call("c3", "nope", "{}")]),
        Said(text="oh"),
    ]
    with endpoint(name, script) as at:
        history, outcomes = converse(name, at, streamed=streamed)
    assert [type(outcome) for outcome in outcomes] == [Failed, Refused, Refused]
    text = json.dumps(history)
    assert "404" in text
    assert "the note was changed" in text
    if name == "anthropic":
        assert text.count('"is_error": true') == 3
    elif name == "gemini":
        assert text.count('"error":') == 3
    else:
        assert "The tool reported a failure:" in text


@pytest.mark.rule("edge-approval")
@every
@both
def test_an_approved_call_runs_once_and_a_waiting_one_says_so(name: str, streamed: bool) -> None:
    kit = asking_kit()
    script = [Said([Call("c1", "wipe", '{"path": "a"}')]), Said(text="ok")]
    RAN.clear()
    with endpoint(name, script) as at:
        _, outcomes = converse(name, at, streamed=streamed, kit=kit)
    assert isinstance(outcomes[0], NeedsApproval)
    assert RAN == []
    with endpoint(name, script) as at:
        _, outcomes = converse(name, at, streamed=streamed, kit=kit, approve=True)
    assert outcomes[0].ok
    assert RAN == ["a"]


@pytest.mark.rule("edge-glued-calls")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "anthropic"])
def test_glued_arguments_become_calls_of_their_own_with_ids_of_their_own(name: str) -> None:
    script = [Said([Call("c1", "add", '{"x": 1}{"x": 2}')]), Said(text="11 and 12")]
    streamed = name == "anthropic"  # whole, Anthropic's wire has no text
    with endpoint(name, script) as at:
        history, outcomes = converse(name, at, streamed=streamed)
    assert [outcome.unwrap().data for outcome in outcomes] == [11, 12]
    assert "c1_2" in json.dumps(history)


@pytest.mark.rule("edge-own-parts")
@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("anthropic", '"signature": "c2ln"'),
        ("gemini", f'"thoughtSignature": "{signature("c1")}"'),
        ("openai_responses", '"rs_1"'),
    ],
)
@both
def test_what_a_provider_wants_back_goes_back(name: str, kept: str, streamed: bool) -> None:
    with endpoint(name, [Said([Call("c1", "add", '{"x": 1}')]), Said(text="11")]) as at:
        converse(name, at, streamed=streamed)
        assert kept in json.dumps(at.requests[-1])
        assert "null" not in json.dumps(at.requests[-1].get("input", ""))
