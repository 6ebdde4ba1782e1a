"""Questions to a person, asked in one process and answered in any."""

import json
from collections.abc import Callable, Mapping
from typing import TypeVar, cast

import anyio.to_thread
from sqlalchemy import (
    Connection,
    Engine,
    Executable,
    RowMapping,
    Select,
    Table,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from toolroll.content import JsonObject, compact_json
from toolroll.outcome import ApprovalRequest, request_to_json
from toolroll.ports.approvals import ApprovalAnswer
from toolroll.store.cleaning import storable
from toolroll.store.fault import ApprovalStateError, StoreError
from toolroll.store.question import (
    ApprovalStatus,
    StoredApproval,
    answer,
    ask_again,
    ask_first,
    at,
    binding_of,
)
from toolroll.store.record import Row
from toolroll.store.session import Session
from toolroll.store.table import approval, approval_id
from toolroll.store.writer import Writer

T = TypeVar("T")

LARGEST_REQUEST = 1_000_000
"""Characters of a question's JSON. A larger one cannot be shown to a person."""

_MOST_IDS = 50
"""Ids that may name one question: a call that waits may be made again that often."""


class StoredApprovals:
    """Approvals kept in a database; made by `open_store`.

    `ask` never waits for a person: a new question is `pending`, and the same call made again finds
    the answer. A yes is used up by the first call it fits, in whatever process.

    Args:
        writer, session: where questions are kept.
        reading: connections that only read.
        lifetime: seconds a question waits for its answer, and a yes for its call.
        most_pending: open questions; above it nobody can be asked.
    """

    def __init__(
        self,
        writer: Writer[Row],
        session: Session,
        reading: Engine,
        *,
        lifetime: float,
        most_pending: int,
    ) -> None:
        self._writer, self._session, self._reading = writer, session, reading
        self._lifetime, self._most = lifetime, most_pending

    async def ask(self, request: ApprovalRequest, /) -> ApprovalAnswer:
        """Ask, or use the answer that is there; a yes is used up by this call.

        Raises:
            StoreError: the question cannot be kept.
        """
        written = compact_json(request.input)
        if len(written) > LARGEST_REQUEST:
            raise StoreError(f"a question of {len(written):,} characters is too large to be kept.")
        binding = binding_of(request)

        def work(connection: Connection) -> ApprovalAnswer:
            return self._ask(connection, request, binding)

        return await self._write(work)

    async def approve(self, id: str, /, *, by: str = "") -> StoredApproval:
        """Say yes, once.

        Args:
            id: of the question, as `NeedsApproval` and `list_pending` show it.
            by: who says so.

        Raises:
            ApprovalStateError: there is no open question of this id.
            StoreError: the answer cannot be kept.
        """
        return await self._write(lambda connection: self._answer(connection, id, by, yes=True))

    async def deny(self, id: str, /, *, by: str = "") -> StoredApproval:
        """Say no; the same arguments as `approve`.

        Raises:
            ApprovalStateError: there is no open question of this id.
            StoreError: the answer cannot be kept.
        """
        return await self._write(lambda connection: self._answer(connection, id, by, yes=False))

    async def get(self, id: str, /) -> StoredApproval | None:
        """A question and what became of it; None for an id that names none."""
        found = select(approval).join(approval_id, approval_id.c.binding == approval.c.binding)
        found = found.where(approval_id.c.id == storable(id))
        rows = await self._fetch(lambda _: found)
        return rows[0] if rows else None

    async def list_pending(self) -> tuple[ApprovalRequest, ...]:
        """The open questions, oldest first."""
        rows = await self._fetch(
            lambda now: (
                select(approval)
                .where(approval.c.status == "pending", approval.c.expires > now)
                .order_by(approval.c.asked)
                .limit(self._most)
            )
        )
        return tuple(row.request for row in rows)

    async def _write(self, work: Callable[[Connection], T]) -> T:
        def job() -> T:
            with self._session.transaction() as connection:
                return work(connection)

        return await self._writer.run(self._session.guarded(job))

    async def _fetch(
        self, asked: Callable[[float], Select[tuple[object, ...]]]
    ) -> list[StoredApproval]:
        def fetch() -> list[StoredApproval]:
            with self._reading.connect() as connection:
                now = self._session.now(connection)
                rows = connection.execute(asked(now)).mappings()
                return [at(_read(row), now) for row in rows]

        return await anyio.to_thread.run_sync(self._session.guarded(fetch))

    def _ask(
        self, connection: Connection, request: ApprovalRequest, binding: str
    ) -> ApprovalAnswer:
        now, id = self._session.now(connection), storable(request.id)
        named = select(approval_id.c.binding).where(approval_id.c.id == id)
        if connection.execute(named).scalar() not in (None, binding):
            return "denied"  # an id that was given for another call
        held = _held(connection, binding)
        if held is not None:
            given, kept = ask_again(held, request, now, self._lifetime)
            if kept is not held:
                connection.execute(_changed(binding, kept))
            _name(connection, id, binding, first=kept.request.id)
            return given
        if self._pending(connection, now) >= self._most:
            return "nobody"
        self._tidy(connection, now)
        first = _columns(ask_first(request, now, self._lifetime))
        connection.execute(_new(connection, approval, {"binding": binding, **first}))
        connection.execute(_new(connection, approval_id, {"id": id, "binding": binding}))
        return "pending"

    def _answer(self, connection: Connection, id: str, by: str, *, yes: bool) -> StoredApproval:
        named = select(approval_id.c.binding).where(approval_id.c.id == storable(id))
        binding = connection.execute(named).scalar()
        held = _held(connection, binding) if binding else None
        if binding is None or held is None:
            raise ApprovalStateError(f"there is no approval {id!r}.")
        now = self._session.now(connection)
        told = answer(held, yes=yes, by=storable(by), now=now, lifetime=self._lifetime)
        connection.execute(_changed(binding, told))
        return told

    def _pending(self, connection: Connection, now: float) -> int:
        open_ = select(func.count()).select_from(approval)
        open_ = open_.where(approval.c.status == "pending", approval.c.expires > now)
        return connection.execute(open_).scalar_one()

    def _tidy(self, connection: Connection, now: float) -> None:
        """Forget what is long over, with its input, and the ids that named it."""
        connection.execute(delete(approval).where(approval.c.expires < now - self._lifetime))
        there = select(approval.c.binding).where(approval.c.binding == approval_id.c.binding)
        connection.execute(delete(approval_id).where(~there.exists()))


def _held(connection: Connection, binding: str) -> StoredApproval | None:
    """The question, kept from others until the transaction ends."""
    asked = select(approval).where(approval.c.binding == binding).with_for_update()
    row = connection.execute(asked).mappings().first()
    return None if row is None else _read(row)


def _name(connection: Connection, id: str, binding: str, *, first: str) -> None:
    """Let an id name a question too."""
    connection.execute(_new(connection, approval_id, {"id": id, "binding": binding}))
    ours = approval_id.c.binding == binding
    count = select(func.count()).select_from(approval_id).where(ours)
    if connection.execute(count).scalar_one() > _MOST_IDS:
        spare = delete(approval_id).where(ours, approval_id.c.id.not_in((id, storable(first))))
        connection.execute(spare)


def _new(connection: Connection, table: Table, values: Mapping[str, object]) -> Executable:
    """An insert that gives way to a row that is there."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).values(**values).on_conflict_do_nothing()
    return postgresql.insert(table).values(**values).on_conflict_do_nothing()


def _changed(binding: str, kept: StoredApproval) -> Executable:
    return update(approval).where(approval.c.binding == binding).values(**_columns(kept))


def _columns(held: StoredApproval) -> dict[str, object]:
    """A question as columns. What is over keeps no input: nobody has to see it any more."""
    request = request_to_json(held.request)
    if held.status in ("used", "expired"):
        request["input"] = {}
    return {
        "status": held.status,
        "request": json.dumps(request),
        "asked": held.request.asked,
        "expires": held.request.expires,
        "answered_by": held.answered_by,
        "answered": held.answered,
    }


def _read(row: RowMapping) -> StoredApproval:
    raw = cast("dict[str, object]", json.loads(str(row["request"])))
    return StoredApproval(
        request=ApprovalRequest(
            id=str(raw["id"]),
            tool=str(raw["tool"]),
            source=str(raw["source"]),
            input=cast("JsonObject", raw["input"]),
            principal=str(raw["principal"]),
            digest=str(raw["digest"]),
            fingerprint=str(raw["fingerprint"]),
            asked=cast("float", row["asked"]),
            expires=cast("float", row["expires"]),
            effect=str(raw["effect"]),
        ),
        status=cast("ApprovalStatus", row["status"]),
        answered_by=str(row["answered_by"]),
        answered=cast("float | None", row["answered"]),
    )
