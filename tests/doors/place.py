"""What doors need that takes a while to begin: servers and clients, begun once and shared."""

import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

import anyio
import uvicorn

from tests.doors.library import CONFIG, KIT
from toolroll.hosts.mcp_server import ServerOptions, mcp_app
from toolroll.sources.mcp import McpOptions, McpSource, mcp_http, mcp_stdio

Era = Literal["modern", "legacy"]
HERE = Path(__file__).parent


class Places:
    """Servers and clients by name, each begun when it is first needed.

    Args:
        folder: for files.
        stack: closes them at the end.
    """

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._sources: dict[str, McpSource] = {}
        self._url = ""

    @property
    def config(self) -> Path:
        """A configuration of the command, beside the library's file."""
        path = self._folder / "toolroll.toml"
        if not path.exists():
            text = CONFIG.replace('"library.py"', f'"{(HERE / "library.py").as_posix()}"')
            path.write_text(text, encoding="utf-8")
        return path

    def over_stdio(self, era: Era) -> McpSource:
        """The library in a process of its own, as a source."""
        command = [sys.executable, str(HERE / "serving_program.py")]
        return self._source(f"stdio-{era}", era, lambda: mcp_stdio("doors", command))

    def over_http(self, era: Era) -> McpSource:
        """The library behind a port, as a source."""
        self._url = self._url or self._stack.enter_context(_serving())
        return self._source(f"http-{era}", era, lambda: mcp_http("doors", self._url))

    def _source(self, name: str, era: Era, make: Callable[[], McpSource]) -> McpSource:
        if name not in self._sources:
            # A legacy session says once, at its beginning, that its user can be asked.
            options = McpOptions(era=era, questions=era == "legacy")
            made = self._sources[name] = make().with_options(options)
            self._stack.callback(lambda: anyio.run(made.aclose))
        return self._sources[name]


@contextmanager
def _serving() -> Generator[str]:
    """The library over HTTP on a free port, in a thread."""
    app = mcp_app(KIT, name="doors", version="1", options=ServerOptions(sessions="signed"))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", log_level="error", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()
