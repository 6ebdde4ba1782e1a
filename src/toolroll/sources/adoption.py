"""A source's tools as a toolkit."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from toolroll.content import ToolResult
from toolroll.outcome import Note, Report
from toolroll.schema import result_writer, schema_reader
from toolroll.sources.source import SourceError, ToolSource
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.tools.behavior import Behavior
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.gate import AnyContext
from toolroll.tools.tool import AnyTool, Bound, Tool

if TYPE_CHECKING:
    from toolroll.schema.reading import InputReader, ResultWriter


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How far a source's own word is believed. The default is not at all.

    Args:
        hints: its hints may loosen a policy, and mark a timed-out call as safe to repeat.

    Example:
        >>> from toolroll import CallContext, Hints, Policy, Rule, assemble
        >>> from toolroll.sources.mcp import mcp_http
        >>> stored = ToolDefinition(
        ...     name="loan_list",
        ...     description="Lists loans.",
        ...     input_schema={"type": "object"},
        ...     hints=Hints(read_only=True),
        ... )
        >>> loans = mcp_http("loans", "https://mcp.example/mcp")
        >>> policy = Policy([Rule("allow", hints={"read_only": True})], undecided="approve")
        >>> for trust in (Trust(), Trust(hints=True)):
        ...     kit = assemble([as_toolkit(loans, [stored], trust=trust)], policy)
        ...     print(kit.listing(CallContext()).tools[0].decision)
        approve
        allow
    """

    hints: bool = False


SOURCE_BEHAVIOR = Behavior(
    timeout=300.0,
    concurrency_safe=True,
    limit=200_000,
)
"""How an imported tool is run unless told otherwise: the source holds its own, shorter limits."""


class SourceToolkit(SnapshotToolkit[object]):
    """The tools of one source; made by `as_toolkit`.

    Example:
        >>> from toolroll import CallContext
        >>> from toolroll.sources.mcp import mcp_http
        >>> kit = as_toolkit(mcp_http("loans", "https://mcp.example/mcp"), [])
        >>> kit.name, len(kit.listing(CallContext()).tools)
        ('loans', 0)
    """

    __slots__ = ("_snapshot", "name")

    def __init__(self, name: str, snapshot: Snapshot) -> None:
        self.name = name
        self._snapshot = snapshot

    def snapshot(self, context: AnyContext, /) -> Snapshot:
        """The tools; always the same."""
        return self._snapshot


def as_toolkit(
    source: ToolSource,
    definitions: Iterable[ToolDefinition],
    *,
    trust: Trust = Trust(),
    behavior: Behavior = SOURCE_BEHAVIOR,
) -> SourceToolkit:
    """One callable tool for each definition. Contacts nothing.

    Inputs are held to the stored schema, but foreign patterns and formats are left to the source;
    a schema that cannot be made a check holds its input to "an object". The source gets the input
    as the model gave it, or as it was repaired, which the outcome reports.

    Args:
        source: where the calls go.
        definitions: from its `discover`, now or from a store.
        trust: how far its hints are believed.
        behavior: how its tools are run.

    Raises:
        DefinitionError: a definition that no call could fit.
        TypeError: `trust` is no `Trust`.

    A later definition of a name that is taken is left out, with a note in the listing's report.

    Example:
        >>> from toolroll import CallContext
        >>> from toolroll.sources.mcp import mcp_http
        >>> stored = ToolDefinition(
        ...     name="loan_list", description="Lists loans.", input_schema={"type": "object"}
        ... )
        >>> kit = as_toolkit(mcp_http("loans", "https://mcp.example/mcp"), [stored])
        >>> [tool.name for tool in kit.listing(CallContext()).tools]
        ['loan_list']
    """
    if not isinstance(cast("object", trust), Trust):
        said = type(trust).__name__
        raise TypeError(f"as_toolkit: trust must be a Trust, not {said}; write Trust(hints=True).")
    tools: dict[str, AnyTool] = {}
    notes: list[Note] = []
    for definition in definitions:
        if definition.name in tools:
            notes.append(
                Note(
                    "skipped", definition.name, "its name is taken by an earlier tool", source.name
                )
            )
            continue
        tools[definition.name] = _adopt(source, definition, trust, behavior)
    snapshot = Snapshot(tools.values(), Report.of(notes), owners={source.name: source})
    return SourceToolkit(source.name, snapshot)


def _adopt(
    source: ToolSource, definition: ToolDefinition, trust: Trust, behavior: Behavior
) -> AnyTool:
    reader: InputReader = schema_reader(definition.input_schema, authored=False)
    writer: ResultWriter = result_writer(None)
    return Tool(
        definition=definition,
        reader=reader,
        writer=writer,
        handler=partial(_call, source, definition),
        is_async=True,
        behavior=behavior,
        source=source.name,
        origin=definition.name,
        imported=True,
        trusted=trust.hints,
    )


async def _call(
    source: ToolSource, definition: ToolDefinition, bound: Bound, context: AnyContext
) -> ToolResult:
    try:
        return await source.call(definition, bound, context)  # type: ignore[arg-type]
    except SourceError:
        raise
    except Exception as error:
        # A source raises SourceError and nothing else; this is a defect of the source.
        raise SourceError(
            source.name, "source-error", f"{type(error).__name__}: {error}"
        ) from error
