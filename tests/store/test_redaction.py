"""Secrets taken out of what is kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.slowdown import slowdown
from toolroll.content import JsonObject
from toolroll.store import redact_input, redact_text


@pytest.mark.rule("store-redacts-addresses")
def test_addresses_inside_error_texts_lose_their_secrets() -> None:
    text = (
        'Post "https://ana:pw1@mcp.example.com/x?access_token=t1&tenant=9#f": connection refused; '
        "see HTTPS://b.example/?key=t2."
    )
    clean = redact_text(text)
    for secret in ("pw1", "t1", "t2", "ana"):
        assert secret not in clean
    for kept in ("mcp.example.com/x", "connection refused", "HTTPS://b.example/"):
        assert kept in clean


@pytest.mark.rule("store-redacts-addresses")
@pytest.mark.parametrize(
    "text",
    [
        "Authorization: Bearer SECRET1234567",
        "authorization=Basic SECRET1234567==",
        '{"api_key": "SECRET1234567"}',
        "API-KEY=SECRET1234567;",
        "password: SECRET1234567",
        "client_secret=SECRET1234567&grant=x",
        "Cookie: SECRET1234567",
        "sent bearer SECRET1234567 to it",
        "redis://:SECRET1234567@10.0.0.1:6379/0",
        "postgresql+psycopg://u:SECRET1234567@host/db failed",
        "https://h/p#access_token=SECRET1234567",
        "ghp_SECRET1234567SECRET1234567SECRET12",
        "sk-SECRET1234567SECRET1234567",
        "eyJSECRET1234567.SECRET1234567.SECRET1234567",
        "xoxb-SECRET1234567-SECRET1234567",
    ],
)
def test_usual_forms_of_credentials_are_taken_out(text: str) -> None:
    assert "SECRET1234567" not in redact_text(text)


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens is 7",
        "the token was refused",
        "see https://docs.example/page for more",
        "mail to ana@example.com",
        "3 cookies",
        "Bearer of news",
    ],
)
def test_plain_texts_stay_as_they_are(text: str) -> None:
    assert redact_text(text) == text


@pytest.mark.rule("store-kept-inputs-hold-no-secrets")
def test_fields_named_like_secrets_lose_their_values() -> None:
    given_: JsonObject = {
        "user": "ana",
        "Password": "p",
        "apiKey": ["k"],
        "nested": [{"access_token": 7, "max_tokens": 7, "client-secret": None}],
        "header": "Authorization: Bearer abcdefgh1234",
    }
    assert redact_input(given_) == {
        "user": "ana",
        "Password": "[redacted]",
        "apiKey": "[redacted]",
        "nested": [{"access_token": "[redacted]", "max_tokens": 7, "client-secret": None}],
        "header": "Authorization: [redacted]",
    }


def test_deep_inputs_are_cut_not_followed() -> None:
    deep: JsonObject = {}
    for _ in range(5_000):
        deep = {"a": deep}
    assert "too deep" in str(redact_input(deep))


@given(st.text())
def test_any_text_can_be_redacted_twice(text: str) -> None:
    once = redact_text(text)
    assert redact_text(once) == once or "://" in text or "[redacted]" in text


@pytest.mark.parametrize(
    "piece", ["a" * 40, "token", "://", "a.", "bearer ", "sk-", "eyJ", "x@", "password:", "=", "\\"]
)
def test_hostile_texts_take_linear_time(piece: str) -> None:
    short, long = (piece * (length // len(piece)) for length in (25_000, 200_000))
    assert slowdown(redact_text, short, long) < 24  # 8 times the length
