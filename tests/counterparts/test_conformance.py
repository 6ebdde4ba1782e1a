"""The official conformance suite, with our client and our server on the other side."""

import socket
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from tests.counterparts import conformance_client
from tests.counterparts.suite import VERSIONS, faults_of, run, scenarios, scope_of, stale, unknown
from tests.hosts.mcp_server import conformance_server

pytestmark = pytest.mark.counterparts

OURS = [
    (version, scenario) for version in VERSIONS for scenario in scope_of("client", version).passes
]
LEFT_OUT = [
    (version, entry) for version in VERSIONS for entry in scope_of("client", version).out_of_scope
]


def run_client(version: str, scenario: str, folder: Path) -> tuple[list[str], str]:
    """Run one scenario with our client: what failed, and what was said."""
    command = f'"{sys.executable}" "{conformance_client.__file__}"'
    scene = ("--scenario", scenario, "--spec-version", version, "--timeout", "60000")
    said = run("client", "--command", command, *scene, "-o", str(folder))
    return faults_of(folder, "client").get(scenario, ["it did not run"]), said


@contextmanager
def served() -> Generator[str]:
    """Our server, with the fixture's tools; its address."""
    listener = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(conformance_server.make_app(), log_level="critical", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join(60)
        listener.close()


@pytest.mark.rule("conformance-client")
@pytest.mark.parametrize(("version", "scenario"), OURS)
def test_our_client_passes(version: str, scenario: str, tmp_path: Path) -> None:
    faults, said = run_client(version, scenario, tmp_path)
    assert faults == [], said


@pytest.mark.rule("conformance-scope")
@pytest.mark.parametrize(("version", "entry"), LEFT_OUT)
def test_what_our_client_is_excused_from_it_cannot_do(
    version: str, entry: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(conformance_client.IDLE, "5")  # some scenarios wait for what never comes
    scope = scope_of("client", version)
    first = next(name for name in scenarios("client", version) if scope.leaves_out(name) == entry)
    faults, said = run_client(version, first, tmp_path)
    assert faults, f"{first} passes, so {entry!r} is stale\n{said}"


@pytest.mark.rule("conformance-scope")
@pytest.mark.parametrize("side", ["client", "server"])
@pytest.mark.parametrize("version", VERSIONS)
def test_every_scenario_of_the_suite_passes_or_has_a_reason(version: str, side: str) -> None:
    there = scenarios(side, version)
    assert there
    assert unknown(scope_of(side, version), there) == []


@pytest.mark.rule("conformance-server")
@pytest.mark.parametrize("version", VERSIONS)
def test_our_server_passes(version: str, tmp_path: Path) -> None:
    with served() as url:
        said = run("server", "--url", url, "--requirements", version, "-o", str(tmp_path))
    faults, scope = faults_of(tmp_path, "server"), scope_of("server", version)
    failed = {name: faults.get(name, ["it did not run"]) for name in scope.passes}
    assert {name: found for name, found in failed.items() if found} == {}, said
    assert stale(scope, faults) == []
