"""JSON-RPC messages as plain dicts: written by four functions, read into five small records.

Reading never fails: what is no message becomes `Malformed`, with the error code to answer.

Source: JSON-RPC 2.0; MCP 2026-07-28, basic, "Messages".
"""

from dataclasses import dataclass, field
from typing import TypeAlias

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.code import INVALID_REQUEST
from toolroll.protocol.field import as_object, object_of, text_of, token_of

MessageId: TypeAlias = str | int
"""The id of a request. JSON-RPC allows null too; MCP does not."""

_NO_PARAMS: JsonObject = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A message that wants an answer with the same id.

    Args:
        id: what the answer will carry.
        method: e.g. `tools/call`.
        params: empty where there are none.

    Example:
        >>> read_message({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}) == Request(
        ...     id=1, method="tools/list"
        ... )
        True
    """

    id: MessageId
    method: str
    params: JsonObject = field(default_factory=lambda: _NO_PARAMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """A message that wants no answer.

    Args:
        method: e.g. `notifications/cancelled`.
        params: empty where there are none.

    Example:
        >>> read_message({"jsonrpc": "2.0", "method": "notifications/initialized"}).method
        'notifications/initialized'
    """

    method: str
    params: JsonObject = field(default_factory=lambda: _NO_PARAMS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """A good answer.

    Args:
        id: of the request.
        result: as it came.

    Example:
        >>> read_message({"jsonrpc": "2.0", "id": 1, "result": {"tools": []}}).result
        {'tools': []}
    """

    id: MessageId
    result: JsonObject


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorResponse:
    """A bad answer. `id` is None where the other side could not read the request's id.

    Args:
        id: of the request; None where it could not be read.
        code: see `ERROR_CODES`.
        message: one sentence of the other side; never trusted.
        data: whatever stood there.

    Example:
        >>> error = {"code": -32601, "message": "Method not found"}
        >>> read_message({"jsonrpc": "2.0", "id": 1, "error": error}).code
        -32601
    """

    id: MessageId | None
    code: int
    message: str
    data: JsonValue = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Malformed:
    """Something that is no message.

    Args:
        code: the error code to answer.
        reason: what is wrong, in words.
        id: the id, where one could be read.

    Example:
        >>> malformed = read_message({"jsonrpc": "1.0", "id": 7})
        >>> malformed.code, malformed.reason, malformed.id
        (-32600, "'jsonrpc' is not '2.0'", 7)
    """

    code: int
    reason: str
    id: MessageId | None = None


Message: TypeAlias = Request | Notification | Response | ErrorResponse | Malformed
"""One message, read."""


def write_request(
    id: MessageId, method: str, params: JsonObject | None = None
) -> dict[str, JsonValue]:
    """A request.

    Args:
        id: what the answer will carry; not used for another request.
        method: e.g. `tools/list`.
        params: None leaves the key out.

    Example:
        >>> write_request(1, "tools/list")
        {'jsonrpc': '2.0', 'id': 1, 'method': 'tools/list'}
    """
    written: dict[str, JsonValue] = {"jsonrpc": "2.0", "id": id, "method": method}
    return written if params is None else {**written, "params": params}


def write_notification(method: str, params: JsonObject | None = None) -> dict[str, JsonValue]:
    """A notification.

    Args:
        method: e.g. `notifications/initialized`.
        params: None leaves the key out.

    Example:
        >>> write_notification("notifications/initialized")
        {'jsonrpc': '2.0', 'method': 'notifications/initialized'}
    """
    written: dict[str, JsonValue] = {"jsonrpc": "2.0", "method": method}
    return written if params is None else {**written, "params": params}


def write_response(id: MessageId, result: JsonObject) -> dict[str, JsonValue]:
    """A good answer.

    Args:
        id: of the request.
        result: what it asked for.

    Example:
        >>> write_response("a", {})
        {'jsonrpc': '2.0', 'id': 'a', 'result': {}}
    """
    return {"jsonrpc": "2.0", "id": id, "result": result}


def write_error(
    id: MessageId | None, code: int, message: str, data: JsonValue = None
) -> dict[str, JsonValue]:
    """A bad answer; without an id (the request could not be read) the id is null.

    Args:
        id: of the request; None where it could not be read.
        code: see `ERROR_CODES`.
        message: one sentence.
        data: None leaves the key out.

    Example:
        >>> write_error(3, -32601, "Method not found")
        {'jsonrpc': '2.0', 'id': 3, 'error': {'code': -32601, 'message': 'Method not found'}}
    """
    error: dict[str, JsonValue] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": id, "error": error}


def read_message(raw: JsonValue) -> Message:
    """Read one message from JSON that was parsed already.

    Example:
        >>> read_message({"jsonrpc": "2.0", "id": "a", "result": {}})
        Response(id='a', result={})
        >>> read_message([]).reason
        'a message is a JSON object'
    """
    message = as_object(raw)
    if message is None:
        return Malformed(code=INVALID_REQUEST, reason="a message is a JSON object")
    told = token_of(message.get("id"))
    if message.get("jsonrpc") != "2.0":
        return Malformed(code=INVALID_REQUEST, reason="'jsonrpc' is not '2.0'", id=told)
    if "method" in message:
        return _read_call(message, told)
    if "error" in message:
        return _read_error(message, told)
    result = as_object(message.get("result"))
    if told is None or result is None:
        reason = "an answer has an id and a result object or an error"
        return Malformed(code=INVALID_REQUEST, reason=reason, id=told)
    return Response(id=told, result=result)


def _read_call(message: JsonObject, id: MessageId | None) -> Message:
    method, params = text_of(message, "method"), message.get("params")
    if method is None:
        return Malformed(code=INVALID_REQUEST, reason="'method' is not a text", id=id)
    given = as_object({} if params is None else params)
    if given is None:
        return Malformed(code=INVALID_REQUEST, reason="'params' is not an object", id=id)
    if "id" not in message:
        return Notification(method=method, params=given)
    if id is None:
        return Malformed(code=INVALID_REQUEST, reason="'id' is neither a text nor an integer")
    return Request(id=id, method=method, params=given)


def _read_error(message: JsonObject, id: MessageId | None) -> Message:
    error = object_of(message, "error")
    code = error.get("code")
    if not isinstance(code, int) or isinstance(code, bool):
        return Malformed(code=INVALID_REQUEST, reason="an error has an integer code", id=id)
    words = text_of(error, "message") or ""
    return ErrorResponse(id=id, code=code, message=words, data=error.get("data"))
