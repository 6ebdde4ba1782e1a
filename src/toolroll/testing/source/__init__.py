"""The promises of a source of tools."""

from toolroll.testing.source.check import SourceCheck
from toolroll.testing.source.trial import Desk, Trial

__all__ = ["Desk", "SourceCheck", "Trial"]
