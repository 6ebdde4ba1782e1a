"""What every test of the project can use: both async backends, the corpora, the table of rules."""

import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.clock import Clock
from tests.requirements import load_rules, unknown_claims

ROOT = Path(__file__).parent.parent

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")  # how long an example takes says how busy the machine is

CLAIMS = pytest.StashKey[dict[str, list[str]]]()
"""The tests that claim a rule, by its id, as collected before any selection."""


@pytest.fixture(params=["asyncio", "trio"])
def event_loop_name(request: pytest.FixtureRequest) -> str:
    """Each of both event loops."""
    return str(request.param)


@pytest.fixture
def clock(event_loop_name: str) -> Clock:
    """The clock of the test's event loop, which stands still until it is moved."""
    return Clock(event_loop_name)


@pytest.fixture
def virtual_time(clock: Clock) -> None:
    """Limits are met where every task waits, and nowhere else: a machine that is busy is none."""
    clock.jump_when_idle()


@pytest.fixture
def anyio_backend(
    event_loop_name: str, request: pytest.FixtureRequest
) -> str | tuple[str, dict[str, Any]]:
    """Run a test marked `anyio` on both event loops.

    A file of tests that are for one loop only defines its own fixture of this name.
    """
    if "clock" not in request.fixturenames:
        return event_loop_name
    clock: Clock = request.getfixturevalue("clock")
    return clock.backend


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of third-party test data, which is not part of the repository.

    Where it is missing the test is skipped; on a CI machine it fails instead.
    """
    default = ROOT.parent / "shared" / "data"
    folder = Path(os.environ.get("TOOLROLL_CORPORA") or default)
    if folder.is_dir():
        return folder
    reason = f"no corpora at {folder}; set TOOLROLL_CORPORA to the folder that holds them"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Let SIGINT end what a test starts, also where a shell runs the tests in its background.

    There a shell ignores the signal, and children inherit that.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session", autouse=True)
def no_thread_is_left() -> Iterator[None]:
    """Fail when a thread is left that would keep the process from ending."""
    yield
    left: list[str] = []
    for thread in threading.enumerate():
        if thread is not threading.main_thread() and not thread.daemon:
            thread.join(timeout=30)
            left += [thread.name] if thread.is_alive() else []
    assert not left, f"threads are left that never end: {', '.join(left)}"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note which test claims which rule; refuse the claim of a rule that is not there."""
    claims: dict[str, list[str]] = {}
    for item in items:
        for mark in item.iter_markers("rule"):
            for identifier in mark.args:
                claims.setdefault(str(identifier), []).append(item.nodeid)
    config.stash[CLAIMS] = claims
    if unknown := unknown_claims(claims, load_rules()):
        raise pytest.UsageError("\n".join(unknown))
