"""Outcomes read back from their JSON."""

from collections.abc import Mapping
from typing import Any, cast

from toolroll.content import JsonObject, JsonValue, result_from_json
from toolroll.outcome.approval import ApprovalRequest
from toolroll.outcome.error import ToolrollError
from toolroll.outcome.issue import Issue, Repair
from toolroll.outcome.union import (
    Aborted,
    Answer,
    Failed,
    InvalidInput,
    NeedsApproval,
    Outcome,
    Refused,
    TimedOut,
    Unavailable,
)


def outcome_from_json(raw: JsonObject) -> Outcome:
    """Read what `to_json` wrote; a cause is not in it and does not come back.

    Raises:
        ToolrollError: it is no outcome.

    Example:
        >>> refused = Refused(code="refused", message="no", lines=("why\tbecause",))
        >>> outcome_from_json(refused.to_json()) == refused
        True
    """
    kind = raw.get("kind")
    try:
        shared: dict[str, Any] = {
            "call_id": _text(raw, "call_id"),
            "duration": float(cast("float", raw.get("duration", 0.0))),
            "repairs": tuple(_repair(item) for item in _objects(raw.get("repairs"))),
        }
        if kind == "ok":
            return Answer(result=result_from_json(cast("JsonObject", raw["result"])), **shared)
        bad: dict[str, Any] = {
            **shared,
            "code": raw["code"],
            "message": raw["message"],
            "retryable": raw.get("retryable", False),
            "may_have_run": raw.get("may_have_run", False),
            "retry_after": raw.get("retry_after"),
        }
        match kind:
            case "invalid_input":
                return InvalidInput(
                    **bad, issues=tuple(_issue(item) for item in _objects(raw.get("issues")))
                )
            case "refused":
                return Refused(**bad, lines=tuple(cast("list[str]", raw.get("lines", []))))
            case "needs_approval":
                return NeedsApproval(**bad, request=_request(cast("JsonObject", raw["request"])))
            case "failed":
                result = raw.get("result")
                return Failed(
                    **bad, result=result_from_json(result) if isinstance(result, Mapping) else None
                )
            case "timeout":
                return TimedOut(**bad, limit=cast("float | None", raw.get("limit")))
            case "aborted":
                return Aborted(**bad)
            case "unavailable":
                return Unavailable(**bad)
            case _:
                raise ToolrollError(f"{kind!r} is no kind of outcome.")
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ToolrollError(f"this JSON is no outcome of kind {kind!r}: {error!r}") from error


def _objects(value: JsonValue) -> list[JsonObject]:
    items = value if isinstance(value, list) else []
    return [cast("JsonObject", item) for item in items if isinstance(item, Mapping)]


def _text(raw: JsonObject, key: str) -> str:
    value = raw.get(key, "")
    return value if isinstance(value, str) else ""


def _repair(raw: JsonObject) -> Repair:
    at = raw.get("at")
    return Repair(
        _text(raw, "kind"),
        _text(raw, "pointer"),
        at if isinstance(at, int) else None,
        _text(raw, "was"),
    )


def _issue(raw: JsonObject) -> Issue:
    missing = tuple(cast("list[str]", raw.get("missing", [])))
    return Issue(_text(raw, "pointer"), _text(raw, "problem"), missing, _text(raw, "keyword"))


def _request(raw: JsonObject) -> ApprovalRequest:
    return ApprovalRequest(
        id=_text(raw, "id"),
        tool=_text(raw, "tool"),
        source=_text(raw, "source"),
        input=cast("JsonObject", raw["input"]),
        principal=_text(raw, "principal"),
        digest=_text(raw, "digest"),
        fingerprint=_text(raw, "fingerprint"),
        asked=cast("float | None", raw.get("asked")),
        expires=cast("float | None", raw.get("expires")),
        effect=_text(raw, "effect"),
    )
