"""Against the official schemas and examples of every version."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from toolroll.content import Audio, EmbeddedResource, Image, Other, ResourceLink, Text, ToolResult
from toolroll.protocol import (
    CANCELLED,
    DISCOVER,
    INITIALIZE,
    LEGACY,
    VERSIONS,
    ErrorResponse,
    Implementation,
    ProgressNumbering,
    Request,
    RequestMeta,
    Response,
    ServerWords,
    client_capabilities,
    encode_message,
    parse_messages,
    read_discover_result,
    read_input_required,
    read_result,
    read_tool,
    unsupported_version_data,
    with_server_info,
    write_cancelled,
    write_discover_result,
    write_error,
    write_initialize_params,
    write_initialize_result,
    write_input_required,
    write_notification,
    write_reply,
    write_request,
    write_request_meta,
    write_response,
    write_result,
    write_tool,
)
from toolroll.tools.context import Progress, Question, Reply
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.hints import Hints

pytestmark = pytest.mark.corpora

INFO = Implementation(name="demo", version="1.0", title="Demo")
WORDS = ServerWords(
    versions=VERSIONS, capabilities={"tools": {}}, info=INFO, instructions="Be kind."
)
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
RESULT = ToolResult(
    content=(
        Text("a"),
        Image("AAEC", "image/png"),
        Audio("AAEC", "audio/wav"),
        ResourceLink("note:1", "one", size=3),
        EmbeddedResource("note:1", text="x"),
        EmbeddedResource("note:2", blob="AAEC"),
        Other({"type": "hologram"}),
    ),
    data={"a": 1},
)
TOOL = ToolDefinition(
    name="echo",
    description="Echoes.",
    title="Echo",
    input_schema={"type": "object", "properties": {"text": {"type": "string"}}},
    output_schema={"type": "object", "properties": {"a": {"type": "integer"}}},
    hints=Hints.of_effect("read"),
)


def _load(path: Path) -> Any:
    return json.loads(gzip.decompress(path.read_bytes()))


@pytest.fixture(params=VERSIONS)
def version(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def check(corpora: Path, version: str) -> Any:
    """`check(kind, value)` fails where a value is not of that type of the version's schema."""
    schema = _load(corpora / "mcp-spec" / f"schema-{version}.json.gz")
    root = "$defs" if "$defs" in schema else "definitions"
    validator = Draft202012Validator if root == "$defs" else Draft7Validator

    def run(kind: str, value: object) -> None:
        value = json.loads(encode_message(value))  # type: ignore[arg-type]
        errors = list(validator({**schema, "$ref": f"#/{root}/{kind}"}).iter_errors(value))
        assert not errors, f"{kind}: {errors[0].message} in {value}"

    return run


@pytest.mark.rule("mcp-wire-messages-fit-their-schema")
def test_results_and_tools_fit_the_schema_of_each_version(version: str, check: Any) -> None:
    check("Tool", write_tool(TOOL, version=version))
    check("CallToolResult", write_result(RESULT, structured=True, version=version))
    check("CallToolResult", write_result(ToolResult(is_error=True), version=version))
    check("JSONRPCMessage", write_response(1, write_result(RESULT, version=version)))
    check("JSONRPCMessage", write_error(1, -32602, "Unknown tool"))
    step = ProgressNumbering("t").write(Progress("one", 1, 2))
    check("ProgressNotification", step)
    check("CancelledNotification", write_notification(CANCELLED, write_cancelled(1, "stop")))


@pytest.mark.rule("mcp-wire-messages-fit-their-schema")
@pytest.mark.parametrize("version", LEGACY, indirect=True)
def test_handshakes_fit_the_schema_of_each_legacy_version(version: str, check: Any) -> None:
    params = write_initialize_params(INFO, version=version, questions=True)
    check("InitializeRequest", write_request(1, INITIALIZE, params))
    words = ServerWords(
        versions=(version,), capabilities={"tools": {}}, info=INFO, instructions="x"
    )
    check("InitializeResult", write_initialize_result(words))
    check("ListToolsResult", {"tools": [write_tool(TOOL, version=version)], "nextCursor": "x"})
    check("CallToolRequest", write_request(1, "tools/call", {"name": "echo", "arguments": {}}))


@pytest.mark.rule("mcp-wire-messages-fit-their-schema")
@pytest.mark.parametrize("version", ["2026-07-28"], indirect=True)
def test_modern_messages_fit_their_schema(version: str, check: Any) -> None:
    meta = write_request_meta(
        RequestMeta(
            version=version,
            client_info=INFO.to_json(),
            capabilities=client_capabilities(questions=True),
            progress_token=1,
            trace={"traceparent": "00-1"},
        )
    )
    check("DiscoverRequest", write_request(1, DISCOVER, {"_meta": meta}))
    check("ListToolsRequest", write_request(1, "tools/list", {"_meta": meta, "cursor": "x"}))
    replies = {"q": write_reply(Reply("accept", {"name": "Ada"}))}
    params = {
        "name": "echo",
        "arguments": {"text": "x"},
        "inputResponses": replies,
        "requestState": "s",
    }
    check("CallToolRequest", write_request(1, "tools/call", {"_meta": meta, **params}))
    check("DiscoverResult", write_discover_result(WORDS, ttl_ms=5, scope="public"))
    asked = write_input_required({"q": Question("Who?", FORM)}, state="s")
    check("InputRequiredResult", with_server_info(asked, INFO))
    data = unsupported_version_data("1900-01-01", VERSIONS)
    check("UnsupportedProtocolVersionError", write_error(1, -32022, "Unsupported", data))


@pytest.fixture
def examples(corpora: Path) -> dict[str, dict[str, Any]]:
    return _load(corpora / "mcp-spec" / "examples-2026-07-28.json.gz")


@pytest.mark.rule("mcp-wire-examples-are-read")
def test_official_messages_are_read_as_what_they_are(examples: dict[str, dict[str, Any]]) -> None:
    kinds = {
        "CallToolRequest": Request,
        "DiscoverRequest": Request,
        "CallToolResultResponse": Response,
        "DiscoverResultResponse": Response,
        "HeaderMismatchError": ErrorResponse,
        "MissingRequiredClientCapabilityError": ErrorResponse,
        "UnsupportedProtocolVersionError": ErrorResponse,
    }
    for name, kind in kinds.items():
        for example in examples[name].values():
            [read] = parse_messages(json.dumps(example))
            assert isinstance(read, kind), name


@pytest.mark.rule("mcp-wire-examples-are-read")
def test_official_tools_and_results_come_back_whole(examples: dict[str, dict[str, Any]]) -> None:
    for example in examples["Tool"].values():
        read = read_tool(example)
        assert isinstance(read, ToolDefinition)
        written = write_tool(read)
        assert {key: written[key] for key in example if key != "inputSchema"} == {
            key: example[key] for key in example if key != "inputSchema"
        }
        assert {**written["inputSchema"], "properties": {}} == {
            **example["inputSchema"],
            "properties": {},
        }
    for example in examples["CallToolResult"].values():
        result = read_result(example)
        assert result.data == example.get("structuredContent")
        assert result.is_error is example.get("isError", False)
        assert result.for_model()
    for example in examples["DiscoverResult"].values():
        words = read_discover_result(example)
        assert words is not None
        assert list(words.versions) == example["supportedVersions"]
    for example in examples["InputRequiredResult"].values():
        asked = read_input_required(example)
        assert asked is not None
        assert asked.state == example.get("requestState")
