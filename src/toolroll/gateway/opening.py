"""From a configuration to a toolkit that is open."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolroll.assembly import Policy, Rule, Workspace
from toolroll.gateway.config import Config
from toolroll.gateway.member import open_member
from toolroll.outcome import ApprovalRequest, Report
from toolroll.ports.approvals import ApprovalAnswer, Approvals
from toolroll.presentation.finding import search
from toolroll.store import MemoryJournal, ReadableJournal, open_store
from toolroll.toolkit.protocol import Toolkit


@dataclass(frozen=True, slots=True, kw_only=True)
class Gateway:
    """An open gateway.

    Args:
        kit: the tools as they are presented.
        workspace: the tools as they are assembled, and what was left out.
        journal: what was called.
    """

    kit: Toolkit[Any]
    workspace: Workspace
    journal: ReadableJournal

    @property
    def report(self) -> Report:
        """What was left out and why."""
        return self.workspace.report


class _Nobody:
    """Nobody is asked: every call that needs a yes is refused."""

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        return "nobody"


@asynccontextmanager
async def open_gateway(
    config: Config, folder: Path, *, approvals: Approvals | None = None
) -> AsyncGenerator[Gateway]:
    """Open every source of a configuration, assemble and present; close all at the end.

    Args:
        config: from `load_config`.
        folder: where its relative paths begin.
        approvals: asks a person, where the configuration does not say `store`; None leaves it to
            the host that serves.

    Raises:
        ConfigError, DefinitionError: the configuration or a tool in it is wrong.
        SourceError: a required source cannot be reached.
    """
    async with AsyncExitStack() as stack:
        keep = config.store.keep_inputs
        journal: ReadableJournal = MemoryJournal(keep_inputs=keep)
        if config.store.path is not None:
            store = await stack.enter_async_context(
                open_store(
                    folder / config.store.path,
                    keep_inputs=keep,
                    approvals_expire=config.approvals.expires,
                )
            )
            journal = store.journal
            if config.approvals.ask == "store":
                approvals = store.approvals
        if config.approvals.ask == "nobody":
            approvals = _Nobody()
        members = [
            await open_member(name, source, folder) for name, source in config.sources.items()
        ]
        workspace = await stack.enter_async_context(
            Workspace(
                members,
                policy_of(config),
                approvals=approvals,
                journal=journal,
                keep_inputs=keep,
                on_problem="skip",
            )
        )
        presentation = config.presentation
        kit: Toolkit[Any] = workspace.kit
        if presentation.mode == "search":
            kit = search(kit, limit=presentation.limit)
        yield Gateway(kit=kit, workspace=workspace, journal=journal)


def policy_of(config: Config) -> Policy:
    """The rules of a configuration as a policy."""
    return Policy(
        (
            Rule(
                rule.decision,
                source=rule.source,
                tools=tuple(rule.tools),
                unless=tuple(rule.unless),
                hints={str(hint): value for hint, value in rule.hints.items()}
                if rule.hints
                else None,
                principal=rule.principal,
            )
            for rule in config.policy.rules
        ),
        undecided=config.policy.undecided,
    )
