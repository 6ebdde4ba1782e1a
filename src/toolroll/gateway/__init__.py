"""The gateway: a `toolroll.toml` becomes sources, a policy, a presentation and a server."""

from toolroll.gateway.config import Config
from toolroll.gateway.module import load_python, name_of
from toolroll.gateway.opening import Gateway, open_gateway, policy_of
from toolroll.gateway.reading import config_schema, find_config, load_config, read_config

__all__ = [
    "Config",
    "Gateway",
    "config_schema",
    "find_config",
    "load_config",
    "load_python",
    "name_of",
    "open_gateway",
    "policy_of",
    "read_config",
]
