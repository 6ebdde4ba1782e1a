"""What a command works on: `toolroll.toml`, or one source named on the command line."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from toolroll.cli.stream import tools_print_aside
from toolroll.gateway import (
    Config,
    Gateway,
    find_config,
    load_config,
    open_gateway,
    read_config,
)
from toolroll.gateway.document import is_address
from toolroll.gateway.module import name_of, parts_of
from toolroll.outcome import ConfigError
from toolroll.ports.approvals import Approvals

_DOCUMENTS = (".json", ".yaml", ".yml")


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A configuration and the folder where its relative paths begin.

    Args:
        config: the sources and the policy.
        folder: where relative paths begin.
        typed: it is one source named on the command line, not a file that is to serve.
    """

    config: Config
    folder: Path
    typed: bool = False

    @asynccontextmanager
    async def open(
        self, approvals: Approvals | None = None, *, sends: bool = False
    ) -> AsyncGenerator[Gateway]:
        """Open all sources; see `open_gateway`.

        Args:
            approvals: asks a person.
            sends: tools are called; showing those of one document needs no base URL.
        """
        async with AsyncExitStack() as stack:
            with tools_print_aside():  # sources are loaded here
                gateway = await stack.enter_async_context(
                    open_gateway(
                        self.config,
                        self.folder,
                        approvals=approvals,
                        sends=sends or not self.typed,
                    )
                )
            yield gateway


def is_source(word: str) -> bool:
    """Whether a word of the command line names a source: an address or a file of a known kind."""
    return is_address(word) or word.endswith(_DOCUMENTS) or _is_python(word)


def _is_python(word: str) -> bool:
    return not is_address(word) and parts_of(word)[0].endswith(".py")


def target_of(
    source: str | None, command: Sequence[str], config: Path | None, base_url: str | None = None
) -> Target:
    """Find what to work on.

    Args:
        source: an address or file, None for none.
        command: an MCP server to start, empty for none.
        config: the file given with `-c`, None to look for it upwards.
        base_url: where the operations of an OpenAPI document are sent.

    Raises:
        ConfigError: more than one was given, none is to be found, or an address for operations
            was given to what is no OpenAPI document.
    """
    if source is not None and command:
        raise ConfigError("give a source or a command after --, not both.")
    if base_url is not None and not (source or "").endswith(_DOCUMENTS):
        raise ConfigError(
            "--base-url goes with an OpenAPI document (.json, .yaml) as the source; "
            "in a toolroll.toml write base_url."
        )
    if source is not None or command:
        if config is not None:
            raise ConfigError("give a source or a configuration with -c, not both.")
        return _of_one(source, command, base_url)
    path = config or find_config(Path.cwd())
    if path is None:
        raise ConfigError(
            "there is no toolroll.toml here or above. Name a source (a .py file, an OpenAPI "
            "document, an address, or a command after --), or a file with -c."
        )
    return Target(config=load_config(path), folder=path.resolve().parent)


def _of_one(source: str | None, command: Sequence[str], base_url: str | None) -> Target:
    """One source and no policy: who types the command decides."""
    table: dict[str, object] = {}
    if source is None:
        table["command"] = list(command)
        name = name_of(Path(command[0]).name)
    elif _is_python(source):
        table["python"], name = source, name_of(parts_of(source)[0])
    elif source.endswith(_DOCUMENTS):
        table["openapi"], name = source, name_of(Path(source).stem)
        if base_url is not None:
            table["base_url"] = base_url
    else:
        table["url"], name = source, "server"
    whole: dict[str, object] = {
        "sources": {name: {**table, "required": True}},
        "policy": {"undecided": "allow"},
    }
    config = read_config(whole, source or command[0])
    return Target(config=config, folder=Path.cwd(), typed=True)
