"""Documents run against servers that somebody else's framework reads requests for."""

import base64
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from tests.sources.loopback import Api, serving
from tests.sources.openapi.test_openapi_corpora import load
from toolroll.outcome import Answer, Failed, InvalidInput, Outcome
from toolroll.sources import as_toolkit
from toolroll.sources.http import http_source
from toolroll.sources.openapi import read_operations
from toolroll.tools.call import ToolCall
from toolroll.tools.context import CallContext

pytestmark = pytest.mark.anyio

KEY = "special-key-0123"
PETS: dict[int, Any] = {}


class App(Api):
    """An application of the framework, as the helper for servers takes it."""

    def __init__(self, *routes: Route) -> None:
        super().__init__()
        self.app = Starlette(routes=list(routes))

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self.app(scope, receive, send)


async def pets(request: Request) -> Response:
    pet = await request.json()
    PETS[pet["id"]] = pet
    return JSONResponse(pet)


async def one_pet(request: Request) -> Response:
    number = request.path_params["number"]
    if number not in PETS:
        return JSONResponse({"message": f"no pet {number}"}, 404)
    if request.method == "POST":
        PETS[number] |= dict(request.query_params)
    if request.method == "DELETE":
        if request.headers.get("api_key") != KEY:
            return Response(status_code=401)
        del PETS[number]
        return Response()
    return JSONResponse(PETS[number])


async def find(request: Request) -> Response:
    name, wanted = next(iter(request.query_params.items()))
    tags = request.query_params.getlist("tags")
    return JSONResponse(
        [
            pet
            for pet in PETS.values()
            if pet.get("status") == wanted
            or (name == "tags" and {tag["name"] for tag in pet.get("tags", [])} & {*tags})
        ]
    )


async def image(request: Request) -> Response:
    body, note = await request.body(), request.query_params.get("additionalMetadata")
    return JSONResponse({"code": 200, "type": request.headers["content-type"], "message": f"{len(body)} {note}"})  # fmt: skip


async def login(request: Request) -> Response:
    return PlainTextResponse(f"logged in {request.query_params['username']}")


@pytest.fixture(scope="module")
def petstore() -> Generator[Api]:
    app = App(
        Route("/api/v3/pet", pets, methods=["POST", "PUT"]),
        Route("/api/v3/pet/findByStatus", find),
        Route("/api/v3/pet/findByTags", find),
        Route("/api/v3/pet/{number:int}", one_pet, methods=["GET", "POST", "DELETE"]),
        Route("/api/v3/pet/{number:int}/uploadImage", image, methods=["POST"]),
        Route("/api/v3/user/login", login),
    )
    with serving(app) as api:
        yield api


@pytest.mark.corpora
@pytest.mark.rule("openapi-runs-against-servers")
async def test_the_pet_store_runs_against_a_real_server(petstore: Api, corpora: Path) -> None:
    PETS.clear()
    reading = read_operations(load(corpora, "petstore-3.0"))
    base = f"{petstore.url}/api/v3"
    async with http_source("pets", base, reading.operations, headers={"api_key": KEY}) as source:
        kit = as_toolkit(source, (await source.discover()).definitions)

        async def call(name: str, /, **input: Any) -> Outcome:
            return await kit.call(ToolCall.of(name, input), CallContext())

        async def data(name: str, /, **input: Any) -> Any:
            outcome = await call(name, **input)
            assert isinstance(outcome, Answer), outcome
            return outcome.result.data

        rex = {"id": 7, "name": "Réx/ &", "photoUrls": ["a"], "status": "sold", "tags": [{"id": 1, "name": "x y"}]}  # fmt: skip
        assert await data("addPet", body=rex) == rex
        assert await data("updatePet", body={**rex, "status": "pending"}) == PETS[7]
        assert await data("findPetsByStatus", status="pending") == [PETS[7]]
        assert await data("findPetsByTags", tags=["z", "x y"]) == [PETS[7]]
        assert (await data("updatePetWithForm", petId=7, name="a&b=c"))["name"] == "a&b=c"
        assert await data("getPetById", petId=7) == PETS[7]
        assert await data(
            "uploadFile",
            petId=7,
            additionalMetadata="front",
            body=base64.b64encode(b"\x89PNG\0").decode(),
        ) == {"code": 200, "type": "application/octet-stream", "message": "5 front"}
        outcome = await call("loginUser", username="ada", password="p&w")
        assert outcome.unwrap().text == "logged in ada"

        gone = await call("getPetById", petId=8)
        assert isinstance(gone, Failed)
        assert (gone.code, "no pet 8" in gone.message) == ("call-failed", True)
        for wrong in ({"petId": "7/../8"}, {}, {"petId": 7, "other": 1}):
            assert isinstance(await call("getPetById", **wrong), InvalidInput)
        assert isinstance(await call("addPet", body={"name": "x"}), InvalidInput)
        assert await data("deletePet", petId=7) is None
        assert not PETS


FORMS: Any = {
    "openapi": "3.1.0",
    "info": {"title": "Forms", "version": "1"},
    "paths": {
        "/order": {
            "post": {
                "operationId": "order",
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/x-www-form-urlencoded": {
                            "schema": {
                                "type": "object",
                                "properties": {
                                    "item": {"type": "string"},
                                    "sizes": {"type": "array", "items": {"type": "string"}},
                                    "colors": {"type": "array", "items": {"type": "string"}},
                                    "address": {"type": "object"},
                                    "filter": {"type": "object"},
                                    "express": {"type": "boolean"},
                                },
                                "required": ["item"],
                                "additionalProperties": False,
                            },
                            "encoding": {
                                "colors": {"style": "form", "explode": False},
                                "filter": {"style": "deepObject", "explode": True},
                            },
                        }
                    },
                },
            }
        },
        "/upload": {
            "post": {
                "operationId": "upload",
                "requestBody": {
                    "content": {
                        "multipart/form-data": {
                            "schema": {
                                "type": "object",
                                "properties": {
                                    "title": {"type": "string"},
                                    "about": {"type": "object"},
                                    "picture": {"contentMediaType": "image/png"},
                                    "notes": {"type": "array", "items": {}},
                                },
                            },
                        }
                    }
                },
            }
        },
    },
}


async def read_form(request: Request) -> Response:
    async with request.form() as form:
        read: list[Any] = []
        for name, value in form.multi_items():
            if isinstance(value, UploadFile):
                content = base64.b64encode(await value.read()).decode()
                read.append([name, value.filename, value.content_type, content])
            else:
                read.append([name, value])
    return JSONResponse(read)


@pytest.fixture(scope="module")
def forms() -> Generator[Api]:
    routes = [Route(path, read_form, methods=["POST"]) for path in FORMS["paths"]]
    with serving(App(*routes)) as api:
        yield api


async def sent_form(api: Api, name: str, /, **body: Any) -> Any:
    """What the server read of a form."""
    async with http_source("forms", api.url, read_operations(FORMS).operations) as source:
        kit = as_toolkit(source, (await source.discover()).definitions)
        outcome = await kit.call(ToolCall.of(name, {"body": body}), CallContext())
    assert isinstance(outcome, Answer), outcome
    return outcome.result.data


@pytest.mark.rule("openapi-runs-against-servers")
async def test_a_form_is_read_by_a_real_server_as_it_was_meant(forms: Api) -> None:
    assert await sent_form(
        forms,
        "order",
        item="Tee & cup = 100% + é~\r\n",
        sizes=["s", "m&l"],
        colors=["red", "blue"],
        address={"city": "Ulm", "no": 3},
        filter={"gt": 3, "a b": "c"},
        express=True,
    ) == [
        ["item", "Tee & cup = 100% + é~\r\n"],
        ["sizes", "s"],
        ["sizes", "m&l"],
        ["colors", "red,blue"],
        ["address", '{"city":"Ulm","no":3}'],
        ["filter[gt]", "3"],
        ["filter[a b]", "c"],
        ["express", "true"],
    ]


@pytest.mark.rule("openapi-runs-against-servers")
async def test_files_of_a_multipart_body_are_read_by_a_real_server(forms: Api) -> None:
    picture, note = base64.b64encode(b"\x89PNG\r\n--x").decode(), base64.b64encode("é".encode())
    assert await sent_form(
        forms,
        "upload",
        title="--toolroll\r\nContent-Type: x",
        about={"a": [1]},
        picture={"filename": 'p "1".png', "base64": picture},
        notes=[{"filename": "n.txt", "text": "é", "media_type": "text/markdown"}],
    ) == [
        ["title", "--toolroll\r\nContent-Type: x"],
        ["about", json.dumps({"a": [1]}, separators=(",", ":"))],
        ["picture", "p %221%22.png", "image/png", picture],
        ["notes", "n.txt", "text/markdown", note.decode()],
    ]
