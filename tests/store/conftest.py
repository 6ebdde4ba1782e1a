"""Stores to test: in memory, in SQLite, and in PostgreSQL where TOOLROLL_POSTGRES names a server."""

import asyncio
import os
import shutil
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from toolroll.ports.catalog import CatalogStore
from toolroll.store import (
    MemoryApprovals,
    MemoryCatalogs,
    MemoryJournal,
    ReadableJournal,
    open_store,
)
from toolroll.store.approval import StoredApprovals

POSTGRES = os.environ.get("TOOLROLL_POSTGRES", "")
DATABASES = ["sqlite", "postgresql"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What every store has."""

    journal: ReadableJournal
    approvals: MemoryApprovals | StoredApprovals
    catalogs: CatalogStore


@pytest.fixture
def anyio_backend() -> str:
    """Stores in a database run on asyncio."""
    return "asyncio"


@pytest.fixture
def postgres_address() -> Iterator[str]:
    """A schema of its own on the server of TOOLROLL_POSTGRES; on a CI machine there must be one."""
    if not POSTGRES:
        reason = (
            "TOOLROLL_POSTGRES names no server, such as postgresql://user@127.0.0.1:5432/postgres"
        )
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from sqlalchemy import create_engine, text

    schema = f"t{uuid.uuid4().hex[:12]}"
    engine = create_engine(POSTGRES.replace("postgresql://", "postgresql+psycopg://"))
    with engine.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    yield f"{POSTGRES}?options=-csearch_path%3D{schema}"
    with engine.begin() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite database with its tables, to be copied: making them takes longer than most tests."""
    path = tmp_path_factory.mktemp("store") / "empty.db"

    async def make() -> None:
        async with open_store(path):
            pass

    asyncio.run(make())
    return path


@pytest.fixture(params=DATABASES)
def target(request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        shutil.copy(empty_database, tmp_path / "store.db")
        return str(tmp_path / "store.db")
    return str(request.getfixturevalue("postgres_address"))


@pytest.fixture(params=["memory", *DATABASES])
async def parts(
    request: pytest.FixtureRequest, tmp_path: Path, empty_database: Path
) -> AsyncIterator[Parts]:
    """A store of each kind, open."""
    if request.param == "memory":
        yield Parts(journal=MemoryJournal(), approvals=MemoryApprovals(), catalogs=MemoryCatalogs())
        return
    if request.param == "sqlite":
        address = str(shutil.copy(empty_database, tmp_path / "store.db"))
    else:
        address = request.getfixturevalue("postgres_address")
    async with open_store(address) as store:
        yield Parts(journal=store.journal, approvals=store.approvals, catalogs=store.catalogs)
