"""Questions of handlers and approvals: round by round, by requests, and where nobody can be asked."""

import json
from typing import Any

import anyio
import pytest

from tests.hosts.mcp_server.harness import (
    ASKABLE_META,
    PipeClient,
    askable,
    call,
    hello,
    modern,
    over_pipes,
    request,
    text_of,
)
from tests.hosts.mcp_server.kits import TableKit, arguments_of, echo, needs_approval, text
from toolroll.content import JsonObject
from toolroll.hosts.mcp_server import RequestInfo, ServerLimits, ServerOptions
from toolroll.outcome import Outcome
from toolroll.toolkit.local import LocalToolkit
from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext, Principal, Question, Reply
from toolroll.tools.define import tool

pytestmark = pytest.mark.anyio

Context = CallContext[object]
NAME: JsonObject = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}},
    "required": ["name"],
}
YES = {"action": "accept", "content": {"approve": True}}


def accept(**content: object) -> dict[str, object]:
    return {"action": "accept", "content": content}


async def greet(made: ToolCall, context: Context) -> Outcome:
    """Ask for two names."""
    if not context.has_ask:
        return text("nobody to ask")
    first = await context.ask(Question("First?\x1b[31m", NAME))
    second = await context.ask(Question("Second?", NAME, key="second"))
    return text(f"{first.action} {first.content} {second.action} {second.content}")


async def side_by_side(made: ToolCall, context: Context) -> Outcome:
    """Ask two things at once."""
    got: dict[str, object] = {}

    async def one(key: str) -> None:
        got[key] = (await context.ask(Question(f"{key}?", NAME, key=key))).content

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(one, "a")
        tasks.start_soon(one, "b")
    return text(json.dumps(got, sort_keys=True))


async def swallowing(made: ToolCall, context: Context) -> Outcome:
    """Catch everything that can be caught, and go on."""
    try:
        await context.ask(Question("Sure?", NAME))
    except Exception:
        return text("swallowed")
    with anyio.CancelScope(shield=True):
        await context.ask(Question("Really?", NAME, key="shielded"))
    return text("done")


async def nested_form(made: ToolCall, context: Context) -> Outcome:
    """Ask with a form that no client can show."""
    schema: JsonObject = {"type": "object", "properties": {"a": {"type": "object"}}}
    await context.ask(Question("?", schema))
    return text("never")


KIT = {"greet": greet, "side": side_by_side, "swallow": swallowing, "nested": nested_form}


async def again(
    client: PipeClient, name: str, result: Any, responses: object, **more: Any
) -> dict[str, Any]:
    """The next round of a call."""
    params = call(name, more.pop("arguments", {}), inputResponses=responses)
    if "requestState" in result:
        params["requestState"] = result["requestState"]
    answer = await client.ask(askable("next", "tools/call", {**params, **more}))
    assert isinstance(answer, dict)
    return answer


@pytest.mark.rule("mcp-server-rounds")
async def test_a_handler_runs_again_with_each_reply_until_it_has_all() -> None:
    kit = TableKit(KIT)
    async with over_pipes(kit) as client:
        first = (await client.ask(askable(1, "tools/call", call("greet"))))["result"]
        assert first["resultType"] == "input_required"
        assert first["inputRequests"] == {
            "ask-1": {
                "method": "elicitation/create",
                "params": {"mode": "form", "message": "First?", "requestedSchema": NAME},
            }
        }
        second = (await again(client, "greet", first, {"ask-1": accept(name="Ada")}))["result"]
        assert set(second["inputRequests"]) == {"second"}
        assert second["requestState"] != first["requestState"]
        last = await again(client, "greet", second, {"second": {"action": "decline"}})
        assert text_of(last) == "accept {'name': 'Ada'} decline None"
    assert len({made.id for made in kit.called}) == 1
    assert len(kit.called) == 3


@pytest.mark.rule("mcp-server-rounds")
async def test_replies_that_come_early_are_taken_and_strange_ones_passed_over() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        responses = {"ask-1": accept(name="A"), "second": accept(name="B"), "other": accept(x=1)}
        answer = await again(client, "greet", {}, responses)
        assert text_of(answer) == "accept {'name': 'A'} accept {'name': 'B'}"


@pytest.mark.rule("mcp-server-rounds")
async def test_questions_that_are_asked_side_by_side_go_out_together() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        first = (await client.ask(askable(1, "tools/call", call("side"))))["result"]
        assert set(first["inputRequests"]) == {"a", "b"}
        responses = {"a": accept(name="1"), "b": accept(name="2")}
        answer = await again(client, "side", first, responses)
        assert text_of(answer) == '{"a": {"name": "1"}, "b": {"name": "2"}}'


@pytest.mark.rule("mcp-server-rounds")
async def test_a_handler_cannot_swallow_the_end_of_a_round() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        first = (await client.ask(askable(1, "tools/call", call("swallow"))))["result"]
        assert set(first["inputRequests"]) == {"ask-1"}
        answer = await again(client, "swallow", first, {"ask-1": accept(name="x")})
        assert set(answer["result"]["inputRequests"]) == {"shielded"}


@pytest.mark.rule("mcp-server-replies-fit")
@pytest.mark.parametrize(
    "reply", [7, None, {}, {"action": "maybe"}, accept(), accept(name=7), accept(name="")]
)
async def test_a_reply_that_does_not_fit_is_asked_for_again(reply: object) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        first = (await client.ask(askable(1, "tools/call", call("greet"))))["result"]
        answer = await again(client, "greet", first, {"ask-1": reply})
        assert set(answer["result"]["inputRequests"]) == {"ask-1"}


@pytest.mark.rule("mcp-server-replies-fit")
async def test_only_the_fields_that_were_asked_for_are_kept() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        responses = {"ask-1": accept(name="A", admin=True), "second": accept(name="B")}
        answer = await again(client, "greet", {}, responses)
        assert "admin" not in text_of(answer)


@pytest.mark.rule("mcp-server-replies-fit")
@pytest.mark.parametrize("responses", [None, 7, [], "x"])
async def test_responses_that_are_no_object_are_an_error(responses: object) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        answer = await again(client, "greet", {}, responses)
        assert answer["error"]["code"] == -32602


@pytest.mark.rule("mcp-server-replies-fit")
@pytest.mark.parametrize("era", ["modern", "legacy"])
async def test_a_form_that_is_not_flat_is_a_mistake_of_the_handler(era: str) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        if era == "legacy":
            await client.ask(hello(elicitation={}))
        make = askable if era == "modern" else request
        answer = await client.ask(make(1, "tools/call", call("nested")))
        assert text_of(answer) == "nested failed."


async def curious(made: ToolCall, context: Context) -> Outcome:
    """Ask without an end."""
    count = 0
    while (await context.ask(Question("More?", NAME))).action == "accept":
        count += 1
    return text(f"asked {count} times")


@pytest.mark.rule("mcp-server-rounds-bounded")
async def test_a_call_asks_so_many_times_and_no_more() -> None:
    options = ServerOptions(limits=ServerLimits(rounds=3))
    async with over_pipes(TableKit({"more": curious}), options) as client:
        answer = await client.ask(askable(1, "tools/call", call("more")))
        for _ in range(3):
            (key,) = answer["result"]["inputRequests"]
            answer = await again(client, "more", answer["result"], {key: accept(name="x")})
        assert text_of(answer) == "asked 3 times"
    async with over_pipes(TableKit({"more": curious}), options) as client:
        await client.ask(hello(elicitation={}))
        await client.send(request(1, "tools/call", call("more")))
        for _ in range(3):
            asked = await client.receive()
            await client.send({"jsonrpc": "2.0", "id": asked["id"], "result": accept(name="x")})
        assert text_of(await client.receive()) == "asked 3 times"


@pytest.mark.rule("mcp-server-rounds-bounded")
async def test_a_state_that_grows_too_large_ends_the_call() -> None:
    options = ServerOptions(limits=ServerLimits(state=2000))
    async with over_pipes(TableKit({"more": curious}), options) as client:
        answer = await client.ask(askable(1, "tools/call", call("more")))
        (key,) = answer["result"]["inputRequests"]
        answer = await again(client, "more", answer["result"], {key: accept(name="x" * 3000)})
        assert answer["error"]["message"] == "The replies of this call are too large to carry."


@pytest.mark.rule("mcp-server-nobody-to-ask")
async def test_without_a_form_there_is_nobody_to_ask() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        assert text_of(await client.ask(modern(1, "tools/call", call("greet")))) == "nobody to ask"
        for capabilities in ({}, {"elicitation": {"url": {}}}, {"elicitation": 7}):
            await client.ask(hello(**capabilities))
            answer = await client.ask(request(2, "tools/call", call("greet")))
            assert text_of(answer) == "nobody to ask"
        await client.ask(hello("2025-03-26", elicitation={}))
        answer = await client.ask(request(3, "tools/call", call("greet")))
        assert text_of(answer) == "nobody to ask"


@pytest.mark.rule("mcp-server-requests-for-input")
@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
async def test_a_legacy_client_is_asked_while_the_call_waits(version: str) -> None:
    async with over_pipes(TableKit(KIT)) as client:
        await client.ask(hello(version, elicitation={}))
        first = await client.ask(request(1, "tools/call", call("greet")))
        assert first["method"] == "elicitation/create"
        assert first["params"]["message"] == "First?"
        assert ("mode" in first["params"]) == (version == "2025-11-25")
        await client.silence()
        misfit = {"jsonrpc": "2.0", "id": first["id"], "result": accept(name=7)}
        asked = await client.ask(misfit)
        assert asked["params"] == first["params"]
        assert asked["id"] != first["id"]
        fit = {"jsonrpc": "2.0", "id": asked["id"], "result": accept(name="Ada")}
        second = await client.ask(fit)
        error = {"code": -1, "message": "no"}
        answer = await client.ask({"jsonrpc": "2.0", "id": second["id"], "error": error})
        assert text_of(answer) == "accept {'name': 'Ada'} cancel None"


@pytest.mark.rule("mcp-server-requests-for-input")
async def test_a_person_who_does_not_reply_is_waited_for_so_long_and_no_longer() -> None:
    async with over_pipes(TableKit(KIT), ServerOptions(ask_seconds=0.02)) as client:
        await client.ask(hello(elicitation={}))
        await client.send(request(1, "tools/call", call("greet")))
        seen = [await client.receive() for _ in range(5)]
        assert [each.get("method") for each in seen] == [
            "elicitation/create",
            "notifications/cancelled",
            "elicitation/create",
            "notifications/cancelled",
            None,
        ]
        assert seen[1]["params"] == {"requestId": seen[0]["id"]}
        assert text_of(seen[4]) == "cancel None cancel None"


@pytest.mark.rule("mcp-server-requests-for-input")
async def test_a_cancelled_call_takes_its_question_back() -> None:
    async with over_pipes(TableKit(KIT)) as client:
        await client.ask(hello(elicitation={}))
        asked = await client.ask(request(1, "tools/call", call("greet")))
        cancel = {"requestId": 1}
        taken_back = await client.ask(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel}
        )
        assert taken_back["params"] == {"requestId": asked["id"]}
        await client.silence()


RISKY = {"purge": needs_approval(echo)}
PURGE = call("purge", {"text": "gone"})


@pytest.mark.rule("mcp-server-approval")
async def test_an_approval_shows_the_input_and_a_yes_runs_the_call_once() -> None:
    kit = TableKit(RISKY)
    async with over_pipes(kit) as client:
        first = (await client.ask(askable(1, "tools/call", PURGE)))["result"]
        ((key, asked),) = first["inputRequests"].items()
        assert asked["params"]["message"] == (
            'May purge of kit (destructive) run with this input?\n{"text":"gone"}'
        )
        yes = {key: YES}
        answer = await again(client, "purge", first, yes, arguments={"text": "gone"})
        assert text_of(answer) == "gone"
        replayed = await again(client, "purge", first, yes, arguments={"text": "gone"})
        assert "used before" in replayed["error"]["message"]


@pytest.mark.rule("mcp-server-approval")
@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ({"action": "decline"}, "A person was asked and said no."),
        (accept(approve=False), "A person was asked and said no."),
        (accept(), "A person was asked and said no."),
        (accept(approve="true"), "A person was asked and said no."),
        ({"action": "cancel"}, "purge waits for a person's approval. It has not run."),
    ],
)
async def test_everything_but_a_ticked_form_is_no_yes(
    reply: dict[str, object], wanted: str
) -> None:
    async with over_pipes(TableKit(RISKY)) as client:
        first = (await client.ask(askable(1, "tools/call", PURGE)))["result"]
        (key,) = first["inputRequests"]
        answer = await again(client, "purge", first, {key: reply}, arguments={"text": "gone"})
        assert answer["result"]["isError"] is True
        assert text_of(answer) == wanted


@pytest.mark.rule("mcp-server-approval")
async def test_a_missing_reply_is_asked_for_again_and_an_early_yes_is_none() -> None:
    async with over_pipes(TableKit(RISKY)) as client:
        first = (await client.ask(askable(1, "tools/call", PURGE)))["result"]
        (key,) = first["inputRequests"]
        early = await again(client, "purge", {}, {key: YES}, arguments={"text": "gone"})
        assert early["result"]["resultType"] == "input_required"
        missing = await again(client, "purge", first, {}, arguments={"text": "gone"})
        assert set(missing["result"]["inputRequests"]) == {key}


@pytest.mark.rule("mcp-server-approval")
async def test_a_long_input_says_how_much_is_not_shown() -> None:
    async with over_pipes(TableKit(RISKY)) as client:
        long = call("purge", {"text": "x" * 5000})
        first = (await client.ask(askable(1, "tools/call", long)))["result"]
        ((_, asked),) = first["inputRequests"].items()
        assert asked["params"]["message"].endswith("... 1011 more characters are not shown here")


@pytest.mark.rule("mcp-server-approval")
@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        (YES, "gone"),
        ({"action": "decline"}, "A person was asked and said no."),
        ({"action": "cancel"}, "purge waits for a person's approval. It has not run."),
    ],
)
async def test_a_legacy_client_is_asked_for_a_yes_too(reply: object, wanted: str) -> None:
    async with over_pipes(TableKit(RISKY)) as client:
        await client.ask(hello(elicitation={}))
        asked = await client.ask(request(1, "tools/call", PURGE))
        answer = await client.ask({"jsonrpc": "2.0", "id": asked["id"], "result": reply})
        assert text_of(answer) == wanted


@pytest.mark.rule("mcp-server-nobody-to-ask")
@pytest.mark.parametrize("way", ["modern", "legacy", "off"])
async def test_a_call_that_needs_a_yes_does_not_run_where_nobody_can_give_it(way: str) -> None:
    options = ServerOptions(ask_approval=way != "off")
    async with over_pipes(TableKit(RISKY), options) as client:
        make = {"modern": modern, "legacy": request, "off": askable}[way]
        answer = await client.ask(make(1, "tools/call", PURGE))
        assert answer["result"]["isError"] is True
        assert text_of(answer) == "purge waits for a person's approval. It has not run."


async def tampered(options: ServerOptions, change: Any, **more: Any) -> dict[str, Any]:
    """A round whose state or call was changed by the client."""
    kit = TableKit({**RISKY, "other": needs_approval(echo)})
    async with over_pipes(kit, options, **more) as client:
        first = (await client.ask(askable(1, "tools/call", PURGE)))["result"]
        (key,) = first["inputRequests"]
        params = {**PURGE, "inputResponses": {key: YES}, "requestState": first["requestState"]}
        answer = await client.ask(askable(2, "tools/call", change(params)))
        assert isinstance(answer, dict)
        if "error" in answer:
            assert len(kit.called) == 1
        return answer


@pytest.mark.rule("mcp-server-state-signed")
@pytest.mark.parametrize(
    "changed",
    [
        pytest.param({"requestState": "{state}-TAMPERED"}, id="appended"),
        pytest.param({"requestState": "A{state}"}, id="prepended"),
        pytest.param({"requestState": "é.é"}, id="not ascii"),
        pytest.param({"requestState": ""}, id="empty"),
        pytest.param({"requestState": 7}, id="a number"),
        pytest.param({"requestState": None}, id="null"),
        pytest.param({"arguments": {"text": "something else"}}, id="other arguments"),
        pytest.param({"name": "other"}, id="another tool"),
    ],
)
async def test_a_changed_state_or_another_call_is_refused_and_nothing_runs(
    changed: dict[str, Any],
) -> None:
    def change(params: dict[str, Any]) -> dict[str, Any]:
        state = changed.get("requestState", "{state}")
        if isinstance(state, str):
            state = state.format(state=params["requestState"])
        return {**params, **changed, "requestState": state}

    answer = await tampered(ServerOptions(), change)
    assert answer["error"]["code"] == -32602


@pytest.mark.rule("mcp-server-state-signed")
async def test_a_state_is_good_for_its_time_and_its_caller_alone() -> None:
    def same(params: Any) -> Any:
        return params

    assert "error" in await tampered(ServerOptions(ask_seconds=-1), same)
    who = iter(["ada", "bob"])

    def context(info: RequestInfo) -> CallContext[None]:
        return CallContext(principal=Principal(id=next(who)))

    assert "error" in await tampered(ServerOptions(), same, context=context)
    assert "result" in await tampered(ServerOptions(), same)


@pytest.mark.rule("mcp-server-state-signed")
async def test_another_process_with_the_same_keys_takes_up_a_call_also_with_an_older_key() -> None:
    old, new = b"o" * 32, b"n" * 32
    async with over_pipes(TableKit(RISKY), ServerOptions(state_keys=(old,))) as client:
        first = (await client.ask(askable(1, "tools/call", PURGE)))["result"]
    (key,) = first["inputRequests"]
    for keys, works in (((new, old), True), ((new,), False), ((), False)):
        async with over_pipes(TableKit(RISKY), ServerOptions(state_keys=keys)) as client:
            answer = await again(client, "purge", first, {key: YES}, arguments={"text": "gone"})
            assert ("result" in answer) == works


@pytest.mark.rule("mcp-server-approval")
async def test_the_runner_s_own_approvals_and_questions_work_end_to_end() -> None:
    ran: list[str] = []

    @tool(effect="destructive", behavior=Behavior(needs_approval=True))
    async def note_purge(context: CallContext[object], name: str) -> str:
        """Remove a note for good."""
        reply = await context.ask(Question("Why?", NAME, key="why"))
        ran.append(name)
        return f"purged {name} because {(reply.content or {})['name']}"

    kit = LocalToolkit("notes", note_purge)
    async with over_pipes(kit) as client:
        params = {"name": "x"}
        first = (await client.ask(askable(1, "tools/call", call("note_purge", params))))["result"]
        (key,) = first["inputRequests"]
        assert ran == []
        second = (await again(client, "note_purge", first, {key: YES}, arguments=params))["result"]
        assert set(second["inputRequests"]) == {"why"}
        replies = {"why": accept(name="old")}
        answer = await again(client, "note_purge", second, replies, arguments=params)
        assert text_of(answer) == "purged x because old"
        replayed = await again(client, "note_purge", second, replies, arguments=params)
        assert "used before" in replayed["error"]["message"]
    assert ran == ["x"]
    async with over_pipes(kit) as client:
        wrong = await client.ask(askable(1, "tools/call", call("note_purge", {"nme": "x"})))
        assert wrong["result"]["isError"] is True
        assert 'unknown property "nme"' in text_of(wrong)


@pytest.mark.rule("mcp-server-context")
async def test_a_context_keeps_the_asker_and_the_listener_that_the_host_gave_it() -> None:
    heard: list[str] = []

    async def reply(question: Question) -> Reply:
        return Reply("accept", {"name": "the host's"})

    def context(info: RequestInfo) -> CallContext[None]:
        return CallContext(on_ask=reply, on_progress=lambda step: heard.append(step.message))

    async def work(made: ToolCall, context: Context) -> Outcome:
        context.progress("working")
        return await greet(made, context)

    async with over_pipes(TableKit({"work": work}), context=context) as client:
        first = await client.ask(askable(1, "tools/call", call("work")))
        assert "the host's" in text_of(first)
        await client.send(modern(2, "tools/call", call("work"), progressToken="t"))
        assert (await client.receive())["params"]["message"] == "working"
        assert "the host's" in text_of(await client.receive())
    assert heard == ["working", "working"]


async def test_arguments_reach_the_kit_as_they_were_sent() -> None:
    kit = TableKit({"echo": echo})
    async with over_pipes(kit) as client:
        await client.ask(request(1, "tools/call", call("echo", {"a": None, "b": [1.5, "é"]})))
    assert arguments_of(kit.called[0]) == {"a": None, "b": [1.5, "é"]}
    assert ASKABLE_META
