"""How arguments texts are read: right, wrong in silence, refused, and how fast.

    python -m bench.repair

Valid arguments are measured beside the plain parser. For damaged ones a corpus is needed that is
not part of the repository: a Python file with `corpus()`, which gives (kind, text, what was meant,
where it was cut), with `judge(kind, got, want, text)`, and with `BASES`, valid objects. Name it:

    REPAIR_CORPUS=path/to/corpus.py PEERS_PYTHON=path/to/python python -m bench.repair

PEERS_PYTHON is an interpreter that has `json_repair` and `partial_json_parser`; they are measured
in turns with our reader, so that a busy machine spoils both alike. A wrong value counts as wrong in
silence where the reader says that it is whole, and as told where it says cut or several.
"""

import importlib.util
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any

ROUNDS = 7
Reader = Callable[[str], object]


def load_corpus() -> ModuleType:
    """Import the file that REPAIR_CORPUS names."""
    path = Path(os.environ["REPAIR_CORPUS"]).resolve()
    sys.path.insert(0, str(path.parent))
    spec = importlib.util.spec_from_file_location("repair_corpus", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"bench: cannot import {path}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


def mark(corpus: ModuleType, case: tuple[str, str, object, object], read: object) -> str:
    """Judge one answer."""
    kind, text, want, _ = case
    status = getattr(read, "status", "complete")
    if status == "malformed":
        return "failed"
    judged = corpus.judge(kind, getattr(read, "value", read), want, text)
    if judged != "wrong":
        return judged
    return "wrong, told" if status in ("truncated", "concatenated") else "wrong in silence"


def judge_all(corpus: ModuleType, reader: Reader) -> tuple[Counter[str], dict[str, Counter[str]]]:
    """How often each mark was given: in all, and for each kind where one was not right."""
    marks: Counter[str] = Counter()
    by_kind: dict[str, Counter[str]] = {}
    for case in corpus.corpus():
        got = mark(corpus, case, attempt(reader, case[1]))
        marks[got] += 1
        if got != "right":
            by_kind.setdefault(case[0], Counter())[got] += 1
    return marks, by_kind


def peers() -> dict[str, Reader]:
    """The readers of the other interpreter."""
    import json_repair
    import partial_json_parser

    return {"json-repair": json_repair.loads, "partial-json-parser": partial_json_parser.loads}


def answer_as_peer() -> None:
    """In the other interpreter: the seconds of one round and the marks, as a line of JSON."""
    corpus = load_corpus()
    texts = [text for _, text, _, _ in corpus.corpus()]
    answer = {
        name: {"seconds": seconds_for(reader, texts), "marks": judge_all(corpus, reader)[0]}
        for name, reader in peers().items()
    }
    print(json.dumps(answer))


def ask_peers() -> dict[str, Any]:
    """One round in the other interpreter; nothing where none is named."""
    python = os.environ.get("PEERS_PYTHON")
    if not python:
        return {}
    done = subprocess.run(
        [python, __file__, "--peer"], capture_output=True, text=True, check=True, timeout=600
    )
    return json.loads(done.stdout)


def measure_valid(bases: list[object]) -> None:
    """Valid arguments beside the plain parser, batches in turns."""
    from pydantic_core import from_json

    from bench.figure import report
    from toolroll.repair import read_arguments

    code = "\n".join(f"def f{i}(x: int) -> str:\n    return 'a' * x" for i in range(60))
    prose = "Water finds the shortest way down, and takes the valley with it. " * 40
    sets = {
        "small": [json.dumps(base, ensure_ascii=False) for base in bases],
        "2.6 kB of prose": [json.dumps({"path": "a.md", "content": prose, "n": 1})],
        "2.7 kB of code": [json.dumps({"path": "a.py", "content": code, "n": 1})],
    }
    for name, texts in sets.items():
        repeats = 4_000 // len(texts)
        ours: list[float] = []
        ratios: list[float] = []
        for _ in range(ROUNDS):
            plain = seconds_for(from_json, texts * repeats)
            took = seconds_for(read_arguments, texts * repeats)
            ours.append(took / repeats / len(texts) * 1e6)
            ratios.append(took / plain)
        report(f"valid arguments, {name}", "time", "us", ours)
        report(f"valid arguments, {name}", "plain parser", "times", ratios)


def measure_damaged(corpus: ModuleType) -> None:
    """Damaged arguments: marks and speed, ours and the peers' in turns."""
    from bench.figure import report
    from toolroll.repair import read_arguments

    texts = [text for _, text, _, _ in corpus.corpus()]
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    marks, by_kind = judge_all(corpus, read_arguments)
    print(json.dumps({"not right, by kind": by_kind}, ensure_ascii=False))
    speeds: dict[str, list[float]] = {}
    times: dict[str, list[float]] = {}
    all_marks: dict[str, Counter[str]] = {"toolroll": marks}
    for _ in range(ROUNDS):
        ours = seconds_for(read_arguments, texts)
        speeds.setdefault("toolroll", []).append(megabytes / ours)
        for name, answer in ask_peers().items():
            seconds = answer["seconds"]
            speeds.setdefault(name, []).append(megabytes / seconds)
            times.setdefault(name, []).append(seconds / ours)
            all_marks[name] = Counter(answer["marks"])
    for name, values in speeds.items():
        report(f"damaged arguments, {name}", "speed", "MB/s", values)
        for kind in ("right", "wrong in silence", "wrong, told", "failed"):
            report(
                f"damaged arguments, {name}", kind, "%", [100 * all_marks[name][kind] / len(texts)]
            )
    for name, values in times.items():
        report("damaged arguments, toolroll", f"faster than {name}", "times", values)


def main() -> None:
    """Print every figure."""
    if sys.argv[1:] == ["--peer"]:
        answer_as_peer()
        return
    if "REPAIR_CORPUS" not in os.environ:
        print("repair: no REPAIR_CORPUS named, so only valid arguments are measured")
        measure_valid([{"query": "quarterly report", "limit": 20, "tags": ["finance", "2026"]}])
        return
    corpus = load_corpus()
    measure_valid(corpus.BASES)
    measure_damaged(corpus)


if __name__ == "__main__":
    main()
