"""What a list of tools costs before anything is asked: bytes and tokens of every request."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from toolroll.content import JsonValue, compact_json
from toolroll.toolkit.protocol import ListedTool, Listing
from toolroll.tools.definition import ToolDefinition

_PIECE = re.compile(r"[A-Za-z]{1,6}|[0-9]{1,3}|[^\sA-Za-z0-9]")
"""Words in pieces of six letters, digits in threes, every other sign alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCost:
    """What one tool costs: bytes (UTF-8) and estimated tokens of its JSON.

    Args:
        name: of the tool.
        bytes: of its JSON (name, description, input schema), in UTF-8.
        tokens_estimate: tokens of the same.

    Example:
        >>> ping = ToolDefinition(name="ping", description="Say pong.", input_schema={})
        >>> cost([ping]).largest
        (ToolCost(name='ping', bytes=58, tokens_estimate=28),)
    """

    name: str
    bytes: int
    tokens_estimate: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What a list of tools costs in every request that carries it.

    Args:
        tools: how many.
        bytes: of the tools as JSON (name, description, input schema), in UTF-8.
        tokens_estimate: tokens of the same; good for comparing, not for billing.
        largest: the dearest, dearest first.

    Example:
        >>> ping = ToolDefinition(name="ping", description="Say pong.", input_schema={})
        >>> ask = ToolDefinition(name="ask", description="Ask whoever is there.", input_schema={})
        >>> weighed = cost([ping, ask])
        >>> weighed.tools, [tool.name for tool in weighed.largest]
        (2, ['ask', 'ping'])
    """

    tools: int
    bytes: int
    tokens_estimate: int
    largest: tuple[ToolCost, ...]


def cost(tools: Listing | Iterable[ToolDefinition | ListedTool], *, largest: int = 5) -> Cost:
    """Weigh a listing, or tools, as a provider's request would carry them.

    Args:
        tools: a listing, definitions or listed tools.
        largest: how many of the dearest to name.

    Raises:
        TypeError, ValueError: a schema holds what is no JSON.

    Example:
        >>> ping = ToolDefinition(name="ping", description="Say pong.", input_schema={})
        >>> weighed = cost([ping])
        >>> weighed.tools, weighed.bytes, weighed.tokens_estimate
        (1, 58, 28)
    """
    items = tools.tools if isinstance(tools, Listing) else tools
    each = [_weigh(item.definition if isinstance(item, ListedTool) else item) for item in items]
    dearest = sorted(each, key=lambda one: -one.tokens_estimate)
    return Cost(
        tools=len(each),
        bytes=sum(one.bytes for one in each),
        tokens_estimate=sum(one.tokens_estimate for one in each),
        largest=tuple(dearest[: max(0, largest)]),
    )


def _weigh(definition: ToolDefinition) -> ToolCost:
    sent: dict[str, JsonValue] = {
        "name": definition.name,
        "description": definition.description,
        "inputSchema": definition.input_schema,
    }
    text = compact_json(sent)
    return ToolCost(
        name=definition.name,
        bytes=len(text.encode("utf-8", "surrogatepass")),
        tokens_estimate=len(_PIECE.findall(text)),
    )
