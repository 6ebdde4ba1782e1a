"""Toolkits: lists of tools that can run one."""

from toolroll.toolkit.batch import call_all, serialize
from toolroll.toolkit.derived import DerivedToolkit, derive, snapshot_of
from toolroll.toolkit.live import LiveToolkit
from toolroll.toolkit.local import LocalToolkit
from toolroll.toolkit.protocol import ListedTool, Listing, Toolkit
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.toolkit.sync import BlockingToolkit, blocking, run_sync
from toolroll.toolkit.wrapping import (
    available,
    describe,
    filter,  # noqa: A004 - the word people look for; inside this package nobody needs the built-in
    merge,
    prefix,
    rename,
    restrict,
    suggest,
)

__all__ = [
    "BlockingToolkit",
    "DerivedToolkit",
    "ListedTool",
    "Listing",
    "LiveToolkit",
    "LocalToolkit",
    "Snapshot",
    "SnapshotToolkit",
    "Toolkit",
    "available",
    "blocking",
    "call_all",
    "derive",
    "describe",
    "filter",
    "merge",
    "prefix",
    "rename",
    "restrict",
    "run_sync",
    "serialize",
    "snapshot_of",
    "suggest",
]
