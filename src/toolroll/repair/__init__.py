"""Reading of what a model wrote: arguments text, streams of it, ids of calls."""

from toolroll.repair.arguments import Arguments, ArgumentsStatus
from toolroll.repair.reading import is_complete_json, read_arguments, read_calls
from toolroll.repair.repair_table import REPAIRS
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules
from toolroll.repair.stream import ArgumentStream

__all__ = [
    "DEFAULT_RULES",
    "REPAIRS",
    "ArgumentStream",
    "Arguments",
    "ArgumentsStatus",
    "ReadingRules",
    "is_complete_json",
    "read_arguments",
    "read_calls",
]
