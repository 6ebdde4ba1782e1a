"""The way to a store that loads its database only when one is opened."""

import math
import os
from typing import TYPE_CHECKING, Literal

from toolroll.outcome import ConfigError, MissingExtra
from toolroll.store.question import DEFAULT_LIFETIME, MOST_PENDING
from toolroll.store.redaction import redact_input

if TYPE_CHECKING:
    from toolroll.store.store import Store


def open_store(
    target: str | os.PathLike[str],
    *,
    keep_inputs: bool = False,
    durability: Literal["full", "normal"] = "full",
    approvals_expire: float = DEFAULT_LIFETIME,
    most_pending: int = MOST_PENDING,
    busy_timeout: float = 10.0,
    lease: float = 60.0,
) -> "Store":
    """A journal, approvals and catalogs in one database, opened by `async with`.

    The folder, the file and the tables are made when they are missing; tables of an older version
    are brought to this one.

    Args:
        target: path of a SQLite file, `sqlite:///PATH`, or `postgresql://...`.
        keep_inputs: keep the inputs that come with records, without secrets; else only digests.
        durability: `full` keeps what was written through a loss of power; `normal` through a crash
            of the process, and is faster.
        approvals_expire: seconds a question waits for its answer, and a yes for its call.
        most_pending: open questions; above it nobody can be asked.
        busy_timeout: seconds to wait for another process's lock or for a connection.
        lease: seconds after which a process elsewhere that was not heard of counts as gone.

    Raises:
        ConfigError: the address or an option cannot be used. On entering also: the database cannot
            be opened, a newer version made it, or the event loop is not asyncio's.
        MissingExtra: `toolroll[store]`, or `toolroll[postgres]`, is not installed.

    Example:
        >>> import anyio
        >>> from tempfile import TemporaryDirectory
        >>> async def main(path):
        ...     async with open_store(path) as store:
        ...         return await store.approvals.list_pending()
        >>> with TemporaryDirectory() as folder:
        ...     anyio.run(main, f"{folder}/toolroll.db")
        ()
    """
    for name, seconds in (
        ("approvals_expire", approvals_expire),
        ("busy_timeout", busy_timeout),
        ("lease", lease),
    ):
        if not (seconds > 0 and math.isfinite(seconds)):
            raise ConfigError(f"{name} is {seconds!r}; it must be a number of seconds above 0.")
    try:
        from toolroll.store.database import read_address  # noqa: PLC0415  # needs the extra
        from toolroll.store.store import Store  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingExtra("store", "a store in a database") from error
    return Store(
        read_address(target, durability, busy_timeout),
        redact=redact_input if keep_inputs else None,
        approvals_expire=approvals_expire,
        most_pending=most_pending,
        lease=lease,
    )
