"""A call that wants more input: the questions go to a person, the answers back with the next round.

Source: MCP 2026-07-28, basic/patterns/multi-round-trip, "Client Requirements".
"""

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol import INPUT_REQUIRED, read_input_required, write_reply
from toolroll.sources.mcp.session import Ask
from toolroll.sources.source import SourceError


def wants_input(result: JsonObject) -> bool:
    """Whether a result wants more input."""
    return result.get("resultType") == INPUT_REQUIRED


async def next_params(
    source: str, params: JsonObject, result: JsonObject, ask: Ask
) -> dict[str, JsonValue]:
    """The params of the next round: the original ones, the replies, and the exact state.

    Args:
        source: the source's name.
        params: of the first round.
        result: that wants more input.
        ask: the question it answered.

    Raises:
        SourceError: it wants what was not declared, or nobody can be asked.
    """
    wanted = read_input_required(result)
    if wanted is None:
        raise SourceError(source, "invalid-response", "input is required, but none is named")
    if wanted.unsupported:
        methods = ", ".join(sorted({method for _, method in wanted.unsupported}))[:200]
        raise SourceError(source, "unsupported", f"the server asks for {methods}")
    if wanted.questions and not ask.context.has_ask:
        raise SourceError(
            source, "unsupported", "the server asks a person, and nobody can be asked"
        )
    following = dict(params)
    if wanted.questions:
        following["inputResponses"] = {
            key: write_reply(await ask.consult(question))
            for key, question in wanted.questions.items()
        }
    if wanted.state is not None:
        following["requestState"] = wanted.state
    return following
