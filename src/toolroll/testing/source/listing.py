"""What a listing promises."""

import json
from typing import cast

from toolroll.content import JsonObject
from toolroll.outcome import DefinitionError
from toolroll.testing.judging import PromiseBroken
from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.trial import Trial
from toolroll.tools import ToolDefinition
from toolroll.tools.naming import check_source_name


async def _name_fits(trial: Trial) -> None:
    async with trial.desk() as desk:
        try:
            check_source_name(desk.source.name)
        except DefinitionError as error:
            raise PromiseBroken(str(error)) from error


async def _is_data(trial: Trial) -> None:
    async with trial.desk() as desk:
        for definition in (await desk.discover()).definitions:
            try:
                text = json.dumps(definition.to_json(), allow_nan=False)
                again = ToolDefinition.from_json(cast("JsonObject", json.loads(text)))
            except (TypeError, ValueError, DefinitionError) as error:
                raise PromiseBroken(f"{definition.name!r} cannot be stored: {error}") from error
            if again.fingerprint != definition.fingerprint:
                raise PromiseBroken(f"{definition.name!r} is another tool when it is read back")


async def _names_differ(trial: Trial) -> None:
    async with trial.desk() as desk:
        names = [definition.name for definition in (await desk.discover()).definitions]
    if several := sorted({name for name in names if names.count(name) > 1}):
        raise PromiseBroken(f"listed more than once: {several}")


async def _repeats(trial: Trial) -> None:
    async with trial.desk() as desk:
        first = (await desk.discover()).definitions
        again = (await desk.discover()).definitions
    before, after = ([definition.name for definition in each] for each in (first, again))
    if before != after:
        raise PromiseBroken(f"first {before}, then {after}")
    for one, other in zip(first, again, strict=True):
        if one != other:
            raise PromiseBroken(f"{one.name!r} was another tool the second time")


CHECKS = (
    SourceCheck(
        name="name-fits",
        promise="The source's name can stand in a model name: lower case, at most 32 characters.",
        run=_name_fits,
    ),
    SourceCheck(
        name="listing-is-data",
        promise="Every definition can be stored as JSON and is the same tool when read back.",
        run=_is_data,
    ),
    SourceCheck(
        name="listing-names-differ", promise="No two tools have one name.", run=_names_differ
    ),
    SourceCheck(
        name="listing-repeats",
        promise="Listing again gives the same tools in the same order.",
        run=_repeats,
    ),
)
