"""Documents from a file or an address: JSON or YAML, bounded."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import anyio

from toolroll.content import JsonObject
from toolroll.outcome import ConfigError, MissingExtra
from toolroll.ports.http import HttpError, HttpRequest
from toolroll.sources.transport import transport_of

MOST_BYTES = 64_000_000
"""Largest document that is read."""

_WITHIN = 60.0
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


def is_address(place: str) -> bool:
    """Whether a place is fetched and not a file."""
    return bool(_ADDRESS.match(place))


async def read_document(place: str, folder: Path, headers: Mapping[str, str]) -> JsonObject:
    """Read a JSON or YAML document whose root is an object.

    Args:
        place: a file, relative to `folder`, or an address.
        folder: where relative files begin.
        headers: sent with the request for an address.

    Raises:
        ConfigError: it cannot be read, is too large, or is no JSON or YAML object.
    """
    data = await (_fetched(place, headers) if is_address(place) else _from_file(folder / place))
    return _parsed(data, place)


async def _from_file(path: Path) -> bytes:
    try:
        if (await anyio.Path(path).stat()).st_size > MOST_BYTES:
            raise ConfigError(f"{path}: is larger than {MOST_BYTES:,} bytes.")
        return await anyio.Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}.") from error
    except ValueError as error:  # a NUL in the path
        raise ConfigError(f"{str(path)!r}: cannot be read: {error}.") from error


async def _fetched(address: str, headers: Mapping[str, str]) -> bytes:
    transport = transport_of()
    request = HttpRequest(
        method="GET",
        url=address,
        headers=(
            ("accept", "application/json, application/yaml, text/yaml, */*"),
            *headers.items(),
        ),
    )
    data = bytearray()
    try:
        with anyio.fail_after(_WITHIN):
            async with transport.send(request) as answer:
                if answer.status != 200:  # OK
                    raise ConfigError(f"{address}: answered {answer.status}.")
                async for chunk in answer.chunks:
                    data += chunk
                    if len(data) > MOST_BYTES:
                        raise ConfigError(f"{address}: is larger than {MOST_BYTES:,} bytes.")
    except HttpError as error:
        raise ConfigError(f"{address}: cannot be reached: {error}.") from error
    except TimeoutError as error:
        raise ConfigError(f"{address}: did not answer within {_WITHIN:g} seconds.") from error
    finally:
        await transport.aclose()
    return bytes(data)


def _parsed(data: bytes, place: str) -> JsonObject:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{place}: is not UTF-8 text (byte {error.start}).") from error
    if text.lstrip().startswith("{"):
        try:
            found: object = json.loads(text)
        except ValueError as error:
            raise ConfigError(f"{place}: is no JSON: {error}.") from error
        except RecursionError:
            raise ConfigError(f"{place}: is nested too deep.") from None
    else:
        found = _yaml(text, place)
    if not isinstance(found, Mapping):
        raise ConfigError(f"{place}: must be an object, got {type(found).__name__}.")
    return cast("JsonObject", found)


def _yaml(text: str, place: str) -> object:
    try:
        import yaml  # noqa: PLC0415  # the extra `cli`
    except ImportError as error:
        raise MissingExtra("cli", "reading YAML") from error
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  # safe
    except (yaml.YAMLError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise ConfigError(f"{place}: is no YAML: {reason}.") from error
