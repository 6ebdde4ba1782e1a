"""What a provider allows all strict tools of one request together."""

from collections.abc import Iterator
from dataclasses import dataclass

from toolroll.content import JsonValue
from toolroll.providers.limit import ProviderLimits
from toolroll.schema.walk import as_list, as_mapping, places


@dataclass(slots=True, kw_only=True)
class Spent:
    """What strict tools take of the allowance.

    Args:
        tools: how many they are.
        optionals: their optional properties, at every depth.
        unions: their schemas with several types or with `anyOf`.
    """

    tools: int = 0
    optionals: int = 0
    unions: int = 0

    def with_tool(self, schema: JsonValue) -> "Spent":
        """The same with one tool more.

        Example:
            >>> Spent().with_tool({"properties": {"a": {"type": ["string", "null"]}}})
            Spent(tools=1, optionals=1, unions=1)
        """
        spent = Spent(tools=self.tools + 1, optionals=self.optionals, unions=self.unions)
        for place in places(schema):
            node = place.mapping or {}
            named = as_list(node.get("required")) or ()
            spent.optionals += sum(
                name not in named for name in as_mapping(node.get("properties")) or {}
            )
            spent.unions += as_list(node.get("type")) is not None or "anyOf" in node
        return spent

    def over(self, limits: ProviderLimits) -> Iterator[str]:
        """What is more than the provider takes, each in words."""
        for count, most, what in (
            (self.tools, limits.strict_tools, "strict tools"),
            (self.optionals, limits.strict_optionals, "optional properties of strict tools"),
            (self.unions, limits.strict_unions, "unions in strict tools"),
        ):
            if most is not None and count > most:
                yield f"{count} {what} are more than the {most} of one request"
