"""The approval step of a call: whether one is needed, what is asked, what the answer means."""

import hashlib
import logging
import time

from toolroll.content import JsonObject, canonical_json
from toolroll.outcome import ApprovalRequest, NeedsApproval, Outcome, Refused
from toolroll.outcome.codes import CODES
from toolroll.ports.approvals import ApprovalAnswer, Approvals
from toolroll.schema.reading import ReadInput
from toolroll.text import sanitize_line
from toolroll.tools.call import ToolCall
from toolroll.tools.gate import AnyContext
from toolroll.tools.recording import Recorder, digest_of
from toolroll.tools.tool import AnyTool

_LOG = logging.getLogger("toolroll.tools")
_REFUSALS: dict[ApprovalAnswer, str] = {
    "denied": "approval-denied",
    "expired": "approval-expired",
    "nobody": "nobody-to-ask",
}


async def ask_for_approval(
    tool: AnyTool, call: ToolCall, context: AnyContext, read: ReadInput, recorder: Recorder | None
) -> Outcome | None:
    """Ask if the call needs a person's yes; None lets it run."""
    if not _needed(tool, context, read.value):
        return None
    request = request_of(tool, call, context, read.value)
    given = context.answers.get(request.id)
    answer = await _answer(tool.gates.approvals, request, given, recorder)
    if answer == "approved":
        return None
    if answer == "pending":
        return NeedsApproval(
            code="needs-approval",
            message=f"{tool.name} waits for a person's approval. It has not run.",
            call_id=call.id,
            repairs=read.repairs,
            request=request,
        )
    code = _REFUSALS[answer]
    return Refused(
        code=code,
        message=CODES[code].sentence,
        call_id=call.id,
        repairs=read.repairs,
        lines=(f"reason\t{sanitize_line(given)}",) if isinstance(given, str) else (),
    )


def request_of(
    tool: AnyTool, call: ToolCall, context: AnyContext, value: JsonObject
) -> ApprovalRequest:
    """The question about this call. Its id is the same whenever the same call is made again."""
    principal = context.principal.id if context.principal else ""
    tenant = context.principal.tenant if context.principal else ""
    digest, fingerprint = digest_of(value), tool.definition.fingerprint
    # As JSON no part can run into its neighbour, and half a surrogate pair in an id does no harm.
    parts = canonical_json(
        [call.id, tool.name, tool.source, principal, tenant, digest, fingerprint]
    )
    return ApprovalRequest(
        id=hashlib.sha256(parts.encode()).hexdigest()[:32],
        tool=tool.name,
        source=tool.source,
        input=value,
        principal=principal,
        digest=digest,
        fingerprint=fingerprint,
        asked=time.time(),
        effect=_effect_of(tool),
    )


def _effect_of(tool: AnyTool) -> str:
    """What a person is told of the effect: a claim that is not believed only warns."""
    effect = tool.definition.hints.effect or ""
    return effect if tool.trusted or effect == "destructive" else ""


def is_allowed(tool: AnyTool, context: AnyContext) -> bool:
    """Whether the policy lets the call run without a question; one that fails does not."""
    try:
        return tool.gates.decision(context) == "allow"
    except Exception:
        _LOG.exception("the policy of %s failed; the call is asked about", tool.name)
        return False


def _needed(tool: AnyTool, context: AnyContext, value: JsonObject) -> bool:
    """The stricter of the policy and the tool's own word."""
    if not is_allowed(tool, context):
        return True
    if tool.forward is not None:
        return False  # who presents it asks for what the tool itself wants
    needs = tool.behavior.needs_approval
    if isinstance(needs, bool):
        return needs
    try:
        return bool(needs(value))
    except Exception:
        _LOG.exception("needs_approval of %s failed; the call is asked about", tool.name)
        return True


async def _answer(
    approvals: Approvals | None,
    request: ApprovalRequest,
    given: bool | str | None,  # noqa: FBT001  # as it stands in the answers
    recorder: Recorder | None,
) -> ApprovalAnswer:
    if given is None and recorder is not None:
        await recorder.note("asked")
    if given is not None:
        answer: ApprovalAnswer = "approved" if given is True else "denied"
    elif approvals is None:
        answer = "pending"
    else:
        try:
            answer = await approvals.ask(request)
        except Exception:
            _LOG.exception("asking for approval of %s failed; the call is refused", request.tool)
            answer = "nobody"
    if answer != "pending" and recorder is not None:
        await recorder.note("answered", outcome=answer)
    return answer
