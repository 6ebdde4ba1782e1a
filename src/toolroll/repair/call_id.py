"""Ids of calls: repaired, and fitted to the provider that a history is sent to.

A call and its result are joined by an id. Providers refuse ids of other providers: too long, other
characters, none at all. Both sides of a pair must be changed alike, each time the history is sent.
"""

import hashlib
import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

IdProvider: TypeAlias = Literal["openai_chat", "openai_responses", "anthropic", "mistral", "gemini"]

_BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_BASE_62 = _BASE_36 + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LIMIT = 64
_HEAD = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class IdRule:
    """What a provider takes as the id of a call.

    Args:
        limit: how many characters at most; 0 for any number.
        allowed: pattern of one allowed character; "" for any.
        exact: the id must have exactly `limit` characters.

    Example:
        >>> rule = IdRule(limit=9, allowed="[a-zA-Z0-9]", exact=True)
        >>> rule.accepts("call_1"), rule.summary
        (False, 'exactly 9 characters of `[a-zA-Z0-9]`')
    """

    limit: int = 0
    allowed: str = ""
    exact: bool = False

    def accepts(self, id: str) -> bool:
        """Whether an id may be sent as it is.

        Example:
            >>> [ID_RULES["mistral"].accepts(id) for id in ("a1B2c3D4e", "call_1")]
            [True, False]
        """
        if (
            not id
            or (self.limit and len(id) > self.limit)
            or (self.exact and len(id) != self.limit)
        ):
            return False
        return not self.allowed or re.fullmatch(f"(?:{self.allowed})+", id) is not None

    @property
    def summary(self) -> str:
        """The rule in words.

        Example:
            >>> ID_RULES["openai_chat"].summary
            'at most 40 characters'
        """
        if not self.limit:
            return "anything"
        length = f"{'exactly' if self.exact else 'at most'} {self.limit} characters"
        return f"{length} of `{self.allowed}`" if self.allowed else length


ID_RULES: Mapping[IdProvider, IdRule] = {
    "openai_chat": IdRule(limit=40),
    "openai_responses": IdRule(limit=64),
    "anthropic": IdRule(limit=64, allowed="[a-zA-Z0-9_-]"),
    "mistral": IdRule(limit=9, allowed="[a-zA-Z0-9]", exact=True),
    "gemini": IdRule(),
}
"""What each provider takes; the docs print this table."""


def normalize_call_id(id: str | None, prefix: str = "call_pk_") -> str:
    """Make an id that can be used, and keep one that can.

    A blank id becomes the prefix and eight random letters or digits, another one each time. One of
    at most 64 characters is trimmed. A longer one becomes its first 48 characters, `_` and eight
    hex digits of its hash, the same each time.

    Source: the tool definition contract, "normalizeToolId".

    Args:
        id: the id as a model or a gateway gave it.
        prefix: what the id of a blank one begins with.

    Example:
        >>> normalize_call_id(" ab ")
        'ab'
        >>> normalize_call_id("x" * 65)[-9:]
        '_a8be2078'
    """
    trimmed = _trim(id)
    if not trimmed:
        return prefix + "".join(secrets.choice(_BASE_36) for _ in range(8))
    if len(trimmed) <= _LIMIT:
        return trimmed
    return f"{trimmed[:_HEAD]}_{_string_hash(trimmed):08x}"


class CallIds:
    """The ids of one history as one provider takes them.

    The same id always gives the same answer, so calls and their results stay together; two
    different ids never give the same one. An id that the provider takes stays as it is. What comes
    out depends on the id and on those before it only: the next turn of the same history gives the
    same ids again.

    Args:
        provider: a key of `ID_RULES`.

    Raises:
        ValueError: there is no such provider.

    Example:
        >>> ids = CallIds("openai_chat")
        >>> ids.fit("call_1"), ids.fit("", blank="call_0_1")
        ('call_1', 'call_0_1')
        >>> len(ids.fit("toolu_" + "q" * 37))
        40
    """

    def __init__(self, provider: IdProvider) -> None:
        if provider not in ID_RULES:
            raise ValueError(f"no provider {provider!r}; there are {', '.join(ID_RULES)}")
        self.rule = ID_RULES[provider]
        self._fitted: dict[tuple[bool, str], str] = {}
        self._taken: set[str] = set()

    def fit(self, id: str | None, *, blank: str = "") -> str:
        """Give the id to send for an id of the history.

        Args:
            id: the id of a call, or of a result.
            blank: what stands for a blank id, e.g. `call_{message}_{call}`; the same for the call
                and its result. Without it a blank id of a rule without any demand stays blank.

        Raises:
            ValueError: the id is blank, the provider needs one, and `blank` is not given.
        """
        known = _trim(id)
        wanted = known or blank
        if not wanted:
            if self.rule == IdRule():
                return ""
            raise ValueError("the id is blank; say what stands for it")
        source = (bool(known), wanted)
        if source not in self._fitted:
            self._fitted[source] = self._choose(wanted)
        return self._fitted[source]

    def _choose(self, id: str) -> str:
        """The id itself where it may be, else the first free one made from it."""
        chosen, salt = id, 0
        while chosen in self._taken or not self.rule.accepts(chosen):
            chosen = _made(id, salt, self.rule)
            salt += 1
        self._taken.add(chosen)
        return chosen


def split_call_ids(id: str, count: int, taken: Collection[str] = ()) -> list[str]:
    """Give ids for calls that were glued into one text: the first keeps its id.

    The others are different from it, from each other and from those taken, and the same each time.

    Args:
        id: the id of the one call, already normalized.
        count: how many calls it became.
        taken: the ids of the other calls of the turn.

    Example:
        >>> split_call_ids("c1", 3)
        ['c1', 'c1_2', 'c1_3']
        >>> split_call_ids("c1", 2, taken=["c1", "c1_2"])
        ['c1', 'c1_3']
    """
    ids = [id][:count]
    number = 1
    while len(ids) < count:
        number += 1
        other = normalize_call_id(f"{id}_{number}")
        if other not in taken:
            ids.append(other)
    return ids


def _made(id: str, salt: int, rule: IdRule) -> str:
    text = f"{id}\0{salt}" if salt else id
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass"))
    if rule.exact:
        number = int.from_bytes(digest.digest(), "big")
        return "".join(_BASE_62[number // 62**place % 62] for place in range(rule.limit))
    head = re.sub(f"(?!{rule.allowed}).", "_", id, flags=re.DOTALL) if rule.allowed else id
    return f"{head[: (rule.limit or _LIMIT) - 9]}_{digest.hexdigest()[:8]}"


def _trim(id: str | None) -> str:
    return (id or "").strip().strip("\ufeff")


def _string_hash(text: str) -> int:
    """The 32-bit hash of a Java string: `31 * hash + unit` over UTF-16 units."""
    units = text.encode("utf-16-le", "surrogatepass")
    value = 0
    for low, high in zip(units[::2], units[1::2], strict=True):
        value = (31 * value + low + (high << 8)) & 0xFFFFFFFF
    return value
