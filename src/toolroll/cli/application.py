"""The commands and their options."""

import inspect
import math
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import anyio
import click

from toolroll._version import __version__
from toolroll.cli.argument import short
from toolroll.cli.calling import Wish, call_tool
from toolroll.cli.checking import check_definitions
from toolroll.cli.exit_code import EXIT_CODES
from toolroll.cli.finding import find_tools
from toolroll.cli.listing import list_tools
from toolroll.cli.serving import serve
from toolroll.cli.showing import VIEWS, show_tool
from toolroll.cli.target import Target, is_source, target_of
from toolroll.gateway import config_schema
from toolroll.outcome import ConfigError

if TYPE_CHECKING:
    from toolroll.content import JsonValue

P = ParamSpec("P")
R = TypeVar("R")

_EPILOG = (
    "Exit codes: " + "; ".join(f"{code} {meaning}" for code, meaning in EXIT_CODES.items()) + "."
)


class ClosedPipeError(Exception):
    """The reader of standard output went away."""


class _Application(click.Group):
    """Names a reader who went away: click itself would end the process, as a tool may do."""

    def make_context(
        self, info_name: str | None, args: list[str], *more: Any, **extra: Any
    ) -> click.Context:
        try:
            return super().make_context(info_name, args, *more, **extra)
        except BrokenPipeError as error:  # of the help
            raise ClosedPipeError from error

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ClosedPipeError from error


class _WithCommand(click.Command):
    """A command whose words after `--` are an MCP server to start."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if "--" in args:
            at = args.index("--")
            ctx.meta["toolroll.command"] = tuple(args[at + 1 :])
            if not args[at + 1 :]:
                raise click.UsageError("a command must follow --, e.g. -- mcp-server-time", ctx)
            args = args[:at]
        return click.Command.parse_args(self, ctx, args)


def _for_a_target(
    function: Callable[Concatenate[Target, P], R],
) -> Callable[..., R]:
    """Give a command its target, found from `-c`, a source and the words after `--`.

    A source may stand before the command's own words; a command without any takes nothing else.
    """
    has_words = "words" in inspect.signature(function).parameters

    @click.option(
        "-c",
        "--config",
        type=click.Path(path_type=Path, dir_okay=False),
        help="The configuration; else toolroll.toml is looked for upwards.",
    )
    @click.option("--base-url", help="Where calls of an OpenAPI document's operations are sent.")
    @click.pass_context
    def with_target(
        ctx: click.Context, /, *args: Any, config: Path | None, base_url: str | None, **rest: Any
    ) -> R:
        command: tuple[str, ...] = ctx.meta.get("toolroll.command", ())
        words: tuple[str, ...] = rest.pop("words", ())
        source = words[0] if words and is_source(words[0]) else None
        if source:
            words = words[1:]
        if has_words:
            rest["words"] = words
        else:
            _no_more(words)
        target = target_of(source, command, config, base_url)
        return function(target, *args, **rest)

    with_target.__doc__ = function.__doc__
    with_target.__name__ = function.__name__
    return with_target


@click.group(
    cls=_Application, epilog=_EPILOG, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(__version__, "-V", "--version", prog_name="toolroll")
def application() -> None:
    """The tools of LLM agents: list, show, call, search, check and serve them.

    Works on the toolroll.toml of this folder or one above, or on one source: a Python file, an
    OpenAPI document, the address of an MCP server, or a command after --.
    """


@application.command("list", cls=_WithCommand)
@click.argument("words", nargs=-1, metavar="[SOURCE]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_for_a_target
def list_command(target: Target, *, as_json: bool) -> int:
    """List the tools: name, source, effect, decision and size.

    \b
    toolroll list
    toolroll list my_tools.py
    toolroll list openapi.json
    toolroll list -- mcp-server-time
    """
    return anyio.run(partial(list_tools, target, as_json=as_json))


@application.command("show", cls=_WithCommand)
@click.argument("words", nargs=-1, required=True, metavar="[SOURCE] TOOL")
@click.option(
    "--view", type=click.Choice(VIEWS), default="verbatim", help="The schema as whom sees it."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_for_a_target
def show_command(target: Target, *, words: Sequence[str], view: str, as_json: bool) -> int:
    """Show one tool: description, effect, parameters, and its schema in a view."""
    name, *more = words or (None,)
    if name is None:
        raise click.UsageError("name a TOOL to show.")
    if more:
        raise click.UsageError(f"show one TOOL; there is {short(more[0])!r} after it.")
    return anyio.run(partial(show_tool, target, name, view=view, as_json=as_json))


@application.command("call", cls=_WithCommand)
@click.argument(
    "words", nargs=-1, required=True, metavar="[SOURCE] TOOL [KEY=VALUE | KEY:=JSON]..."
)
@click.option(
    "--json",
    "given",
    is_flag=False,
    flag_value="",
    metavar="[ARGUMENTS]",
    help="Print the outcome as JSON; a JSON object is taken for the arguments (- reads stdin).",
)
@click.option(
    "--yes/--no", "answer", default=None, help="Answer the question for approval beforehand."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), help="Seconds for the call."
)
@_for_a_target
def call_command(
    target: Target,
    *,
    words: Sequence[str],
    given: str | None,
    answer: bool | None,
    timeout: float | None,
) -> int:
    """Call one tool and print what it answers.

    \b
    toolroll call my_tools.py add a=1 b=2
    toolroll call openapi.json list_loans --base-url https://api.example.org
    toolroll call loans__create_loan --json '{"body": {"book": "b1"}}'
    toolroll call get_current_time timezone=UTC -- mcp-server-time
    """
    if not words:
        raise click.UsageError("name a TOOL to call.")
    if timeout is not None and math.isnan(timeout):  # in no range and outside of none
        raise click.UsageError("--timeout: must be a number of seconds above 0.")
    name, *arguments = words
    if given and not given.lstrip().startswith(("{", "-")):
        # `--json` took the next word, which is an argument or was meant for the tool itself.
        arguments, given = [given, *arguments], ""
    wish = Wish(name=name, words=tuple(arguments), json_text=given, answer=answer, timeout=timeout)
    return anyio.run(call_tool, target, wish)


@application.command("search", cls=_WithCommand)
@click.argument("words", nargs=-1, required=True, metavar="[SOURCE] WORDS...")
@click.option(
    "--limit", type=click.IntRange(1, 20), default=5, show_default=True, help="Most tools."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_for_a_target
def search_command(target: Target, *, words: Sequence[str], limit: int, as_json: bool) -> int:
    """Find tools by what they do."""
    return anyio.run(partial(find_tools, target, " ".join(words), limit=limit, as_json=as_json))


@application.command("check", cls=_WithCommand)
@click.argument("words", nargs=-1, metavar="[SOURCE]")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@_for_a_target
def check_command(target: Target, *, as_json: bool) -> int:
    """Check definitions: what is wrong, what is unwise, what a provider would refuse."""
    return anyio.run(partial(check_definitions, target, as_json=as_json))


@application.command("serve", cls=_WithCommand)
@click.argument("words", nargs=-1, metavar="[SOURCE]")
@click.option("--stdio", is_flag=True, help="Serve MCP over standard input and output.")
@click.option("--http", "address", metavar="HOST:PORT", help="Serve MCP over HTTP, at /mcp.")
@_for_a_target
def serve_command(target: Target, *, stdio: bool, address: str | None) -> int:
    """Serve the tools as an MCP server until it is stopped."""
    if stdio == (address is not None):
        raise click.UsageError("give either --stdio or --http HOST:PORT.")
    return anyio.run(partial(serve, target, address))


@application.command("config-schema")
def config_schema_command() -> int:
    """Print the JSON Schema of toolroll.toml, for editors."""
    from toolroll.cli.console import print_json

    schema: JsonValue = config_schema()
    print_json(schema)
    return 0


def _no_more(words: Sequence[str]) -> None:
    if words:
        raise ConfigError(
            f"{short(words[0])!r} is no source: name a .py file, an OpenAPI document "
            "(.json, .yaml), an address, or a command after --."
        )
