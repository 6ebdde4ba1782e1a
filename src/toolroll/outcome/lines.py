"""Lines for a model: issues in their wording, and words of others without what nobody sees.

Source of the wording: the tool definition contract, "validateInput and its exact lines":
every issue on its own line, places as JSON pointers, the root as `/`.
"""

from collections.abc import Iterable

from toolroll.outcome.issue import Issue
from toolroll.text import sanitize_text

_HEAD = "Invalid arguments"


def issue_line(issue: Issue) -> str:
    """Write one issue as one line.

    Example:
        >>> issue_line(Issue("/mode", "must be one of plain, loud"))
        'Invalid arguments at /mode: must be one of plain, loud'
        >>> issue_line(Issue("", 'unknown property "x"; takes a', keyword="additionalProperties"))
        'Invalid arguments: unknown property "x"; takes a'
    """
    if not issue.pointer and issue.keyword == "additionalProperties":
        return f"{_HEAD}: {issue.problem}"
    return f"{_HEAD} at {issue.pointer or '/'}: {issue.problem}"


def issue_lines(issues: Iterable[Issue]) -> list[str]:
    """Write issues as lines, each line once; no issue at all gives the bare head.

    Example:
        >>> issue_lines([Issue("/n", "must be integer"), Issue("/n", "must be integer")])
        ['Invalid arguments at /n: must be integer']
    """
    return list(dict.fromkeys(map(issue_line, issues))) or [_HEAD]


def shown_lines(lines: Iterable[str]) -> list[str]:
    r"""Write lines as a model is shown them: each on one line, without escape sequences, control
    characters and direction marks; what is then empty is left out. Tabs and spaces stay, because
    they may part fields or belong to a value.

    Example:
        >>> shown_lines(["It was\nchanged.", "rev\t7\x1b[31m"])
        ['It was changed.', 'rev\t7']
    """
    shown = (sanitize_text(line).replace("\n", " ") for line in lines)
    return [line for line in shown if line]


def one_line(issues: Iterable[Issue]) -> str:
    """Write issues as one line: `path.by.dots: problem` joined by `; `, the root as `input`.

    Example:
        >>> one_line([Issue("/a/0", "must be integer"), Issue("", "must be object")])
        'a.0: must be integer; input: must be object'
    """
    return "; ".join(f"{_dotted(issue.pointer)}: {issue.problem}" for issue in issues)


def _dotted(pointer: str) -> str:
    parts = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]
    return ".".join(parts) or "input"
