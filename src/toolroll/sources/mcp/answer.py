"""The answer to a call becomes a result, or the reason why there is none."""

import dataclasses
import logging
from typing import cast

from toolroll.content import JsonObject, ToolResult
from toolroll.outcome import OutcomeError, one_line
from toolroll.protocol import Response, read_result, result_type_of
from toolroll.schema import compile_check
from toolroll.schema.check import Check
from toolroll.schema.error import SchemaError
from toolroll.sources.address import own_address
from toolroll.sources.mcp.failure import error_failure
from toolroll.sources.mcp.option import Settings
from toolroll.sources.mcp.session import Heard
from toolroll.sources.source import SourceError
from toolroll.tools.definition import ToolDefinition
from toolroll.tools.largeness import cap

MISMATCH = "toolroll/outputMismatch"
"""Key of a result's `meta`: what of its data does not fit the declared output schema."""

_KEPT_CHECKS = 1000


class AnswerReader:
    """Reads the answers of one source.

    Args:
        settings: of the source.
        host: host and port that are asked, "" for none.
        log: of the source.
    """

    def __init__(self, settings: Settings, host: str, log: logging.Logger) -> None:
        self._source, self._settings, self._host, self._log = settings.name, settings, host, log
        self._address = own_address(host)
        self._checks: dict[str, tuple[JsonObject, Check | None]] = {}

    def result_of(self, heard: Heard) -> JsonObject:
        """The result of an answer, complete or wanting more input.

        Raises:
            SourceError: it is an error, or a kind of result that nobody asked for.
        """
        answer = heard.answer
        if not isinstance(answer, Response):
            raise error_failure(self._source, answer, secrets=heard.secrets, host=self._host)
        if heard.session.era == "modern" and result_type_of(answer.result) is None:
            kind = str(answer.result.get("resultType"))[:100]
            raise SourceError(self._source, "invalid-response", f"a result of type {kind!r}")
        return answer.result

    def tool_result(self, definition: ToolDefinition, result: JsonObject) -> ToolResult:
        """What a tool answered, within the limit.

        Data that does not fit the declared output schema is kept, with a note in the result's
        `meta` and in the log: the tool ran, and its answer is better than none. What a failed tool
        says of itself does not tell where the server lives.

        Raises:
            SourceError: it is too large.
        """
        read = read_result(result)
        if read.is_error:
            read = read_result(cast("JsonObject", self._address.masked(result)))
        problem = None if read.is_error else self._mismatch(definition, read)
        if problem is not None:
            self._log.warning(
                "%s: its result does not fit what it declares: %s", definition.name, problem
            )
            read = dataclasses.replace(read, meta={**read.meta, MISMATCH: problem})
        try:
            return cap(read, self._settings.limit, self._settings.large)
        except OutcomeError as error:
            raise SourceError(self._source, "result-too-large", error.message) from error

    def _mismatch(self, definition: ToolDefinition, result: ToolResult) -> str | None:
        schema = definition.output_schema
        if schema is None:
            return None
        if result.data is None:
            return "no structured content" if schema.get("type") == "object" else None
        check = self._check(definition.name, schema)
        issues = [] if check is None else check(result.data)
        return one_line(issues).replace("input:", "data:", 1)[:500] if issues else None

    def _check(self, name: str, schema: JsonObject) -> Check | None:
        kept = self._checks.get(name)
        if kept is not None and (kept[0] is schema or kept[0] == schema):
            return kept[1]
        check: Check | None = None
        try:
            check = compile_check(schema)
        except SchemaError as error:
            self._log.warning("%s: its results are not checked: %s", name, error)
        if len(self._checks) >= _KEPT_CHECKS:
            self._checks.pop(next(iter(self._checks)))
        self._checks[name] = (schema, check)
        return check
