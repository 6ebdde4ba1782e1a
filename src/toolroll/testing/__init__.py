"""Exams: what Toolroll promises of sources and toolkits, tried on anybody's.

- `check_source`, `source_checks`: the promises of a source, over a system that a `SourceExam`
  brings into each `SystemState`
- `check_toolkit`, `toolkit_checks`: the promises of a toolkit
- `ExamReport`: a verdict for each promise

With pytest, the fixtures of `toolroll.testing.plugin` make a test of each promise. That plugin is
loaded with every run of pytest, so the names here are loaded when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolroll.testing.exam import (
        ExamLimits,
        ExamTools,
        NotApplicable,
        Planted,
        Sitting,
        SourceExam,
        SystemState,
    )
    from toolroll.testing.report import ExamFailed, ExamReport, Status, Verdict
    from toolroll.testing.source.check import SourceCheck
    from toolroll.testing.source.examination import check_source, source_checks
    from toolroll.testing.toolkit.check import ToolkitCheck
    from toolroll.testing.toolkit.exam import ListJournal, ToolkitExam
    from toolroll.testing.toolkit.examination import check_toolkit, toolkit_checks

__all__ = [
    "ExamFailed",
    "ExamLimits",
    "ExamReport",
    "ExamTools",
    "ListJournal",
    "NotApplicable",
    "Planted",
    "Sitting",
    "SourceCheck",
    "SourceExam",
    "Status",
    "SystemState",
    "ToolkitCheck",
    "ToolkitExam",
    "Verdict",
    "check_source",
    "check_toolkit",
    "source_checks",
    "toolkit_checks",
]

_PLACES = {
    "toolroll.testing.exam": (
        "ExamLimits",
        "ExamTools",
        "NotApplicable",
        "Planted",
        "Sitting",
        "SourceExam",
        "SystemState",
    ),
    "toolroll.testing.report": ("ExamFailed", "ExamReport", "Status", "Verdict"),
    "toolroll.testing.source.check": ("SourceCheck",),
    "toolroll.testing.source.examination": ("check_source", "source_checks"),
    "toolroll.testing.toolkit.check": ("ToolkitCheck",),
    "toolroll.testing.toolkit.exam": ("ListJournal", "ToolkitExam"),
    "toolroll.testing.toolkit.examination": ("check_toolkit", "toolkit_checks"),
}
_PLACE_OF = {name: place for place, names in _PLACES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _PLACE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_PLACE_OF[name]), name)
    globals()[name] = value
    return value
