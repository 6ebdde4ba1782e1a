"""Other libraries, each in a process of its own environment.

`TOOLROLL_PEERS` names a folder of virtual environments; a library is measured where one of them has
it, in the same run as ours and with the batches of all alternating.
"""

import json
import os
import subprocess
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.peers.library import CALLS

ROOT = Path(__file__).parent.parent.parent
_PACKAGES = ("lib/python*/site-packages", "Lib/site-packages")
QUIET = {
    "FASTMCP_LOG_LEVEL": "ERROR",
    "FASTMCP_CHECK_FOR_UPDATES": "off",
    "FASTMCP_SHOW_SERVER_BANNER": "false",
    "PYTHONWARNINGS": "ignore",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A library that is installed: its distribution, version, and the Python that has it."""

    library: str
    version: str
    python: str

    @property
    def name(self) -> str:
        """What a table calls it."""
        return f"{self.library} {self.version}"


def peers() -> list[Peer]:
    """The libraries that are found, in the order of `CALLS`."""
    folder = Path(os.environ.get("TOOLROLL_PEERS") or "nowhere")
    return [peer for library in CALLS if (peer := _found(folder, library)) is not None]


def _found(folder: Path, library: str) -> Peer | None:
    name = f"{library.replace('-', '_')}-*.dist-info"
    for packages in _PACKAGES:
        for info in sorted(folder.glob(f"*/{packages}/{name}")):
            home = folder / info.relative_to(folder).parts[0]
            python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
            version = info.name.removesuffix(".dist-info").rpartition("-")[2]
            return Peer(library=library, version=version, python=str(python))
    return None


class Child:
    """A running process of one peer."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def ask(self, **request: object) -> Any:
        """Put one request and wait for its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        for line in self._process.stdout:
            if line.startswith(("{", "[")) or line[:1].isdigit():
                return json.loads(line)
        raise SystemExit(f"bench: {self._process.args!r} ended")


@contextmanager
def running(peer: Peer) -> Generator[Child]:
    """A process of a peer; it ends with its input."""
    with subprocess.Popen(
        [peer.python, "-m", "bench.peers.child", peer.library],
        cwd=ROOT,
        env={**os.environ, **QUIET},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Child(process)


@contextmanager
def all_running() -> Generator[dict[Peer, Child]]:
    """A process of each peer that is found."""
    with ExitStack() as stack:
        yield {peer: stack.enter_context(running(peer)) for peer in peers()}
