"""An HTTP answer becomes a result, or the reason why there is none.

The body is counted while it is read, so that no answer fills the memory.
"""

import base64
import json
import math
import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import NoReturn

from toolroll.content import Audio, Image, JsonValue, Text, ToolResult, compact_json
from toolroll.ports.http import HttpAnswer
from toolroll.sources.http.secret import Secrets, without_addresses
from toolroll.sources.http.style import is_json
from toolroll.sources.source import SourceError
from toolroll.text import join_surrogates, sanitize_line

WORDS = 500
"""Most characters of an API's own words that a model reads."""

LONGEST_WAIT = 86_400.0
"""Most seconds a `Retry-After` is believed."""

DEEPEST = 100
"""Most levels of an answer that is read as data; a deeper one is text."""

_BYTES_A_CHARACTER = 4
_ERROR_BYTES = 64 * 1024
_WORDS_LOOKED_AT = 4 * WORDS

_TEXT_TYPE = re.compile(
    r"text/.*|.*[+/](json|xml|yaml|html)|application/(x-)?(yaml|javascript|ecmascript|ndjson|jsonl|"
    r"jsonlines|json-seq|csv|toml|sql|graphql|x-www-form-urlencoded)|image/svg\+xml"
)
_CHARSETS = re.compile(
    r"utf-?8|us-ascii|ascii|iso-8859-\d{1,2}|latin-?1|windows-125\d|cp125\d|utf-?16([bl]e)?|"
    r"utf-?32([bl]e)?|shift_jis|euc-(jp|kr)|gbk|gb2312|gb18030|big5|koi8-[ru]"
)
"""The character sets that are read; any other counts as UTF-8."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReader:
    """Reads the answers of one source.

    Args:
        source: its name.
        host: host and port that were asked.
        secrets: what no answer may say.
        limit: most characters of an answer's text.
        media_limit: most bytes of a picture or sound.
        now: the clock, in seconds since the epoch, for a `Retry-After` that is a date.
    """

    source: str
    host: str
    secrets: Secrets
    limit: int
    media_limit: int
    now: Callable[[], float] = time.time

    async def read(self, method: str, answer: HttpAnswer) -> ToolResult:
        """Read an answer.

        Args:
            method: of the request.
            answer: its body is not read yet.

        Returns:
            Data for JSON, text for text, a picture or sound as its block, a sentence for anything
            else, nothing for an empty body.

        Raises:
            SourceError: the status is not 2xx, or the body is larger than it may be.
        """
        if not 200 <= answer.status < 300:
            await self._fail(answer)
        if method == "HEAD" or answer.status in (204, 205):
            return ToolResult()
        media_type = (answer.header("content-type") or "").partition(";")[0].strip().lower()
        if media_type.startswith(("image/", "audio/")) and not _TEXT_TYPE.fullmatch(media_type):
            return await self._media(answer, media_type)
        if media_type in ("", "application/octet-stream") or _TEXT_TYPE.fullmatch(media_type):
            return await self._text(answer, media_type)
        return _described(media_type, _length(answer))

    async def _media(self, answer: HttpAnswer, media_type: str) -> ToolResult:
        content, more = await _read(answer, self.media_limit)
        if more:
            return _described(media_type, _length(answer))
        block = Image if media_type.startswith("image/") else Audio
        return ToolResult((block(base64.b64encode(content).decode(), media_type),))

    async def _text(self, answer: HttpAnswer, media_type: str) -> ToolResult:
        content, more = await _read(answer, self.limit * _BYTES_A_CHARACTER)
        if media_type in ("", "application/octet-stream") and _is_binary(content):
            return _described(media_type or "binary", _length(answer) if more else len(content))
        text = "" if more else _decoded(content, answer.header("content-type") or "")
        if more or len(text) > self.limit:
            raise SourceError(
                self.source,
                "result-too-large",
                f"The answer is larger than {self.limit:,} characters. Ask for less: "
                "fewer items, fewer fields or one page.",
            )
        if not text.strip():
            return ToolResult()
        if is_json(media_type) or (not is_text(media_type) and text.lstrip()[0] in "{["):
            read, data = _json(text)
            if read:
                return ToolResult(data=self.secrets.mask_json(_whole(data, text), text))
        return ToolResult((Text(self.secrets.mask(join_surrogates(text))),))

    async def _fail(self, answer: HttpAnswer) -> NoReturn:
        status, wait = answer.status, self._wait(answer)
        if status in (401, 407) or (status == 403 and wait is None):
            raise SourceError(self.source, "authentication", f"status {status}")
        if status in (403, 408, 429) or status >= 500:
            raise SourceError(
                self.source,
                "unavailable",
                f"status {status}",
                retryable=status != 501,
                may_have_run=status in (500, 502, 504),
                retry_after=wait,
            )
        if status < 400:
            raise SourceError(self.source, "invalid-response", f"status {status}")
        words = await self._words(answer)
        said = f"The system behind the tool answered {status}" + (f": {words}" if words else ".")
        raise SourceError(self.source, "call-failed", said)

    async def _words(self, answer: HttpAnswer) -> str:
        """What the API says about a refused call, as one line without secrets and addresses."""
        content, _ = await _read(answer, _ERROR_BYTES)
        content = content[:_ERROR_BYTES]
        text = _decoded(content, answer.header("content-type") or "")
        if "html" in (answer.header("content-type") or "") or _is_binary(content):
            return ""
        read, data = _json(text)
        text = compact_json(self.secrets.mask_json(_whole(data, text), text)) if read else text
        line = sanitize_line(self.secrets.mask(text)[:_WORDS_LOOKED_AT])
        line = without_addresses(line, self.host)
        return line if len(line) <= WORDS else line[: WORDS - 1] + "…"

    def _wait(self, answer: HttpAnswer) -> float | None:
        """Seconds of a `Retry-After`, as a number or as a date (RFC 9110, section 10.2.3)."""
        said = (answer.header("retry-after") or "").strip()
        if re.fullmatch(r"\d{1,9}(\.\d{1,9})?", said):
            return min(float(said), LONGEST_WAIT)
        try:
            wait = parsedate_to_datetime(said).timestamp() - self.now()
        except (ValueError, TypeError, IndexError, OverflowError):
            return None
        return min(max(wait, 0.0), LONGEST_WAIT)


def is_text(media_type: str) -> bool:
    """Whether a type is text that is shown as it is: `text/...`, but plain text may be JSON."""
    return media_type.startswith("text/") and media_type != "text/plain"


async def _read(answer: HttpAnswer, most: int) -> tuple[bytes, bool]:
    """The body up to a little over `most` bytes, and whether there is more than that."""
    content = bytearray()
    async for chunk in answer.chunks:
        content += chunk
        if len(content) > most:
            return bytes(content), True
    return bytes(content), False


def _length(answer: HttpAnswer) -> int | None:
    said = answer.header("content-length") or ""
    return int(said) if re.fullmatch(r"[0-9]{1,15}", said) else None


def _described(media_type: str, size: int | None) -> ToolResult:
    said = sanitize_line(media_type)[:100]
    many = "of unknown size" if size is None else f"of {size:,} bytes"
    return ToolResult((Text(f"The answer is {said} {many}; it cannot be shown as text."),))


def _is_binary(content: bytes) -> bool:
    return b"\0" in content[:4096]


def _decoded(content: bytes, content_type: str) -> str:
    found = re.search(r"charset=\"?([\w.-]+)", content_type, re.IGNORECASE)
    charset = found[1].lower() if found else "utf-8"
    if not _CHARSETS.fullmatch(charset) or re.fullmatch(r"utf-?8", charset):
        charset = "utf-8-sig"
    try:
        return content.decode(charset, "replace")
    except LookupError:
        return content.decode("utf-8-sig", "replace")


def _json(text: str) -> tuple[bool, JsonValue]:
    """Whether a text is JSON, and its value."""
    try:
        value = json.loads(text, parse_constant=_refuse, parse_float=_finite)
    except (ValueError, RecursionError):
        return False, None
    if text.count("[") + text.count("{") > DEEPEST and _is_deep(value):
        return False, None
    return True, value


def _is_deep(value: JsonValue) -> bool:
    level: list[JsonValue] = [value]
    for _ in range(DEEPEST):
        level = [inner for item in level for inner in _inner(item)]
        if not level:
            return False
    return True


def _inner(value: JsonValue) -> Iterable[JsonValue]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _finite(number: str) -> float:
    value = float(number)
    if not math.isfinite(value):
        raise ValueError("a number too large")
    return value


def _whole(value: JsonValue, text: str) -> JsonValue:
    """A value without halves of surrogate pairs, which only an escape can bring."""
    if "\\ud" not in text and "\\uD" not in text:
        return value
    if isinstance(value, str):
        return join_surrogates(value)
    if isinstance(value, dict):
        return {join_surrogates(key): _whole(item, text) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item, text) for item in value]
    return value
