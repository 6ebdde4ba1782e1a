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

    Example:
        >>> from toolroll import run_sync
        >>> from toolroll.gateway import read_config
        >>> async def main():
        ...     async with open_gateway(read_config({}, "toolroll.toml"), Path()) as gateway:
        ...         return gateway.report.notes, (await gateway.journal.read()).entries
        >>> run_sync(main)
        ((), ())
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
    config: Config, folder: Path, *, approvals: Approvals | None = None, sends: bool = True
) -> AsyncGenerator[Gateway]:
    """Open every source of a configuration, assemble and present; close all at the end.

    Args:
        config: from `load_config`.
        folder: where its relative paths begin.
        approvals: asks a person, where the configuration does not say `store`; None leaves it to
            the host that serves.
        sends: False where tools are shown and none is called: an OpenAPI document then needs no
            `base_url`, and a note says so.

    Raises:
        ConfigError, DefinitionError: the configuration or a tool in it is wrong.
        SourceError: a required source cannot be reached.

    Example:
        >>> from toolroll import CallContext, run_sync
        >>> from toolroll.gateway import read_config
        >>> config = read_config({"presentation": {"mode": "search"}}, "toolroll.toml")
        >>> async def main():
        ...     async with open_gateway(config, Path()) as gateway:
        ...         return [tool.name for tool in gateway.kit.listing(CallContext()).tools]
        >>> run_sync(main)
        ['tool_search', 'tool_call']
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
            await open_member(name, source, folder, sends=sends)
            for name, source in config.sources.items()
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
    """The rules of a configuration as a policy.

    Example:
        >>> from toolroll.gateway import read_config
        >>> allow = {"decision": "allow", "tools": ["list_*"]}
        >>> config = read_config({"policy": {"rules": [allow]}}, "toolroll.toml")
        >>> policy_of(config).rules[0].tools
        ('list_*',)
    """
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
