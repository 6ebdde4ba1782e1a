"""A request that gets a JSON-RPC error instead of a result."""

from toolroll.content import JsonObject, JsonValue
from toolroll.protocol import (
    ERROR_CODES,
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    MISSING_CAPABILITY,
    PARSE_ERROR,
    UNSUPPORTED_VERSION,
    VERSIONS,
    MessageId,
    write_error,
)
from toolroll.text import sanitize_line

_LONGEST = 500


class Rejection(Exception):  # an answer, not a fault of this program
    """Raised while a request is answered; becomes the error on the wire.

    Args:
        code: of JSON-RPC or MCP.
        message: one sentence; texts of the client in it are cut and cleaned.
        data: more, for programs.
        status: of HTTP; None takes the one that goes with the code.
        retry_after: seconds after which another try may work.
    """

    def __init__(
        self,
        code: int,
        message: str,
        data: JsonValue = None,
        *,
        status: int | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = sanitize_line(message[:_LONGEST])
        self.data = data
        row = ERROR_CODES.get(code)
        self.status = status or (row.http_status if row else 200)
        self.retry_after = retry_after

    def answer(self, id: MessageId | None) -> dict[str, JsonValue]:
        """The error as a message; without an id where the request's could not be read.

        Source: MCP 2026-07-28, basic, "Error Responses": the id is left out then, not null.
        """
        written = write_error(id, self.code, self.message, self.data)
        if id is None:
            del written["id"]
        return written


def not_json(reason: str) -> Rejection:
    """What came is no JSON."""
    return Rejection(PARSE_ERROR, f"Parse error: {reason}")


def no_message(reason: str) -> Rejection:
    """What came is JSON, but no message that is allowed here."""
    return Rejection(INVALID_REQUEST, f"Invalid request: {reason}")


def bad_params(reason: str, *, status: int | None = None) -> Rejection:
    """The parameters of a request do not fit its method."""
    return Rejection(INVALID_PARAMS, f"Invalid params: {reason}", status=status)


def no_method(method: str) -> Rejection:
    """A method this server, or this version, does not have."""
    return Rejection(METHOD_NOT_FOUND, f"Method not found: {method[:100]}")


def header_mismatch(reason: str) -> Rejection:
    """A header that should mirror the body does not."""
    return Rejection(HEADER_MISMATCH, f"Header mismatch: {reason}")


def missing_capability(required: JsonObject) -> Rejection:
    """The client did not say that it can do what this request needs."""
    names = ", ".join(required)
    data: JsonObject = {"requiredCapabilities": required}
    return Rejection(MISSING_CAPABILITY, f"This request needs a client that has: {names}", data)


def unsupported_version(requested: str) -> Rejection:
    """A version this server does not speak, or not in this way."""
    data: JsonObject = {"supported": list(VERSIONS), "requested": requested[:_LONGEST]}
    return Rejection(UNSUPPORTED_VERSION, "Unsupported protocol version", data)


def overloaded() -> Rejection:
    """Too much goes on at once."""
    return Rejection(
        INTERNAL_ERROR,
        "Too many calls run at once. Try again later.",
        status=503,
        retry_after=1,
    )
