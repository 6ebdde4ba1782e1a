"""What each operation of the cases is done with. `python -m tests.pains.table` counts them."""

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.pains import (
    arguments,
    conversations,
    documents,
    finding,
    governance,
    histories,
    processes,
    runs,
    servers,
    toolkits,
    validation,
    views,
)
from tests.pains.case import Case

Operation = Callable[..., Any]
"""Takes a case and, where it has a second parameter, a folder of its own; async or not."""

OPERATIONS: Mapping[str, Operation] = {
    # what a model wrote
    "parse_args": arguments.parse_args,
    "invoke_raw": arguments.invoke_raw,
    "split_calls": arguments.split_calls,
    "assemble_calls": arguments.assemble_calls,
    "validate": validation.validate,
    "calls_in_a_row": validation.calls_in_a_row,
    # tools
    "resolve_tool": toolkits.resolve_tool,
    "model_names": toolkits.model_names,
    "assemble": toolkits.assemble_sources,
    "call_through": toolkits.call_through,
    "discover_all": toolkits.discover_all,
    "decide": toolkits.decide,
    "tools_run": runs.tools_run,
    "search": finding.find,
    # models
    "view": views.view,
    "view_each": views.view_each,
    "is_strictable_many": views.is_strictable_many,
    "import_schema_many": views.import_schema_many,
    "repair_history": histories.repair_history,
    "normalize_history_ids": histories.normalize_history_ids,
    "adapter_result": histories.adapter_result,
    # sources
    "openapi_import": documents.openapi_import,
    "openapi_request": documents.openapi_request,
    "http_answer": documents.http_answer,
    "mcp_list": servers.mcp_list,
    "mcp_result": servers.mcp_result,
    "mcp_response": servers.mcp_response,
    "sse": servers.sse,
    "stdio_bytes": servers.stdio_bytes,
    "http_script": conversations.http_script,
    "stdio_server": processes.stdio_server,
    # processes
    "serve_stdio": processes.serve_stdio,
    "import_check": processes.import_check,
    "lifecycle": processes.lifecycle,
    # governing
    "approval": governance.approval,
    "approval_parallel": governance.approval_parallel,
    "approval_restart": governance.approval_restart,
    "journal": governance.journal,
    "redact_text": governance.redact,
}


def is_async(case: Case) -> bool:
    """Whether the operation of a case runs in an event loop."""
    return inspect.iscoroutinefunction(OPERATIONS[case.op])


def run(case: Case, folder: Path) -> Any:
    """Run a case: it raises where an expectation does not hold."""
    operation = OPERATIONS[case.op]
    takes_folder = len(inspect.signature(operation).parameters) == 2
    return operation(case, folder) if takes_folder else operation(case)
