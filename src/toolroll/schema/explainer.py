"""Why a value does not fit a schema: every fault, in time that grows with schema and value only.

The verdict is jsonschema-rs's alone (`Check.accepts`). What it reports of a refusal grows without
bound where unions recur, so the faults are looked for here: keywords that apply other schemas are
followed one by one, each pair of schema and place once; assertions are asked of jsonschema-rs.

Source: JSON Schema 2020-12 core §10, §11; drafts 2019-09, 7, 6 and 4 where they differ.
"""

from collections.abc import Iterator, Mapping

from toolroll.content import JsonObject, JsonValue
from toolroll.schema.assertion import Asserts
from toolroll.schema.fault import Fault, faults_of_union
from toolroll.schema.part import PartVisit
from toolroll.schema.refs import Resolver
from toolroll.schema.spot import Spot, fault_at
from toolroll.schema.visit import Viewed
from toolroll.schema.walk import as_list, as_mapping
from toolroll.schema.wording import say_plain


class Explainer:
    """Explains the refusals of one schema.

    Args:
        schema: the whole schema, as plain JSON.
        draft: 4, 6, 7, 2019 or 2020.
        asserts: asks jsonschema-rs.
        messages: own words for faults, by pointer of the schema of the place.
    """

    def __init__(
        self, schema: JsonValue, draft: int, asserts: Asserts, messages: Mapping[str, str]
    ) -> None:
        self._schema = schema
        self._viewed = Viewed(
            draft=draft,
            asserts=asserts,
            messages=messages,
            resolver=Resolver(as_mapping(schema) or {}),
            sights={},
        )

    def explain(self, value: JsonValue, most: int) -> list[Fault]:
        """Every fault of a value that was refused; empty where none can be named.

        Args:
            value: the value, as plain JSON.
            most: pairs of schema and place looked at; faults beyond are not found, and where no
                other is, that is said.
        """
        visit = _WholeVisit(self._viewed, most)
        try:
            found = list(visit.faults(self._schema, Spot("", value, ())))
            return found or ([_too_much(most)] if visit.is_cut else [])
        except RecursionError:
            return []  # schema and value go deeper together than Python does


def _too_much(most: int) -> Fault:
    problem = (
        f"is too large to be explained whole: the first {most} places looked at "
        "(Limits.explained) hold no fault; send less at once"
    )
    return Fault(parts=(), keyword="", problem=problem)


class _WholeVisit(PartVisit):
    """Adds the keywords that apply other schemas to the same value."""

    def branches(self, schema: JsonObject, spot: Spot) -> Iterator[Fault]:
        """The faults by the schemas that a schema applies to the same value."""
        for index, part in enumerate(as_list(schema.get("allOf")) or []):
            yield from self.faults(part, spot.at(f"/allOf/{index}"))
        yield from self._union(schema, "anyOf", spot)
        yield from self._union(schema, "oneOf", spot)
        if "not" in schema and self.fits(schema["not"], spot.at("/not")):
            yield fault_at(spot, "not", say_plain("not"))
        if "if" in schema:
            branch = "then" if self.fits(schema["if"], spot.at("/if")) else "else"
            yield from self.faults(schema.get(branch, True), spot.at(f"/{branch}"))

    def _union(self, schema: JsonObject, keyword: str, spot: Spot) -> Iterator[Fault]:
        branches = as_list(schema.get(keyword))
        if branches is None:
            return
        found = [self.faults(part, spot.at(f"/{keyword}/{i}")) for i, part in enumerate(branches)]
        fitting = sum(1 for faults in found if not faults)
        if not fitting:
            whole = fault_at(spot, keyword, say_plain(keyword))
            yield from faults_of_union(spot.parts, found, whole)
        elif fitting > 1 and keyword == "oneOf":
            yield fault_at(spot, keyword, say_plain(keyword))
