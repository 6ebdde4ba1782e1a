"""HTTP answers as results and reasons."""

import base64
import json
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import Audio, Image, Text, ToolResult
from toolroll.ports import HttpAnswer
from toolroll.sources import SourceError
from toolroll.sources.http import HttpSettings
from toolroll.sources.http.answer import WORDS, AnswerReader
from toolroll.sources.http.decoding import DEEPEST
from toolroll.sources.secret import Secrets, credentials

pytestmark = pytest.mark.anyio

SECRET = "sk-planted-0123456789"


def reader(**limits: Any) -> AnswerReader:
    return AnswerReader(
        source="api",
        host="api.test:8443",
        secrets=Secrets(credentials([("Authorization", f"Bearer {SECRET}")])),
        settings=HttpSettings(**{"limit": 1000, "media_limit": 100, **limits}),
        now=lambda: 1_000_000.0,
    )


class Body:
    """Chunks that count how many were taken."""

    def __init__(self, chunks: Iterable[bytes]) -> None:
        self.chunks = iter(chunks)
        self.taken = 0

    def __aiter__(self) -> "Body":
        return self

    async def __anext__(self) -> bytes:
        for chunk in self.chunks:
            self.taken += len(chunk)
            return chunk
        raise StopAsyncIteration


def answer(
    body: bytes | Body = b"", content_type: str | None = None, status: int = 200, **headers: str
) -> HttpAnswer:
    body = body if isinstance(body, Body) else Body([body])
    pairs = [(name.replace("_", "-"), value) for name, value in headers.items()]
    if content_type is not None:
        pairs.append(("content-type", content_type))
    return HttpAnswer(status=status, headers=tuple(pairs), chunks=body)


async def read(*parts: Any, method: str = "GET", **headers: str) -> ToolResult:
    return await reader().read(method, answer(*parts, **headers))


async def failed(*parts: Any, **headers: str) -> SourceError:
    with pytest.raises(SourceError) as raised:
        await read(*parts, **headers)
    assert raised.value.source == "api"
    return raised.value


@pytest.mark.rule("http-answer-kinds")
@pytest.mark.parametrize(
    ("body", "content_type", "data"),
    [
        (b'{"a": [1, null]}', "application/json", {"a": [1, None]}),
        (b'{"a": 1}', "application/problem+json; charset=utf-8", {"a": 1}),
        (b"\xef\xbb\xbf[1]", "application/json", [1]),
        (b'"text"', "application/json", "text"),
        (b"0", "application/json", 0),
        (b' {"a": 1}', None, {"a": 1}),
        (b"[1]", "text/plain", [1]),
        (b'{"a": 1}', "application/octet-stream", {"a": 1}),
        (b'{"a": "\xe9"}', "application/json; charset=iso-8859-1", {"a": "é"}),
        (rb'{"a": "\ud83d\ude00 \ud83d"}', "application/json", {"a": "\U0001f600 \ufffd"}),
    ],
)
async def test_json_comes_back_as_data(body: bytes, content_type: str | None, data: object) -> None:
    result = await read(body, content_type)
    assert (result.content, result.data) == ((), data)


@pytest.mark.rule("http-answer-kinds")
@pytest.mark.parametrize(
    ("body", "content_type", "text"),
    [
        ("plain é".encode(), "text/plain", "plain é"),
        (b"a,b\n", "text/csv", "a,b\n"),
        (b"<a/>", "application/xml", "<a/>"),
        (b"<svg/>", "image/svg+xml", "<svg/>"),
        (b"[1]", "text/html", "[1]"),
        (b"{broken", "application/json", "{broken"),
        (b"NaN", "application/json", "NaN"),
        (b"[1e999]", "application/json", "[1e999]"),
        (b"[" * 5000, "application/json", "[" * 1000),
        (b"[" * (DEEPEST + 1) + b"]" * (DEEPEST + 1), "application/json", "[" * (DEEPEST + 1)),
        (b"9" * 900, "application/json", 10**900 - 1),
        ("é".encode("utf-16"), "text/plain; charset=utf-16", "é"),
        (b"\xff", "text/plain", "\ufffd"),
        (b"a", 'text/plain; charset="punycode"', "a"),
        (b"a", "text/plain; charset=iso-8859-99", "a"),
    ],
    ids=range(15),
)
async def test_other_text_comes_back_as_text(body: bytes, content_type: str, text: object) -> None:
    result = await reader(limit=20_000).read("GET", answer(body, content_type))
    if isinstance(text, str):
        assert result.data is None
        assert result.text.startswith(text)
    else:
        assert result.data == text


@pytest.mark.rule("http-answer-kinds")
async def test_an_empty_answer_is_no_data() -> None:
    assert await read(b"", "application/json") == ToolResult()
    assert await read(b" \n", None) == ToolResult()
    assert await read(b"null", "application/json") == ToolResult()
    assert await read(b"ignored", "application/json", 204) == ToolResult()
    assert await read(b"", "image/png", method="HEAD") == ToolResult()


@pytest.mark.rule("http-answer-kinds")
async def test_pictures_and_sounds_come_back_as_blocks_while_they_are_small() -> None:
    packed = base64.b64encode(b"\x89PNG").decode()
    assert (await read(b"\x89PNG", "image/png")).content == (Image(packed, "image/png"),)
    assert (await read(b"\x89PNG", "audio/wav; x=1")).content == (Audio(packed, "audio/wav"),)
    large = await read(b"x" * 101, "image/png", content_length="101")
    assert large.content == (
        Text("The answer is image/png of 101 bytes; it cannot be shown as text."),
    )


@pytest.mark.rule("http-answer-kinds")
@pytest.mark.parametrize(
    ("body", "content_type", "length", "said"),
    [
        (b"%PDF", "application/pdf", "4", "application/pdf of 4 bytes"),
        (b"%PDF", "application/pdf", "many", "application/pdf of unknown size"),
        (b"PK\0\1", "application/octet-stream", "4", "application/octet-stream of 4 bytes"),
        (b"\0", None, "1", "binary of 1 bytes"),
        (b"x", "evil/\x1b[31m" + "y" * 500, "1", "evil/"),
    ],
    ids=["pdf", "odd-length", "zip", "no-type", "hostile-type"],
)
async def test_what_is_neither_is_described(
    body: bytes, content_type: str | None, length: str, said: str
) -> None:
    result = await read(body, content_type, content_length=length)
    assert said in result.text
    assert "\x1b" not in result.text
    assert len(result.text) < 200


@pytest.mark.rule("http-answer-counted")
async def test_an_endless_answer_is_left_at_the_limit() -> None:
    endless = Body(b"x" * (1 << 16) for _ in range(1 << 20))
    error = await failed(endless, "application/json")
    assert error.reason == "result-too-large"
    assert endless.taken <= 2 << 16
    assert "1,000 characters" in error.message
    assert "Ask for less" in error.message


@pytest.mark.rule("http-answer-counted")
async def test_the_limit_counts_characters_not_bytes() -> None:
    assert (await read("é".encode() * 1000, "text/plain")).text == "é" * 1000
    assert (await failed("é".encode() * 1001, "text/plain")).reason == "result-too-large"


async def cut(body: bytes | Iterable[bytes], content_type: str, limit: int = 300) -> ToolResult:
    chunks = Body([body] if isinstance(body, bytes) else body)
    return await reader(limit=limit, large="cut").read("GET", answer(chunks, content_type))


@pytest.mark.rule("http-answer-cut")
@pytest.mark.parametrize(
    ("body", "content_type", "head", "size", "tail"),
    [
        (b"ab" * 500 + b"end", "text/plain", "abab", "1,003 characters", "abend"),
        (json.dumps(["x" * 90] * 9).encode(), "application/json", '["x', "838 characters", 'xx"]'),
        ("é".encode() * 400, "text/plain", "éé", "400 characters", "éé"),
    ],
    ids=["text", "json", "characters"],
)
async def test_a_large_answer_is_cut_to_head_and_tail(
    body: bytes, content_type: str, head: str, size: str, tail: str
) -> None:
    result = await cut(body, content_type)
    assert result.data is None
    assert len(result.text) == 300
    assert result.text.startswith(head)
    assert f"[... {size}, the middle is left out; ask for less ...]" in result.text
    assert result.text.endswith(tail)


@pytest.mark.rule("http-answer-cut")
async def test_an_answer_that_fits_is_not_cut_and_spaces_of_json_do_not_count() -> None:
    assert (await cut(b"[1]", "application/json")).data == [1]
    wide = json.dumps(list(range(50)), indent=30).encode()
    assert (await cut(wide, "application/json")).data == list(range(50))
    assert (await cut(b"x" * 300, "text/plain")).text == "x" * 300


@pytest.mark.rule("http-answer-cut")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", "utf-32be"])
async def test_of_an_answer_that_is_larger_than_may_be_kept_the_ends_are_shown(
    encoding: str,
) -> None:
    whole = "a€" * 30_000 + "\U0001f600"
    packed = whole.encode(encoding)
    chunks = (packed[at : at + 777] for at in range(0, len(packed), 777))
    result = await cut(chunks, f"text/plain; charset={encoding}")
    assert len(result.text) == 300
    assert result.text.startswith("a€a€")
    assert f"{len(packed):,} bytes" in result.text
    assert result.text.endswith("€a€\U0001f600")


@pytest.mark.rule("http-answer-cut")
async def test_an_endless_answer_is_left_after_a_bound_when_it_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("toolroll.sources.http.taking.READ_MOST", 1 << 20)
    endless = Body(b"x" * (1 << 16) for _ in range(1 << 20))
    result = await reader(large="cut").read("GET", answer(endless, "text/plain"))
    assert endless.taken <= (1 << 20) + (1 << 16)
    assert "more than 1," in result.text
    assert len(result.text) == 1000


@pytest.mark.rule("http-answer-cut")
@pytest.mark.parametrize(
    "written", [SECRET, SECRET.replace("-", "\\u002d"), "\\u0073" + SECRET[1:]]
)
async def test_no_part_of_a_credential_is_left_at_the_ends_of_a_cut(written: str) -> None:
    for size in (300, 60_000):
        for filler in range(20):
            body = json.dumps(["x" * filler])[:-1] + f', "{written}"' * (size // 20) + "]"
            result = await cut(body.encode(), "application/json")
            for piece in ("planted", "sk-pl", "0123456789"):
                assert piece not in result.text


@pytest.mark.rule("http-answer-statuses")
@pytest.mark.parametrize(
    ("status", "reason", "retryable", "may_have_run"),
    [
        (101, "invalid-response", False, True),
        (301, "invalid-response", False, True),
        (304, "invalid-response", False, True),
        (400, "call-failed", False, True),
        (401, "authentication", False, False),
        (403, "authentication", False, False),
        (404, "call-failed", False, True),
        (407, "authentication", False, False),
        (408, "unavailable", True, False),
        (422, "call-failed", False, True),
        (429, "unavailable", True, False),
        (500, "unavailable", True, True),
        (501, "unavailable", False, False),
        (502, "unavailable", True, True),
        (503, "unavailable", True, False),
        (504, "unavailable", True, True),
        (599, "unavailable", True, False),
    ],
)
async def test_every_status_has_its_reason(
    status: int, reason: str, retryable: bool, may_have_run: bool
) -> None:
    error = await failed(b"words of the API", "text/plain", status)
    said = (error.reason, error.retryable, error.may_have_run)
    assert said == (reason, retryable, may_have_run)
    assert ("words of the API" in error.message) == (reason == "call-failed")
    if reason == "call-failed":
        assert str(status) in error.message


@pytest.mark.rule("http-answer-retry-after")
@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("Mon, 12 Jan 1970 13:46:50 GMT", 10.0),
        ("Mon, 12 Jan 1970 13:00:00 GMT", 0.0),
        ("999999999", 86_400.0),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 86_400.0),
        ("-1", None),
        ("soon", None),
        ("99999999999", None),
        ("", None),
    ],
)
async def test_retry_after_is_read_as_seconds_or_date(said: str, seconds: float | None) -> None:
    for status in (429, 503):
        assert (await failed(b"", None, status, retry_after=said)).retry_after == seconds


@pytest.mark.rule("http-answer-retry-after")
async def test_a_403_that_says_when_to_come_back_is_a_limit_not_a_refusal() -> None:
    error = await failed(b"", None, 403, retry_after="60")
    assert (error.reason, error.retry_after) == ("unavailable", 60.0)


@pytest.mark.rule("http-answer-words")
async def test_the_words_of_a_refusal_are_cut_and_one_line() -> None:
    error = await failed(b'{"message": "no\\n such"}', "application/json", 404)
    assert error.message == r'The system behind the tool answered 404: {"message":"no\n such"}'
    error = await failed(b"no\n\x1b[31m such", "text/plain", 404)
    assert error.message == "The system behind the tool answered 404: no such"
    error = await failed(b"x" * 100_000, "text/plain", 400)
    assert len(error.message.partition(": ")[2]) == WORDS
    error = await failed(b"a\r\nb\0", "text/plain; charset=utf-8", 400)
    assert error.message == "The system behind the tool answered 400."
    error = await failed(b"<html>at com.corp.Secret(Secret.java:1)", "text/html", 400)
    assert error.message == "The system behind the tool answered 400."


PLANTED = [
    f"token {SECRET} is wrong",
    json.dumps({"headers": {"Authorization": f"Bearer {SECRET}"}}),
    json.dumps({"e": SECRET.replace("-", "\\u002d")}).replace("\\\\", "\\"),
    json.dumps({SECRET: 1}),
    " " * 470 + SECRET,
    " " * 65_520 + SECRET,
]


@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize("body", PLANTED, ids=range(len(PLANTED)))
@pytest.mark.parametrize("content_type", ["application/json", "text/plain", None])
@pytest.mark.parametrize("status", [200, 404, 422])
async def test_a_credential_that_the_api_echoes_is_hidden(
    body: str, content_type: str | None, status: int
) -> None:
    try:
        result = await reader(limit=100_000).read(
            "GET", answer(body.encode(), content_type, status)
        )
        told = result.text + json.dumps(result.data)
    except SourceError as error:
        told = error.message
    for piece in (SECRET, SECRET[:12], SECRET[9:]):
        assert piece not in told


@pytest.mark.rule("http-no-address-in-words")
@pytest.mark.parametrize(
    "address",
    [
        "db-7.corp.internal",
        "db.prod.svc.cluster.local:5432",
        "http://10.0.0.7:8080",
        "192.168.1.4",
        "172.20.0.3:80",
        "127.0.0.1",
        "localhost:9200",
        "api.test",
        "https://API.test:8443",
    ],
)
async def test_internal_addresses_do_not_stand_in_an_apis_words(address: str) -> None:
    body = json.dumps({"error": f"cannot reach {address}/x, try later"}).encode()
    error = await failed(body, "application/json", 404)
    assert "[address]" in error.message
    for piece in ("corp", "svc", "10.0", "192", "172", "127", "localhost", "api.test", ":84"):
        assert piece not in error.message.lower()


@pytest.mark.rule("http-no-address-in-words")
async def test_public_names_and_versions_stay_in_an_apis_words() -> None:
    body = b"see https://docs.github.com/rest, version 10.2.1, internal error, my.locality"
    error = await failed(body, "text/plain", 404)
    assert error.message.endswith(body.decode())


@given(st.binary(max_size=300), st.sampled_from([200, 404]), st.text("/ajsontexlip;=", max_size=20))
@pytest.mark.rule("http-answer-kinds")
def test_no_body_breaks_the_reader(body: bytes, status: int, content_type: str) -> None:
    import anyio

    async def run() -> None:
        try:
            result = await reader().read("GET", answer(body, content_type, status))
            json.dumps(result.data, allow_nan=False)
            result.text.encode()
        except SourceError as error:
            error.message.encode()

    anyio.run(run)
