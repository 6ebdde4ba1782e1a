"""Tools and sources as the cases describe them, which note what reaches them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from toolroll import CallContext, LocalToolkit, Toolkit, ToolResult, define_tool
from toolroll.content import JsonObject, Text
from toolroll.outcome import BadOutcome, Outcome
from toolroll.sources import Discovery, SourceError, as_toolkit
from toolroll.tools import Hints, Tool, ToolDefinition

NOBODY: CallContext[Any] = CallContext()
EMPTY: JsonObject = {"type": "object", "properties": {}}
_UNSAID = Hints()


def definition(
    name: str,
    schema: JsonObject = EMPTY,
    *,
    description: str = "Does it.",
    hints: Hints = _UNSAID,
) -> ToolDefinition:
    """A definition as a source lists it."""
    return ToolDefinition(name=name, description=description, input_schema=schema, hints=hints)


class NotingSource:
    """A source in this process: lists what it was given, answers `done`, keeps what it is sent.

    Args:
        name: of the source.
        definitions: what it lists.
        fault: why it cannot list, "" where it can.
    """

    def __init__(
        self, name: str, definitions: Iterable[ToolDefinition] = (), *, fault: str = ""
    ) -> None:
        self.name, self.definitions, self._fault = name, tuple(definitions), fault
        self.sent: list[tuple[str, JsonObject]] = []

    async def discover(self, context: CallContext[object] | None = None, /) -> Discovery:
        if self._fault:
            raise SourceError(self.name, "unavailable", self._fault)
        return Discovery(definitions=self.definitions)

    async def call(
        self, definition: ToolDefinition, input: JsonObject, context: CallContext[object], /
    ) -> ToolResult:
        self.sent.append((definition.name, input))
        return ToolResult(content=(Text("done"),))

    async def aclose(self) -> None:
        """Nothing is held."""


def noting_tool(name: str, schema: JsonObject, got: list[JsonObject]) -> Tool[Any, ..., object]:
    """An authored tool that notes its inputs in `got`; its schema is closed, as authored ones are."""

    def run(input: JsonObject) -> str:
        got.append(input)
        return "done"

    # A tool without parameters takes any filler, and says so by having no word on further keys.
    closed = {"additionalProperties": False, **schema} if schema["properties"] else schema
    return define_tool(definition(name, closed, hints=Hints.of_effect("write")), run)


def noting_kit(
    schema: JsonObject, origin: str, got: list[JsonObject]
) -> tuple[str, Toolkit[Any], Sequence[JsonObject]]:
    """A toolkit of one tool, local or imported: its name, the toolkit, the inputs that arrive."""
    if origin == "local":
        return "op", LocalToolkit("pains", noting_tool("op", schema, got)), got
    source = NotingSource("pains", [definition("op", schema)])
    return "op", as_toolkit(source, source.definitions), _Inputs(source)


class _Inputs(Sequence[JsonObject]):
    """The inputs that a source was sent."""

    def __init__(self, source: NotingSource) -> None:
        self._source = source

    def __getitem__(self, at: Any) -> Any:
        return [input for _, input in self._source.sent][at]

    def __len__(self) -> int:
        return len(self._source.sent)


def told(outcome: Outcome) -> str:
    """All a model reads of an outcome, as one text."""
    return "\n".join(block.text for block in outcome.for_model() if isinstance(block, Text))


def code_of(outcome: Outcome) -> str:
    """The code of an outcome, "" for a good one."""
    return outcome.code if isinstance(outcome, BadOutcome) else ""


def says_all(text: str, words: Iterable[str]) -> bool:
    """Whether a text contains every word; commas in numbers do not count."""
    plain = text.replace(",", "")
    return all(word in text or word in plain for word in words)


def check_failure(outcome: Outcome, wanted: Mapping[str, Any]) -> None:
    """Hold a bad outcome to the words of an expectation: outcome, code, says, must_not_say."""
    assert outcome.kind == wanted["outcome"]
    assert code_of(outcome) == wanted.get("code", code_of(outcome))
    assert says_all(told(outcome), wanted.get("says", ())), told(outcome)
    for word in wanted.get("must_not_say", ()):
        assert word not in told(outcome)
