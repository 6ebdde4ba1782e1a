"""JSON-RPC messages as plain dicts: written by four functions, read into five small records.

Reading never fails: what is no message becomes `Malformed`, with the error code to answer.

Source: JSON-RPC 2.0; MCP 2026-07-28, basic, "Messages".
"""

import codecs
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn, TypeAlias, cast

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol.code import INVALID_REQUEST, PARSE_ERROR
from toolroll.protocol.field import as_object, object_of, text_of, token_of
from toolroll.text import join_surrogates

MessageId: TypeAlias = str | int
"""The id of a request. JSON-RPC allows null too; MCP does not."""

DEEPEST = 200
"""Most levels of arrays and objects of a message."""

_NO_PARAMS: JsonObject = {}
_FAR = re.compile(r"[eE]\+?\d{3}|\d{300}")
_STRING = re.compile(r'"(?>(?:[^"\\]+|\\.)*)"', re.DOTALL)
_NO_BRACKET = re.compile(r"[^\[\]{}]+")


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


def encode_message(message: JsonObject | list[JsonObject]) -> bytes:
    """A message as UTF-8 on one line, without the newline.

    Half surrogate pairs, which UTF-8 cannot carry, leave as escapes.

    Raises:
        TypeError, ValueError: the message is no JSON.

    Example:
        >>> encode_message({"a": "é"}).decode()
        '{"a":"é"}'
    """
    try:
        return _dump(message, ascii_only=False).encode()
    except UnicodeEncodeError:
        return _dump(message, ascii_only=True).encode()


def parse_messages(text: bytes | str) -> list[Message]:
    """Read the body of a request, a line of stdio or the data of an event.

    A JSON array is a batch; its members are read one by one. Whether a batch is allowed is for
    the caller to say (`features_of(version).batches`); `is_batch` tells one from a message.

    Example:
        >>> parse_messages('{"jsonrpc":"2.0","id":1,"method":"ping"}')
        [Request(id=1, method='ping', params={})]
        >>> parse_messages("{")[0].code
        -32700
    """
    parsed = parse_json(text)
    if isinstance(parsed, Malformed):
        return [parsed]
    if isinstance(parsed, list):
        if not parsed:
            return [Malformed(code=INVALID_REQUEST, reason="the batch is empty")]
        return [read_message(member) for member in parsed]
    return [read_message(parsed)]


def is_batch(text: bytes | str) -> bool:
    """Whether a text is a JSON array, going by its first character.

    Example:
        >>> is_batch(b' [{"jsonrpc":"2.0"}]'), is_batch("{}")
        (True, False)
    """
    if isinstance(text, bytes):
        return text.removeprefix(codecs.BOM_UTF8).lstrip().startswith(b"[")
    return text.removeprefix("\ufeff").lstrip().startswith("[")


def parse_json(text: bytes | str) -> JsonValue | Malformed:
    """Read JSON as the standard has it, so that all that was read can be written again.

    UTF-8 with or without a byte order mark; no NaN, no Infinity, no number beyond the range of a
    double, at most `DEEPEST` levels. Half surrogate pairs become U+FFFD.

    Example:
        >>> parse_json('{"a": 1}'), parse_json("[NaN]").reason
        ({'a': 1}, 'NaN is not JSON')
    """
    try:
        if isinstance(text, bytes):
            text = text.decode()
        text = text.removeprefix("\ufeff")
        _check_depth(text)
        float_of = _finite if _FAR.search(text) else None
        value: JsonValue = json.loads(text, parse_constant=_no_number, parse_float=float_of)
        return _without_halves(value) if "\\ud" in text or "\\uD" in text else value
    except ValueError as error:
        return Malformed(code=PARSE_ERROR, reason=str(error))


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


def _dump(message: object, *, ascii_only: bool) -> str:
    return json.dumps(
        message,
        ensure_ascii=ascii_only,
        separators=(",", ":"),
        allow_nan=False,
        default=_as_dict,
    )


def _as_dict(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(cast("JsonObject", value))
    raise TypeError(f"{type(value).__name__} is not JSON")


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _finite(word: str) -> float:
    value = float(word)
    if math.isinf(value):
        raise ValueError("a number is beyond the range of a double")
    return value


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for bracket in _NO_BRACKET.sub("", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            raise ValueError(f"nested more than {DEEPEST} levels deep")


def _without_halves(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, list):
        return [_without_halves(item) for item in value]
    if isinstance(value, dict):
        return {join_surrogates(key): _without_halves(item) for key, item in value.items()}
    return value
