"""Sources opened, asked, assembled and closed again, as one thing."""

import logging
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, cast

import anyio

from toolroll.assembly.assembling import Member, OnProblem, assemble
from toolroll.assembly.policy import Policy
from toolroll.outcome import ConfigError, Note, Report
from toolroll.ports.approvals import Approvals
from toolroll.ports.journal import Journal
from toolroll.sources.adoption import SOURCE_BEHAVIOR, Trust, as_toolkit
from toolroll.sources.opening import open_source
from toolroll.sources.source import Discovery, SourceError, ToolSource
from toolroll.toolkit.live import LiveToolkit
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.behavior import Behavior

_LOG = logging.getLogger("toolroll.assembly")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceMember:
    """One source of a workspace.

    Args:
        source: closed by the workspace at its end.
        required: without it the workspace does not open; otherwise its absence is a note.
        trust: how far its hints are believed.
        behavior: how its tools are run.

    Example:
        >>> from toolroll.sources.mcp import mcp_http
        >>> loans = mcp_http("loans", "https://mcp.example/mcp")
        >>> member = SourceMember(source=loans, required=True, trust=Trust(hints=True))
    """

    source: ToolSource
    required: bool = False
    trust: Trust = Trust()
    behavior: Behavior = SOURCE_BEHAVIOR


class Workspace:
    """Opens sources, asks each what it offers, and assembles all under one policy.

    A source that cannot be reached does not stop the others, unless it is `required`.

    Args:
        members: toolkits, sources, and sources with options, in the order their tools are listed.
        policy: decides for every tool.
        approvals, journal, keep_inputs: as in `assemble`.
        on_problem: as in `assemble`.
        discover_within: seconds each source has to answer, all at the same time.

    Example:
        >>> from toolroll import CallContext, LocalToolkit, Policy, Rule, ToolCall, run_sync, tool
        >>> from toolroll.sources.http import http_source
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> async def main():
        ...     loans = http_source("loans", "https://loans.example", [])
        ...     members = [LocalToolkit("notes", note_count), loans]
        ...     async with Workspace(members, Policy([Rule("allow")])) as workspace:
        ...         return await workspace.kit.call(ToolCall.of("note_count", {}), CallContext())
        >>> run_sync(main).unwrap().data
        2
    """

    def __init__(
        self,
        members: Sequence[Toolkit[Any] | ToolSource | SourceMember],
        policy: Policy,
        *,
        approvals: Approvals | None = None,
        journal: Journal | None = None,
        keep_inputs: bool = False,
        on_problem: OnProblem = "raise",
        discover_within: float = 60.0,
    ) -> None:
        self._members = members
        self._policy = policy
        self._approvals, self._journal = approvals, journal
        self._keep_inputs = keep_inputs
        self._on_problem: OnProblem = on_problem
        self._within = discover_within
        self._stack = AsyncExitStack()
        self._kit: LiveToolkit[Any] | None = None
        self.report = Report()

    @property
    def kit(self) -> LiveToolkit[Any]:
        """The assembled toolkit; `refresh` swaps its tools.

        Raises:
            ConfigError: the workspace is not open.
        """
        if self._kit is None:
            raise ConfigError(
                "the workspace is not open; use it as `async with Workspace(...) as workspace`."
            )
        return self._kit

    async def __aenter__(self) -> Self:
        try:
            for source in map(_source_of, self._members):
                if source is not None:
                    self._stack.push_async_callback(_close, source)
                    await self._open(source)
            await self.refresh()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._stack.aclose()

    async def _open(self, source: ToolSource) -> None:
        """Open a source; one that cannot be opened says so when it is asked."""
        try:
            with anyio.move_on_after(self._within):
                await open_source(source)
        except Exception:
            _LOG.exception("source %s cannot be opened", source.name)

    async def refresh(self) -> Report:
        """Ask every source again and swap the tools; returns what was left out and why.

        Raises:
            SourceError: a required source cannot be asked.
            DefinitionError, NameClash: as `assemble`, with `on_problem="raise"`.
        """
        found, notes = await self._discover()
        members: list[Member] = []
        report = Report.of(notes)
        for member in self._members:
            source = _source_of(member)
            if source is None:
                members.append(cast("Toolkit[Any]", member))
            elif (discovery := found.get(id(source))) is not None:
                options = (
                    member if isinstance(member, SourceMember) else SourceMember(source=source)
                )
                members.append(
                    as_toolkit(
                        source,
                        discovery.definitions,
                        trust=options.trust,
                        behavior=options.behavior,
                    )
                )
                report += discovery.report
        kit = assemble(
            members,
            self._policy,
            approvals=self._approvals,
            journal=self._journal,
            keep_inputs=self._keep_inputs,
            on_problem=self._on_problem,
        )
        if self._kit is None:
            self._kit = LiveToolkit(kit)
        else:
            self._kit.swap(kit)
        self.report = report
        return report

    async def _discover(self) -> tuple[dict[int, Discovery], list[Note]]:
        found: dict[int, Discovery] = {}
        failed: dict[int, SourceError] = {}
        notes: list[Note] = []

        async def ask(source: ToolSource) -> None:
            try:
                with anyio.fail_after(self._within):
                    found[id(source)] = await source.discover()
            except SourceError as error:
                failed[id(source)] = error
            except TimeoutError:
                failed[id(source)] = SourceError(
                    source.name, "unavailable", f"no listing within {self._within:g} seconds"
                )
            except Exception as error:
                _LOG.exception("source %s has a defect", source.name)
                failed[id(source)] = SourceError(source.name, "source-error", repr(error))

        async with anyio.create_task_group() as tasks:
            for member in self._members:
                if (source := _source_of(member)) is not None:
                    tasks.start_soon(ask, source)
        for member in self._members:
            source = _source_of(member)
            error = failed.get(id(source)) if source is not None else None
            if source is None or error is None:
                continue
            if isinstance(member, SourceMember) and member.required:
                raise error
            _LOG.warning("source %s is left out: %s", source.name, error)
            notes.append(Note("unavailable", source.name, error.message, source.name))
        return found, notes


def _source_of(member: Toolkit[Any] | ToolSource | SourceMember) -> ToolSource | None:
    if isinstance(member, SourceMember):
        return member.source
    return cast("ToolSource", member) if hasattr(member, "discover") else None


async def _close(source: ToolSource) -> None:
    try:
        with anyio.move_on_after(10, shield=True):
            await source.aclose()
    except Exception:
        _LOG.exception("source %s did not close", source.name)
