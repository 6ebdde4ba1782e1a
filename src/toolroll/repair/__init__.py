"""Reading of what a model wrote: arguments text, streams of it, ids of calls."""

from toolroll.repair.arguments import Arguments, ArgumentsStatus
from toolroll.repair.call_id import (
    ID_RULES,
    CallIds,
    IdProvider,
    IdRule,
    normalize_call_id,
    split_call_ids,
)
from toolroll.repair.reading import is_complete_json, read_arguments, read_calls
from toolroll.repair.repair_table import REPAIRS
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules
from toolroll.repair.stream import ArgumentStream

__all__ = [
    "DEFAULT_RULES",
    "ID_RULES",
    "REPAIRS",
    "ArgumentStream",
    "Arguments",
    "ArgumentsStatus",
    "CallIds",
    "IdProvider",
    "IdRule",
    "ReadingRules",
    "is_complete_json",
    "normalize_call_id",
    "read_arguments",
    "read_calls",
    "split_call_ids",
]
