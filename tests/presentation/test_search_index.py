"""The index: what a query finds, in which order."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolroll.content import JsonObject
from toolroll.presentation import SearchIndex, Weights
from toolroll.toolkit.protocol import ListedTool
from toolroll.tools.definition import ToolDefinition


def tool(
    name: str, description: str = "", schema: JsonObject | None = None, title: str | None = None
) -> ToolDefinition:
    return ToolDefinition(
        name=name, description=description, input_schema=schema or {"type": "object"}, title=title
    )


def listed(source: str, origin: str, description: str = "") -> ListedTool:
    return ListedTool(
        definition=tool(f"{source}__{origin}", description), source=source, origin=origin
    )


def found(*tools: ToolDefinition, query: str, limit: int = 5) -> list[str]:
    return [one.name for one in SearchIndex(tools).search(query, limit).tools]


@pytest.mark.rule("search-words-of-any-style")
@pytest.mark.parametrize(
    "name",
    ["create_issue", "create-issue", "createIssue", "CreateIssue", "CREATE_ISSUE", "create.issue"],
)
def test_a_name_in_any_style_is_found_by_its_words(name: str) -> None:
    assert found(tool("other"), tool(name), query="issue create") == [name]


@pytest.mark.rule("search-words-of-any-style")
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("parseHTTPResponse", "http response"),
        ("s3_upload", "s3"),
        ("oauth2Login", "oauth2"),
        ("oauth2Login", "oauth"),
        ("getV2Users", "v2 users"),
        ("GitHubSync", "github"),
        ("githubSync", "GitHub sync"),
    ],
)
def test_digits_and_acronyms_are_words_alone_and_together(name: str, query: str) -> None:
    assert found(tool("other"), tool(name), query=query) == [name]


@pytest.mark.rule("search-prefix-matches")
def test_query_finds_both_and_the_better_one_first() -> None:
    tools = tool("list_issues"), tool("createIssue")
    assert found(*tools, query="issue") == ["list_issues", "createIssue"]
    assert found(*tools, query="create iss")[0] == "createIssue"
    assert found(*tools, query="i") == ["list_issues", "createIssue"]
    assert found(*reversed(tools), query="issue") == ["createIssue", "list_issues"]


@pytest.mark.rule("search-exact-name-first")
@pytest.mark.parametrize(
    "query", ["note", "Note", "get note", "getNote", "please use get_note now"]
)
def test_the_tool_that_is_named_comes_first(query: str) -> None:
    tools = (
        tool("note_note_note", "Note note, get note. Please use now."),
        tool("note"),
        tool("get_note"),
    )
    wanted = "note" if query.casefold() == "note" else "get_note"
    assert found(*tools, query=query)[0] == wanted


@pytest.mark.rule("search-named-tools-all-first")
def test_every_named_tool_comes_before_a_chatty_one() -> None:
    names = ["find_node", "walk_path", "show_snippet", "run_query", "grep_code"]
    tools = [listed("atlas-index-mcp", name, "Does it.") for name in names]
    tools += [
        listed("atlas-index-mcp", "build_index", "Build."),
        listed("atlas-index-mcp", "get_overview", "Overview of atlas index code node path query."),
    ]
    answer = SearchIndex(tools).search(f"{' '.join(names)} atlas-index-mcp", 5)
    assert {one.origin for one in answer.tools} == set(names)
    assert answer.available == 7


@pytest.mark.rule("search-common-words-decide-nothing")
def test_the_words_of_a_source_decide_nothing_among_its_tools() -> None:
    tools = [
        listed("north-yard-crane-mcp", "crane_lift", "Raise the load."),
        listed("north-yard-crane-mcp", "crane_lift_slow", "Raise gently."),
        listed("north-yard-crane-mcp", "crane_turn", "Rotate."),
        listed("north-yard-crane-mcp", "crane_park", "Rest."),
    ]
    answer = SearchIndex(tools).search("north-yard-crane-mcp lift turn", 2)
    assert {one.origin for one in answer.tools} == {"crane_lift", "crane_turn"}


@pytest.mark.rule("search-empty-description-hides-nothing")
def test_an_empty_description_hides_no_tool() -> None:
    tools = [
        tool("get_sample_history", "Get the history of a sample by id with filters."),
        tool("get_sample", "Get a sample."),
        tool("sample_quiet_mode"),
    ]
    assert found(*tools, query="quiet_mode", limit=1) == ["sample_quiet_mode"]


@pytest.mark.rule("search-name-counts-most")
def test_a_word_in_the_name_counts_more_than_one_in_the_description() -> None:
    tools = tool("first", "Sends an invoice."), tool("invoice_send", "Does so."), tool("third")
    assert found(*tools, query="invoice") == ["invoice_send", "first"]


@pytest.mark.rule("search-reads-every-field")
def test_every_field_is_searched() -> None:
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "recipient": {"type": "string", "description": "Mailbox of the addressee"},
            "lines": {"type": "array", "items": {"properties": {"quantity": {}}}},
        },
    }
    made = ListedTool(
        definition=tool("post", "Deliver it.", schema, title="Courier"),
        source="harbour",
        origin="post",
    )
    index = SearchIndex([listed("quay", "other"), made])
    for query in ("courier", "deliver", "recipient", "mailbox", "quantity", "harbour"):
        assert index.search(query).tools == (made,), query


@pytest.mark.rule("search-reads-every-field")
def test_a_definition_alone_shows_its_source_by_its_name() -> None:
    assert found(tool("loans__find"), tool("books__find"), query="find loans")[0] == "loans__find"
    assert (
        found(tool("loans__find"), tool("loans__find_all_loans"), query="find")[0] == "loans__find"
    )


@pytest.mark.rule("search-no-words-lists-all")
@pytest.mark.parametrize("query", ["", "   ", "?!", "__"])
def test_a_query_without_words_lists_all_in_order(query: str) -> None:
    answer = SearchIndex([tool(f"t{at}") for at in range(30)]).search(query)
    assert [one.name for one in answer.tools] == ["t0", "t1", "t2", "t3", "t4"]
    assert (answer.matched, answer.available) == (30, 30)


@pytest.mark.rule("search-no-score-is-no-match")
def test_what_fits_nothing_is_not_counted() -> None:
    answer = SearchIndex([tool("note_read"), tool("note_write"), tool("ping")]).search("note")
    assert (len(answer.tools), answer.matched, answer.available) == (2, 2, 3)
    assert SearchIndex([tool("ping")]).search("zebra").matched == 0
    assert SearchIndex[ToolDefinition]([]).search("zebra").tools == ()


@pytest.mark.rule("search-limit")
@pytest.mark.parametrize(
    ("limit", "length"), [(5, 5), (1, 1), (0, 1), (-3, 1), (20, 20), (50, 20), (10**12, 20)]
)
def test_limit_is_kept_between_one_and_twenty(limit: int, length: int) -> None:
    index = SearchIndex([tool(f"note_{at}") for at in range(40)])
    assert len(index.search("note", limit).tools) == length
    assert len(index.search("", limit).tools) == length
    assert len(index.search("note").tools) == 5


@pytest.mark.rule("search-limit")
def test_the_longest_answer_can_be_set() -> None:
    index = SearchIndex([tool(f"note_{at}") for at in range(40)], most=30)
    assert len(index.search("note", 100).tools) == 30


@pytest.mark.rule("search-ties-keep-order")
def test_equal_tools_keep_their_order() -> None:
    tools = [listed(f"s{at:02}", "note", "Same.") for at in range(12)]
    answer = SearchIndex(tools).search("note same", 12)
    assert list(answer.tools) == tools


@pytest.mark.rule("search-folds-letters")
@pytest.mark.parametrize(
    ("description", "query"),
    [
        ("Réserver une place au café", "CAFE reserver"),
        ("Straße suchen", "STRASSE"),
        ("\uff57\uff45\uff54", "wet"),
        ("Ежедневная погода", "ПОГОДА"),
        ("查询天气预报", "天气"),
        ("会議室を予約する", "予約"),
    ],
)
def test_letters_are_folded(description: str, query: str) -> None:
    assert found(tool("other", "Other."), tool("wanted", description), query=query) == ["wanted"]


@pytest.mark.rule("search-folds-endings")
@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("list_issue", "listing issues"),
        ("create_repository", "created repositories"),
        ("run_task", "running tasks"),
        ("pdf_merges", "merge"),
        ("close_boxes", "closing"),
    ],
)
def test_endings_are_folded(name: str, query: str) -> None:
    assert found(tool("other"), tool(name), query=query) == [name]


@pytest.mark.rule("search-fillers")
def test_filler_words_fit_only_names() -> None:
    lamp_on, lamp_off = tool("lamp_on", "Do it to the lamp."), tool("lamp_off", "Do it to a lamp.")
    needy = tool("needle_tokens", "What you need to have is the one of these.")
    assert found(needy, lamp_off, lamp_on, query="turn the lamp on")[0] == "lamp_on"
    assert "needle_tokens" not in found(needy, lamp_on, query="I need to use a lamp")
    assert found(needy, lamp_on, query="to") == ["needle_tokens"]


@pytest.mark.rule("search-answers-what-it-was-given")
def test_an_answer_holds_the_very_objects() -> None:
    one, two = tool("note_read"), listed("notes", "note_write")
    answer = SearchIndex([one, two]).search("note")
    assert {id(item) for item in answer.tools} == {id(one), id(two)}


def test_a_field_of_no_weight_is_left_out() -> None:
    index = SearchIndex([tool("a", "zebra"), tool("zebra")], weights=Weights(description=0))
    assert [one.name for one in index.search("zebra").tools] == ["zebra"]


@pytest.mark.rule("search-bounds-hostile-input")
def test_hostile_definitions_and_queries_are_bounded() -> None:
    deep: JsonObject = {}
    for _ in range(5_000):
        deep = {"items": deep, "properties": {"p": True, "q": {"description": 7}}}
    wide: JsonObject = {
        "properties": {f"prop{at}": {"description": "x" * 90} for at in range(50_000)}
    }
    looped: dict[str, object] = {"properties": {}}
    looped["items"] = looped
    tools = [
        tool("deep", "", deep),
        tool("wide", "w" * 5_000_000, wide),
        tool("looped", "", looped),  # type: ignore[arg-type]
        tool("n" * 5_000_000),
        tool("___"),
        tool("\ud800 \x00"),
        tool("odd", "", {"properties": ["no"], "items": 3}),
    ]
    index = SearchIndex(tools)
    for query in (
        "a b c d e f " * 10_000,
        "x" * 1_000_000,
        " ".join(f"q{n}" for n in range(9_999)),
    ):
        index.search(query)
    assert index.search("deep").tools[0].name == "deep"


TEXTS = st.text(max_size=40)


@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=8), TEXTS, st.integers())
def test_any_text_can_be_indexed_and_asked(
    made: list[tuple[str, str]], query: str, limit: int
) -> None:
    index = SearchIndex([tool(name, description) for name, description in made])
    answer = index.search(query, limit)
    assert len(answer.tools) <= min(20, answer.matched) <= answer.available == len(made)
    assert len({id(one) for one in answer.tools}) == len(answer.tools)


@given(st.lists(st.text(min_size=1, max_size=20), min_size=1, max_size=6, unique=True), st.data())
def test_every_tool_is_found_by_its_name(names: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(names))
    index = SearchIndex([tool(one) for one in names])
    answer = index.search(name, 20)
    assert name in [one.name for one in answer.tools]


@pytest.mark.corpora
def test_model_written_queries_find_their_tool(corpora: Path) -> None:
    """Figures of `docs/search.md`; a change that loses one in fifty fails."""
    tools = json.loads(gzip.decompress((corpora / "metatool" / "tools.json.gz").read_bytes()))
    index = SearchIndex([tool(name, text, {}) for name, text in tools.items()])
    lines = gzip.decompress((corpora / "metatool" / "queries.jsonl.gz").read_bytes()).splitlines()
    first = five = 0
    asked = [json.loads(line) for line in lines[1::20]]
    for row in asked:
        names = [one.name for one in index.search(row["query"]).tools]
        first += names[:1] == [row["tool"]]
        five += row["tool"] in names
    assert first / len(asked) > 0.40
    assert five / len(asked) > 0.60
