"""The tools behind every door: one for each way in which a call can end.

Loaded as a file by the command, served by `serving_program.py`, and used as it is.
"""

from dataclasses import dataclass
from typing import Any

import anyio

from toolroll import (
    Behavior,
    LocalToolkit,
    Policy,
    Refusal,
    Rule,
    Toolkit,
    ToolResult,
    assemble,
    tool,
)
from toolroll.content import Image, Text


@dataclass
class Sum:
    """What `add` answers."""

    sum: int


@tool(effect="read")
def say(text: str) -> str:
    """Say a text."""
    return text


@tool(effect="read")
def add(a: int, b: int) -> Sum:
    """Add two numbers."""
    return Sum(sum=a + b)


@tool(effect="write")
def lend(book: str) -> str:
    """Lend a book; it is lent already."""
    raise Refusal("already-lent", f"{book} is lent already.", ["due\t2026-03-01", "ask\tthe desk"])


@tool(effect="read")
def quote() -> str:
    """Refuse with words that somebody else wrote."""
    raise Refusal("not-clean", "It says \x1b[31mred\u202e\nand more.", ["line\t1\r\n2", "\x07"])


@tool(effect="read")
def crash() -> str:
    """Fail in a way nobody thought of."""
    raise ValueError("password=hunter2")


@tool(effect="read", behavior=Behavior(timeout=0.05))
async def wait() -> str:
    """Take too long."""
    await anyio.sleep(30)
    return "done"


@tool(effect="destructive")
def erase(number: int) -> str:
    """Erase a note; a person has to say yes."""
    return f"note {number} is erased"


@tool(effect="destructive")
def purge() -> str:
    """Erase everything; the policy blocks it."""
    raise AssertionError("a blocked tool ran")


@tool(effect="read")
def balance(account: str) -> ToolResult:
    """Tell a balance; the account is unknown, and the tool says so itself."""
    return ToolResult(content=(Text(f"There is no account {account}."),), is_error=True)


@tool(effect="read", behavior=Behavior(limit=1000))
def flood() -> str:
    """Answer more than is allowed."""
    return "x" * 5000


@tool(effect="read")
def picture() -> ToolResult:
    """Show a picture."""
    return ToolResult(content=(Text("the cover"), Image("AAEC", "image/png")))


@tool(effect="read")
def count() -> ToolResult:
    """Count, without a word on what the answer looks like."""
    return ToolResult(data={"count": 3})


TOOLS = (say, add, lend, quote, crash, wait, erase, purge, balance, flood, picture, count)
POLICY = Policy([Rule("allow"), Rule("approve", tools=("erase",)), Rule("block", tools=("purge",))])
KIT: Toolkit[Any] = assemble([LocalToolkit("doors", *TOOLS)], POLICY)
"""The tools under their policy, as most doors have them."""

CONFIG = """
[sources.doors]
python = "library.py"

[policy]
undecided = "allow"

[[policy.rules]]
decision = "approve"
tools = ["erase"]

[[policy.rules]]
decision = "block"
tools = ["purge"]
"""
"""The same tools and policy as a configuration."""
