"""A scripted server in this process, for tests of limits in virtual time."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable
from contextlib import aclosing, asynccontextmanager
from typing import Any

import anyio

from tests.sources.mcp.asking import source
from tests.sources.mcp.scripted import Call, Reply, Script
from toolroll.ports import HttpAnswer, HttpRequest
from toolroll.sources.mcp import McpSource


class _SilenceError(Exception):
    """There is no answer."""


def silent(call: Call) -> Reply:
    """Never answer."""
    raise _SilenceError


class Memory:
    """An `HttpTransport` over a script, whose bodies may be asynchronous iterators."""

    def __init__(self, script: Script) -> None:
        self._script = script

    @asynccontextmanager
    async def send(self, request: HttpRequest, /) -> AsyncGenerator[HttpAnswer]:
        """Answer as the script says."""
        await anyio.lowlevel.checkpoint()
        body = request.content or b""
        call = Call(
            http=request.method,
            path="/mcp",
            headers={name.lower(): value for name, value in request.headers},
            body=body,
            message=json.loads(body) if body else {},
        )
        try:
            reply = self._script.answer(call)
        except _SilenceError:
            await anyio.sleep_forever()
            raise
        headers = {**reply.headers, "content-type": reply.kind}
        async with aclosing(_chunks(reply.body)) as chunks:
            yield HttpAnswer(
                status=reply.status,
                headers=tuple((name.lower(), value) for name, value in headers.items()),
                chunks=chunks,
                url=request.url,
            )

    async def aclose(self) -> None:
        """Nothing is held."""


async def _chunks(
    body: bytes | Iterable[bytes] | AsyncIterator[bytes],
) -> AsyncGenerator[bytes]:
    if isinstance(body, bytes):
        yield body
    elif isinstance(body, AsyncIterator):
        async for piece in body:
            yield piece
    else:
        for piece in body:
            yield piece


def asking(script: Script, **given: Any) -> McpSource:
    """A source that asks a script, without a socket."""
    return source("http://demo.test/mcp", client=Memory(script), **given)
