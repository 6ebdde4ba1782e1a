"""An HTTP API with the three tools of an exam, as operations and as an OpenAPI document."""

from typing import Any

from tests.testing.stage import CURRENT, SAID, Receive, Scope, Send, answer, body_of, never
from toolroll.sources.http import Operation, RequestTemplate
from toolroll.tools import ToolDefinition

TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


async def api(scope: Scope, receive: Receive, send: Send) -> None:
    """The API itself."""
    situation = CURRENT.get()
    match scope["path"]:
        case "/echo" if situation.state == "slow":
            await never(receive)
        case "/echo":
            await answer(send, 200, {"text": (await body_of(receive))["text"]})
        case "/failing":
            await answer(send, 422, {"message": situation.words(SAID)})
        case "/blocking":
            await never(receive)
        case _:
            await answer(send, 404, {"message": situation.words("no such path")})


def operation(name: str, schema: dict[str, Any], template: RequestTemplate) -> Operation:
    definition = ToolDefinition(name=name, description=f"Does {name}.", input_schema=schema)
    return Operation(definition=definition, request=template)


NOTHING = {"type": "object", "properties": {}}
OPERATIONS = [
    operation(
        "echo",
        {"type": "object", "properties": {"body": TEXT}, "required": ["body"]},
        RequestTemplate.of("POST", "/echo", body="body"),
    ),
    operation("failing", NOTHING, RequestTemplate.of("POST", "/failing")),
    operation("blocking", NOTHING, RequestTemplate.of("POST", "/blocking")),
]

DOCUMENT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Exam", "version": "1"},
    "paths": {
        "/echo": {
            "post": {
                "operationId": "echo",
                "requestBody": {
                    "required": True,
                    "content": {"application/json": {"schema": TEXT}},
                },
                "responses": {"200": {"description": "The text."}},
            }
        },
        "/failing": {
            "post": {"operationId": "failing", "responses": {"200": {"description": "Never."}}}
        },
        "/blocking": {
            "post": {"operationId": "blocking", "responses": {"200": {"description": "Never."}}}
        },
    },
}
