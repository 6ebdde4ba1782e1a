"""Budgets that bound the work any schema or input can cause."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How large a schema and an input may be.

    Args:
        schema_depth: levels of subschemas below the root, references followed.
        schema_places: subschemas in all; in a short view with references in place.
        value_depth: levels of arrays and objects in an input.
        checked: pairs of schema and place one check may look at, where unions and references
            multiply.
        explained: pairs of schema and place looked at to explain one refusal.
        issues: faults listed for one input; the rest is counted in the last one.
        pattern_bytes: memory a compiled regular expression may take.

    Example:
        >>> from toolroll.schema import compile_check
        >>> compile_check({}, limits=Limits(value_depth=1))([[1]])[0].problem
        'must not be nested more than 1 levels deep'
    """

    schema_depth: int = 128
    schema_places: int = 10_000
    value_depth: int = 100
    checked: int = 1_000_000
    explained: int = 50_000
    issues: int = 100
    pattern_bytes: int = 1_000_000


DEFAULT_LIMITS = Limits()
"""What holds where nothing else is said."""
