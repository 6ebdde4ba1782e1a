"""What a toolkit's listing promises."""

import json
from typing import cast

from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.toolkit.check import ToolkitCheck
from toolroll.testing.toolkit.exam import ToolkitTrial
from toolroll.tools import ToolDefinition


async def _repeats(trial: ToolkitTrial) -> None:
    first, again = trial.listing(), trial.listing()
    before, after = ([tool.name for tool in each.tools] for each in (first, again))
    if before != after:
        raise PromiseBroken(f"first {before}, then {after}")
    if first.revision != again.revision:
        raise PromiseBroken(f"equal tools, revision {first.revision!r}, then {again.revision!r}")


async def _names_differ(trial: ToolkitTrial) -> None:
    names = [tool.name for tool in trial.listing().tools]
    if several := sorted({name for name in names if names.count(name) > 1}):
        raise PromiseBroken(f"listed more than once: {several}")


async def _is_data(trial: ToolkitTrial) -> None:
    for tool in trial.listing().tools:
        try:
            text = json.dumps(tool.definition.to_json(), allow_nan=False)
            again = ToolDefinition.from_json(cast("JsonObject", json.loads(text)))
        except (TypeError, ValueError, DefinitionError) as error:
            raise PromiseBroken(f"{tool.name!r} cannot be stored: {error}") from error
        if again.to_json() != tool.definition.to_json():
            raise PromiseBroken(f"{tool.name!r} is another tool when it is read back")


CHECKS = (
    ToolkitCheck(
        name="listing-repeats",
        promise="Listing again gives the same tools in the same order, and the same revision.",
        run=_repeats,
    ),
    ToolkitCheck(
        name="listing-names-differ", promise="No two tools have one name.", run=_names_differ
    ),
    ToolkitCheck(
        name="listing-is-data",
        promise="Every definition can be stored as JSON and is the same tool when read back.",
        run=_is_data,
    ),
)
