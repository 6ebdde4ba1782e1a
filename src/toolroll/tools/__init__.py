"""Tools: what they are, how they are made, and the one runner."""

from toolroll.tools.behavior import Behavior
from toolroll.tools.call import ToolCall
from toolroll.tools.cancel import CancelSignal
from toolroll.tools.context import CallContext, Principal, Progress, Question, Reply
from toolroll.tools.define import Details, define_tool, tool
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import Decision, Gates
from toolroll.tools.hints import Effect, Hints
from toolroll.tools.invocation import invoke
from toolroll.tools.naming import model_name
from toolroll.tools.thread import abandoned_handlers
from toolroll.tools.tool import Tool

__all__ = [
    "Behavior",
    "CallContext",
    "CancelSignal",
    "Decision",
    "Details",
    "Effect",
    "Gates",
    "Hints",
    "Principal",
    "Progress",
    "Question",
    "Reply",
    "Tool",
    "ToolCall",
    "ToolDefinition",
    "abandoned_handlers",
    "define_tool",
    "invoke",
    "model_name",
    "tool",
]
