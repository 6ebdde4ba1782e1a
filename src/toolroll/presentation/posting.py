"""What a tool says of itself, as postings: where each term stands and how much it counts there."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.presentation.word import FILLERS, runs, stem, words_of_run
from toolroll.toolkit.protocol import ListedTool
from toolroll.tools.definition import ToolDefinition

Searchable: TypeAlias = ToolDefinition | ListedTool
"""What an index takes: a definition, or a listed tool, which also knows its source."""

Postings: TypeAlias = "dict[str, tuple[array[int], array[float]]]"
"""Term -> places of tools in order, and how much the term counts there, 0 to 1."""

LONGEST_TEXT = 20_000
MOST_PROPERTIES = 500
_SATURATION = 1.2
"""How fast a word that stands there again stops to count more (`k1` of BM25)."""

_FILLER_TERMS = frozenset(stem(word) for word in FILLERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much a word counts by where it stands.

    Args:
        name, title, description, parameter, parameter_description, source: worth of one word there;
            0 leaves the field out.
        prefix: worth of a word that the query only begins, times how much of it the query spells.
        evenness: how far a long text is held against a tool, 0 to 1 (`b` of BM25).

    Example:
        >>> from toolroll.presentation import SearchIndex
        >>> tools = [
        ...     ToolDefinition(name="loan_list", description="Shows every book.", input_schema={}),
        ...     ToolDefinition(name="book_count", description="Says a number.", input_schema={}),
        ... ]
        >>> names_only = SearchIndex(tools, weights=Weights(description=0))
        >>> [tool.name for tool in names_only.search("book").tools]
        ['book_count']
    """

    name: float = 3.0
    title: float = 2.0
    description: float = 1.0
    parameter: float = 0.5
    parameter_description: float = 0.5
    source: float = 1.0
    prefix: float = 0.6
    evenness: float = 0.5


@dataclass(frozen=True, slots=True)
class _Field:
    """One field of every tool: its worth, whether it is prose, the terms and words of each tool."""

    worth: float
    prose: bool
    terms: list[list[str]] = field(default_factory=list[list[str]])
    lengths: list[int] = field(default_factory=list[int])

    @property
    def average(self) -> float:
        return max(1.0, sum(self.lengths) / max(1, len(self.lengths)))


class Reader:
    """Reads texts into terms; what it read once it knows. `vocabulary` is word -> term."""

    __slots__ = ("_known", "vocabulary")

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, ...]] = {}
        self.vocabulary: dict[str, str] = {}

    def terms(self, text: str, *, prose: bool) -> tuple[list[str], int]:
        """The terms of a text in order, in prose without the words that say nothing; how many
        words that is (`createIssue` has three terms, but is no longer than `create_issue`).
        """
        if not text:
            return [], 1
        found: list[str] = []
        whole = 0
        for run in runs(text[:LONGEST_TEXT]):
            terms = self._known.get(run) or self._learn(run)
            found += terms
            whole += len(terms) > 1
        if prose:
            found = [term for term in found if term not in _FILLER_TERMS]
        return found, max(1, len(found) - whole)

    def _learn(self, run: str) -> tuple[str, ...]:
        words = words_of_run(run)
        self.vocabulary.update((word, stem(word)) for word in words if word not in self.vocabulary)
        self._known[run] = terms = tuple(self.vocabulary[word] for word in words)
        return terms


def names_of(tool: Searchable) -> tuple[str, str, str]:
    """The model's name, the source and the name there.

    A definition alone may hold its source in the name: `loans__find` is `find` of `loans`.
    """
    if isinstance(tool, ListedTool):
        return tool.name, tool.source, tool.origin or tool.name
    source, mark, origin = tool.name.partition("__")
    return (tool.name, source, origin) if mark and source and origin else (tool.name, "", tool.name)


def build_postings(
    tools: Sequence[Searchable], weights: Weights
) -> tuple[Postings, dict[str, str]]:
    """Index tools in one pass over their texts and one over their terms.

    Returns:
        the postings, and word -> term of every word in them.
    """
    reader = Reader()
    fields = _read(tools, weights, reader)
    worths = [(one, one.worth, one.average) for one in fields if one.worth]
    postings: Postings = {}
    for at in range(len(tools)):
        counted: dict[str, float] = {}
        for one, worth, average in worths:
            each = worth / (1 - weights.evenness + weights.evenness * one.lengths[at] / average)
            for term in one.terms[at]:
                counted[term] = counted.get(term, 0.0) + each
        for term, sum_there in counted.items():
            held = postings.get(term)
            if held is None:
                held = postings[term] = (array("I"), array("f"))
            held[0].append(at)
            held[1].append(sum_there / (_SATURATION + sum_there))
    return postings, {word: term for word, term in reader.vocabulary.items() if term in postings}


def _read(tools: Iterable[Searchable], weights: Weights, reader: Reader) -> tuple[_Field, ...]:
    fields = (
        _Field(weights.name, False),
        _Field(weights.title, False),
        _Field(weights.description, True),
        _Field(weights.parameter, False),
        _Field(weights.parameter_description, True),
        _Field(weights.source, False),
    )
    for tool in tools:
        definition = tool.definition if isinstance(tool, ListedTool) else tool
        _, source, origin = names_of(tool)
        names, texts = _properties(definition.input_schema)
        written = (origin, definition.title or "", definition.description, names, texts, source)
        for one, text in zip(fields, written, strict=True):
            terms, length = reader.terms(text, prose=one.prose)
            one.terms.append(terms)
            one.lengths.append(length)
    return fields


def _properties(schema: JsonObject) -> tuple[str, str]:
    """Names and descriptions of the properties of a schema, near ones first, at most 500."""
    names: list[str] = []
    texts: list[str] = []
    waiting: list[JsonValue] = [schema]
    for node in waiting:
        if not isinstance(node, Mapping):
            continue
        text = node.get("description")
        if node is not schema and isinstance(text, str):
            texts.append(text)
        held = node.get("properties")
        if isinstance(held, Mapping):
            taken = list(held.items())[: MOST_PROPERTIES - len(names)]
            names += [name for name, _ in taken]
            waiting += [below for _, below in taken]
        if "items" in node and len(waiting) < 2 * MOST_PROPERTIES:
            waiting.append(node["items"])
    return " ".join(names), " ".join(texts)
