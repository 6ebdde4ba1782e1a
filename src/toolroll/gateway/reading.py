"""A `toolroll.toml` found, read and checked."""

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from toolroll.content import JsonObject
from toolroll.gateway.config import Config
from toolroll.gateway.fault import faults_of
from toolroll.outcome import ConfigError

FILE_NAME = "toolroll.toml"
_MOST_PARENTS = 64


def find_config(start: Path) -> Path | None:
    """The nearest `toolroll.toml`, from a folder upwards; None where there is none.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "toolroll.toml")
        ...     _ = file.write_text("")
        ...     inner = Path(folder, "docs")
        ...     inner.mkdir()
        ...     print(find_config(inner) == file.resolve())
        True
    """
    folder = start.resolve()
    for candidate in (folder, *folder.parents)[:_MOST_PARENTS]:
        if (path := candidate / FILE_NAME).is_file():
            return path
    return None


def load_config(path: Path) -> Config:
    r"""Read and check a `toolroll.toml`.

    Raises:
        ConfigError: it cannot be read, is no TOML, or has unknown keys or wrong types. The message
            names file, key and mend, one fault a line.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "toolroll.toml")
        ...     _ = file.write_text('[sources.clock]\ncommand = ["mcp-server-time"]\n')
        ...     print(list(load_config(file).sources))
        ['clock']
    """
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors on Windows write a mark in front
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: is not UTF-8 text (byte {error.start}).") from error
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path}: is no TOML: {error}.") from error
    except RecursionError:
        raise ConfigError(f"{path}: is nested too deep.") from None
    return read_config(table, str(path))


def read_config(table: dict[str, Any], where: str) -> Config:
    """Check a configuration that is data already; `where` stands in front of each fault.

    Args:
        table: what a TOML file holds.
        where: stands in front of each fault, e.g. the file's path.

    Raises:
        ConfigError: unknown keys, wrong types or a name that cannot be one; one fault a line.

    Example:
        >>> clock = {"command": ["mcp-server-time"]}
        >>> list(read_config({"sources": {"clock": clock}}, "toolroll.toml").sources)
        ['clock']
        >>> try:
        ...     read_config({"presentation": {"limit": "five"}}, "notes")
        ... except ConfigError as error:
        ...     print(error)
        notes: presentation.limit: must be a whole number, got "five".
    """
    try:
        config = Config.model_validate(table)
    except ValidationError as error:
        raise ConfigError("\n".join(f"{where}: {fault}" for fault in faults_of(error))) from None
    for name in config.sources:
        if "__" in name:
            raise ConfigError(
                f"{where}: sources.{name}: a source's name cannot hold '__'; use '_' or '-'."
            )
    return config


def config_schema() -> JsonObject:
    """JSON Schema of `toolroll.toml`, for editors.

    Example:
        >>> sorted(config_schema()["properties"])
        ['$schema', 'approvals', 'policy', 'presentation', 'serve', 'sources', 'store']
    """
    schema = Config.model_json_schema(by_alias=True)
    # The docstring of the record is for readers of the code, with an example.
    return {**schema, "title": FILE_NAME, "description": f"A whole `{FILE_NAME}`."}
