"""Tests against what others wrote need it installed."""

import os

import pytest

from tests.counterparts.node import missing


@pytest.fixture(autouse=True, scope="session")
def counterparts() -> None:
    """Skip where the counterparts are not installed; on a CI machine fail instead."""
    if why := missing():
        if os.environ.get("CI"):
            pytest.fail(why)
        pytest.skip(why)
