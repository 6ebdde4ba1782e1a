"""The terminal as a host: approvals asked of the person who sits there."""

from toolroll.hosts.terminal.approval import TerminalApprovals

__all__ = ["TerminalApprovals"]
