"""From members and a policy to one toolkit."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal, TypeAlias

from toolroll.assembly.policy import Policy
from toolroll.outcome import DefinitionError, NameClash, Note, Report
from toolroll.ports.approvals import Approvals
from toolroll.ports.journal import Journal
from toolroll.sources.adoption import as_toolkit
from toolroll.sources.source import ToolSource
from toolroll.toolkit.derived import DerivedToolkit
from toolroll.toolkit.protocol import Toolkit
from toolroll.toolkit.snapshot import Snapshot, join, namesakes, namesakes_error
from toolroll.tools.context import CallContext
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import AnyContext, Decision, Gates
from toolroll.tools.naming import LONGEST, SHORTEST_LIMIT, model_name
from toolroll.tools.tool import AnyTool

Member: TypeAlias = Toolkit[Any] | tuple[ToolSource, Iterable[ToolDefinition]]
OnProblem: TypeAlias = Literal["raise", "skip"]


def assemble(
    members: Sequence[Member],
    policy: Policy,
    *,
    approvals: Approvals | None = None,
    journal: Journal | None = None,
    keep_inputs: bool = False,
    max_name_length: int = LONGEST,
    on_problem: OnProblem = "raise",
) -> DerivedToolkit[Any]:
    """One toolkit under one policy: model names, blocked tools gone, some calls asked about.

    Contacts nothing and closes nothing. Live members stay live: a change of theirs is assembled
    again when it is seen.

    Args:
        members: toolkits, or sources with the definitions to use.
        policy: decides for every tool; there is no default.
        approvals: asks a person; without it such a call ends as `NeedsApproval`.
        journal: records every call.
        keep_inputs: the journal gets the inputs themselves, not only their digests.
        max_name_length: most characters of a model name, at least 16.
        on_problem: `raise`, or `skip` the tools concerned, with a note.

    Raises:
        DefinitionError: tools that no rule speaks of (all are listed); different members of one
            name; a limit that is too small.
        NameClash: several tools want one name; all clashes are listed.

    Example:
        >>> from toolroll import LocalToolkit, Rule, ToolDefinition, tool
        >>> from toolroll.sources.mcp import mcp_http
        >>> @tool(effect="read")
        ... def note_count() -> int:
        ...     '''Say how many notes there are.'''
        ...     return 2
        >>> stored = ToolDefinition(
        ...     name="loan_list", description="Lists loans.", input_schema={"type": "object"}
        ... )
        >>> loans = (mcp_http("loans", "https://mcp.example/mcp"), [stored])
        >>> policy = Policy([Rule("allow", source="notes"), Rule("approve", source="loans")])
        >>> kit = assemble([LocalToolkit("notes", note_count), loans], policy)
        >>> [(tool.name, tool.decision) for tool in kit.listing(CallContext()).tools]
        [('note_count', 'allow'), ('loans__loan_list', 'approve')]
    """
    if max_name_length < SHORTEST_LIMIT:
        raise DefinitionError(
            f"max_name_length is {max_name_length}; it must be at least {SHORTEST_LIMIT}."
        )
    kits = [as_toolkit(*member) if isinstance(member, tuple) else member for member in members]
    gates = Gates(approvals=approvals, journal=journal, keep_input=keep_inputs)

    def together(snapshots: Sequence[Snapshot]) -> Snapshot:
        return _assemble(snapshots, policy, gates, max_name_length, on_problem)

    assembled: DerivedToolkit[Any] = DerivedToolkit(together, *kits)
    assembled.snapshot(CallContext())  # problems show here, not at the first call
    return assembled


def _assemble(
    snapshots: Sequence[Snapshot], policy: Policy, gates: Gates, limit: int, on_problem: OnProblem
) -> Snapshot:
    alike = namesakes(snapshots)
    if alike and on_problem == "raise":
        raise namesakes_error(alike)
    out = set(alike)
    tools = [
        tool
        for at, snapshot in enumerate(snapshots)
        for tool in snapshot.tools.values()
        if (at, tool.source) not in out
    ]
    notes = policy.unmatched((tool.source, _origin(tool), _given_name(tool)) for tool in tools)
    notes.extend(
        Note("skipped", name, "another toolkit or source has this name", name) for _, name in alike
    )
    governed: list[AnyTool] = []
    undecided: list[AnyTool] = []
    for tool in tools:
        decision = _decide(policy, tool, None)
        if decision is None and not policy.depends_on_principal:
            undecided.append(tool)
            continue
        if decision == "block" and not policy.depends_on_principal:
            notes.append(Note("blocked", _origin(tool), "the policy blocks it", tool.source))
            continue
        governed.append(_govern(tool, policy, gates, decision, limit))
    if undecided:
        names = ", ".join(f"{tool.source}/{_origin(tool)}" for tool in undecided)
        if on_problem == "raise":
            raise DefinitionError(
                f"no rule speaks of: {names}. "
                "Add a rule for each, or give the policy undecided='block'."
            )
        notes.extend(
            Note("skipped", _origin(tool), "no rule speaks of it", tool.source)
            for tool in undecided
        )
    governed, clashes = _without_clashes(governed)
    if clashes and on_problem == "raise":
        raise NameClash(clashes)
    notes.extend(
        Note("skipped", tool, f"the name {name} is taken", source)
        for name, owners in clashes.items()
        for source, tool in owners[1:]
    )
    notes.extend(
        Note("renamed", _origin(tool), f"the model sees {tool.name}", tool.source)
        for tool in governed
        if tool.imported and tool.name != f"{tool.source}__{_origin(tool)}"
    )
    return join(snapshots, governed, Report.of(notes))


def _govern(
    tool: AnyTool, policy: Policy, gates: Gates, decision: Decision | None, limit: int
) -> AnyTool:
    own = tool.gates
    carried = replace(
        own,
        # A port may count as false, as an empty list of records does.
        approvals=own.approvals if gates.approvals is None else gates.approvals,
        journal=own.journal if gates.journal is None else gates.journal,
        keep_input=gates.keep_input or own.keep_input,
    )
    if policy.depends_on_principal:

        def decide(context: AnyContext) -> Decision:
            return _decide(policy, tool, context) or "block"

        carried = carried.and_decide(decide)
    elif decision == "approve":
        carried = replace(carried, always="approve")
    governed = tool.with_gates(carried)
    if tool.imported:
        return governed.with_name(model_name(tool.source, _origin(tool), limit))
    if len(tool.name) > limit:
        return governed.with_name(_cut(tool, limit))
    return governed


def _cut(tool: AnyTool, limit: int) -> str:
    return model_name(tool.source or "local", tool.name, limit)


def _decide(policy: Policy, tool: AnyTool, context: AnyContext | None) -> Decision | None:
    return policy.explain(
        tool.source,
        _origin(tool),
        tool.definition.hints,
        trusted=tool.trusted,
        principal=context.principal if context is not None else None,
        name=_given_name(tool),
    ).decision


def _given_name(tool: AnyTool) -> str:
    """The name a host gave an authored or presented tool before; a rule may be written for it."""
    return "" if tool.name == _origin(tool) else tool.name


def _origin(tool: AnyTool) -> str:
    return tool.origin or tool.name


def _without_clashes(
    tools: Sequence[AnyTool],
) -> tuple[list[AnyTool], dict[str, tuple[tuple[str, str], ...]]]:
    """The first tool of each name, and who else wanted it."""
    owners: dict[str, list[AnyTool]] = {}
    for tool in tools:
        owners.setdefault(tool.name, []).append(tool)
    clashes = {
        name: tuple((tool.source, _origin(tool)) for tool in wanting)
        for name, wanting in owners.items()
        if len(wanting) > 1
    }
    return [wanting[0] for wanting in owners.values()], clashes
