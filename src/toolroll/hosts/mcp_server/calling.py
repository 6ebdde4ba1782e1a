"""`tools/call`: from a request to a result, with questions and progress on the way.

Source: MCP 2026-07-28, server/tools, "Calling Tools"; the tool definition contract, "MCP adapter".
"""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Generic, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.hosts.mcp_server.approval import approval_question, verdict
from toolroll.hosts.mcp_server.asking import RequestAsker, RoundAsker
from toolroll.hosts.mcp_server.exchange import Incoming
from toolroll.hosts.mcp_server.option import ServerOptions
from toolroll.hosts.mcp_server.page import ToolFacts, ToolPages, lacking, shows_output
from toolroll.hosts.mcp_server.rejection import bad_params, header_mismatch, missing_capability
from toolroll.hosts.mcp_server.rendering import (
    is_unknown_tool,
    reject_unknown_tool,
    render,
    render_unknown_tool,
)
from toolroll.hosts.mcp_server.state import CallState, StateSigner
from toolroll.outcome import Answer, NeedsApproval, Outcome
from toolroll.protocol import (
    PROGRESS_METHOD,
    ProgressNumbering,
    can_ask,
    check_mark_headers,
    features_of,
    replies_of,
    write_input_required,
)
from toolroll.text import sanitize_text
from toolroll.toolkit.protocol import Toolkit
from toolroll.tools.call import ToolCall
from toolroll.tools.context import App_co, CallContext, Progress, ProgressListener, Question, Reply


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller(Generic[App_co]):
    """What one server brings to each call."""

    kit: Toolkit[App_co]
    name: str
    options: ServerOptions
    pages: ToolPages
    signer: StateSigner


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """A call as the request has it."""

    name: str
    arguments: JsonObject


async def call_tool(
    caller: Caller[App_co], incoming: Incoming, context: CallContext[App_co]
) -> dict[str, JsonValue]:
    """Answer one `tools/call`.

    Args:
        caller: the server.
        incoming: the request.
        context: the host's, for this request.

    Raises:
        Rejection: the request is malformed, names an unknown tool, lacks a capability or a header,
            or carries a state that is none of ours.
    """
    asked = _read(incoming)
    _require(caller, incoming, context, asked)
    context = _with_progress(context, incoming)
    outcome: Outcome | dict[str, JsonValue]
    if not _shows_forms(incoming):
        outcome = await caller.kit.call(_tool_call(asked, _new_id()), context)
    elif incoming.modern:
        outcome = await _call_in_rounds(caller, incoming, context, asked)
    else:
        outcome = await _call_with_requests(caller, incoming, context, asked)
    if isinstance(outcome, dict):
        return outcome
    return _write(caller, incoming, context, asked, outcome)


def _shows_forms(incoming: Incoming) -> bool:
    """Whether the client's user can be asked, in this version and over this transport."""
    if not features_of(incoming.version).questions or not can_ask(incoming.info.capabilities):
        return False
    return incoming.modern or incoming.exchange.can_request


def _read(incoming: Incoming) -> _Asked:
    params = incoming.request.params
    name, arguments = params.get("name"), params.get("arguments")
    if not isinstance(name, str) or not name:
        raise bad_params("'name' must be a text")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise bad_params("'arguments' must be an object")
    return _Asked(name=name, arguments=cast("JsonObject", arguments or {}))


def _require(
    caller: Caller[App_co], incoming: Incoming, context: CallContext[App_co], asked: _Asked
) -> None:
    """Refuse what the client lacks, and headers that do not mirror the arguments."""
    required = caller.options.required_capabilities.get(asked.name)
    if required and (missing := lacking(required, incoming.info.capabilities)):
        raise missing_capability(missing)
    headers = incoming.info.headers
    if not incoming.modern or incoming.info.transport != "http":
        return
    if not asked.arguments and not any(name.startswith("mcp-param-") for name in headers):
        return
    marks = _facts(caller, context, asked.name).marks
    mismatch = check_mark_headers(marks, asked.arguments, headers) if marks else None
    if mismatch is not None:
        raise header_mismatch(mismatch)


def _facts(caller: Caller[App_co], context: CallContext[App_co], name: str) -> ToolFacts:
    return caller.pages.facts_of(name, lambda: caller.kit.listing(context))


def _with_progress(context: CallContext[App_co], incoming: Incoming) -> CallContext[App_co]:
    """The context with our own listener, beside the host's where it has one."""
    ours, host = _listener(incoming), context.on_progress
    if ours is None:
        return context
    if host is None:
        return replace(context, on_progress=ours)

    def both(step: Progress) -> None:
        host(step)
        ours(step)

    return replace(context, on_progress=both)


def _listener(incoming: Incoming) -> ProgressListener | None:
    """Sends progress to the client; None where it did not ask for any."""
    token, exchange = incoming.meta.progress_token, incoming.exchange
    if token is None:
        return None
    numbering = ProgressNumbering(token)

    def listen(step: Progress) -> None:
        written = numbering.write(step)
        if written is not None:
            exchange.notify(PROGRESS_METHOD, cast("JsonObject", written["params"]))

    return listen


async def _call_with_requests(
    caller: Caller[App_co], incoming: Incoming, context: CallContext[App_co], asked: _Asked
) -> Outcome:
    """Call, putting questions and approvals to the client while the call waits."""
    limit = caller.options.limits.rounds
    asker = RequestAsker(incoming.exchange, version=incoming.version, limit=limit)
    context = replace(context, on_ask=context.on_ask or asker.ask)
    call = _tool_call(asked, _new_id())
    while True:
        outcome = await caller.kit.call(call, context)
        if not isinstance(outcome, NeedsApproval) or not caller.options.ask_approval:
            return outcome
        if outcome.request.id in context.answers:
            return outcome
        said = verdict(await asker.ask(approval_question(outcome.request)))
        if said == "none":
            return outcome
        context = context.with_answers({outcome.request.id: said == "yes"})


async def _call_in_rounds(
    caller: Caller[App_co], incoming: Incoming, context: CallContext[App_co], asked: _Asked
) -> Outcome | dict[str, JsonValue]:
    """Call, ending with the questions where there are any."""
    params, limits = incoming.request.params, caller.options.limits
    bound_to = _binding(incoming, context, asked)
    given = _given(params)
    state = CallState(call_id=_new_id())
    if "requestState" in params:
        state = caller.signer.open(params["requestState"], bound_to)
    dismissed, state = _take_verdicts(state, given)
    asker = RoundAsker(state, given, version=incoming.version, limit=limits.rounds)
    context = replace(context, on_ask=context.on_ask or asker.ask).with_answers(state.answers)
    outcome: Outcome | None = None
    with asker.scope:
        outcome = await caller.kit.call(_tool_call(asked, state.call_id), context)
    if asker.pending:
        return _ask_again(caller, asker.state, asker.pending, {}, bound_to)
    if outcome is None:  # the scope is cancelled by nothing but a pending question
        raise RuntimeError("a call ended without an outcome")
    if not isinstance(outcome, NeedsApproval) or not caller.options.ask_approval:
        return outcome
    id = outcome.request.id
    if id in dismissed or id in state.answers or state.rounds >= limits.rounds:
        return outcome
    question = approval_question(outcome.request)
    return _ask_again(caller, asker.state, {question.key: question}, {question.key: id}, bound_to)


def _take_verdicts(
    state: CallState, given: Mapping[str, Reply]
) -> tuple[frozenset[str], CallState]:
    """Turn replies to approvals we asked for into answers; the ids that were dismissed apart.

    Only the signed state says what was asked, so a reply that nobody asked for is no answer.
    """
    answers, dismissed = dict(state.answers), set[str]()
    for key, id in state.asked.items():
        reply = given.get(key)
        said = verdict(reply) if reply is not None else None
        if said == "none":
            dismissed.add(id)
        elif said is not None:
            answers[id] = said == "yes"
    return frozenset(dismissed), replace(state, answers=answers, asked={})


def _ask_again(
    caller: Caller[App_co],
    state: CallState,
    questions: Mapping[str, Question],
    asked: Mapping[str, str],
    bound_to: JsonValue,
) -> dict[str, JsonValue]:
    state = replace(state, asked=asked, rounds=state.rounds + 1)
    shown = {
        key: replace(question, message=sanitize_text(question.message))
        for key, question in questions.items()
    }
    return write_input_required(shown, state=caller.signer.seal(state, bound_to))


def _given(params: JsonObject) -> Mapping[str, Reply]:
    if "inputResponses" in params and not isinstance(params["inputResponses"], Mapping):
        raise bad_params("'inputResponses' must be an object")
    return replies_of(params)


def _binding(incoming: Incoming, context: CallContext[App_co], asked: _Asked) -> JsonValue:
    """What a state is good for: this method, tool, input and caller, and nothing else."""
    principal = context.principal
    return {
        "method": incoming.request.method,
        "name": asked.name,
        "arguments": asked.arguments,
        "principal": [principal.tenant, principal.id] if principal else None,
    }


def _write(
    caller: Caller[App_co],
    incoming: Incoming,
    context: CallContext[App_co],
    asked: _Asked,
    outcome: Outcome,
) -> dict[str, JsonValue]:
    version = incoming.version
    if is_unknown_tool(outcome):
        if caller.options.unknown_tool == "error":
            raise reject_unknown_tool(outcome, asked.name)
        return render_unknown_tool(caller.name, asked.name, version=version)
    structured = False
    if isinstance(outcome, Answer) and outcome.result.data is not None:
        definition = _facts(caller, context, asked.name).definition
        output = definition.output_schema if definition is not None else None
        structured = shows_output(output, version)
    return render(outcome, structured=structured, version=version)


def _tool_call(asked: _Asked, id: str) -> ToolCall:
    return ToolCall.of(asked.name, asked.arguments, id=id)


def _new_id() -> str:
    """An id of our own: ids of requests are chosen by clients and repeat."""
    return f"call_{secrets.token_hex(16)}"
