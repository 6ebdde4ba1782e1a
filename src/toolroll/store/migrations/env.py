# noqa: INP001  # a script of Alembic, run by path; never imported
"""Runs the migrations on the connection it is given."""

from alembic import context
from sqlalchemy import Connection

from toolroll.store.table import VERSION_TABLE, metadata

connection: Connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, version_table=VERSION_TABLE)
with context.begin_transaction():
    context.run_migrations()
