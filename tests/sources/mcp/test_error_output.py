"""The error output of a local server, where the log itself fails."""

import logging
import os
from typing import IO, cast

import pytest

from toolroll.sources.mcp.error_output import ErrorOutput
from toolroll.sources.secret import Secrets


@pytest.mark.parametrize("polled", [True, False] if os.name == "posix" else [False])
def test_a_log_that_fails_is_shown_and_the_reading_goes_on(
    polled: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    log = logging.getLogger(f"tests.failing.{polled}")
    log.setLevel(logging.INFO)

    def fails(record: logging.LogRecord) -> bool:
        raise LookupError(record.getMessage())

    log.addFilter(fails)
    listening, writing = os.pipe()
    output = ErrorOutput(
        cast("IO[bytes]", os.fdopen(listening, "rb")), log, Secrets(()), polled=polled
    )
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    output._thread.join(10)
    assert list(output.last) == ["one", "two"]
    shown = capsys.readouterr().err
    assert "LookupError: one" in shown
    assert "LookupError: two" in shown
