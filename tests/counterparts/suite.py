"""Running the official conformance suite, and what of it is ours."""

import json
import os
import re
import subprocess
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.counterparts.node import HERE, LOOPBACK, SUITE, node

VERSIONS = ("2026-07-28", "2025-11-25")
_ROW = re.compile(r"^ +- ([\w/.-]+)(?: \[(client|server)\])?$")
_TIME = re.compile(r"-\d{4}-\d\d-\d\dT[\d-]+Z$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What of a revision's scenarios is ours, and why the rest is not."""

    passes: tuple[str, ...]
    out_of_scope: Mapping[str, str]

    def leaves_out(self, scenario: str) -> str | None:
        """The entry that leaves a scenario out."""
        return next((entry for entry in self.out_of_scope if _fits(scenario, entry)), None)


def _fits(scenario: str, entry: str) -> bool:
    return scenario.startswith(entry[:-1]) if entry.endswith("*") else scenario == entry


def scope_of(side: str, version: str) -> Scope:
    """What the file says of one side and revision."""
    table = tomllib.loads((HERE / "scope.toml").read_text("utf-8"))[side][version]
    return Scope(passes=tuple(table["passes"]), out_of_scope=table["out_of_scope"])


def run(*arguments: str) -> str:
    """Run the suite; what it says, however it ends."""
    done = subprocess.run(
        [node(), str(SUITE), *arguments],
        env={**os.environ, **LOOPBACK},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        check=False,
    )
    return done.stdout


def scenarios(side: str, version: str) -> list[str]:
    """What the suite has for one side at a revision, scored or not."""
    found: list[str] = []
    section = ""
    for line in run("list", "--requirements", version).splitlines():
        if line.endswith(":") and not line.startswith(" "):
            section = line.split()[0].lower()
        elif (row := _ROW.match(line)) and (row[2] or section) == side:
            found.append(row[1])
    return found


def faults_of(folder: Path, side: str) -> dict[str, list[str]]:
    """What a run found, by scenario: the checks that failed or warned, or that there were none."""
    faults: dict[str, list[str]] = {}
    for path in sorted(folder.rglob("checks.json")):
        scenario = _TIME.sub("", path.parent.relative_to(folder).as_posix())
        checks = json.loads(path.read_text("utf-8"))
        found = [_words(each) for each in checks if each["status"] in ("FAILURE", "WARNING")]
        if not any(each["status"] == "SUCCESS" for each in checks):
            found.append("nothing was checked")
        faults[scenario.removeprefix("server-") if side == "server" else scenario] = found
    return faults


def _words(check: Mapping[str, object]) -> str:
    said = check.get("errorMessage") or check.get("details") or ""
    return f"{check['id']}: {check['description']} {said}"


def unknown(scope: Scope, there: Sequence[str]) -> list[str]:
    """What the file and the suite disagree about."""
    lines = [f"{name}: the suite no longer has it" for name in scope.passes if name not in there]
    lines += [f"{name}: it is both" for name in scope.passes if scope.leaves_out(name)]
    lines += [
        f"{entry}: it fits no scenario of the suite"
        for entry in scope.out_of_scope
        if not any(_fits(name, entry) for name in there)
    ]
    lines += [
        f"{name}: neither passes nor is out of scope"
        for name in there
        if name not in scope.passes and not scope.leaves_out(name)
    ]
    return lines


def stale(scope: Scope, faults: Mapping[str, Iterable[str]]) -> list[str]:
    """Scenarios that pass although they are out of scope."""
    return [name for name, found in faults.items() if scope.leaves_out(name) and not found]
