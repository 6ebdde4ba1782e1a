"""`toolroll check`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolroll.cli import exit_code
from toolroll.cli.console import clean, console, print_json, print_report, say
from toolroll.cli.target import Target
from toolroll.outcome import DefinitionError, Report
from toolroll.schema import lint
from toolroll.toolkit.snapshot import Snapshot
from toolroll.tools.context import CallContext
from toolroll.tools.lazy import LazyHandler
from toolroll.tools.tool import AnyTool

if TYPE_CHECKING:
    from toolroll.content import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class _Finding:
    tool: str
    severity: str
    pointer: str
    fault: str
    mend: str


async def check_definitions(target: Target, *, as_json: bool) -> int:
    """Print what is wrong (errors) and unwise (warnings) in every definition."""
    async with target.open() as gateway:
        snapshot = gateway.workspace.kit.snapshot(CallContext())
        findings = list(_findings(snapshot))
        report = gateway.report + snapshot.report
    errors = sum(finding.severity == "error" for finding in findings)
    if as_json:
        rows: list[JsonValue] = [
            {
                "tool": finding.tool,
                "severity": finding.severity,
                "pointer": finding.pointer,
                "fault": finding.fault,
                "mend": finding.mend,
            }
            for finding in findings
        ]
        print_json({"findings": rows, "tools": len(snapshot.tools)})
    else:
        for finding in findings:
            style = "red" if finding.severity == "error" else "yellow"
            place = f" at {clean(finding.pointer)}" if finding.pointer else ""
            console().print(
                f"[{style}]{finding.severity}[/] {clean(finding.tool)}{place}: "
                f"{clean(finding.fault)}; {clean(finding.mend)}"
            )
        say(f"{len(snapshot.tools)} tools, {errors} errors, {len(findings) - errors} warnings")
        print_report(Report.of(report.notes))
    return exit_code.BAD_OUTCOME if errors else exit_code.OK


def _findings(snapshot: Snapshot) -> Iterator[_Finding]:
    for tool in snapshot.tools.values():
        definition = tool.definition
        if not definition.description.strip():
            yield _Finding(
                tool=tool.name,
                severity="warning",
                pointer="",
                fault="there is no description",
                mend="say what it does, for the model",
            )
        authored, opened = not tool.imported, tool.behavior.open
        for finding in lint(definition.input_schema, authored=authored, allow_open=opened):
            yield _Finding(
                tool=tool.name,
                severity=finding.severity,
                pointer=finding.pointer,
                fault=finding.fault,
                mend=finding.mend,
            )
        yield from _lazy(tool)


def _lazy(tool: AnyTool) -> Iterator[_Finding]:
    """A handler given by its place is imported now, not at somebody's first call."""
    if isinstance(tool.handler, LazyHandler):
        try:
            tool.handler.load()
        except DefinitionError as error:
            yield _Finding(
                tool=tool.name,
                severity="error",
                pointer="",
                fault=str(error),
                mend="name a function as 'package.module:function'",
            )
