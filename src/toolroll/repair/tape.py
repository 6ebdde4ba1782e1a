"""The text under the reader: pieces as they come, places, what was put right, and the end of it."""

from collections.abc import Callable
from typing import Any, TypeAlias

from toolroll.repair.pattern import BLANK
from toolroll.repair.rule import ReadingRules

Noted = tuple[int, str, str, str]
"""A repair before it is a record: offset, kind, pointer, what stood there."""


_SHOWN = 100


Step: TypeAlias = Callable[[Any], None]
"""A method of a reader, not bound to it: a bound one would make the reader hold itself."""


class Unreadable(Exception):
    """The text cannot be read without guessing."""


class Tape:
    """A text that comes in pieces, read once from left to right by one step after the other.

    A step reads from `text[pos:]` and moves `pos`; it names the next one in `step`. A step that
    needs more than there is sets `waiting` and leaves what it could not take, at most a few
    characters, so that no part of the text is scanned again with every piece.
    """

    text: str = ""  # the present piece, and what was left of the one before
    pos: int = 0
    base: int = 0  # offset of the present piece in the whole text, in code points
    waiting: bool = False
    problem: str = ""
    step: Step
    _back: Step
    _kinds: frozenset[str] = frozenset()  # of what was noted
    _line: int = 1
    _line_start: int = 0

    def __init__(self, rules: ReadingRules) -> None:
        self.rules = rules
        self.noted: list[Noted] = []

    def run(self, piece: str) -> None:
        """Read on with the next piece of the text."""
        if self.text:
            self._forget_read()
        self.text += piece
        self.waiting = False
        try:
            if self.base + len(self.text) > self.rules.size:
                raise Unreadable(f"the text is longer than {self.rules.size} characters")  # noqa: TRY301
            while not self.waiting:
                self.step(self)
        except Unreadable as fault:
            self.problem = str(fault)
            self.step = Tape._read_nothing

    def _forget_read(self) -> None:
        pos, text = self.pos, self.text
        lines = text.count("\n", 0, pos)
        if lines:
            self._line += lines
            self._line_start = self.base + text.rindex("\n", 0, pos) + 1
        self.base += pos
        self.text = text[pos:]
        self.pos = 0

    def _read_nothing(self) -> None:
        """Pass over what comes behind a fault."""
        self.pos = len(self.text)
        self.waiting = True

    # What was put right, and what cannot be

    def note(self, kind: str, at: int, *, here: bool = False, was: str = "") -> None:
        """Write down one repair; beyond the limit only the first of each kind.

        Args:
            kind: a key of `REPAIRS`.
            at: its offset in the whole text.
            here: it is about the value being read, so its pointer is given.
            was: what stood there; the first hundred characters are kept.
        """
        if len(self.noted) < self.rules.repairs or kind not in self._kinds:
            self._kinds |= {kind}
            self.noted.append((at, kind, self.pointer() if here else "", was[:_SHOWN]))

    def note_once(self, kind: str, at: int) -> None:
        """Write down the first place of a habit: quotes, comments, commas."""
        if kind not in self._kinds:
            self._kinds |= {kind}
            self.noted.append((at, kind, "", ""))

    def noted_kind(self, kind: str) -> bool:
        """Whether a repair of this kind was noted."""
        return kind in self._kinds

    def pointer(self) -> str:
        """The JSON pointer of the value being read."""
        return ""

    def place(self, pos: int) -> str:
        """Line and column, both from 1, of a place of the present piece."""
        line, start = self._line, self._line_start
        lines = self.text.count("\n", 0, max(pos, 0))
        if lines:
            line += lines
            start = self.base + self.text.rindex("\n", 0, pos) + 1
        return f"line {line}, column {self.base + pos - start + 1}"

    def fault(self, reason: str, pos: int | None = None) -> Unreadable:
        """The fault to raise at a place of the present piece, at `pos` if none is given."""
        return Unreadable(f"{self.place(self.pos if pos is None else pos)}: {reason}")

    # White space and comments

    def skip_space(self) -> str:
        """Skip white space.

        Returns:
            The character at `pos`, "" when there is none yet.
        """
        text, pos = self.text, self.pos
        while pos < len(text):
            character = text[pos]
            if " " < character < "\x7f":
                self.pos = pos
                return character
            found = BLANK.match(text, pos)
            end = found.end() if found else pos
            if end == pos:
                if not _is_odd_space(character):
                    self.pos = pos
                    return character
                self.note_once("odd_space", self.base + pos)
                end += 1
            pos = end
        self.pos = pos
        self.waiting = True
        return ""

    def next(self) -> str:
        """Skip white space and comments.

        Returns:
            The character at `pos`, "" when there is none yet or a comment has begun.
        """
        character = self.skip_space()
        if not character or character not in "/#":
            return character
        width = 1 if character == "#" else 2
        opening = self.text[self.pos : self.pos + width]
        if opening == "/":
            self.waiting = True
            return ""
        if opening not in ("#", "//", "/*"):
            return character
        self.note_once("comment", self.base + self.pos)
        self.pos += width
        self._back = self.step
        self.step = Tape._read_block_comment if opening == "/*" else Tape._read_line_comment
        return ""

    def resumed_step(self) -> Step:
        """The present step, or the one that an open comment interrupts."""
        if "comment" in self._kinds and self.step in (
            Tape._read_line_comment,
            Tape._read_block_comment,
        ):
            return self._back
        return self.step

    def _read_line_comment(self) -> None:
        end = self.text.find("\n", self.pos)
        if end < 0:
            self.pos = len(self.text)
            self.waiting = True
        else:
            self.pos = end + 1
            self.step = self._back

    def _read_block_comment(self) -> None:
        end = self.text.find("*/", self.pos)
        if end < 0:
            self.pos = max(self.pos, len(self.text) - self.text.endswith("*"))
            self.waiting = True
        else:
            self.pos = end + 2
            self.step = self._back


def _is_odd_space(character: str) -> bool:
    """White space that JSON does not know, byte order marks and other zero-width ones included."""
    return character.isspace() or character in "\ufeff\u200b\u2060"
