"""The loops of `examples/loops` hold a conversation, and are short."""

import importlib
import json
from pathlib import Path
from typing import Any

import anyio
import pytest

from tests.providers.scripted import Call, Said, endpoint
from tests.providers.test_loop import KIT, NAMES, start

FOLDER = Path(__file__).parent.parent.parent / "examples/loops"


@pytest.mark.rule("examples-loops")
@pytest.mark.parametrize("name", NAMES)
def test_the_loop_of_a_provider_runs_to_its_end(name: str) -> None:
    loop = importlib.import_module(f"examples.loops.{name}")
    script = [Said([Call("c1", "add", '{"x": 1, "y": 2}')]), Said(text="It is 3.")]
    with endpoint(name, script) as at:

        async def post(request: dict[str, Any]) -> dict[str, Any]:
            return await anyio.to_thread.run_sync(at.ask, request)

        history = anyio.run(loop.converse, post, KIT, start(name))
    assert "It is 3." in json.dumps(history[-1])
    assert len(at.requests) == 2


@pytest.mark.rule("examples-loops")
@pytest.mark.parametrize("name", NAMES)
def test_the_loop_of_a_provider_has_at_most_twenty_lines(name: str) -> None:
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    lines = [line for line in text.partition('"""\n\n')[2].splitlines() if line.strip()]
    assert len(lines) <= 20
