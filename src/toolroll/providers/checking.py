"""Which tools a provider would refuse, and why, before they are sent."""

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.dialects.fault import Mode, faults
from toolroll.outcome import DefinitionError, Note, Report
from toolroll.providers.budget import Spent
from toolroll.providers.limit import ProviderLimits
from toolroll.providers.naming import fits
from toolroll.tools.definition import ToolDefinition

Checked: TypeAlias = ToolDefinition | JsonObject
"""A definition, checked as if its schema were sent as it is; or a tool of a request."""

REFUSED = "refused"
"""Kind of a note about a tool the provider would refuse."""


CheckRow: TypeAlias = tuple[str, JsonValue, Mode]
"""Name on the wire, schema as sent, and the mode it is sent in."""

NO_PARAMETERS: JsonObject = {"type": "object", "properties": {}}
"""What a tool without a schema counts as, where the provider lets it be left out."""


Rows: TypeAlias = Callable[[JsonObject], Iterable[CheckRow]]
"""A tool of a request as rows: none for one that the provider itself brings."""


def check_tools(
    tools: Iterable[Checked], limits: ProviderLimits, plain: Mode, rows: Rows
) -> Report:
    """Check the tools of one request.

    Args:
        tools: definitions, checked as if their schemas were sent as they are; or the `tools` of a
            request. Tools that the provider itself brings are passed over.
        limits: of the provider.
        plain: the mode of a definition.
        rows: how the provider's tools are read.

    Returns:
        A note of the kind `refused` for each fault, with the tool as its subject; a `warning` where
        all of them together are too many.
    """
    listed: list[CheckRow] = []
    for tool in tools:
        if isinstance(tool, ToolDefinition):
            listed.append((tool.name, tool.input_schema, plain))
        else:
            listed.extend(rows(tool))
    notes: list[Note] = []
    names = Counter(name for name, _, _ in listed)
    for name, schema, mode in listed:
        subject = name or "(unnamed)"
        reasons = [*_name_faults(name, names[name], limits), *_schema_faults(schema, mode)]
        notes.extend(Note(REFUSED, subject, reason) for reason in reasons)
    notes.extend(_too_many(listed, limits))
    return Report.of(notes)


def _name_faults(name: str, times: int, limits: ProviderLimits) -> Iterable[str]:
    if not fits(name, limits):
        yield (
            f"the name does not match {limits.name.pattern} within {limits.name_length} characters"
        )
    if times > 1:
        yield f"{times} tools have this name"


def _schema_faults(schema: JsonValue, mode: Mode) -> Iterable[str]:
    if not isinstance(schema, Mapping):
        yield "the schema is no object"
        return
    try:
        found = faults(schema, mode)
    except DefinitionError as error:
        yield str(error)
        return
    for fault in found:
        yield f"{fault.pointer or '/'}: {fault.reason}"


def _too_many(listed: list[CheckRow], limits: ProviderLimits) -> Iterable[Note]:
    if limits.tools is not None and len(listed) > limits.tools:
        reason = f"{len(listed)} tools are more than the {limits.tools} of one request"
        yield Note("warning", limits.provider, reason)
    spent = Spent()
    for _, schema, mode in listed:
        if mode.endswith("_strict"):
            with contextlib.suppress(DefinitionError):  # too large, which is told of the tool
                spent = spent.with_tool(schema)
    for reason in spent.over(limits):
        yield Note("warning", limits.provider, reason)
