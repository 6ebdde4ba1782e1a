"""Bytes that a type of pydantic decodes itself, as `Base64Bytes` does."""

from typing import Any

from pydantic import EncodedBytes
from pydantic_core import core_schema

_AS_BYTES = core_schema.chain_schema(
    [
        core_schema.str_schema(strict=True),
        core_schema.no_info_plain_validator_function(str.encode),
    ]
)


def decoded_once(core: Any) -> Any:
    """The same schema of such a type, for a validator that decodes all other bytes from base64.

    Args:
        core: pydantic's core schema of a check after another; is not changed.

    Returns:
        A copy that hands the text to the type as it is, or the very same object.
    """
    decode = core["function"]["function"]
    below = core["schema"]
    if not isinstance(getattr(decode, "__self__", None), EncodedBytes) or below["type"] != "bytes":
        return core
    return {**core, "schema": core_schema.chain_schema([_AS_BYTES, below])}
