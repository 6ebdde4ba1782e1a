"""`toolroll.toml` as records: read, checked, and explained where it is wrong."""

import json
import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal, cast, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from toolroll.content import JsonObject
from toolroll.outcome import ConfigError

FILE_NAME = "toolroll.toml"
_MOST_PARENTS = 64

NAME_PATTERN = r"^[a-z][a-z0-9_-]{0,31}$"
CREDENTIAL_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"}
)


_OF_A_KIND = frozenset(
    {"base_url", "headers", "env", "cwd", "select", "description_limit", "limits"}
)
"""Keys of a source that not every kind of source has."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Secret(_Table):
    """A value that does not stand in the file: from the environment, or printed by a command."""

    env: Annotated[str | None, Field(description="Name of an environment variable.")] = None
    command: Annotated[
        list[str] | None, Field(description="A command whose first line of output is the value.")
    ] = None
    prefix: Annotated[str, Field(description="Text in front of the value, e.g. 'Bearer '.")] = ""

    @model_validator(mode="after")
    def _one_origin(self) -> "Secret":
        if (self.env is None) == (self.command is None):
            raise ValueError("give either 'env' or 'command'")
        return self


Value = str | Secret


class Limits(_Table):
    """Limits of one source."""

    connect: Annotated[float, Field(gt=0, description="Seconds to reach or start it.")] = 30.0
    idle: Annotated[float, Field(gt=0, description="Seconds without a sign of life.")] = 60.0
    total: Annotated[float, Field(gt=0, description="Seconds for one call or listing.")] = 300.0
    characters: Annotated[int, Field(ge=100, description="Most characters of a result.")] = 200_000
    large: Annotated[
        Literal["fail", "cut"], Field(description="What happens to a larger result.")
    ] = "fail"


class Selection(_Table):
    """Which operations of an OpenAPI document become tools; an empty list takes all."""

    tags: list[str] = []
    paths: list[str] = []
    methods: list[str] = []
    operations: list[str] = []


class Source(_Table):
    """One place where tools live. Exactly one of `python`, `command`, `url` and `openapi`."""

    python: Annotated[
        str | None, Field(description="A file, or 'package.module:name' of a tool or toolkit.")
    ] = None
    command: Annotated[
        list[str] | None,
        Field(min_length=1, description="An MCP server to start and speak to over stdio."),
    ] = None
    url: Annotated[str | None, Field(description="An MCP server over HTTP.")] = None
    openapi: Annotated[
        str | None, Field(description="An OpenAPI document: a file (JSON, YAML) or an address.")
    ] = None
    base_url: Annotated[
        str | None, Field(description="Where the operations of the document are sent.")
    ] = None
    headers: Annotated[
        dict[str, Value],
        Field(description="Sent with every request; credentials only by env or command."),
    ] = {}
    env: Annotated[dict[str, Value], Field(description="Environment of the command.")] = {}
    cwd: Annotated[str | None, Field(description="Folder of the command.")] = None
    select: Annotated[Selection, Field(description="Which operations become tools.")] = Selection()
    description_limit: Annotated[
        int | None, Field(ge=20, description="Most characters of each description of the document.")
    ] = None
    limits: Annotated[Limits, Field(description="Limits of this source.")] = Limits()
    trust_hints: Annotated[bool, Field(description="Its hints may loosen the policy.")] = False
    required: Annotated[bool, Field(description="Without it the gateway does not start.")] = False

    @property
    def kind(self) -> str:
        """`python`, `command`, `url` or `openapi`."""
        return next(kind for kind in ("python", "command", "url", "openapi") if getattr(self, kind))

    @model_validator(mode="after")
    def _one_kind(self) -> "Source":
        given = [kind for kind in ("python", "command", "url", "openapi") if getattr(self, kind)]
        if len(given) != 1:
            had = " and ".join(given) or "none"
            raise ValueError(
                f"give exactly one of 'python', 'command', 'url', 'openapi'; there is {had}"
            )
        allowed = {
            "python": set[str](),
            "command": {"env", "cwd", "limits"},
            "url": {"headers", "limits"},
            "openapi": {"base_url", "description_limit", "headers", "select", "limits"},
        }[given[0]]
        optional = _OF_A_KIND & self.model_fields_set
        if wrong := sorted(optional - allowed):
            raise ValueError(f"{', '.join(map(repr, wrong))} does not go with '{given[0]}'")
        for name, value in self.headers.items():
            if isinstance(value, str) and name.lower() in CREDENTIAL_HEADERS:
                raise ValueError(
                    f"header {name!r} holds a credential; "
                    'write { env = "NAME" } instead of the value'
                )
        return self


class RuleTable(_Table):
    """One rule of the policy."""

    decision: Literal["allow", "approve", "block"]
    source: Annotated[str, Field(description="Pattern of the source; * is any text.")] = "*"
    tools: Annotated[
        list[str], Field(min_length=1, description="Patterns of tools; one must fit.")
    ] = ["*"]
    unless: Annotated[list[str], Field(description="Patterns of tools it does not speak of.")] = []
    hints: Annotated[
        dict[Literal["read_only", "destructive", "idempotent", "open_world"], bool] | None,
        Field(description="Only tools with these hints."),
    ] = None
    principal: Annotated[
        str | None, Field(description="Pattern of the caller's id, or group:PATTERN.")
    ] = None


class PolicyTable(_Table):
    """Who may call what."""

    undecided: Annotated[
        Literal["allow", "approve", "block"] | None,
        Field(
            description="Decision for tools that no rule speaks of; without it they are an error."
        ),
    ] = None
    rules: Annotated[list[RuleTable], Field(description="In any order.")] = []


class Presentation(_Table):
    """How the tools are shown to a model."""

    mode: Annotated[
        Literal["all", "search"], Field(description="All tools, or tool_search and tool_call.")
    ] = "all"
    limit: Annotated[int, Field(ge=1, le=20, description="Tools shown by one search.")] = 5


class StoreTable(_Table):
    """Where the journal and approvals are kept."""

    path: Annotated[
        str | None,
        Field(description="A SQLite file, relative to this file; without it: in memory."),
    ] = None
    keep_inputs: Annotated[
        bool, Field(description="The journal keeps inputs, not only their digests.")
    ] = False


class ApprovalsTable(_Table):
    """Who is asked when a call needs a yes."""

    ask: Annotated[
        Literal["terminal", "client", "store", "nobody"],
        Field(
            description="The terminal, the MCP client's user, who answers in the store, or nobody."
        ),
    ] = "client"
    expires: Annotated[float, Field(gt=0, description="Seconds an unanswered question lives.")] = (
        3600.0
    )


class ServeTable(_Table):
    """How the tools are served."""

    name: Annotated[str, Field(description="The server's name.", min_length=1, max_length=64)] = (
        "toolroll"
    )
    token: Annotated[
        Secret | None, Field(description="Bearer token that HTTP clients must send.")
    ] = None
    principal: Annotated[
        str,
        Field(
            min_length=1,
            description="Who a client with the token counts as, for rules and journal.",
        ),
    ] = "client"
    allowed_hosts: Annotated[
        list[str], Field(description="Host headers accepted besides loopback.")
    ] = []
    allowed_origins: Annotated[
        list[str], Field(description="Origins of web pages accepted besides loopback.")
    ] = []


class Config(_Table):
    """A whole `toolroll.toml`.

    Example:
        >>> read_config({"presentation": {"mode": "search"}}, "toolroll.toml").presentation.limit
        5
    """

    schema_: Annotated[str | None, Field(alias="$schema", description="For editors.")] = None
    sources: Annotated[
        dict[Annotated[str, Field(pattern=NAME_PATTERN)], Source],
        Field(description="Where the tools live, by name."),
    ] = {}
    policy: PolicyTable = PolicyTable()
    presentation: Presentation = Presentation()
    store: StoreTable = StoreTable()
    approvals: ApprovalsTable = ApprovalsTable()
    serve: ServeTable = ServeTable()


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
        text = path.read_text(encoding="utf-8")
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
        notes: presentation.limit: must be a valid integer, got "five"; write a whole number.
    """
    try:
        config = Config.model_validate(table)
    except ValidationError as error:
        faults = [_fault(item) for item in _told_once(cast("list[dict[str, Any]]", error.errors()))]
        raise ConfigError(
            "\n".join(f"{where}: {fault}" for fault in dict.fromkeys(faults))
        ) from None
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
    schema["title"] = FILE_NAME
    return schema


_MENDS = {
    "string_type": "write a text in quotes",
    "int_type": "write a whole number",
    "float_type": "write a number",
    "bool_type": "write true or false",
    "list_type": "write a list in [ ]",
    "dict_type": "write a table",
    "model_type": "write a table",
}


def _fault(item: dict[str, Any]) -> str:
    """One fault: the key as it would be written, what is wrong, what to do."""
    place, kind = item["loc"], item["type"]
    steps = _steps(place)
    key = ".".join(steps) or "the file"
    if kind == "extra_forbidden":
        known = ", ".join(_keys_at(steps[:-1])) or "none"
        return f"{key}: unknown key; known here: {known}."
    if kind == "string_pattern_mismatch" and "[key]" in place:
        allowed = "lower case letters, digits, '-' and '_', a letter first"
        return f"{key}: is no source name; use {allowed}."
    if kind == "value_error":
        return f"{key}: {item['ctx']['error']}."
    got = json.dumps(item["input"], default=lambda value: type(value).__name__, ensure_ascii=False)
    got = got if len(got) <= 60 else f"{got[:57]}..."
    message = str(item["msg"]).removeprefix("Input should be ")
    mend = _MENDS.get(kind)
    return f"{key}: must be {message}, got {got}{'; ' + mend if mend else ''}."


def _told_once(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of the branches of a union only the table's faults: a table was written, so one was meant."""
    tables = {tuple(_steps(item["loc"])) for item in items if item["loc"][-1] != "str"}
    return [
        item
        for item in items
        if item["loc"][-1] != "str" or tuple(_steps(item["loc"])) not in tables
    ]


def _steps(place: tuple[str | int, ...]) -> list[str]:
    """The place as keys of the file, without the names of union branches."""
    return [
        str(step)
        for step in place
        if step not in ("[key]", "str", "Secret") and not str(step).startswith("function-")
    ]


def _keys_at(steps: list[str]) -> list[str]:
    """The keys that a table of the file takes."""
    model: type[BaseModel] = Config
    for step in steps:
        field = next(
            (field for name, field in model.model_fields.items() if step in (name, field.alias)),
            None,
        )
        if field is None:
            continue  # the name of a source, or a place in a list
        model = _model_in(field.annotation) or model
    return [field.alias or name for name, field in model.model_fields.items()]


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in get_args(annotation):
        if (found := _model_in(inner)) is not None:
            return found
    return None
