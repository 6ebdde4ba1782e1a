"""Strings, numbers, literals and bare names: the parts of a value that hold no others.

Each may be cut by the end of a piece at any character; the rest is read when it comes.
"""

from abc import ABC, abstractmethod

from toolroll.content import JsonScalar
from toolroll.repair import pattern
from toolroll.repair.escape import ESCAPED_APOSTROPHE, unescape
from toolroll.repair.tape import Tape

LITERALS: dict[str, bool | None] = {"true": True, "false": False, "null": None}
PYTHON_LITERALS: dict[str, bool | None] = {**LITERALS, "none": None}
QUOTE_REPAIRS = {"'": "single_quotes", "\u201c": "smart_quotes"}


class ScalarReader(Tape, ABC):
    """Reads the token at `pos` and hands it over."""

    pieces: list[str]  # of the open string or word
    length: int = 0  # of the pieces of an open string
    quote: str = '"'  # that closes the string
    for_key: bool = False
    _noted_at: int = -1  # the string about which these are noted
    _noted_kinds: tuple[str, ...] = ()
    token_at: int = 0  # offset of the present string or word

    @abstractmethod
    def take_value(self, value: JsonScalar) -> None:
        """Go on with a value that is whole; `pos` stands behind it."""

    @abstractmethod
    def take_key(self, key: str) -> None:
        """Go on with a key that is whole; `pos` stands behind it."""

    # Strings

    def begin_string(self, opening: str, *, for_key: bool) -> None:
        """Read the string whose opening quote stands at `pos`, or as much of it as there is."""
        self.for_key = for_key
        self.token_at = self.base + self.pos
        self.quote = quote = pattern.QUOTES[opening]
        if opening != '"':
            self.note_once(QUOTE_REPAIRS[opening], self.token_at)
        self.pos = start = self.pos + 1
        whole = None
        if self.text.find(quote, start) >= 0:
            whole = pattern.WHOLE[quote].match(self.text, start)
        if whole is None:
            self.pieces = []
            self.length = 0
            self.step = ScalarReader.read_string
            self.read_string()
            return
        self.pos = end = whole.end()
        self._end_string(self._unescape(start, end - 1))

    def read_string(self) -> None:
        """Read on inside a string."""
        text, start = self.text, self.pos
        found = pattern.RUN[self.quote].match(text, start)
        end = found.end() if found else start
        if end < len(text):
            if text[end] == self.quote:
                self.pos = end + 1
                self.pieces.append(self._unescape(start, end))
                self._end_string("".join(self.pieces))
                return
            if not _may_go_on(text, end):
                raise self.fault(f"unknown escape {_shown(text[end : end + 2])} in a string", end)
        end = _before_half_pair(text, start, end)
        piece = self._unescape(start, end)
        self.pieces.append(piece)
        self.length += len(piece)
        self.pos = end
        self.waiting = True

    def _unescape(self, start: int, end: int) -> str:
        """Read the part of a string that stands between two places."""
        raw = self.text[start:end]
        if not raw.isprintable():
            control = pattern.CONTROL.search(raw)
            if control is not None:
                self._note_in_string("control_character", start + control.start())
        if "\\" not in raw:
            return raw
        if self.quote == '"' and "\\'" in raw:
            found = ESCAPED_APOSTROPHE.match(raw)
            if found is not None:
                self._note_in_string("escape", start + found.end() - 2)
        return unescape(raw, self.quote)

    def _note_in_string(self, kind: str, pos: int) -> None:
        """Note what a string holds, once, however many pieces it comes in."""
        if self._noted_at != self.token_at:
            self._noted_at, self._noted_kinds = self.token_at, ()
        if kind not in self._noted_kinds:
            self._noted_kinds += (kind,)
            self.note(kind, self.base + pos, here=not self.for_key)

    def _end_string(self, value: str) -> None:
        if self.for_key:
            self.take_key(value)
        else:
            self.take_value(value)

    # Words

    def begin_word(self, *, for_key: bool) -> None:
        """Read the number, the literal or the bare key at `pos`."""
        self.for_key = for_key
        self.token_at = self.base + self.pos
        self.pieces = []
        self.step = ScalarReader.read_word
        self.read_word()

    def read_word(self) -> None:
        """Read on inside a number, a literal or a bare key."""
        scan = pattern.NAME if self.for_key else pattern.WORD
        found = scan.match(self.text, self.pos)
        end = found.end() if found else self.pos
        self.pieces.append(self.text[self.pos : end])
        self.pos = end
        if end == len(self.text):
            self.waiting = True
            return
        word = "".join(self.pieces)
        if self.for_key:
            self.take_key(word)
        else:
            self.take_value(self.read_scalar(word))

    def read_scalar(self, word: str) -> JsonScalar:
        """Read a whole number or literal.

        Raises:
            Unreadable: it is neither.
        """
        if word in LITERALS:
            return LITERALS[word]
        found = pattern.NUMBER.fullmatch(word)
        if found is not None:
            return self.read_number(found[1], found[2])
        literal = word.lower()
        if literal in PYTHON_LITERALS:
            self.note("python_literal", self.token_at, here=True, was=word)
            return PYTHON_LITERALS[literal]
        if pattern.PYTHON_NUMBER.fullmatch(word) is not None:
            self.note("python_literal", self.token_at, here=True, was=word)
            whole = word.lstrip("+-").replace("_", "").isdigit()
            return self.read_number(word, "") if whole else float(word)
        start = self.pos - len(word)  # below 0 when the word came in pieces
        if literal.lstrip("+-") in ("nan", "infinity", "inf"):
            raise self.fault(f"{_shown(word)} is no JSON value", start)
        raise self.fault(f"expected a value, found {_shown(word)}", start)

    def read_number(self, whole: str, rest: str) -> int | float:
        """Read a number that fits the grammar: exact where it is whole, as Python reads it else.

        Raises:
            Unreadable: it has more digits than `sys.get_int_max_str_digits`.
        """
        if rest:
            return float(whole + rest)
        try:
            return int(whole)
        except ValueError:
            raise self.fault("the number has too many digits") from None


def is_literal(word: str) -> bool:
    """Whether a word is a literal of JSON or Python, in any case."""
    return word.lower() in PYTHON_LITERALS


def could_become_scalar(word: str) -> bool:
    """Whether a cut word can be the beginning of a number or a literal."""
    if pattern.NUMBER_BEGUN.fullmatch(word) is not None:
        return True
    begun = word.lower()
    return any(literal.startswith(begun) for literal in PYTHON_LITERALS)


def _may_go_on(text: str, pos: int) -> bool:
    """Whether the escape that begins at `pos` is cut by the end of the text."""
    found = pattern.ESCAPE_BEGUN.match(text, pos)
    return found is not None and found.end() == len(text)


def _before_half_pair(text: str, start: int, end: int) -> int:
    r"""Where to stop so that an escaped high surrogate waits for its other half."""
    high = end - 6
    if high < start or text[high] != "\\" or not pattern.HIGH_SURROGATE.match(text, high):
        return end
    before = high
    while before > start and text[before - 1] == "\\":
        before -= 1
    return end if (high - before) % 2 else high


def _shown(text: str) -> str:
    """A few characters of the text as a message may hold them."""
    return ascii(text if len(text) <= 20 else text[:20] + "...")
