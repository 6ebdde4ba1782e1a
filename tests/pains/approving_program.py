"""A call that needs a yes: `ask FILE` makes it and keeps it as JSON, `run FILE` makes it again.

Each is run in a process of its own. `run` prints what ran and what it came to.
"""

import json
import sys
from pathlib import Path

if __name__ == "__main__":  # run as a script, from anywhere
    sys.path.insert(0, str(Path(__file__).parents[2]))

import anyio

from tests.pains.governance import mail
from tests.pains.making import NOBODY
from toolroll import ToolCall
from toolroll.outcome import NeedsApproval, outcome_from_json


async def ask(file: Path) -> None:
    """Make the call that is in the file; keep the question beside it."""
    kept = json.loads(file.read_text())
    kit, _ = mail(needs=[kept["tool"]])
    outcome = await kit.call(ToolCall.of(kept["tool"], kept["args"], id=kept["id"]), NOBODY)
    file.write_text(json.dumps({**kept, "outcome": outcome.to_json()}))


async def run(file: Path) -> None:
    """Make the same call again, with the answer that is in the file."""
    kept = json.loads(file.read_text())
    asked = outcome_from_json(kept["outcome"])
    assert isinstance(asked, NeedsApproval)
    kit, sent = mail(needs=[kept["tool"]])
    context = NOBODY.with_answers({asked.request.id: kept["answer"]})
    call = ToolCall.of(kept["tool"], kept["args"], id=kept["id"])
    outcome = await kit.call(call, context)
    print(json.dumps({"kind": outcome.kind, "sent": [input for _, input in sent]}))


if __name__ == "__main__":
    anyio.run({"ask": ask, "run": run}[sys.argv[1]], Path(sys.argv[2]))
