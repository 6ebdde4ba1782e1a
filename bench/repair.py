"""How arguments texts are read: right, wrong in silence, refused, and how fast.

    python -m bench.repair             every figure, as lines of JSON
    python -m bench.repair table       right, wrong, refused and speed of all readers, for the docs
    python -m bench.repair own         our rows of it alone, without speed

Valid arguments are measured beside two plain parsers: the standard library's, and the one below
Pydantic. Damaged ones are those of `bench.damage`, or of another file with the same functions:

    REPAIR_CORPUS=path/to/corpus.py python -m bench.repair

Other readers are measured in the same rounds where they are installed (`--group bench`). A wrong
value counts as wrong in silence where the reader says that it is whole, and as told where it says
that it is cut or several; a reader that says neither is always silent. In the row "with the tool's
schema" a text that is read as whole goes through `LocalToolkit.call` to a tool with a closed
schema: what its handler gets is judged, and what the check refuses is refused.
"""

import contextlib
import importlib
import importlib.util
import io
import json
import os
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
from pydantic_core import from_json

from bench import damage
from bench.figure import report
from toolroll import Answer, CallContext, Hints, LocalToolkit, ToolCall, ToolDefinition, define_tool
from toolroll.content import JsonObject
from toolroll.repair import ArgumentStream, read_arguments

ROUNDS = 7
MARKS = ("right", "wrong in silence", "wrong, told", "refused")
TOLD = ("truncated", "concatenated")
Reader = Callable[[str], object]


def load_corpus() -> Any:
    """The file that REPAIR_CORPUS names, else our own."""
    if "REPAIR_CORPUS" not in os.environ:
        return damage
    path = Path(os.environ["REPAIR_CORPUS"]).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("repair_corpus", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"bench: cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def installed(name: str) -> ModuleType | None:
    """A module, where it is installed."""
    return importlib.import_module(name) if importlib.util.find_spec(name) else None


def peers() -> dict[str, Reader]:
    """The readers of others that are installed."""
    found: dict[str, Reader] = {}
    for module, name in (
        ("json_repair", "json-repair"),
        ("fast_json_repair", "fast-json-repair"),
        ("partial_json_parser", "partial-json-parser"),
    ):
        peer = installed(module)
        if peer is not None:
            found[name] = peer.loads
    jiter = installed("jiter")
    if jiter is not None:
        parse = jiter.from_json
        found["jiter, partial"] = lambda text: parse(text.encode(), partial_mode="trailing-strings")
    return found


def attempt(reader: Reader, text: str) -> object:
    """Read; a failure is None."""
    try:
        return reader(text)
    except Exception:
        return None


def seconds_for(reader: Reader, texts: Iterable[str]) -> float:
    """Seconds of the processor for all the texts once."""
    begun = time.process_time()
    for text in texts:
        attempt(reader, text)
    return time.process_time() - begun


def mark(corpus: Any, case: tuple[str, str, Any, object], read: object) -> str:
    """Judge one answer."""
    kind, text, want, _ = case
    status = getattr(read, "status", "complete")
    if status == "malformed":
        return "refused"
    judged = corpus.judge(kind, getattr(read, "value", read), want, text)
    if judged == "wrong":
        return "wrong, told" if status in TOLD else "wrong in silence"
    return "refused" if judged == "failed" else "right"


def judge_all(corpus: Any, answers: Sequence[object]) -> tuple[Counter[str], dict[str, Any]]:
    """How often each mark was given: in all, and for each kind where one was not right."""
    marks: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {}
    for case, answer in zip(corpus.corpus(), answers, strict=True):
        got = mark(corpus, case, answer)
        marks[got] += 1
        if got != "right":
            by_kind.setdefault(case[0], Counter())[got] += 1
    return marks, by_kind


def give_back(arguments: JsonObject) -> JsonObject:
    """The handler of the tools that are called."""
    return arguments


async def call_all_texts(corpus: Any) -> list[object]:
    """What the tool is run with for each text; None where the call is refused."""
    bases: list[dict[str, Any]] = corpus.BASES
    definitions = [
        ToolDefinition(
            name=f"tool_{number}",
            description="Give back the input.",
            input_schema=damage.schema_of(base),
            hints=Hints.of_effect("read"),
        )
        for number, base in enumerate(bases)
    ]
    kit = LocalToolkit("bench", *(define_tool(each, give_back) for each in definitions))
    answers: list[object] = []
    for _, text, want, _ in corpus.corpus():
        call = ToolCall.of_text("c1", f"tool_{bases.index(want)}", text)
        if call.arguments.status in TOLD:
            answers.append(call.arguments)  # such a call is not run
            continue
        outcome = await kit.call(call, CallContext())
        answers.append(outcome.result.data if isinstance(outcome, Answer) else None)
    return answers


def valid_texts() -> dict[str, list[str]]:
    """Valid arguments of the sizes that models write."""
    prose = "Water finds the shortest way down, and takes the valley with it. "
    code = "\n".join(f"def f{n}(x: int) -> str:\n    return 'a' * x" for n in range(23))
    rows = [{"id": n, "name": f"name {n}", "tags": ["a", "b"], "ok": True} for n in range(180)]
    values: dict[str, list[Any]] = {
        "80 B": [
            {"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"], "sort": "date"},
            {"url": "https://example.com/a?b=c", "method": "GET", "at": "2026-07-28T10:00:00Z"},
        ],
        "1 kB of text": [
            {"path": "a.md", "content": prose * 15, "n": 1},
            {"path": "a.py", "content": code, "n": 1},
        ],
        "1 kB of rows": [{"rows": rows[:18]}],
        "10 kB of text": [
            {"path": "a.md", "content": prose * 150, "n": 1},
            {"path": "a.py", "content": code * 10, "n": 1},
        ],
        "10 kB of rows": [{"rows": rows}],
    }
    return {name: [json.dumps(value) for value in group] for name, group in values.items()}


def measure_valid() -> None:
    """Valid arguments beside the plain parsers, batches in turns."""
    plain: dict[str, Reader] = {"json.loads": json.loads, "pydantic_core.from_json": from_json}
    for name, texts in valid_texts().items():
        batch = texts * max(1, 200_000 // sum(map(len, texts)))
        ours: list[float] = []
        ratios: dict[str, list[float]] = {peer: [] for peer in plain}
        for _ in range(ROUNDS):
            took = seconds_for(read_arguments, batch)
            ours.append(took / len(batch) * 1e6)
            for peer, reader in plain.items():
                ratios[peer].append(took / seconds_for(reader, batch))
        report(f"valid arguments, {name}", "time", "us", ours)
        for peer, values in ratios.items():
            report(f"valid arguments, {name}", f"as long as {peer}", "times", values)


def stream_of(text: str) -> object:
    """Read a text in pieces of four characters."""
    stream = ArgumentStream()
    for at in range(0, len(text), 4):
        stream.feed(text[at : at + 4])
    return stream.finish()


def measure_stream() -> None:
    """A stream in small pieces: the time for each piece of a short and of a long text."""
    for name, (text, *_) in valid_texts().items():
        batch = [text] * max(1, 20_000 // len(text))
        pieces = len(batch) * -(-len(text) // 4)
        times = [seconds_for(stream_of, batch) / pieces * 1e6 for _ in range(ROUNDS)]
        report(f"stream, {name}", "time for a piece", "us", times)


def measure_damaged(corpus: Any) -> dict[str, tuple[Counter[str], list[float]]]:
    """Damaged arguments: marks and megabytes a second of all readers, in turns."""
    cases = corpus.corpus()
    texts = [text for _, text, _, _ in cases]
    cut = [text for kind, text, _, _ in cases if kind == damage.CUT]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    readers: dict[str, Reader] = {"toolroll": read_arguments, **peers()}
    table: dict[str, tuple[Counter[str], list[float]]] = {}
    table.update({name: (marks, []) for name, marks in own_marks(corpus).items()})
    for name, reader in peers().items():
        marks, _ = judge_all(corpus, [attempt(reader, text) for text in texts])
        table[name] = marks, []
    times: dict[str, list[float]] = {name: [] for name in readers}
    cut_times: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(ROUNDS):
        for name, reader in readers.items():
            times[name].append(seconds_for(reader, texts))
            cut_times[name].append(seconds_for(reader, cut))
            table[name][1].append(megabytes / times[name][-1])
    for name, (marks, speeds) in table.items():
        subject = f"damaged arguments, {name}"
        if speeds:
            report(subject, "speed", "MB/s", speeds)
        for kind in MARKS:
            report(subject, kind, "%", [100 * marks[kind] / len(texts)])
    for measure, seconds in (("all damaged", times), ("cut only", cut_times)):
        ours = seconds.pop("toolroll")
        for name, theirs in seconds.items():
            ratios = [one / other for one, other in zip(theirs, ours, strict=True)]
            report(f"{measure}, toolroll", f"faster than {name}", "times", ratios)
    return table


def own_marks(corpus: Any) -> dict[str, Counter[str]]:
    """How our reader does alone, and before the check of a tool; kinds that are not right too."""
    found: dict[str, Counter[str]] = {}
    alone = [attempt(read_arguments, text) for _, text, _, _ in corpus.corpus()]
    for name, answers in (
        ("toolroll", alone),
        ("toolroll, with the tool's schema", anyio.run(call_all_texts, corpus)),
    ):
        found[name], by_kind = judge_all(corpus, answers)
        print(f"{name}, not right: {json.dumps(by_kind, ensure_ascii=False)}", file=sys.stderr)
    return found


def print_table(table: dict[str, tuple[Counter[str], list[float]]], *, speed: bool) -> None:
    """Print marks and speed of damaged arguments as the docs hold them."""
    heads = ["reader", *MARKS, "MB/s"] if speed else ["reader", *MARKS]
    print("|", " | ".join(heads), "|")
    print("| --- |", " ---: |" * (len(heads) - 1), sep="")
    for name, (marks, speeds) in table.items():
        total = sum(marks.values())
        cells = [name, *(f"{100 * marks[kind] / total:.2f} %" for kind in MARKS)]
        if speed:
            cells.append(f"{statistics.median(speeds):.1f}" if speeds else "")
        print("|", " | ".join(cells), "|")


def main() -> None:
    """Print every figure."""
    corpus = load_corpus()
    if sys.argv[1:] == ["own"]:
        own = own_marks(corpus)
        print_table({name: (marks, []) for name, marks in own.items()}, speed=False)
        return
    if sys.argv[1:] == ["table"]:
        with contextlib.redirect_stdout(io.StringIO()):
            table = measure_damaged(corpus)
        print_table(table, speed=True)
        return
    measure_valid()
    measure_stream()
    measure_damaged(corpus)


if __name__ == "__main__":
    main()
