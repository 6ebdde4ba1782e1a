"""Changes of the list of tools: how a client asks to be told of them, and how it is told.

Source: MCP 2026-07-28, basic/patterns/subscriptions; MCP 2025-11-25, server/tools, "List Changed
Notification".
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.field import object_of, token_of
from toolroll.protocol.message import MessageId
from toolroll.protocol.meta import SUBSCRIPTION_KEY

LISTEN = "subscriptions/listen"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
LIST_CHANGED = "notifications/tools/list_changed"

_TOOLS = "toolsListChanged"


def tells_changes(capabilities: JsonObject) -> bool:
    """Whether a server declares that it tells of changes of its tools.

    Example:
        >>> tells_changes({"tools": {"listChanged": True}}), tells_changes({"tools": {}})
        (True, False)
    """
    return object_of(capabilities, "tools").get("listChanged") is True


def write_listen_params() -> dict[str, JsonValue]:
    """The params of `subscriptions/listen` for changes of the list of tools.

    Example:
        >>> write_listen_params()
        {'notifications': {'toolsListChanged': True}}
    """
    return {"notifications": {_TOOLS: True}}


def wants_tools(params: JsonObject) -> bool:
    """Whether the filter of a subscription, asked for or acknowledged, has the list of tools.

    Example:
        >>> wants_tools(write_listen_params()), wants_tools({"notifications": {}})
        (True, False)
    """
    return object_of(params, "notifications").get(_TOOLS) is True


def acknowledged_filter(*, tools: bool) -> dict[str, JsonValue]:
    """What a server agreed to tell of.

    Example:
        >>> acknowledged_filter(tools=True), acknowledged_filter(tools=False)
        ({'toolsListChanged': True}, {})
    """
    return {_TOOLS: True} if tools else {}


def subscription_of(params: JsonObject) -> MessageId | None:
    """The subscription that a notification belongs to; None where it names none.

    Example:
        >>> subscription_of({"_meta": {"io.modelcontextprotocol/subscriptionId": 7}})
        7
    """
    return token_of(object_of(params, "_meta").get(SUBSCRIPTION_KEY))
