"""An HTTP answer becomes a result, or the reason why there is none.

The body is counted while it is read, so that no answer fills the memory.
"""

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import NoReturn

from toolroll.content import Audio, Image, Text, ToolResult, compact_json
from toolroll.ports.http import HttpAnswer
from toolroll.sources.address import without_addresses
from toolroll.sources.http.decoding import decoded, is_binary, json_of, without_escapes
from toolroll.sources.http.setting import HttpSettings
from toolroll.sources.http.style import is_json
from toolroll.sources.http.taking import Taken, take, take_ends
from toolroll.sources.secret import Secrets
from toolroll.sources.source import SourceError
from toolroll.text import join_surrogates, sanitize_line
from toolroll.tools.largeness import ends_within, head_and_tail

WORDS = 500
"""Most characters of an API's own words that a model reads."""

LONGEST_WAIT = 86_400.0
"""Most seconds a `Retry-After` is believed."""

_BYTES_A_CHARACTER = 4
_MARGIN = 8192
"""Bytes kept beyond what may be shown of a cut answer, so that no credential is cut in two."""
_ERROR_BYTES = 64 * 1024
_WORDS_LOOKED_AT = 4 * WORDS

_TEXT_TYPE = re.compile(
    r"text/.*|.*[+/](json|xml|yaml|html)|application/(x-)?(yaml|javascript|ecmascript|ndjson|jsonl|"
    r"jsonlines|json-seq|csv|toml|sql|graphql|x-www-form-urlencoded)|image/svg\+xml"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReader:
    """Reads the answers of one source.

    Args:
        source: its name.
        host: host and port that were asked.
        secrets: what no answer may say.
        settings: how large an answer may be, and what happens to a larger one.
        now: the clock, in seconds since the epoch, for a `Retry-After` that is a date.
    """

    source: str
    host: str
    secrets: Secrets
    settings: HttpSettings
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
        content_type = answer.header("content-type") or ""
        media_type = content_type.partition(";")[0].strip().lower()
        if media_type.startswith(("image/", "audio/")) and not _TEXT_TYPE.fullmatch(media_type):
            return await self._media(answer, content_type)
        if media_type in ("", "application/octet-stream") or _TEXT_TYPE.fullmatch(media_type):
            return await self._text(answer, media_type, content_type)
        return self._described(content_type, _length(answer))

    async def _media(self, answer: HttpAnswer, content_type: str) -> ToolResult:
        taken = await take(answer.chunks, self.settings.media_limit)
        if not taken.whole:
            return self._described(content_type, _length(answer))
        media_type = self._told(content_type)
        block = Image if media_type.startswith("image/") else Audio
        return ToolResult((block(base64.b64encode(taken.head).decode(), media_type),))

    async def _text(self, answer: HttpAnswer, media_type: str, content_type: str) -> ToolResult:
        most = self.settings.limit * _BYTES_A_CHARACTER
        if self.settings.large == "cut":
            taken = await take_ends(answer.chunks, most + _MARGIN)
        else:
            taken = await take(answer.chunks, most)
        if media_type in ("", "application/octet-stream") and is_binary(taken.head):
            size = taken.size if taken.ended else _length(answer)
            return self._described(content_type if media_type else "binary", size)
        if not taken.whole:
            return self._ends(taken, content_type)
        text = decoded(taken.head, content_type)
        if len(text) > self.settings.limit and self.settings.large == "fail":
            raise self._too_large()
        if not text.strip():
            return ToolResult()
        if is_json(media_type) or (not is_text(media_type) and text.lstrip()[0] in "{["):
            read, data = json_of(text)
            if read:
                data = self.secrets.mask_json(data, text)
                if len(text) <= self.settings.limit:
                    return ToolResult(data=data)
                text = compact_json(data)
                if len(text) <= self.settings.limit:
                    return ToolResult(data=data)
        text = self.secrets.mask(join_surrogates(text))
        return ToolResult((Text(head_and_tail(text, self.settings.limit)),))

    def _told(self, content_type: str) -> str:
        """A media type as a model may read it; hidden before small letters change a secret."""
        return self.secrets.mask(content_type).partition(";")[0].strip().lower()

    def _described(self, content_type: str, size: int | None) -> ToolResult:
        said = sanitize_line(self._told(content_type))[:100]
        many = "of unknown size" if size is None else f"of {size:,} bytes"
        return ToolResult((Text(f"The answer is {said} {many}; it cannot be shown as text."),))

    def _ends(self, taken: Taken, content_type: str) -> ToolResult:
        """Head and tail of an answer that was not kept whole."""
        if self.settings.large == "fail":
            raise self._too_large()
        head, tail = (
            self.secrets.mask(without_escapes(join_surrogates(decoded(part, content_type))))
            for part in (taken.head, taken.tail)
        )
        size = f"{taken.size:,} bytes" if taken.ended else f"more than {taken.size:,} bytes"
        shown = ends_within(head, tail.lstrip("\ufffd"), size, self.settings.limit)
        return ToolResult((Text(shown),))

    def _too_large(self) -> SourceError:
        return SourceError(
            self.source,
            "result-too-large",
            f"The answer is larger than {self.settings.limit:,} characters. Ask for less: "
            "fewer items, fewer fields or one page.",
        )

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
        content = (await take(answer.chunks, _ERROR_BYTES)).head[:_ERROR_BYTES]
        content_type = answer.header("content-type") or ""
        if "html" in content_type or is_binary(content):
            return ""
        text = decoded(content, content_type)
        read, data = json_of(text)
        text = compact_json(self.secrets.mask_json(data, text)) if read else text
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


def _length(answer: HttpAnswer) -> int | None:
    said = answer.header("content-length") or ""
    return int(said) if re.fullmatch(r"[0-9]{1,15}", said) else None
