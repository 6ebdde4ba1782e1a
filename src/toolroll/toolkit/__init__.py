"""Toolkits: lists of tools that can run one."""

from toolroll.toolkit.batch import call_all, serialize
from toolroll.toolkit.derived import DerivedToolkit, derive, snapshot_of
from toolroll.toolkit.live import LiveToolkit
from toolroll.toolkit.local import LocalToolkit
from toolroll.toolkit.protocol import ListedTool, Listing, Toolkit
from toolroll.toolkit.snapshot import Snapshot, SnapshotToolkit
from toolroll.toolkit.sync import BlockingToolkit, blocking, run_sync
from toolroll.toolkit.wrapping import available, describe, merge, prefix, rename, restrict, select

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
    "merge",
    "prefix",
    "rename",
    "restrict",
    "run_sync",
    "select",
    "serialize",
    "snapshot_of",
]
