"""MCP servers as sources of tools, over HTTP and as local processes."""

from toolroll.sources.mcp.client import mcp_http, mcp_stdio
from toolroll.sources.mcp.option import McpOptions
from toolroll.sources.mcp.source import McpSource

__all__ = ["McpOptions", "McpSource", "mcp_http", "mcp_stdio"]
