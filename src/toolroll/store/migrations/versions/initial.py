# noqa: INP001  # a script of Alembic, run by path; never imported
"""The tables as they were first: journal, owner, approval, approval_id, catalog."""

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None

_BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False, server_default="")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "toolroll_journal",
        sa.Column("number", _BIG, primary_key=True, autoincrement=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("call_id", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
        sa.Column("tool", sa.Text, nullable=False),
        _text("source"),
        _text("parent"),
        _text("principal"),
        _text("tenant"),
        _text("fingerprint"),
        _text("digest"),
        _text("outcome"),
        _text("code"),
        sa.Column("duration", sa.Double),
        sa.Column("input", sa.Text),
        sa.Column("domain", sa.Text),
        sa.Column("owner", sa.BigInteger),
        sa.Column("run", sa.BigInteger),
        sa.Column("open", sa.Integer),
    )
    op.create_index("toolroll_journal_time", "toolroll_journal", ["time"])
    for name, those in (("open", "open = 1"), ("unknown", "outcome = 'unknown'")):
        op.create_index(
            f"toolroll_journal_{name}",
            "toolroll_journal",
            ["owner", "run"],
            sqlite_where=sa.text(those),
            postgresql_where=sa.text(those),
        )
    op.create_table(
        "toolroll_owner",
        sa.Column("id", sa.BigInteger, primary_key=True, autoincrement=False),
        _text("machine"),
        sa.Column("process", sa.BigInteger, nullable=False),
        _text("started"),
        sa.Column("beat", sa.Double, nullable=False),
    )
    op.create_table(
        "toolroll_approval",
        sa.Column("binding", sa.Text, primary_key=True),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("asked", sa.Double, nullable=False),
        sa.Column("expires", sa.Double, nullable=False),
        _text("answered_by"),
        sa.Column("answered", sa.Double),
    )
    op.create_table(
        "toolroll_approval_id",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("binding", sa.Text, nullable=False),
    )
    op.create_index("toolroll_approval_id_binding", "toolroll_approval_id", ["binding"])
    op.create_table(
        "toolroll_catalog",
        sa.Column("source", sa.Text, primary_key=True),
        _text("origin"),
        sa.Column("tools", sa.Text, nullable=False),
        sa.Column("saved", sa.Double, nullable=False),
    )


def downgrade() -> None:
    """Take back."""
    for name in ("catalog", "approval_id", "approval", "owner", "journal"):
        op.drop_table(f"toolroll_{name}")
