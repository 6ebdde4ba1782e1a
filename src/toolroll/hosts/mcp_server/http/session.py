"""Session ids of legacy HTTP clients that hold, signed, what the server must remember of them.

Nothing is stored, so any process with the same keys understands them, and none can be ended.

Source: MCP 2025-11-25, basic/transports, "Session Management".
"""

import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from toolroll.content import JsonObject
from toolroll.protocol import can_ask, era_of, open_state, seal_state
from toolroll.tools.context import Principal

_SECONDS = 24 * 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a session id says.

    Args:
        id: the whole of it.
        version: that was agreed.
        asks: the client can show forms.
    """

    id: str
    version: str
    asks: bool

    @property
    def capabilities(self) -> JsonObject:
        """What the client can do, as far as it matters here."""
        return {"elicitation": {}} if self.asks else {}


class SessionSigner:
    """Makes session ids and reads them.

    Args:
        keys: the first signs, all are accepted; none makes one for this process.
    """

    __slots__ = ("_keys",)

    def __init__(self, keys: tuple[bytes, ...]) -> None:
        self._keys = keys or (secrets.token_bytes(32),)

    def begin(self, version: str, capabilities: JsonObject, principal: Principal | None) -> Session:
        """A session for a client that has just said what it can do."""
        asks = can_ask(capabilities)
        value: JsonObject = {"version": version, "asks": asks, "salt": secrets.token_urlsafe(12)}
        expires = time.time() + _SECONDS
        id = seal_state(self._keys[0], value, bound_to=_owner(principal), expires=expires)
        return Session(id=id, version=version, asks=asks)

    def read(self, id: str, principal: Principal | None) -> Session | None:
        """The session of an id; None for one that is forged, too old or of somebody else."""
        for key in self._keys:
            value = open_state(key, id, bound_to=_owner(principal), now=time.time())
            if isinstance(value, Mapping):
                said = cast("JsonObject", value)
                version = said.get("version")
                if isinstance(version, str) and era_of(version) == "legacy":
                    return Session(id=id, version=version, asks=said.get("asks") is True)
        return None


def _owner(principal: Principal | None) -> JsonObject:
    who = [principal.tenant, principal.id] if principal else None
    return {"session of": who}
