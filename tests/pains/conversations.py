"""Conversations with an MCP server over HTTP: its answers stand in the cases in words."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio
import pytest

from tests.pains.case import Case
from tests.pains.making import NOBODY, code_of, says_all, told
from tests.sources.mcp.asking import source, tool
from tests.sources.mcp.scripted import (
    Answer,
    Call,
    Reply,
    Script,
    dropped,
    event,
    legacy,
    progress,
    response,
    result,
    serving,
    stream,
    text,
)
from toolroll import ToolCall
from toolroll.outcome import BadOutcome, Outcome
from toolroll.sources import SourceError, as_toolkit
from toolroll.sources.mcp import McpSource
from toolroll.tools import Hints


async def http_script(case: Case) -> None:
    """A conversation as a case tells it: every answer is asked for, and no other."""
    conversation = Conversation(case)
    with serving(conversation.script) as script:
        trust = case.given.get("trust_hints", False)
        async with source(script.url, headers=conversation.headers, trust=trust) as client:
            outcomes = await _outcomes(case, client)
    conversation.check(outcomes)


async def _outcomes(case: Case, client: McpSource) -> list[Outcome | SourceError]:
    """What the calls came to; what listing came to where nothing is called."""
    said = case.given.get("tool", {"name": "echo", "annotations": {}})
    count = case.given["calls"]
    if count == 0:
        with pytest.raises(SourceError) as caught:
            await client.discover()
        return [caught.value]
    kit = as_toolkit(client, [tool(said["name"], hints=Hints.from_json(said["annotations"]))])
    outcomes: list[Outcome | SourceError] = []

    async def one(number: int) -> None:
        outcomes.append(await kit.call(ToolCall.of(said["name"], id=f"c{number}"), NOBODY))

    if "same_session" in case.wanted:  # the second call needs what the first began
        for number in range(count):
            await one(number)
        return outcomes
    async with anyio.create_task_group() as tasks:
        for number in range(count):
            tasks.start_soon(one, number)
    return outcomes


# --- the answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One answer of a conversation.

    Args:
        method: of the request that gets it.
        answer: what the server says.
        session, token: which the request must carry; None for any.
        times: how often it is given; 0 for as often as it is asked for, or never (then the
            expectation counts).
    """

    method: str
    answer: Answer
    session: str | None = None
    token: str | None = None
    times: int = 1

    def fits(self, call: Call) -> bool:
        """Whether a request gets this answer."""
        return (
            call.method == self.method
            and self.session in (None, call.session)
            and self.token in (None, call.headers.get("authorization"))
        )


def _status(status: int, words: str = "") -> Answer:
    return lambda call: Reply(status=status, body=words.encode(), kind="text/plain")


def _begun(session: str | None = None, kind: str = "application/json") -> Answer:
    words = {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {}}

    def answer(call: Call) -> Reply:
        headers = {} if session is None else {"Mcp-Session-Id": session}
        return Reply(body=result(call, words).body, headers=headers, kind=kind)

    return answer


def _ok(call: Call) -> Reply:
    return result(call, text("ok"))


def _invalid_account(call: Call) -> Reply:
    return result(call, {"isError": True, **text("invalid account")})


def _with_notices(call: Call) -> Reply:
    return stream(
        b": one\n\n", b": two\n\n", event(progress(call, 1)), event(response(call, text("ok")))
    )


LINES: Mapping[str, Line] = {
    "initialize": Line(method="initialize", answer=_begun()),
    "initialize with t1 -> ok": Line(method="initialize", answer=_begun(), token="t1"),
    "initialize -> session s1": Line(method="initialize", answer=_begun("s1")),
    "initialize without session -> session s2": Line(method="initialize", answer=_begun("s2")),
    "one initialize -> s2": Line(method="initialize", answer=_begun("s2")),
    "initialize -> 400 'unknown protocol version'": Line(
        method="initialize", answer=_status(400, "unknown protocol version")
    ),
    "initialize -> 200 Content-Type: application/json; charset=utf-8": Line(
        method="initialize", answer=_begun(kind="application/json; charset=utf-8")
    ),
    "any GET -> 405": Line(method="GET", answer=_status(405), times=0),
    "tools/call with t1 -> 401": Line(method="tools/call", answer=_status(401), token="t1"),
    "tools/call with t2 -> ok": Line(method="tools/call", answer=_ok, token="t2"),
    "tools/call -> 401": Line(method="tools/call", answer=_status(401), times=0),
    "tools/call with s1 -> 404": Line(method="tools/call", answer=_status(404), session="s1"),
    "tools/call with s2 -> ok": Line(method="tools/call", answer=_ok, session="s2"),
    "5 concurrent tools/call with s1 -> 404": Line(
        method="tools/call", answer=_status(404), session="s1", times=5
    ),
    "5 tools/call with s2 -> ok": Line(method="tools/call", answer=_ok, session="s2", times=5),
    "tools/call open -> ok": Line(method="tools/call", answer=_ok, session="s1"),
    "tools/call read -> ok": Line(method="tools/call", answer=_ok, session="s1"),
    "tools/call -> text/event-stream: two comments, one progress notice, the result": Line(
        method="tools/call", answer=_with_notices
    ),
    "tools/call pay -> connection reset after the request was read": Line(
        method="tools/call", answer=dropped
    ),
    "tools/call pay -> isError 'invalid account'": Line(
        method="tools/call", answer=_invalid_account
    ),
}
"""Every answer as the cases word it."""

REFRESHING: Mapping[str, str] = {
    "callable: t1, then t2 when asked to refresh": "t2",
    "callable: always t1": "t1",
}
"""The token that is given when a fresh one is asked for, by the words of the cases."""


# --- what came


class Conversation:
    """The other side of one case: what it answers, and what came."""

    def __init__(self, case: Case) -> None:
        self._wanted = case.wanted
        self._waiting = [(LINES[words], LINES[words].times) for words in case.given["answers"]]
        self._lock = threading.Lock()
        self._strays: list[str] = []
        self._refreshed = 0
        self._fresh = REFRESHING[case.given["headers"]] if "headers" in case.given else None
        self.headers = None if self._fresh is None else self._make_headers
        self.script: Script = legacy()
        for method in ("initialize", "tools/call", "GET"):
            self.script.on(method, self._answer)

    def _make_headers(self, context: object, /, *, refresh: bool) -> dict[str, str]:
        self._refreshed += refresh
        return {"Authorization": str(self._fresh) if self._refreshed else "t1"}

    def _answer(self, call: Call) -> Reply:
        with self._lock:
            for at, (line, left) in enumerate(self._waiting):
                if line.fits(call):
                    if left == 1:
                        self._waiting.pop(at)
                    else:
                        self._waiting[at] = (line, left - 1 if left else 0)
                    break
            else:
                self._strays.append(f"{call.method} with session {call.session}")
                return Reply(status=500)
        return line.answer(call)

    def check(self, outcomes: Sequence[Outcome | SourceError]) -> None:
        """Hold what the calls came to, and what was sent, to the expectation."""
        wanted = self._wanted
        assert self._strays == []
        assert [line for line, left in self._waiting if left] == [], "not asked for"
        assert [one.kind for one in outcomes] == wanted.get("outcomes", ["ok"] * len(outcomes))
        for outcome in outcomes:
            self._check_words(outcome)
        calls, begins = self.script.of("tools/call"), self.script.of("initialize")
        # The probe for the newer era and the handshake's notification are not counted.
        assert len(calls) + len(begins) == wanted.get("posts", len(calls) + len(begins))
        assert len(calls) == wanted.get("posts_of_call", len(calls))
        assert len(calls) == wanted.get("sent_times", len(calls))
        assert len(begins) == wanted.get("initialize_count", len(begins))
        if "call_ids_distinct" in wanted:
            distinct = len({call.id for call in calls}) == len(calls)
            assert distinct is wanted["call_ids_distinct"]
        if "same_session" in wanted:
            assert (len({call.session for call in calls}) == 1) is wanted["same_session"]
        assert self._refreshed == wanted.get("refreshes", self._refreshed)
        oauth = [call.path for call in self.script.seen if "well-known" in call.path]
        assert len(oauth) == wanted.get("oauth_discovery_requests", 0)

    def _check_words(self, outcome: Outcome | SourceError) -> None:
        """What is said of a failure: to a model, or to the host where nothing was called."""
        wanted = self._wanted
        if isinstance(outcome, SourceError):
            words, code, retryable = outcome.description, outcome.code, outcome.retryable
        else:
            words, code = told(outcome), code_of(outcome)
            retryable = isinstance(outcome, BadOutcome) and outcome.retryable
        assert code == wanted.get("code", code)
        assert retryable is wanted.get("retryable", retryable)
        said: Any = wanted.get("says", [])
        assert says_all(words, said), words
        for word in wanted.get("must_not_say_first", ()):
            assert word not in words.partition(said[0])[0], words
