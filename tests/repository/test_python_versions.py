"""What older patch releases of a supported Python get wrong, and the source therefore leaves out."""

import re
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent.parent / "src" / "toolroll"

# `(...)*+`, but not the sub-delimiters of RFC 3986, which stand together as `()*+`.
POSSESSIVE_GROUP = re.compile(r"(?<!\()\)(?:[*+?]|\{[0-9,]+\})\+")


@pytest.mark.rule("repository-no-possessive-groups")
def test_no_pattern_repeats_a_group_possessively() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{number}: {line.strip()}"
        for path in sorted(SOURCE.rglob("*.py"))
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if POSSESSIVE_GROUP.search(line) and "`" not in line
    ]
    assert found == [], "write (?>(?:...)*): Python before 3.11.5 misplaces the end of such a match"


@pytest.mark.parametrize("pattern", ["(?:ab)*+", "(a|b)?+x", "(?:[0-9]){1,2}+"])
def test_a_possessive_group_is_seen(pattern: str) -> None:
    assert POSSESSIVE_GROUP.search(pattern)
