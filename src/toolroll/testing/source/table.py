"""Every promise of a source, in the order they are tried."""

from toolroll.testing.source import (
    adoption,
    answering,
    cancelling,
    closing,
    failing,
    listing,
    losing,
    secrecy,
    watching,
)
from toolroll.testing.source.check import SourceCheck

CHECKS: tuple[SourceCheck, ...] = (
    *listing.CHECKS,
    *answering.CHECKS,
    *failing.CHECKS,
    *losing.CHECKS,
    *cancelling.CHECKS,
    *closing.CHECKS,
    *watching.CHECKS,
    *secrecy.CHECKS,
    *adoption.CHECKS,
)
"""From what everything rests on to what rests on everything."""
