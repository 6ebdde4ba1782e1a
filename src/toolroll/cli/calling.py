"""`toolroll call`."""

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import click

from toolroll.cli.argument import read_json, read_words
from toolroll.cli.console import error_console, print_blocks, print_json, say
from toolroll.cli.exit_code import exit_code_of
from toolroll.cli.listing import find_listed
from toolroll.cli.progress import ProgressLine
from toolroll.cli.stream import tools_print_aside
from toolroll.cli.target import Target
from toolroll.hosts.terminal import TerminalApprovals
from toolroll.outcome import BadOutcome, Outcome
from toolroll.sources.source import SourceError
from toolroll.text import sanitize_line
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

if TYPE_CHECKING:
    from toolroll.content import JsonObject, JsonValue

_MOST_INPUT = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A call as it was typed.

    Args:
        name: the tool.
        words: `key=value` words.
        json_text: None without `--json`; else the arguments as JSON, "-" for standard input, or ""
            where only the output is to be JSON.
        answer: to the question for approval; None asks.
        timeout: seconds, None for the tool's own.
    """

    name: str
    words: tuple[str, ...]
    json_text: str | None = None
    answer: bool | None = None
    timeout: float | None = None


async def call_tool(target: Target, wish: Wish) -> int:
    """Call, print, and return the exit code."""
    approvals = TerminalApprovals(answer=wish.answer)
    async with target.open(approvals, sends=True) as gateway:
        listed = find_listed(gateway.kit.listing(CallContext()), wish.name)
        schema: JsonObject = listed.definition.input_schema if listed else {}
        name = listed.name if listed else wish.name
        arguments: JsonValue = dict(read_words(wish.words, schema))
        if wish.json_text:
            if wish.words:
                raise click.UsageError("give the arguments as words or as JSON, not both.")
            text = await _standard_input() if wish.json_text == "-" else wish.json_text
            arguments = read_json(text)
        with ProgressLine() as line:
            context = CallContext(
                on_progress=line.listener,
                deadline=None if wish.timeout is None else anyio.current_time() + wish.timeout,
            )
            with tools_print_aside():
                outcome = await gateway.kit.call(ToolCall.of(name, arguments), context)
    _print(outcome, as_json=wish.json_text is not None)
    return exit_code_of(outcome)


async def _standard_input() -> str:
    text = await anyio.to_thread.run_sync(lambda: sys.stdin.read(_MOST_INPUT + 1))
    if len(text) > _MOST_INPUT:
        raise click.UsageError(f"standard input holds more than {_MOST_INPUT:,} characters.")
    return text


def _print(outcome: Outcome, *, as_json: bool) -> None:
    for repair in outcome.repairs:
        say(f"repaired: {repair.kind} {repair.pointer or repair.was}".rstrip())
    if as_json:
        print_json(outcome.to_json())
    elif isinstance(outcome, BadOutcome):
        for line in outcome.lines_for_model():
            error_console().print(sanitize_line(line), style="red", markup=False)
        if outcome.kind != "refused" and (cause := _cause(outcome)):
            say(f"cause: {cause}")
    else:
        print_blocks(outcome.for_model())


def _cause(outcome: BadOutcome) -> str:
    """What a person learns beyond the lines a model reads, "" for nothing."""
    match outcome.cause:
        case None:
            return ""
        case SourceError(source=source, description=description):
            told = not description or description == outcome.message
            return "" if told else f"{source}: {description}"
        case cause:
            return str(cause)
