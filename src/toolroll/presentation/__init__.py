"""How tools are shown to a model: found by search, weighed, or driven by code."""

from toolroll.presentation.cost import Cost, ToolCost, cost
from toolroll.presentation.finding import search
from toolroll.presentation.index import SearchAnswer, SearchIndex
from toolroll.presentation.posting import Weights

__all__ = ["Cost", "SearchAnswer", "SearchIndex", "ToolCost", "Weights", "cost", "search"]
