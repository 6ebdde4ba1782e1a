"""The command of a local server: found, and given an environment of its own."""

import itertools
import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from toolroll.outcome import ConfigError
from toolroll.sources.secret import is_credential_name, url_passwords
from toolroll.sources.source import SourceError

INHERITED = (
    # everywhere
    "PATH",
    "HOME",
    "LANG",
    "LANGUAGE",
    "LC_ALL",
    "LC_CTYPE",
    "LOGNAME",
    "SHELL",
    "TERM",
    "TMPDIR",
    "TZ",
    "USER",
    # Windows
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
)
"""What a local server gets of our environment; tokens and keys in other variables stay here."""

_SHELL_FUNCTION = "()"
_SHORTEST = 8
_PATH = re.compile(r"[.~]{0,2}[/\\]|[A-Za-z]:\\|-")
"""How a path of a file begins, or the next option."""


def words_of_command(command: str | Sequence[str]) -> tuple[str, ...]:
    """A command as words; a text is split like a shell splits it, but no shell runs.

    Raises:
        ConfigError: there is no word, or a quote is not closed.

    Example:
        >>> words_of_command("npx -y 'a server'"), words_of_command(["uvx", "b"])
        (('npx', '-y', 'a server'), ('uvx', 'b'))
    """
    try:
        text = isinstance(command, str)
        words = shlex.split(command, posix=os.name != "nt") if text else list(command)
    except ValueError as error:
        raise ConfigError(f"command: {error}.") from error
    if not words or not words[0] or not all(map(_is_text, words)):
        raise ConfigError("command: name the program to run, then its arguments.")
    return tuple(words)


def check_surroundings(given: Mapping[str, str] | None, folder: str | None) -> None:
    """Refuse variables and a folder that no process can be started with.

    Raises:
        ConfigError: which one; a value is not repeated.
    """
    for name, value in (given or {}).items():
        if not _is_text(name) or not name or "=" in name:
            raise ConfigError(f"env: {name!r} is no name of a variable.")
        if not _is_text(value):
            raise ConfigError(f"env: the value of {name!r} must be a text without NUL.")
    if folder is not None and not _is_text(folder):
        raise ConfigError("cwd: must be the path of a folder, as a text without NUL.")


def _is_text(value: object) -> bool:
    if not isinstance(value, str) or "\0" in value:
        return False
    try:
        os.fsencode(value)
    except UnicodeEncodeError:
        return False
    return True


def environment_of(given: Mapping[str, str] | None) -> dict[str, str]:
    """A small environment: what `INHERITED` names, then what was given.

    Example:
        >>> environment_of({"TOKEN": "x"})["TOKEN"]
        'x'
    """
    inherited = {name: os.environ[name] for name in INHERITED if name in os.environ}
    inherited = {
        name: value for name, value in inherited.items() if not value.startswith(_SHELL_FUNCTION)
    }
    return {**inherited, **(given or {})}


def credentials_of(words: Sequence[str], given: Mapping[str, str] | None) -> set[str]:
    """What a local server may not repeat: the credentials it is started with.

    They are the values of variables and options that are named as one (`API_TOKEN`, `--api-key`),
    of at least 8 characters and no path of a file, and the passwords of addresses in any of them.

    Example:
        >>> sorted(credentials_of(["--api-key=k-12345678", "-v"], {"API_TOKEN": "t-12345678"}))
        ['k-12345678', 't-12345678']
    """
    named = list((given or {}).items())
    for option, after in itertools.zip_longest(words, words[1:], fillvalue=""):
        name, separator, value = option.partition("=")
        if name.startswith("-"):
            named.append((name, value if separator else after))
    passwords = (url_passwords(text) for text in (*words, *(given or {}).values()))
    return set[str]().union(*passwords) | {
        value
        for name, value in named
        if is_credential_name(name) and len(value) >= _SHORTEST and not _PATH.match(value)
    }


def find_program(
    source: str, program: str, environment: Mapping[str, str], folder: str | None
) -> str:
    """The file of a program, looked up in the path of the given environment.

    On Windows the endings of `PATHEXT` count, so `npx` finds `npx.cmd`.

    Raises:
        SourceError: `unavailable`: which command, where it was looked for.
    """
    path = Path(program)
    if path.name != program:
        path = Path(folder or "").absolute() / path
        where = str(path.parent)
        found = shutil.which(path)
    else:
        where = environment.get("PATH", os.defpath)
        found = shutil.which(program, path=where)
    if found is None:
        words = f"the command {program!r} was not found in {where!r}"
        raise SourceError(source, "unavailable", words, retryable=False)
    return found
