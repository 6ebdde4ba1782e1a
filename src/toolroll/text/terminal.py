"""What a terminal would act on: escape sequences, and the same for JSON output.

Source: the tool definition contract, "Sanitising".
"""

import re

from toolroll.text.character import BIDI, SEPARATOR, SURROGATE

# The second alternative also takes a lone `ESC ]`-like opening with a final, as terminals do.
_SEQUENCE = "[\\x1b\\x9b][\\[\\]()#;?]*(?:[0-9]{1,4}(?:[;:][0-9]{0,4})*)?[0-9A-PR-TZcf-nq-uy=><~]"
_COMMAND = "\\x1b\\][\\s\\S]*?(?:\\x07|\\x1b\\\\|\\x9c)"

_ESCAPE = re.compile(f"{_COMMAND}|{_SEQUENCE}")
_ESCAPE_WITHOUT_COMMAND = re.compile(_SEQUENCE)
_TERMINATORS = ("\x07", "\x1b\\", "\x9c")
_UNSAFE_IN_JSON = re.compile(f"[\\x7f-\\x9f{BIDI}{SEPARATOR}{SURROGATE}]")


def remove_escapes(text: str) -> tuple[str, int]:
    r"""Take terminal escape sequences out of a text; the time is linear in its length.

    Returns:
        The text, and how many sequences were taken out.

    Example:
        >>> remove_escapes("a\x1b[31mb")
        ('ab', 1)
    """
    if "\x1b" not in text and "\x9b" not in text:
        return text, 0
    # Behind the last terminator no command can end: looking for one from each opening there would
    # cost the square of the length.
    end = max(text.rfind(mark) + len(mark) if mark in text else 0 for mark in _TERMINATORS)
    head, in_head = _ESCAPE.subn("", text[:end])
    tail, in_tail = _ESCAPE_WITHOUT_COMMAND.subn("", text[end:])
    return head + tail, in_head + in_tail


def json_for_terminal(text: str) -> str:
    r"""Write JSON text so that a terminal shows it and does not act on it; its value stays.

    DEL to U+009F, direction marks, line and paragraph separators and halves of surrogate pairs
    become `\uXXXX`. JSON itself already escapes what is below U+0020.

    Args:
        text: valid JSON text, as `json.dumps(..., ensure_ascii=False)` writes it.

    Example:
        >>> json_for_terminal('{"a": "\x9b1m"}')
        '{"a": "\\u009b1m"}'
    """
    if text.isascii() and "\x7f" not in text:
        return text
    return _UNSAFE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)
