"""What counts as a credential, and how it is hidden."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

import httpx
import httpx2
import pytest

from tests.text.slowdown import slowdown
from toolroll.sources.address import without_addresses
from toolroll.sources.secret import Secrets, client_credentials, credentials, url_passwords


@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize(
    ("name", "value", "hidden"),
    [
        ("Authorization", "Bearer abc123", {"Bearer abc123", "abc123"}),
        ("X-Api-Key", "k-12", {"k-12"}),
        ("X-Api-Key", "k-1", set[str]()),
        ("Cookie", "session=s3cr3t; theme=dark", {"s3cr3t", "dark", "session=s3cr3t"}),
        ("X-Tenant", "acme", set[str]()),
        ("X-Opaque", "0123456789abcdef", {"0123456789abcdef"}),
        ("X-GitHub-Api-Version", "2022-11-28-preview", set[str]()),
        ("User-Agent", "a-long-agent/1.0", set[str]()),
        ("Accept", "application/json", set[str]()),
    ],
)
def test_what_a_header_hides(name: str, value: str, hidden: set[str]) -> None:
    found = credentials([(name, value)])
    assert hidden <= found
    assert bool(found) == bool(hidden)


@pytest.mark.rule("http-no-credential-echoes")
def test_basic_credentials_hide_their_password_too() -> None:
    packed = base64.b64encode(b"ana:p4ssw0rd").decode()
    masked = Secrets(credentials([("Authorization", f"Basic {packed}")])).mask
    assert masked(f"{packed} ana:p4ssw0rd p4ssw0rd ana") == "[hidden] [hidden] [hidden] ana"
    assert credentials([("Authorization", "Basic not-base64!")])


@pytest.mark.rule("http-no-credential-echoes", "mcp-client-no-secrets")
@pytest.mark.parametrize(
    "secret", ['p"ss\\word-12', "tab\tin-the-key", "päss-wörter-12", "a/b c+<d>='e'"]
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_credential_that_json_escapes_is_hidden_too(secret: str, ascii_only: bool) -> None:
    hidden = Secrets(credentials([("X-Api-Key", secret)]))
    value = {
        "plain": secret,
        "json": json.dumps({"key": secret}, ensure_ascii=ascii_only),
        "html": html.escape(secret),
        "percent": [quote(secret), quote(secret, safe="").lower(), quote_plus(secret)],
    }
    shown = hidden.mask_json(value, json.dumps(value, ensure_ascii=ascii_only))
    assert shown == {
        "plain": "[hidden]",
        "json": '{"key": "[hidden]"}',
        "html": "[hidden]",
        "percent": ["[hidden]"] * 3,
    }


def _percent(text: str) -> str:
    return "".join(f"%{ord(each):02x}" for each in text)


def _unicode(text: str) -> str:
    return "".join(f"\\u{ord(each):04x}" for each in text)


def _number(text: str) -> str:
    return "".join(f"&#{ord(each)};" for each in text)


SECRET = "tok-4711/abcDEF+'ghi'=="
SPELLED = {
    "every character percent-encoded": _percent(SECRET),
    "encoded twice": "".join(f"%25{ord(each):02X}" for each in SECRET),
    "some characters": SECRET.replace("o", "%6F").replace("4", "&#52;"),
    "base64": base64.b64encode(SECRET.encode()).decode(),
    "base64 among others": base64.b64encode(f"x Bearer {SECRET} y".encode()).decode(),
    "url-safe": base64.urlsafe_b64encode(f"xy{SECRET}".encode()).decode().rstrip("="),
    "slashes escaped": json.dumps({"a": SECRET}).replace("/", "\\/"),
    "unicode escapes": _unicode(SECRET),
    "a plus escaped": SECRET.replace("+", "\\u002B"),
    "json in json": json.dumps(json.dumps({"a": SECRET}).replace("/", "\\/")),
    "capitals": SECRET.upper(),
    "small letters": SECRET.lower(),
    "hexadecimal": SECRET.encode().hex(),
    "html numbers": _number(SECRET),
    "html hexadecimal": "".join(f"&#x{ord(each):X};" for each in SECRET),
    **{
        f"{inner.__name__} in {outer.__name__}": outer(inner(SECRET))
        for inner in (_percent, _unicode, _number, quote_plus, html.escape)
        for outer in (_percent, _unicode, _number, quote_plus, html.escape)
    },
}


@pytest.mark.rule("http-no-credential-echoes", "mcp-client-no-secrets")
@pytest.mark.parametrize("how", SPELLED)
def test_a_credential_is_hidden_however_it_is_spelled(how: str) -> None:
    hidden = Secrets(credentials([("Authorization", f"Bearer {SECRET}")]))
    text = SPELLED[how]
    mark = "[hidden]"
    assert mark in hidden.mask(f"you sent {text}.")
    assert mark in str(hidden.mask_json({"a": [text]}, json.dumps({"a": [text]})))
    assert hidden.mask(hidden.mask(text)) == hidden.mask(text)


@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize(
    ("first", "piece"),
    [
        ("", "\\"),
        ("%", "25"),
        ("&", "amp;"),
        ("&#", "0"),
        ("", "%74"),
        ("", "t%6fk"),
        ("", "t%6f%74"),
    ],
    ids=["backslashes", "percents", "ampersands", "zeros", "escapes", "beginnings", "letters"],
)
def test_no_spelling_takes_more_than_linear_time(first: str, piece: str) -> None:
    secrets = Secrets([SECRET, "a\\b\\\\c%&0", "t" * 40 + "!"])
    short, long = (first + piece * count + "%6b" for count in (10_000, 80_000))
    assert secrets.mask(long) == long
    assert slowdown(secrets.mask, short, long, rounds=3) < 24  # 8 times the length


@pytest.mark.rule("mcp-client-no-secrets")
@pytest.mark.parametrize(
    ("host", "text"),
    [
        ("[2001:db8::1]", "at [2001:db8::1]."),
        ("[2001:DB8:0::1]:8080", "at [2001:db8::1]:8080, 2001:db8::1"),
        ("bücher.test", "at xn--bcher-kva.test, bücher.test"),
        ("MCP.Test.", "at mcp.test, https://mcp.test:8443"),
        ("api.test", "at fd00::1, [fd12:3456::1]:80, fe80::1%eth0, [::1]:80, 100.64.0.1"),
    ],
)
def test_an_address_is_hidden_however_it_is_written(host: str, text: str) -> None:
    shown = without_addresses(text, host)
    assert set(shown.removeprefix("at ").rstrip(".").split(", ")) == {"[address]"}
    kept = "std::1 at 12:30:45, 2.100.64.9 and a::b"
    assert without_addresses(kept, host) == kept


@pytest.mark.rule("mcp-client-no-secrets")
def test_the_password_of_an_address_is_hidden_as_it_is_meant_too() -> None:
    assert url_passwords("mysql://app:p%40ss%2Fw@db/x") == {"p%40ss%2Fw", "p@ss/w"}


@pytest.mark.rule("http-no-credential-echoes")
def test_a_credential_is_hidden_in_its_encoded_form_too() -> None:
    assert Secrets(["a+b/c="]).mask("key=a%2Bb%2Fc%3D") == "key=[hidden]"


@pytest.mark.rule("http-no-credential-echoes")
@pytest.mark.parametrize(
    "client",
    [
        kind(
            headers={"X-Key": "header-key"},
            params={"api_key": "query-key"},
            cookies={"session": "cookie-key"},
            auth=("ana", "p4ssw0rd"),
        )
        for kind in (httpx.AsyncClient, httpx2.AsyncClient)
    ],
    ids=["httpx", "httpx2"],
)
def test_a_client_hides_headers_parameters_cookies_and_passwords(client: object) -> None:
    masked = Secrets(client_credentials(client)).mask
    packed = base64.b64encode(b"ana:p4ssw0rd").decode()
    for secret in ("header-key", "query-key", "cookie-key", "p4ssw0rd", packed):
        assert masked(f"x {secret} y") == "x [hidden] y"
    harmless = "python-httpx gzip, deflate keep-alive */*"
    assert masked(harmless) == harmless


@pytest.mark.rule("http-no-credential-echoes")
def test_the_password_of_a_digest_is_hidden_too() -> None:
    client = httpx2.AsyncClient(auth=httpx2.DigestAuth("ana", "p4ssw0rd"))
    assert Secrets(client_credentials(client)).mask("p4ssw0rd") == "[hidden]"


def test_nothing_known_hides_nothing() -> None:
    assert client_credentials(None) == client_credentials(object()) == set()
    assert Secrets(()).mask("a") == "a"
    assert Secrets(()).mask_json({"a": [1]}, "") == {"a": [1]}


@pytest.mark.rule("http-no-credential-echoes")
def test_a_value_is_masked_at_every_depth_and_in_keys() -> None:
    value = {"a": ["x key-1 y", {"key-1": 1, "n": None}]}
    text = '"a": ["x key-1 y"'
    assert Secrets(["key-1"]).mask_json(value, text) == {
        "a": ["x [hidden] y", {"[hidden]": 1, "n": None}]
    }
    assert Secrets(["key-1"]).mask_json(value, "nothing here") is value


@pytest.mark.rule("http-no-address-in-words")
def test_a_host_is_not_found_within_another_name() -> None:
    said = "ask myapi.test.example or api.tests"
    assert without_addresses(said, "api.test") == said
