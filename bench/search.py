"""Tool search: time to build, to ask, and how often the wanted tool is first or among five.

    python -m bench.search                     # made-up lists of 1k, 10k and 100k tools
    python -m bench.search --weights           # and the weightings of docs/search.md

A third of the made-up names are camel case, a tenth have no description, half the queries are in
other forms of the words. Where `bm25s` or `rank_bm25` are installed they are asked the same.
TOOLROLL_CORPORA names a folder with the queries of MetaTool and BFCL; without it they are left
out.
"""

import argparse
import gzip
import importlib.util
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bench.figure import report
from toolroll.presentation import SearchIndex, Weights
from toolroll.tools.definition import ToolDefinition


def listed(words: str) -> list[str]:
    return words.split()


SERVICES = listed("""
    github gitlab jira slack notion stripe paypal shopify zendesk salesforce hubspot asana
    trello linear dropbox drive calendar gmail outlook twilio sendgrid mailchimp datadog
    sentry pagerduty grafana jenkins circleci vercel netlify heroku aws azure gcp cloudflare
    okta auth zoom teams discord telegram airtable figma miro confluence bitbucket docker
    kubernetes terraform snowflake bigquery postgres redis mongo elastic kafka airflow tableau
    looker segment mixpanel amplitude intercom freshdesk
""")
VERBS = listed("""
    create list get update delete search export import archive restore approve cancel send
    merge split assign close reopen publish schedule duplicate validate rotate share move
    rename upload download subscribe revoke
""")
NOUNS = listed("""
    invoice customer ticket repository issue comment order shipment payment user group
    document folder event report channel message webhook secret token role policy branch
    commit release pipeline deployment dashboard alert incident contact lead deal campaign
    template form page block database record field view board card label milestone project
    workspace team member invitation subscription plan coupon refund dispute balance
""")
FIELDS = listed("id name title status owner region currency amount since until page label")

ROOT = Path(__file__).parent.parent

Find = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query and the names of the tools that are right for it."""

    query: str
    wanted: frozenset[str]


def made_up(count: int) -> tuple[list[ToolDefinition], list[Question]]:
    """Services x verbs x nouns in the three usual styles, and 40 questions spread over them."""
    triples = ((s, v, n) for n in NOUNS for v in VERBS for s in SERVICES)
    tools: list[ToolDefinition] = []
    said: list[tuple[str, str, str]] = []
    for at, (service, verb, noun) in zip(range(count), triples, strict=False):
        name = (
            f"{service}_{verb}_{noun}",
            f"{service}-{verb}-{noun}",
            f"{service}{verb.capitalize()}{noun.capitalize()}",
        )[at % 3]
        one, two = FIELDS[at % len(FIELDS)], FIELDS[(at * 7 + 3) % len(FIELDS)]
        text = f"{verb.capitalize()} a {noun} in the workspace. Needs {one}, answers the {noun}."
        properties = {
            one: {"type": "string", "description": f"The {one} of the {noun}"},
            f"{two}_filter": {"type": "string", "description": f"Filter on {two}"},
            "limit": {"type": "integer"},
        }
        tools.append(
            ToolDefinition(
                name=name,
                description="" if at % 10 == 9 else text,
                input_schema={"type": "object", "properties": properties},
            )
        )
        said.append((service, verb, noun))
    questions = [
        Question(
            query=f"{v} {n} {s}" if at % 2 == 0 else f"I need to {v} some {n}s on {s}",
            wanted=frozenset({tool.name}),
        )
        for at, (tool, (s, v, n)) in enumerate(
            list(zip(tools, said, strict=True))[:: max(1, len(tools) // 40)][:40]
        )
    ]
    return tools, questions


def metatool(folder: Path) -> tuple[list[ToolDefinition], list[Question]]:
    """199 tools with a sentence each, 20,614 queries written by a model."""
    tools = json.loads(gzip.decompress((folder / "metatool/tools.json.gz").read_bytes()))
    lines = gzip.decompress((folder / "metatool/queries.jsonl.gz").read_bytes()).splitlines()
    asked = [json.loads(line) for line in lines]
    return (
        [ToolDefinition(name=n, description=text, input_schema={}) for n, text in tools.items()],
        [Question(query=row["query"], wanted=frozenset({row["tool"]})) for row in asked],
    )


def bfcl(folder: Path) -> tuple[list[ToolDefinition], list[Question]]:
    """1,123 functions with schemas, 1,000 queries; a tool of the right name counts."""
    rows = json.loads(gzip.decompress((folder / "bfcl/tools.json.gz").read_bytes()))
    asked = json.loads(gzip.decompress((folder / "bfcl/queries.json.gz").read_bytes()))
    names = {row["id"]: row["name"] for row in rows}
    return (
        [
            ToolDefinition(
                name=row["name"], description=row["description"], input_schema=row["inputSchema"]
            )
            for row in rows
        ],
        [
            Question(query=row["query"], wanted=frozenset(names[one] for one in row["tools"]))
            for row in asked
        ],
    )


def ours(tools: Sequence[ToolDefinition], weights: Weights | None = None) -> Find:
    index = SearchIndex(tools, weights=weights)
    return lambda query: [tool.name for tool in index.search(query).tools]


def whole_text(tool: ToolDefinition) -> str:
    """All that the other engines get of a tool."""
    properties = tool.input_schema.get("properties")
    held = properties if isinstance(properties, dict) else {}
    texts = [
        str(below.get("description", "")) for below in held.values() if isinstance(below, dict)
    ]
    return " ".join([tool.name.replace("_", " "), tool.description, *held, *texts])


def of_bm25s(tools: Sequence[ToolDefinition]) -> Find:
    import bm25s

    engine = bm25s.BM25()
    texts = [whole_text(tool) for tool in tools]
    engine.index(bm25s.tokenize(texts, show_progress=False), show_progress=False)

    def find(query: str) -> list[str]:
        asked = bm25s.tokenize([query], show_progress=False)
        found, _ = engine.retrieve(asked, k=5, show_progress=False)
        return [tools[at].name for at in found[0]]

    return find


def of_rank_bm25(tools: Sequence[ToolDefinition]) -> Find:
    import numpy as np
    from rank_bm25 import BM25Okapi

    def words(text: str) -> list[str]:
        return re.findall(r"[a-z0-9]+", text.lower())

    engine = BM25Okapi([words(whole_text(tool)) for tool in tools])

    def find(query: str) -> list[str]:
        return [tools[at].name for at in np.argsort(engine.get_scores(words(query)))[::-1][:5]]

    return find


def measure(
    label: str,
    make: Callable[[Sequence[ToolDefinition]], Find],
    tools: Sequence[ToolDefinition],
    questions: Sequence[Question],
) -> None:
    started = time.perf_counter()
    find = make(tools)
    report(label, "build", "ms", [(time.perf_counter() - started) * 1e3])
    times: list[float] = []
    first = five = 0
    for question in questions:
        started = time.perf_counter()
        names = find(question.query)
        times.append((time.perf_counter() - started) * 1e3)
        first += bool(question.wanted & set(names[:1]))
        five += bool(question.wanted & set(names))
    report(label, "query", "ms", times)
    report(label, "wanted tool first", "share", [first / len(questions)])
    report(label, "wanted tool in five", "share", [five / len(questions)])


def engines() -> Iterator[tuple[str, Callable[[Sequence[ToolDefinition]], Find]]]:
    yield "toolroll", ours
    if importlib.util.find_spec("bm25s"):
        yield "bm25s", of_bm25s
    if importlib.util.find_spec("rank_bm25"):
        yield "rank-bm25", of_rank_bm25


def weightings() -> Iterator[tuple[str, Weights]]:
    usual = Weights()
    yield "default", usual
    for name in (1.0, 5.0, 8.0):
        yield f"name {name:g}", replace(usual, name=name)
    yield "parameters 0", replace(usual, parameter=0.0, parameter_description=0.0)
    yield "parameters 1", replace(usual, parameter=1.0, parameter_description=1.0)
    yield "prefix 0", replace(usual, prefix=0.0)
    yield "evenness 0", replace(usual, evenness=0.0)
    yield "evenness 1", replace(usual, evenness=1.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure tool search.")
    parser.add_argument("--sizes", default="1000,10000,100000")
    parser.add_argument("--weights", action="store_true")
    chosen = parser.parse_args()
    subjects = [(f"{int(n):,} tools", *made_up(int(n))) for n in chosen.sizes.split(",")]
    folder = Path(os.environ.get("TOOLROLL_CORPORA", ROOT.parent / "shared" / "data"))
    corpora = [("MetaTool", *metatool(folder)), ("BFCL", *bfcl(folder))] if folder.is_dir() else []
    for subject, tools, questions in subjects + corpora:
        for engine, make in engines():
            measure(f"{subject}, {engine}", make, tools, questions)
    for subject, tools, questions in corpora if chosen.weights else ():
        for label, weights in weightings():
            measure(f"{subject}, {label}", partial(ours, weights=weights), tools, questions)


if __name__ == "__main__":
    main()
