"""The headers a host adds: fixed, or made for each request."""

from collections.abc import Mapping
from functools import partial

import anyio
import pytest

from toolroll.outcome import ConfigError
from toolroll.sources.header import HostHeaders
from toolroll.tools.context import CallContext, Principal

Pairs = tuple[tuple[str, str], ...]


class Tokens:
    """Makes a new token when asked to refresh, for each user their own."""

    def __init__(self, *, renews: bool = True) -> None:
        self.renews = renews
        self.made: dict[str, int] = {}
        self.asked: list[bool] = []

    async def __call__(
        self, context: CallContext[object], /, *, refresh: bool
    ) -> Mapping[str, str]:
        user = context.principal.id if context.principal else ""
        self.asked.append(refresh)
        await anyio.lowlevel.checkpoint()
        if refresh and self.renews:
            self.made[user] = self.made.get(user, 1) + 1
        return {"Authorization": f"Bearer {user}{self.made.get(user, 1)}"}


@pytest.mark.anyio
@pytest.mark.rule("http-headers-asked-with-context")
async def test_headers_are_made_for_each_call_with_its_context() -> None:
    headers = HostHeaders(Tokens())
    for user in ("ana", "bo"):
        context = CallContext(principal=Principal(id=user))
        assert await headers.current(context) == (("Authorization", f"Bearer {user}1"),)


@pytest.mark.anyio
@pytest.mark.rule("http-headers-renewed-once")
async def test_calls_that_are_refused_together_share_one_renewal() -> None:
    tokens, context = Tokens(), CallContext()
    headers = HostHeaders(tokens)
    refused = await headers.current(context)
    got: list[Pairs | None] = []

    async def renew() -> None:
        got.append(await headers.renewed(context, refused))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(renew)
    assert got == [(("Authorization", "Bearer 2"),)] * 5
    assert tokens.asked.count(True) == 1


@pytest.mark.anyio
@pytest.mark.rule("http-headers-renewed-once")
@pytest.mark.parametrize("made", [Tokens(renews=False), {"A": "b"}, None])
async def test_where_nothing_new_comes_there_is_no_second_try(made: Tokens | None) -> None:
    headers, context = HostHeaders(made), CallContext()
    assert await headers.renewed(context, await headers.current(context)) is None


@pytest.mark.rule("http-headers-checked")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("X-Key", "secret-1\r\nX-Evil: 1"),
        ("X-Key", "secret-1\x00"),
        ("X-Key", "secret-1\u20ac"),
        ("X Key", "secret-1"),
        ("", "secret-1"),
        ("Host", "secret-1"),
        ("content-length", "secret-1"),
    ],
)
def test_a_header_that_cannot_be_sent_is_refused_without_its_value(name: str, value: str) -> None:
    with pytest.raises(ConfigError) as raised:
        HostHeaders({name: value})
    assert "secret-1" not in str(raised.value)


@pytest.mark.anyio
@pytest.mark.rule("http-headers-checked")
async def test_made_headers_are_checked_too() -> None:
    def make(context: CallContext[object], /, *, refresh: bool) -> Mapping[str, str]:
        return {"X-Key": "a\nb"}

    with pytest.raises(ConfigError):
        await HostHeaders(make).current(CallContext())


def test_headers_serve_one_event_loop_after_the_other() -> None:
    headers, context = HostHeaders(Tokens()), CallContext()
    for backend in ("asyncio", "trio", "asyncio"):
        current = anyio.run(headers.current, context, backend=backend)
        assert anyio.run(partial(headers.renewed, context, current), backend=backend)
