"""Values that do not stand in the file."""

import os
import subprocess

from toolroll.gateway.config import Secret, Value
from toolroll.outcome import ConfigError

_COMMAND_WITHIN = 30.0


def resolve(value: Value, where: str) -> str:
    """The text of a value: itself, from the environment, or the first line a command prints.

    Args:
        value: as it stands in the file.
        where: file and key, for the message.

    Raises:
        ConfigError: the variable is not set, or the command fails; the value is never shown.
    """
    if isinstance(value, str):
        return value
    return value.prefix + _secret(value, where)


def _secret(secret: Secret, where: str) -> str:
    if secret.env is not None:
        found = os.environ.get(secret.env)
        if not found:
            raise ConfigError(f"{where}: the environment variable {secret.env} is not set.")
        return found
    command = secret.command or []
    try:
        ran = subprocess.run(  # noqa: S603  # the operator's own command, without a shell
            command,
            capture_output=True,
            text=True,
            timeout=_COMMAND_WITHIN,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ConfigError(
            f"{where}: the command {command[0]!r} did not answer: {type(error).__name__}."
        ) from error
    lines = ran.stdout.splitlines()
    if ran.returncode != 0 or not lines or not lines[0]:
        raise ConfigError(
            f"{where}: the command {command[0]!r} ended with {ran.returncode} and printed no value."
        )
    return lines[0]
