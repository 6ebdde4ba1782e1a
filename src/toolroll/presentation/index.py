"""A search index over tools: words in, the tools that fit best out.

BM25F (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009,
section 3.6) over the fields of a definition, with prefixes. Pure: no I/O, no clock.
"""

import heapq
import math
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar

from toolroll.presentation.posting import Searchable, Weights, build_postings, names_of
from toolroll.presentation.word import FILLERS, spelled, stem, words
from toolroll.tools.definition import ToolDefinition

ItemT = TypeVar("ItemT", bound=Searchable, default=ToolDefinition)

DEFAULT_LIMIT = 5
MOST = 20
LONGEST_QUERY = 2_000
MOST_WORDS = 32
_FILLER_WORTH = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer(Generic[ItemT]):
    """What a search found.

    Args:
        tools: the best, best first.
        matched: how many tools fit at all.
        available: how many there are.

    Example:
        >>> names = ("note_read", "note_write", "loan_list")
        >>> tools = [ToolDefinition(name=name, description="", input_schema={}) for name in names]
        >>> answer = SearchIndex(tools).search("note", limit=1)
        >>> [tool.name for tool in answer.tools], answer.matched, answer.available
        (['note_read'], 2, 3)
    """

    tools: tuple[ItemT, ...]
    matched: int
    available: int


class SearchIndex(Generic[ItemT]):
    """Finds tools by words.

    Args:
        tools: definitions, or listed tools (which know their source); an answer holds them as they
            were given.
        most: no answer is longer, whatever its caller asks for.
        weights: how much a word counts by where it stands.

    Example:
        >>> names = ("list_issues", "createIssue")
        >>> tools = [ToolDefinition(name=name, description="", input_schema={}) for name in names]
        >>> index = SearchIndex(tools)
        >>> [found.name for found in index.search("create iss").tools]
        ['createIssue', 'list_issues']
    """

    def __init__(
        self, tools: Iterable[ItemT], *, most: int = MOST, weights: Weights | None = None
    ) -> None:
        self._tools = tuple(tools)
        self._most = max(1, most)
        self._weights = weights or Weights()
        self._postings, vocabulary = build_postings(self._tools, self._weights)
        self._words = sorted(vocabulary)
        self._terms = [vocabulary[word] for word in self._words]
        self._spelled: dict[str, list[int]] = {}
        for at, tool in enumerate(self._tools):
            name, _, origin = names_of(tool)
            for spelling in {spelled(name), spelled(origin)}:
                self._spelled.setdefault(spelling, []).append(at)

    def __len__(self) -> int:
        return len(self._tools)

    def search(self, query: str, limit: int = DEFAULT_LIMIT) -> SearchAnswer[ItemT]:
        """The tools that fit a query best.

        Tools whose name the query spells come first, then the others by score; what scores the same
        keeps its order. A query without words gives all in order.

        Args:
            query: words in any style; the first 2,000 characters and 32 distinct words count.
            limit: length of the answer, 1 to `most`.
        """
        limit = min(max(1, limit), self._most)
        query = query[:LONGEST_QUERY]
        asked = _asked(query)
        if not asked:
            return self._answer(range(min(limit, len(self._tools))), len(self._tools))
        scores = self._score(asked)
        named = self._named(query)
        ranks = ((at not in named, -score, at) for at, score in scores.items())
        best = [at for _, _, at in heapq.nsmallest(limit, ranks)]
        return self._answer(best, len(scores))

    def _answer(self, found: Iterable[int], matched: int) -> SearchAnswer[ItemT]:
        tools = tuple(self._tools[at] for at in found)
        return SearchAnswer(tools=tools, matched=matched, available=len(self._tools))

    def _named(self, query: str) -> set[int]:
        """Tools whose name is the whole query, or a word of it that can only be a name.

        A plain word (`search`) in a longer query is no name: many tools are called so, and the
        query may mean the word.
        """
        chunks = (chunk for chunk in query.split() if len(words(chunk)) > 1)
        return {at for text in (query, *chunks) for at in self._spelled.get(spelled(text), ())}

    def _score(self, asked: Mapping[str, float]) -> dict[int, float]:
        """Every tool that fits, and its score: above 0."""
        scores: dict[int, float] = {}
        count = len(self._tools)
        for word, worth in asked.items():
            begins = worth == 1.0 and (len(word) > 1 or len(asked) == 1)
            fits = self._fits(word, begins=begins)
            rarity = worth * math.log(1 + (count - len(fits) + 0.5) / (len(fits) + 0.5))
            for at, there in fits.items():
                scores[at] = scores.get(at, 0.0) + rarity * there
        return scores

    def _fits(self, word: str, *, begins: bool) -> dict[int, float]:
        """Where a word stands, whole or (`begins`) as a beginning, and how much it counts there."""
        term = stem(word)
        fits = dict(zip(*self._postings.get(term, ((), ())), strict=True))
        for longer, share in self._longer(word) if begins else ():
            if longer == term:
                continue
            for at, there in zip(*self._postings[longer], strict=True):
                if share * there > fits.get(at, 0.0):
                    fits[at] = share * there
        return fits

    def _longer(self, word: str) -> Iterator[tuple[str, float]]:
        """The terms of the words that a word begins, and what such a one is worth."""
        for at in range(bisect_left(self._words, word), len(self._words)):
            longer = self._words[at]
            if not longer.startswith(word):
                return
            yield self._terms[at], self._weights.prefix * len(word) / len(longer)


def _asked(query: str) -> dict[str, float]:
    """The distinct words of a query and the worth of each.

    Filler words count half, and never as a beginning, unless there is nothing else.
    """
    found = list(dict.fromkeys(words(query)))
    if FILLERS.issuperset(found):
        return dict.fromkeys(found[:MOST_WORDS], 1.0)
    return {word: _FILLER_WORTH if word in FILLERS else 1.0 for word in found[:MOST_WORDS]}
