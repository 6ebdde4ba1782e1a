"""What an offer sends, and how it reads what comes back."""

import json
from types import ModuleType
from typing import Any, cast

import pytest

from tests.providers.fake_kit import FakeKit, listed
from tests.providers.histories import user
from toolroll import CallContext, providers
from toolroll.content import (
    Audio,
    EmbeddedResource,
    Image,
    JsonObject,
    JsonValue,
    ResourceLink,
    Text,
    ToolResult,
)
from toolroll.outcome import Answer, Failed, InvalidInput, Issue
from toolroll.providers import OfferOptions, anthropic, gemini, openai_chat, openai_responses
from toolroll.tools.call import ToolCall

NAMES = ("openai_chat", "openai_responses", "anthropic", "gemini")
EDGES: dict[str, ModuleType] = {name: getattr(providers, name) for name in NAMES}
CONTEXT: CallContext[None] = CallContext()
OPEN: JsonObject = {"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"]}
every = pytest.mark.parametrize("name", NAMES)


def offered(name: str, *tools: Any, **options: Any) -> Any:
    return EDGES[name].offer(FakeKit(tools), CONTEXT, OfferOptions(**options))


def names_sent(name: str, offer: Any) -> list[str]:
    if name == "gemini":
        return (
            [each["name"] for each in offer.tools[0]["functionDeclarations"]] if offer.tools else []
        )
    return [
        tool["function"]["name"] if name == "openai_chat" else tool["name"] for tool in offer.tools
    ]


def reply_with(name: str, tool: str, arguments: str, call_id: str = "c1") -> JsonObject:
    if name == "openai_chat":
        call: JsonValue = {
            "id": call_id,
            "type": "function",
            "function": {"name": tool, "arguments": arguments},
        }
        return {"role": "assistant", "content": None, "tool_calls": [call]}
    if name == "openai_responses":
        return {
            "output": [
                {"type": "function_call", "call_id": call_id, "name": tool, "arguments": arguments}
            ]
        }
    if name == "anthropic":
        return {
            "content": [
                {
                    "type": "tool_use",
                    "id": call_id,
                    "name": tool,
                    "input": json.loads(arguments or "{}"),
                }
            ]
        }
    called: JsonObject = {
        "name": tool,
        "args": json.loads(arguments or "{}"),
        **({"id": call_id} if call_id else {}),
    }
    return {"candidates": [{"content": {"parts": [{"functionCall": called}]}}]}


@pytest.mark.rule("offer-names")
@every
def test_a_name_the_provider_refuses_is_respelled_and_comes_back(name: str) -> None:
    long = "a" * 100
    offer = offered(
        name,
        listed("files read/all", OPEN, source="disk"),
        listed(long, OPEN, source="disk"),
        listed("plain", OPEN),
    )
    first, second, third = names_sent(name, offer)
    assert (first, third) == ("files_read_all", "plain")
    assert len(second) == 64
    assert [note.subject for note in offer.report.of_kind("renamed")] == ["files read/all", long]
    for wire, own in ((first, "files read/all"), (second, long), (third, "plain")):
        assert [call.name for call in offer.read(reply_with(name, wire, '{"q": "x"}'))] == [own]
    assert names_sent(
        name,
        offered(
            name, listed("files read/all", OPEN, source="disk"), listed(long, OPEN, source="disk")
        ),
    ) == [first, second]


@pytest.mark.rule("offer-names")
@every
def test_two_names_that_would_be_one_stay_two(name: str) -> None:
    offer = offered(name, listed("a b", OPEN), listed("a_b", OPEN), listed("a/b", OPEN))
    sent = names_sent(name, offer)
    assert len(set(sent)) == 3
    assert sent[1] == "a_b"
    assert [offer.read(reply_with(name, wire, "{}"))[0].name for wire in sent] == [
        "a b",
        "a_b",
        "a/b",
    ]


@pytest.mark.rule("offer-names")
@every
def test_a_name_that_is_none_of_ours_is_passed_on_as_the_model_wrote_it(name: str) -> None:
    offer = offered(name, listed("plain", OPEN))
    reply = reply_with(name, "functions.plain!", "{}")
    (call,) = offer.read(reply)
    assert call.name == "functions.plain!"
    sent = offer.assistant(reply)
    assert EDGES[name].check(offer.tools).notes == ()
    assert (
        not EDGES[name]
        .repair_history([*sent] if isinstance(sent, list) else [sent])
        .report.of_kind("renamed")
    )


@pytest.mark.rule("offer-names")
@every
def test_a_name_the_provider_refuses_never_reaches_the_tool_it_is_respelled_like(name: str) -> None:
    offer = offered(name, listed("a b", OPEN), listed("a_b", OPEN))
    assert offer.read(reply_with(name, "a b", "{}"))[0].name == "a b"
    assert offer.read(reply_with(name, "a!b", "{}"))[0].name == "a!b"


@pytest.mark.rule("offer-names")
def test_another_spelling_of_a_name_is_passed_on_with_its_arguments_restored() -> None:
    schema: JsonObject = {"type": "object", "properties": {"filter[id]": {"type": "string"}}}
    offer = anthropic.offer(FakeKit((listed("find", schema),)), CONTEXT)
    (call,) = offer.read(reply_with("anthropic", "functions.Find", '{"filter_id": "x"}'))
    assert (call.name, call.arguments.value) == ("functions.Find", {"filter[id]": "x"})


@pytest.mark.rule("offer-losses")
def test_faults_are_told_with_the_names_the_model_was_shown() -> None:
    schema: JsonObject = {"type": "object", "properties": {"filter[id]": {"type": "string"}}}
    offer = anthropic.offer(FakeKit((listed("find", schema),)), CONTEXT)
    calls = offer.read(reply_with("anthropic", "find", '{"filter_id": 5}'))
    issues = (Issue("/filter[id]", "must be string"), Issue("", 'takes "filter[id]"'))
    outcome = InvalidInput(code="bad-arguments", message="no", issues=issues)
    text = json.dumps(offer.results(calls, [outcome]))
    assert "/filter_id: must be string" in text
    assert "filter[id]" not in text


@pytest.mark.rule("offer-item-by-item")
@every
def test_one_tool_that_cannot_be_offered_costs_only_itself(name: str) -> None:
    endless: dict[str, JsonValue] = {"type": "object"}
    endless["properties"] = {"a": endless}
    offer = offered(name, listed("good", OPEN), listed("endless", endless), listed("fine", OPEN))
    assert names_sent(name, offer) == ["good", "fine"]
    (note,) = offer.report.of_kind("skipped")
    assert note.subject == "endless"
    assert "too large" in note.reason


@pytest.mark.rule("offer-item-by-item")
@every
def test_an_empty_toolkit_offers_nothing(name: str) -> None:
    assert offered(name).tools == []
    assert offered(name).read(reply_with(name, "x", "{}"))[0].name == "x"


@pytest.mark.rule("offer-too-many")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses"])
def test_more_tools_than_one_request_takes_are_warned_of(name: str) -> None:
    offer = offered(name, *(listed(f"t{number}", OPEN) for number in range(129)))
    assert len(offer.tools) == 129
    assert "129 tools are more than the 128" in offer.report.of_kind("warning")[0].reason
    assert EDGES[name].check(offer.tools).of_kind("warning")


@pytest.mark.rule("offer-strict")
def test_imported_tools_are_never_strict_and_authored_ones_only_without_loss() -> None:
    bounded: JsonObject = {
        "type": "object",
        "properties": {"q": {"type": "string", "minLength": 1}},
        "required": ["q"],
        "additionalProperties": False,
    }
    offer = offered(
        "openai_chat",
        listed("own", OPEN),
        listed("foreign", OPEN, imported=True),
        listed("bounded", bounded),
    )
    assert ["strict" in tool["function"] for tool in offer.tools] == [True, False, False]
    assert (
        "strict"
        not in offered("openai_chat", listed("own", OPEN), strict="off").tools[0]["function"]
    )


@pytest.mark.rule("offer-strict")
def test_responses_say_strict_in_any_case() -> None:
    offer = offered("openai_responses", listed("own", OPEN), listed("foreign", OPEN, imported=True))
    assert [tool["strict"] for tool in offer.tools] == [True, False]


CLOSED: JsonObject = {
    "type": "object",
    "properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}]}, "b": {"type": "string"}},
    "additionalProperties": False,
}


@pytest.mark.rule("offer-strict")
def test_strict_tools_of_anthropic_stay_within_its_budgets_and_only_when_asked_for() -> None:
    two: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
    }
    tools = [listed(f"t{number}", two) for number in range(15)]
    assert not any("strict" in tool for tool in offered("anthropic", *tools).tools)
    assert sum("strict" in tool for tool in offered("anthropic", *tools, strict="on").tools) == 12
    plain = [listed(f"t{number}", OPEN) for number in range(25)]
    assert sum("strict" in tool for tool in offered("anthropic", *plain, strict="on").tools) == 20
    union: JsonObject = {
        "type": "object",
        "properties": {"a": {"type": ["string", "null"]}, "properties": {"type": "string"}},
        "required": ["a", "properties"],
    }
    unions = [listed(f"t{number}", union) for number in range(18)]
    made = offered("anthropic", *unions, strict="on")
    assert sum("strict" in tool for tool in made.tools) == 16
    assert not anthropic.check(made.tools)
    all_strict = [{**tool, "strict": True, "input_schema": CLOSED} for tool in made.tools]
    assert [note.reason for note in anthropic.check(all_strict).notes] == [
        "36 optional properties of strict tools are more than the 24 of one request",
        "18 unions in strict tools are more than the 16 of one request",
    ]


@pytest.mark.rule("offer-losses")
def test_what_a_dialect_cannot_say_is_told_for_each_tool() -> None:
    schema: JsonObject = {
        "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
        "properties": {"a": {}, "b": {}},
    }
    offer = offered("anthropic", listed("either", schema, source="web"))
    (note,) = offer.report.of_kind("lost")
    assert (note.subject, note.source) == ("either", "web")
    assert note.reason.startswith("anyOf at /: ")


@pytest.mark.rule("offer-losses")
def test_names_of_properties_that_were_respelled_are_told_and_come_back() -> None:
    offer = offered(
        "anthropic",
        listed("t", {"type": "object", "properties": {"filter[id]": {"type": "string"}}}),
    )
    assert [note.reason for note in offer.report.of_kind("renamed")] == [
        "the property 'filter[id]' is called 'filter_id' at anthropic"
    ]
    assert offer.read(reply_with("anthropic", "t", '{"filter_id": "x"}'))[0].arguments.value == {
        "filter[id]": "x"
    }


@pytest.mark.rule("offer-options")
@every
def test_a_view_decides_what_is_shown_of_a_schema(name: str) -> None:
    offer = offered(
        name,
        listed("t", OPEN),
        view=lambda schema: {**schema, "properties": {"seen": {"type": "string"}}},
    )
    assert '"seen"' in json.dumps(offer.tools)


@pytest.mark.rule("offer-options")
@every
def test_a_description_is_cut_only_when_asked_and_then_with_a_mark(name: str) -> None:
    tool = listed("t", OPEN, description="long " * 300)
    assert not offered(name, tool).report
    offer = offered(name, tool, max_description=100)
    text = json.dumps(offer.tools)
    assert "[...]" in text
    assert len(text) < 600
    assert offer.report.of_kind("cut")[0].subject == "t"


@pytest.mark.rule("offer-options")
def test_lost_bounds_are_described_when_asked() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"n": {"type": "integer", "multipleOf": 5}},
    }
    offer = gemini.offer(
        FakeKit((listed("t", schema),)), CONTEXT, OfferOptions(describe=True), openapi3=True
    )
    assert "a multiple of 5" in json.dumps(offer.tools)


@pytest.mark.rule("offer-gemini-fields")
def test_gemini_gets_a_schema_only_where_something_is_described() -> None:
    empty: JsonObject = {"type": "object", "properties": {}}
    opened: JsonObject = {"type": "object", "additionalProperties": {"type": "string"}}
    referred: JsonObject = {"$ref": "#/$defs/In", "$defs": {"In": OPEN}}
    tools = (
        listed("none", empty),
        listed("open", opened),
        listed("ref", referred),
        listed("plain", OPEN),
    )
    declared = cast("Any", gemini.offer(FakeKit(tools), CONTEXT).tools)[0]["functionDeclarations"]
    assert ["parametersJsonSchema" in each for each in declared] == [False, True, True, True]
    older = cast("Any", gemini.offer(FakeKit(tools), CONTEXT, openapi3=True).tools)[0][
        "functionDeclarations"
    ]
    assert ["parameters" in each for each in older] == [False, False, True, True]


@pytest.mark.rule("read-reply-forms")
def test_a_reply_may_be_the_response_a_part_of_it_or_the_message() -> None:
    message = reply_with("openai_chat", "t", "{}")
    choice: JsonObject = {"message": message, "finish_reason": "length"}
    offer = openai_chat.offer(FakeKit((listed("t", OPEN),)), CONTEXT)
    for reply, finish in ((message, None), (choice, "length"), ({"choices": [choice]}, "length")):
        assert [(call.name, call.finish) for call in offer.read(reply)] == [("t", finish)]
        assert offer.assistant(reply)["tool_calls"] == message["tool_calls"]
    whole = reply_with("gemini", "t", "{}")
    candidate = cast("Any", whole)["candidates"][0]
    google = gemini.offer(FakeKit((listed("t", OPEN),)), CONTEXT)
    for reply in (whole, candidate, candidate["content"]):
        assert [call.name for call in google.read(reply)] == ["t"]
        assert google.assistant(reply)["parts"] == candidate["content"]["parts"]


@pytest.mark.rule("read-reply-forms")
@every
@pytest.mark.parametrize(
    "reply",
    [
        {},
        {"choices": []},
        {"choices": [None]},
        {"content": "hi"},
        {"output": None},
        {"candidates": [{}]},
        {"content": [1]},
        {"parts": None},
    ],
)
def test_a_reply_without_calls_or_sense_has_no_calls(name: str, reply: JsonObject) -> None:
    offer = offered(name, listed("t", OPEN))
    assert offer.read(reply) == []
    offer.assistant(reply)


@pytest.mark.rule("read-ids")
@pytest.mark.parametrize("name", ["openai_chat", "openai_responses", "gemini"])
def test_blank_ids_get_one_that_is_equal_every_time_and_for_each_call_another(name: str) -> None:
    offer = offered(name, listed("t", OPEN))
    reply = reply_with(name, "t", '{"q": "x"}', call_id="")
    first, again = offer.read(reply), offer.read(reply)
    assert first[0].id == again[0].id != ""
    other = offer.read(reply_with(name, "t", '{"q": "y"}', call_id=""))
    assert other[0].id != first[0].id
    answer = Answer(result=ToolResult(content=(Text("ok"),)), call_id=first[0].id)
    sent, results = offer.assistant(reply), offer.results(first, [answer])
    said = {"role": "user", "parts": [{"text": "go"}]} if name == "gemini" else user("go")
    history = [said, *(sent if isinstance(sent, list) else [sent]), *results]
    assert not EDGES[name].repair_history(history).report


@pytest.mark.rule("read-ids")
def test_repeated_and_long_ids_of_one_reply_are_made_fitting_in_both_places() -> None:
    call: JsonValue = {
        "id": "x" * 60,
        "type": "function",
        "function": {"name": "t", "arguments": "{}"},
    }
    reply: JsonObject = {"role": "assistant", "tool_calls": [call, call]}
    offer = openai_chat.offer(FakeKit((listed("t", OPEN),)), CONTEXT)
    ids = [each.id for each in offer.read(reply)]
    assert len(set(ids)) == 2
    assert all(len(each) <= 40 for each in ids)
    assert [each["id"] for each in cast("Any", offer.assistant(reply))["tool_calls"]] == ids


@pytest.mark.rule("read-arguments")
def test_arguments_are_read_repaired_and_restored_and_the_history_keeps_json() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {"q": {"type": "string"}, "n": {"type": "integer"}},
        "required": ["q"],
    }
    offer = openai_chat.offer(FakeKit((listed("t", schema),)), CONTEXT)
    reply = reply_with("openai_chat", "t", "```json\n{'q': 'x', 'n': null}\n```")
    (call,) = offer.read(reply)
    assert call.arguments.value == {"q": "x"}
    assert call.arguments.status == "repaired"
    held = cast("Any", offer.assistant(reply))["tool_calls"][0]["function"]["arguments"]
    assert json.loads(held) == {"q": "x", "n": None}
    whole = '{ "q":"x",  "n" : 2}'
    assert (
        cast("Any", offer.assistant(reply_with("openai_chat", "t", whole)))["tool_calls"][0][
            "function"
        ]["arguments"]
        == whole
    )


@pytest.mark.rule("read-arguments")
def test_places_that_are_cut_have_the_properties_own_names() -> None:
    offer = anthropic.offer(
        FakeKit(
            (listed("t", {"type": "object", "properties": {"filter[id]": {"type": "string"}}}),)
        ),
        CONTEXT,
    )
    reply: JsonObject = {
        "content": [{"type": "tool_use", "id": "a", "name": "t", "input": '{"filter_id": "cu'}]
    }
    (call,) = offer.read(reply)
    assert call.arguments.value == {"filter[id]": "cu"}
    assert call.arguments.partial == ("/filter[id]",)


@pytest.mark.rule("read-arguments")
def test_the_older_function_call_and_arguments_that_are_objects_are_read() -> None:
    offer = openai_chat.offer(FakeKit((listed("t", OPEN),)), CONTEXT)
    older: JsonObject = {
        "role": "assistant",
        "content": None,
        "function_call": {"name": "t", "arguments": '{"q": "x"}'},
    }
    (call,) = offer.read(older)
    assert call.arguments.value == {"q": "x"}
    sent = cast("Any", offer.assistant(older))
    assert "function_call" not in sent
    assert sent["tool_calls"][0]["id"] == call.id
    held: JsonObject = {
        "tool_calls": [{"id": "a", "function": {"name": "t", "arguments": {"q": "y"}}}]
    }
    assert offer.read(held)[0].arguments.value == {"q": "y"}
    assert (
        cast("Any", offer.assistant(held))["tool_calls"][0]["function"]["arguments"] == '{"q":"y"}'
    )


@pytest.mark.rule("assistant-keeps")
def test_fields_only_an_answer_has_are_not_sent_back_and_vendors_own_ones_are() -> None:
    reply: JsonObject = {
        "role": "assistant",
        "content": "hi",
        "refusal": None,
        "annotations": [],
        "audio": {"id": "au", "data": "AAEC", "expires_at": 1, "transcript": "hi"},
        "reasoning_content": "hm",
    }
    sent = openai_chat.offer(FakeKit(()), CONTEXT).assistant(reply)
    assert sent == {
        "role": "assistant",
        "content": "hi",
        "reasoning_content": "hm",
        "audio": {"id": "au"},
    }


@pytest.mark.rule("results-in-pairs")
@every
def test_every_call_needs_its_outcome(name: str) -> None:
    offer = offered(name, listed("t", OPEN))
    calls = offer.read(reply_with(name, "t", "{}"))
    with pytest.raises(ValueError, match="shorter"):
        offer.results(calls, [])
    assert offer.results([], []) == []


MEDIA = (
    Image("AAEC", "image/png"),
    Image("AAEC", "image/x-odd"),
    Image("no base64!", "image/png"),
    Audio("AAEC", "audio/wav"),
    EmbeddedResource("mem://a.pdf", blob="AAECAw==", mime_type="application/pdf"),
    EmbeddedResource("mem://a.txt", text="plain"),
    ResourceLink("https://example.test/x", "x"),
)


@pytest.mark.rule("edge-media")
@every
def test_media_without_a_place_becomes_one_line_and_base64_never_text(name: str) -> None:
    offer = offered(name, listed("t", OPEN))
    calls = offer.read(reply_with(name, "t", "{}"))
    text = json.dumps(offer.results(calls, [Answer(result=ToolResult(content=MEDIA))]))
    assert "[image image/x-odd, 3 bytes]" in text
    assert "no base64!" not in text
    assert "plain" in text
    assert "[resource x: https://example.test/x]" in text
    shown = {"openai_chat": 3, "openai_responses": 2, "anthropic": 2, "gemini": 3}
    assert text.count("AAEC") == shown[name]


@pytest.mark.rule("edge-media")
def test_media_of_an_error_stands_beside_the_result_for_anthropic() -> None:
    offer = anthropic.offer(FakeKit((listed("t", OPEN),)), CONTEXT)
    calls = [ToolCall.of("t", id="a"), ToolCall.of("t", id="b")]
    failed = Failed(
        code="tool-error",
        message="no",
        result=ToolResult(content=(Text("bad"), Image("AAEC", "image/png")), is_error=True),
    )
    (message,) = cast("Any", offer.results(calls, [failed, Answer(result=ToolResult())]))
    kinds = [block["type"] for block in message["content"]]
    assert kinds == ["tool_result", "tool_result", "text", "image"]
    assert [part["type"] for part in message["content"][0]["content"]] == ["text", "text"]
    assert message["content"][1]["content"] == [{"type": "text", "text": "(no output)"}]


@pytest.mark.rule("offer-never-mutates")
@every
def test_neither_schemas_nor_replies_are_changed(name: str) -> None:
    schema: JsonObject = {"anyOf": [{"properties": {"$t": {"enum": [1]}}}], "$defs": {}}
    reply = reply_with(name, "t", '{"$t": null}', call_id="")
    before = json.dumps([schema, reply])
    offer = offered(name, listed("t", schema))
    offer.read(reply)
    offer.assistant(reply)
    assert json.dumps([schema, reply]) == before


def test_an_edge_of_each_provider_is_exported() -> None:
    assert [
        module.__name__.rpartition(".")[2]
        for module in (openai_chat, openai_responses, anthropic, gemini)
    ] == list(NAMES)
