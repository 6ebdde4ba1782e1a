"""A small HTTP API: the loans of a library. It answers as such an API does, good and bad.

Every request needs `Authorization: Bearer TOKEN`. Run it with `python loans.py PORT TOKEN`.
"""

import json
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from http import HTTPStatus
from pathlib import Path
from typing import Any, cast

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

_DAYS = 14
_MOST_RENEWALS = 2
_MOST_REQUESTS = 1000
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(kw_only=True)
class Loan:
    """One book that somebody has."""

    id: str
    book: str
    member: str
    due: date
    renewals: int = 0

    def to_json(self) -> dict[str, Any]:
        """The loan as the API writes it."""
        return {
            "id": self.id,
            "book": self.book,
            "member": self.member,
            "due": self.due.isoformat(),
            "renewals": self.renewals,
        }


@dataclass(kw_only=True)
class Library:
    """The books, and who has which."""

    books: tuple[str, ...] = ("sea", "sky", "sand", "stone")
    today: date = field(default_factory=date.today)
    loans: dict[str, Loan] = field(default_factory=dict[str, Loan])
    made: int = 0
    requests: int = 0

    def of_book(self, book: str) -> Loan | None:
        """The loan of a book, if somebody has it."""
        return next((loan for loan in self.loans.values() if loan.book == book), None)


def make_app(token: str, library: Library | None = None) -> Starlette:
    """The API for one token, over a library of its own."""
    shelf = library or Library()

    async def list_loans(request: Request) -> Response:
        member = request.query_params.get("member")
        found = [loan for loan in shelf.loans.values() if member in (None, loan.member)]
        return JSONResponse({"loans": [loan.to_json() for loan in found]})

    async def create_loan(request: Request) -> Response:
        wish = await _body(request)
        if isinstance(wish, Response):
            return wish
        book, member = wish.get("book"), wish.get("member")
        if not isinstance(book, str) or not isinstance(member, str) or not member:
            return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, "'book' and 'member' must be texts")
        if book == "cursed":
            raise RuntimeError("this book breaks the system")
        if book not in shelf.books:
            return _problem(HTTPStatus.NOT_FOUND, f"there is no book {book!r}")
        if (taken := shelf.of_book(book)) is not None:
            return _problem(HTTPStatus.CONFLICT, f"{book!r} is lent until {taken.due}")
        shelf.made += 1
        loan = Loan(
            id=f"l{shelf.made}", book=book, member=member, due=shelf.today + timedelta(days=_DAYS)
        )
        shelf.loans[loan.id] = loan
        return JSONResponse(loan.to_json(), status_code=HTTPStatus.CREATED)

    async def return_loan(request: Request) -> Response:
        if shelf.loans.pop(request.path_params["loan_id"], None) is None:
            return _problem(HTTPStatus.NOT_FOUND, "there is no such loan")
        return Response(status_code=HTTPStatus.NO_CONTENT)

    async def renew_loan(request: Request) -> Response:
        loan = shelf.loans.get(request.path_params["loan_id"])
        if loan is None:
            return _problem(HTTPStatus.NOT_FOUND, "there is no such loan")
        if loan.renewals >= _MOST_RENEWALS:
            return _problem(
                HTTPStatus.CONFLICT, f"a loan can be renewed {_MOST_RENEWALS} times only"
            )
        loan.renewals += 1
        loan.due += timedelta(days=_DAYS)
        return JSONResponse(loan.to_json())

    async def document(_: Request) -> Response:
        return Response(
            Path(__file__).with_name("loans.openapi.json").read_bytes(),
            media_type="application/json",
        )

    def known(endpoint: Endpoint) -> Endpoint:
        async def answer(request: Request) -> Response:
            if request.headers.get("authorization") != f"Bearer {token}":
                refused = _problem(HTTPStatus.UNAUTHORIZED, "who are you?")
                refused.headers["www-authenticate"] = "Bearer"
                return refused
            shelf.requests += 1
            if shelf.requests > _MOST_REQUESTS:
                slower = _problem(HTTPStatus.TOO_MANY_REQUESTS, "too many requests")
                slower.headers["retry-after"] = "30"
                return slower
            try:
                return await endpoint(request)
            except RuntimeError:
                return _problem(HTTPStatus.INTERNAL_SERVER_ERROR, "something broke on our side")

        return answer

    return Starlette(
        routes=[
            Route("/openapi.json", document),
            Route("/loans", known(list_loans), methods=["GET"]),
            Route("/loans", known(create_loan), methods=["POST"]),
            Route("/loans/{loan_id}", known(return_loan), methods=["DELETE"]),
            Route("/loans/{loan_id}/renewals", known(renew_loan), methods=["POST"]),
        ]
    )


async def _body(request: Request) -> dict[str, Any] | Response:
    try:
        body = json.loads(await request.body())
    except ValueError:
        body = None
    if not isinstance(body, dict):
        return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, "the body must be a JSON object")
    return cast("dict[str, Any]", body)


def _problem(status: HTTPStatus, detail: str) -> Response:
    return JSONResponse({"title": status.phrase, "detail": detail}, status_code=status)


if __name__ == "__main__":
    import uvicorn

    uvicorn.run(make_app(sys.argv[2]), host="127.0.0.1", port=int(sys.argv[1]), log_level="warning")
