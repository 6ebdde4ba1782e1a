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
    kind = raw.get("kind") if isinstance(cast("object", raw), Mapping) else None
    try:
        shared: dict[str, Any] = {
            "call_id": _text(raw, "call_id"),
            "duration": _number(raw, "duration") or 0.0,
            "repairs": tuple(_repair(item) for item in _objects(raw.get("repairs"))),
        }
        if kind == "ok":
            return Answer(result=result_from_json(_object(raw, "result")), **shared)
        bad: dict[str, Any] = {
            **shared,
            "code": _needed(raw, "code"),
            "message": _needed(raw, "message"),
            "retryable": raw.get("retryable") is True,
            "may_have_run": raw.get("may_have_run") is True,
            "retry_after": _number(raw, "retry_after"),
        }
        match kind:
            case "invalid_input":
                return InvalidInput(
                    **bad, issues=tuple(_issue(item) for item in _objects(raw.get("issues")))
                )
            case "refused":
                return Refused(**bad, lines=_texts(raw, "lines"))
            case "needs_approval":
                return NeedsApproval(**bad, request=_request(_object(raw, "request")))
            case "failed":
                result = raw.get("result")
                return Failed(
                    **bad, result=result_from_json(result) if isinstance(result, Mapping) else None
                )
            case "timeout":
                return TimedOut(**bad, limit=_number(raw, "limit"))
            case "aborted":
                return Aborted(**bad)
            case "unavailable":
                return Unavailable(**bad)
            case _:
                raise ToolrollError(f"{kind!r} is no kind of outcome.")
    except (KeyError, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise ToolrollError(f"this JSON is no outcome of kind {kind!r:.40}: {error!r}") from error


def _objects(value: JsonValue) -> list[JsonObject]:
    items = value if isinstance(value, list) else []
    return [cast("JsonObject", item) for item in items if isinstance(item, Mapping)]


def _text(raw: JsonObject, key: str) -> str:
    value = raw.get(key, "")
    return value if isinstance(value, str) else ""


def _needed(raw: JsonObject, key: str) -> str:
    value = raw[key]
    if not isinstance(value, str):
        raise TypeError(f"{key} must be a text")
    return value


def _number(raw: JsonObject, key: str) -> float | None:
    value = raw.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{key} must be a number")
    return float(value)


def _texts(raw: JsonObject, key: str) -> tuple[str, ...]:
    value = raw.get(key, [])
    if not isinstance(value, (list, tuple)) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"{key} must be a list of texts")
    return tuple(cast("list[str]", value))


def _object(raw: JsonObject, key: str) -> JsonObject:
    value = raw[key]
    if not isinstance(value, Mapping):
        raise TypeError(f"{key} must be an object")
    return value


def _repair(raw: JsonObject) -> Repair:
    at = raw.get("at")
    return Repair(
        _text(raw, "kind"),
        _text(raw, "pointer"),
        at if isinstance(at, int) and not isinstance(at, bool) else None,
        _text(raw, "was"),
    )


def _issue(raw: JsonObject) -> Issue:
    pointer, problem = _text(raw, "pointer"), _text(raw, "problem")
    return Issue(pointer, problem, _texts(raw, "missing"), _text(raw, "keyword"))


def _request(raw: JsonObject) -> ApprovalRequest:
    return ApprovalRequest(
        id=_text(raw, "id"),
        tool=_text(raw, "tool"),
        source=_text(raw, "source"),
        input=_object(raw, "input"),
        principal=_text(raw, "principal"),
        digest=_text(raw, "digest"),
        fingerprint=_text(raw, "fingerprint"),
        asked=_number(raw, "asked"),
        expires=_number(raw, "expires"),
        effect=_text(raw, "effect"),
    )
