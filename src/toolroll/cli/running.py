"""One run of the command: parses, runs, and turns whatever ends it into words and an exit code."""

import errno
import os
import sys
from collections.abc import Sequence
from typing import cast

import click

from toolroll.cli import exit_code
from toolroll.cli.application import ClosedPipeError, application
from toolroll.outcome import ConfigError, DefinitionError, MissingExtra, NameClash, ToolrollError
from toolroll.sources.source import SourceError
from toolroll.text import sanitize_text


def run(arguments: Sequence[str]) -> int:
    """Run the command with these arguments; returns the exit code. Errors go to standard error."""
    try:
        result = application.main(list(arguments), prog_name="toolroll", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return exit_code.USAGE
    except click.ClickException as error:
        error.show()
        return exit_code.USAGE
    except (KeyboardInterrupt, click.Abort):
        return _told("interrupted", exit_code.INTERRUPTED)
    except (ClosedPipeError, BrokenPipeError):
        _drop_output()
        return exit_code.CLOSED_PIPE
    except SystemExit as error:  # of a tool: the commands themselves return
        return _told(f"a tool ended the process: {error.code}", exit_code.BAD_OUTCOME)
    except BaseExceptionGroup as group:
        return _of_group(group)
    except Exception as error:  # told in one line; a defect keeps its traceback
        return _of_error(error)
    return result if isinstance(result, int) else exit_code.OK


def _drop_output() -> None:
    """Let go of what is still in the buffer; without this Python complains at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _of_group(group: BaseExceptionGroup[BaseException]) -> int:
    """A group is as bad as its first known member."""
    for error in group.exceptions:
        if isinstance(error, BaseExceptionGroup):
            return _of_group(cast("BaseExceptionGroup[BaseException]", error))
        if isinstance(error, KeyboardInterrupt):
            return _told("interrupted", exit_code.INTERRUPTED)
        if isinstance(error, Exception):
            return _of_error(error)
    raise group


def _of_error(error: Exception) -> int:
    match error:
        case SourceError():
            return _told(
                f"{error.source}: {error.description or error.message}", exit_code.UNAVAILABLE
            )
        case ConfigError() | DefinitionError() | NameClash() | MissingExtra():
            return _told(str(error), exit_code.CONFIG)
        case ToolrollError():
            return _told(str(error), exit_code.BAD_OUTCOME)
        case OSError(errno=errno.ENOSPC):  # `> file` on a full disk, or the store's
            _drop_output()
            return _told(f"cannot write: {error.strerror}", exit_code.BAD_OUTCOME)
        case _:
            raise error


def _told(message: str, code: int) -> int:
    for line in sanitize_text(message).splitlines():
        sys.stderr.write(f"toolroll: {line}\n")
    return code
