"""Every dialect over the schemas of real tools."""

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import pytest

from toolroll import dialects
from toolroll.content import JsonObject
from toolroll.dialects.fault import Mode, faults

NAMES = ("openai", "openai_strict", "anthropic", "anthropic_strict", "gemini", "gemini_openapi3")


def real_schemas(corpora: Path) -> Iterator[tuple[str, JsonObject]]:
    for path in sorted((corpora / "mcp-tool-lists").glob("*.json.gz")):
        for tool in json.loads(gzip.decompress(path.read_bytes()))["tools"]:
            yield f"{path.stem}/{tool['name']}", tool["inputSchema"]
    for tool in json.loads(gzip.decompress((corpora / "bfcl/tools.json.gz").read_bytes())):
        yield f"bfcl/{tool['id']}", tool["inputSchema"]


@pytest.mark.corpora
@pytest.mark.rule("dialect-no-fault", "dialect-never-mutates")
@pytest.mark.parametrize("name", NAMES)
def test_every_schema_of_real_tools_is_taken_once_adapted(name: str, corpora: Path) -> None:
    count = 0
    for tool, schema in real_schemas(corpora):
        before = json.dumps(schema)
        made = getattr(dialects, name).adapt(schema)
        mode = (
            name.removesuffix("_strict") if name.endswith("_strict") and not made.strict else name
        )
        assert faults(made.schema, cast("Mode", mode)) == [], tool
        assert json.dumps(schema) == before, tool
        count += 1
    assert count > 1_400
