"""How a handler's questions reach a person: round by round, or by a request to the client.

A stateless client cannot be sent a request. The call ends with the question instead; the client
asks, calls again with the reply, and the handler runs again from its top, where the reply waits.
So a handler asks before it acts.

Source: MCP 2026-07-28, basic/patterns/mrtr; MCP 2025-11-25, client/elicitation.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import anyio
from anyio.lowlevel import checkpoint

from toolroll.content import JsonObject
from toolroll.hosts.mcp_server.exchange import Exchange
from toolroll.hosts.mcp_server.state import CallState
from toolroll.outcome import OutcomeError
from toolroll.protocol import ELICIT, read_reply, write_question
from toolroll.text import sanitize_text
from toolroll.tools.context import Question, Reply
from toolroll.tools.form import fitting, require_form

_TRIES = 3
"""How often a person is shown a form again after a reply that does not fit it."""


class RoundAsker:
    """Asks by ending the round. One for each request.

    Args:
        state: what earlier rounds learned.
        given: replies that came with this request, by key.
        version: of the protocol.
        limit: most rounds of one call.
    """

    __slots__ = ("_given", "_keys", "_limit", "_version", "pending", "scope", "state")

    def __init__(
        self, state: CallState, given: Mapping[str, Reply], *, version: str, limit: int
    ) -> None:
        self.state = state
        self.scope = anyio.CancelScope()
        self.pending: dict[str, Question] = {}
        self._given, self._version, self._limit = given, version, limit
        self._keys: set[str] = set()

    async def ask(self, question: Question) -> Reply:
        """The reply, if this or an earlier request brought it; else the call ends here.

        Raises:
            DefinitionError: the question has no flat form.
        """
        require_form(question, self._version)
        key = self._key_of(question)
        known = self.state.replies.get(key)
        given = known or self._given.get(key)
        reply = fitting(question, given) if given is not None else None
        if reply is not None:
            self.state = replace(self.state, replies={**self.state.replies, key: reply})
            return reply
        if self.state.rounds >= self._limit:
            return Reply("cancel")
        self.pending[key] = question
        for _ in range(3):  # questions that the handler asks side by side go out together
            await checkpoint()
        self.scope.cancel()
        await checkpoint()
        # Only a handler that shields itself from cancelling comes here.
        raise OutcomeError("aborted", "aborted", "The call waits for a reply.")

    def _key_of(self, question: Question) -> str:
        stem = question.key or "ask"
        key, number = question.key, 1
        while not key or key in self._keys:
            key = f"{stem}-{number}"
            number += 1
        self._keys.add(key)
        return key


class RequestAsker:
    """Asks by a request of our own, while the call waits.

    Args:
        exchange: the way to the client.
        version: of the protocol.
        limit: most questions of one call.
    """

    __slots__ = ("_exchange", "_left", "_version")

    def __init__(self, exchange: Exchange, *, version: str, limit: int) -> None:
        self._exchange, self._version, self._left = exchange, version, limit

    async def ask(self, question: Question) -> Reply:
        """The reply; `cancel` where the client fails, is silent, or sends what does not fit.

        Raises:
            DefinitionError: the question has no flat form.
        """
        require_form(question, self._version)
        request = write_question(replace(question, message=sanitize_text(question.message)))
        params = dict(cast("JsonObject", request["params"]))
        if self._version < "2025-11-25":
            del params["mode"]
        for _ in range(_TRIES):
            if self._left <= 0:
                break
            self._left -= 1
            result = await self._exchange.request(ELICIT, params)
            reply = read_reply(result) if result is not None else None
            if reply is None:
                break
            fit = fitting(question, reply)
            if fit is not None:
                return fit
        return Reply("cancel")
