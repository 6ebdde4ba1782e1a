"""`toolroll.toml` as records."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

NAME_PATTERN = r"^[a-z][a-z0-9_-]{0,31}$"
CREDENTIAL_HEADERS = frozenset(
    {"authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-auth-token"}
)

_OF_A_KIND = frozenset(
    {"base_url", "headers", "env", "cwd", "select", "description_limit", "links", "limits"}
)
"""Keys of a source that not every kind of source has."""


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Secret(_Table):
    """A value that does not stand in the file: from the environment, or printed by a command."""

    env: Annotated[str | None, Field(description="Name of an environment variable.")] = None
    command: Annotated[
        list[str] | None,
        Field(min_length=1, description="A command whose first line of output is the value."),
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
    links: Annotated[
        bool, Field(description="Descriptions of the document keep the addresses of links.")
    ] = False
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
            "openapi": {"base_url", "description_limit", "headers", "limits", "links", "select"},
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

    @model_validator(mode="after")
    def _a_file(self) -> "StoreTable":
        if self.path is not None and "://" in self.path:  # it may hold a password: not shown
            raise ValueError(
                "'path' is a SQLite file; PostgreSQL is opened from Python, with open_store"
            )
        return self


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
        >>> from toolroll.gateway import read_config
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
