"""Text of others as one safe line or as safe lines.

Source: the tool definition contract, "Sanitising".
"""

import re

from toolroll.text.character import BIDI, CONTROL, FORMAT, SEPARATOR, SURROGATE
from toolroll.text.terminal import remove_escapes

_BECOMES_SPACE = re.compile(f"[{CONTROL}{FORMAT}{SEPARATOR}]")
_SPACES = re.compile("  +")
_LINE_END = re.compile("\r\n?")
_REMOVED_FROM_TEXT = re.compile(f"[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f{BIDI}]")
_SEPARATORS = re.compile(f"[{SEPARATOR}]")
_SURROGATES = re.compile(f"[{SURROGATE}]")


def sanitize_line(value: object) -> str:
    r"""Write any value as one line that a terminal or a log shows and does not act on.

    Escape sequences go; every control, format and separator character becomes a space; runs of
    spaces become one; the ends are trimmed. Half a surrogate pair becomes U+FFFD.

    Args:
        value: a text, or anything else, which is turned into one.

    Example:
        >>> sanitize_line("a\x1b]0;evil\x07b\nc")
        'ab c'
        >>> sanitize_line(42)
        '42'
    """
    line = value if isinstance(value, str) else str(value)
    if not line.isprintable():  # printable text holds no escape, control, format or separator
        line = _BECOMES_SPACE.sub(" ", remove_escapes(line)[0])
        line = join_surrogates(line)
    if "  " in line:
        line = _SPACES.sub(" ", line)
    return line.strip()


def sanitize_text(value: object) -> str:
    r"""Write any value as lines that a terminal shows and does not act on.

    CR and CRLF become LF; escape sequences, C0 and C1 controls but tab and LF, and direction marks
    go; line and paragraph separators become spaces; joiners stay. Half a surrogate pair becomes
    U+FFFD.

    Example:
        >>> sanitize_text("a\r\nb\x1b[0m\tc")
        'a\nb\tc'
    """
    text = value if isinstance(value, str) else str(value)
    if text.isprintable():
        return text
    text = _LINE_END.sub("\n", text)
    text = _REMOVED_FROM_TEXT.sub("", remove_escapes(text)[0])
    return join_surrogates(_SEPARATORS.sub(" ", text))


def join_surrogates(text: str) -> str:
    r"""Join halves of surrogate pairs that stand side by side; a lone one becomes U+FFFD.

    Example:
        >>> join_surrogates("\ud83d\ude00 \ud83d") == "\U0001f600 \ufffd"
        True
    """
    if _SURROGATES.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
