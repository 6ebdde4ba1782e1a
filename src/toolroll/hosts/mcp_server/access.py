"""A static access token, for servers that need no more."""

import hashlib
import hmac

from toolroll.hosts.mcp_server.info import Authorize, Denied, RequestHead
from toolroll.outcome import ConfigError
from toolroll.tools.context import Principal

_SHORTEST = 16


def static_token(token: str, principal: Principal) -> Authorize:
    """Let in whoever has a token, as one principal.

    The comparison takes the same time wherever the texts differ, and says nothing of their length.

    Args:
        token: at least 16 characters; from a file or the environment, never from the code.
        principal: who the requests are for.

    Raises:
        ConfigError: the token is too short to keep anybody out.

    Example:
        >>> authorize = static_token("correct horse battery", Principal(id="ada"))
    """
    if len(token) < _SHORTEST:
        raise ConfigError(f"an access token has at least {_SHORTEST} characters.")
    wanted = _digest(token)

    async def authorize(head: RequestHead) -> Principal | Denied:
        sent = head.bearer
        if sent is None:
            return Denied()
        if not hmac.compare_digest(_digest(sent), wanted):
            return Denied(challenge='Bearer error="invalid_token"')
        return principal

    return authorize


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
