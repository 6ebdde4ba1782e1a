"""Exams: what Toolroll promises of sources and toolkits, tried on anybody's."""

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

__all__ = [
    "ExamFailed",
    "ExamLimits",
    "ExamReport",
    "ExamTools",
    "NotApplicable",
    "Planted",
    "Sitting",
    "SourceCheck",
    "SourceExam",
    "Status",
    "SystemState",
    "Verdict",
    "check_source",
    "source_checks",
]
