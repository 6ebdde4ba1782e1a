"""The standard streams, as a command needs them: there, for any text, not printed to by tools."""

import contextlib
import os
import sys
from collections.abc import Generator
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import io


def make_streams_real() -> None:
    r"""Give the process streams where it was started without some (`>&-`).

    What the encoding of a terminal or pipe cannot say is written as `\xe9` or `\u20ac`.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123
    with contextlib.suppress(AttributeError):  # a stream in memory takes any text
        cast("io.TextIOWrapper", sys.stdout).reconfigure(errors="backslashreplace")


@contextlib.contextmanager
def tools_print_aside() -> Generator[None]:
    """Whatever prints inside the block, also from below Python, prints to standard error.

    Standard output is for data; a tool that prints, or a file that prints when it is loaded, must
    not get in between.
    """
    sys.stdout.flush()
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(sys.stderr))
        try:
            kept = os.dup(1)
            os.dup2(2, 1)
        except OSError:  # one of them is closed: then nothing below Python can print there
            yield
            return
        stack.callback(os.close, kept)
        stack.callback(os.dup2, kept, 1)
        yield
