"""What requests and servers say of themselves."""

import pytest

from toolroll.protocol import (
    CAPABILITIES_KEY,
    VERSION_KEY,
    Implementation,
    RequestMeta,
    can_ask,
    read_discover_result,
    read_initialize_result,
    read_request_meta,
    supported_of,
    write_initialize_params,
    write_request_meta,
)


@pytest.mark.rule("mcp-wire-meta")
def test_a_modern_request_needs_version_and_capabilities() -> None:
    assert read_request_meta({}).missing == (VERSION_KEY, CAPABILITIES_KEY)
    meta = RequestMeta(version="2026-07-28", capabilities={}, trace={"traceparent": "00-1"})
    read = read_request_meta({"_meta": write_request_meta(meta)})
    assert read.missing == ()
    assert read.trace == {"traceparent": "00-1"}


@pytest.mark.rule("mcp-wire-meta")
@pytest.mark.parametrize("token", [True, 1.5, None, [], {}])
def test_a_progress_token_of_a_wrong_type_is_none(token: object) -> None:
    assert read_request_meta({"_meta": {"progressToken": token}}).progress_token is None


@pytest.mark.rule("mcp-wire-meta")
@pytest.mark.parametrize(
    ("capabilities", "asks"),
    [
        ({"elicitation": {}}, True),
        ({"elicitation": {"form": {}}}, True),
        ({"elicitation": {"form": {}, "url": {}}}, True),
        ({"elicitation": {"url": {}}}, False),
        ({"elicitation": True}, False),
        ({}, False),
        (None, False),
    ],
)
def test_who_can_show_a_form(capabilities: dict[str, object] | None, *, asks: bool) -> None:
    assert can_ask(capabilities) is asks


def test_words_of_a_server_of_a_wrong_shape_are_nothing() -> None:
    assert read_discover_result({"supportedVersions": "2026-07-28"}) is None
    assert read_initialize_result({"protocolVersion": 7}) is None
    words = read_discover_result({"supportedVersions": [7, "x"], "capabilities": [], "_meta": 1})
    assert words is not None
    assert (words.versions, words.capabilities, words.info.name) == (("x",), {}, "")
    assert supported_of("no object") == supported_of({"supported": 1}) == ()


def test_a_client_of_an_old_version_does_not_speak_of_modes() -> None:
    client = Implementation(name="c", version="1")
    capabilities = [
        write_initialize_params(client, version=version, questions=True)["capabilities"]
        for version in ("2025-11-25", "2025-06-18", "2025-03-26")
    ]
    assert capabilities == [{"elicitation": {"form": {}}}, {"elicitation": {}}, {}]
