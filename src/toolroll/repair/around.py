"""What stands around the objects: prose, tags, code fences, more objects, and lone scalars."""

from toolroll.content import JsonValue
from toolroll.repair import pattern
from toolroll.repair.found import Found, Root
from toolroll.repair.partial import PartialReader
from toolroll.repair.rule import ReadingRules
from toolroll.repair.shape import has_all_members, may_end_later
from toolroll.repair.strict import NOT_PARSED, parse_at
from toolroll.repair.tape import Unreadable

_KEPT = 5_000  # of the text around; a number or literal that is the whole text is never longer
_TAIL = 100


class TextReader(PartialReader):
    """Reads a whole text: the objects in it, and what lies around them."""

    scalar: Root | None = None
    quick: bool = False  # try the standard library's parser where an object begins
    _outside: str = ""  # the beginning of the text outside, since the last object
    _outside_at: int = 0
    _tail: str = ""  # the end of it
    _done: JsonValue = None  # the last object that ended
    _start: str = ""  # line and column where the text begins
    _quotes: int = 0  # how many quotes it holds
    _broken: bool = False  # it looks like a part of an object
    _fenced: bool = False
    _labelled: bool = False

    def __init__(self, rules: ReadingRules) -> None:
        PartialReader.__init__(self, rules)
        self.found = Found()
        self.partial: list[str] = []
        self.step = TextReader._read_start

    @property
    def current(self) -> JsonValue:
        """The value as far as it is read: the last one that holds anything."""
        if self.problem:
            return {}
        if self.stack and (self.stack[0] or not self.found.roots):
            return self.stack[0]
        return self.found.roots[-1][0] if self.found.roots else {}

    def finish(self) -> None:
        """End the text: what is open is cut, what is bare is read."""
        if self.problem:
            return
        try:
            if self.stack:
                root = self.stack[0]
                self.partial = self.cut()
                self.found.roots.append((root, self.root_at, True))
            elif self.step is TextReader.read_string:
                self.note("closed_string", self.base + self.pos)
                self.scalar = ("".join(self.pieces), self.token_at, True)
            elif self.found.count:
                self._note_after()
            elif self.scalar is None:
                self._read_bare()
        except Unreadable as fault:
            self.problem = str(fault)

    def _read_bare(self) -> None:
        word = self._outside.strip()
        if not word:
            self.scalar = ({}, 0, False)
            return
        self.token_at = self._outside_at
        try:
            self.scalar = (self.read_scalar(word), self.token_at, False)
        except Unreadable:
            raise Unreadable(f"{self._start}: found no JSON object") from None

    def root_done(self, value: JsonValue) -> None:
        """Take an object, an array or a string that stands in no container."""
        if isinstance(value, str):
            self.scalar = (value, self.token_at, False)
            self.step = TextReader._read_after_string
            return
        self.step = TextReader._read_after
        self._forget_outside()
        self._done = value
        told = self.found.take(value, self.root_at)
        if self.found.count > self.rules.objects:
            raise self.fault(f"more than {self.rules.objects} objects")
        if told is not None:
            self.note(*told)

    # Before the first object

    def _read_start(self) -> None:
        character = self.skip_space()
        if not character:
            return
        self._outside_at = self.base + self.pos
        self._start = "line 1, column 1" if self._outside_at == 0 else self.place(self.pos)
        if character == "{":
            self._open_object()
        elif character == "[":
            self.open([])
        elif character == '"':
            self.begin_string(character, for_key=False)
        else:
            self.step = TextReader._read_before

    def _read_after_string(self) -> None:
        character = self.skip_space()
        if not character:
            return
        if character in ":,":
            raise self.fault("a string stands where an object is wanted")
        self.scalar = None  # a sentence that begins with a quotation
        self._outside = self._tail = '""'
        self.step = TextReader._read_before

    def _read_before(self) -> None:
        if not self._find_object():
            return
        if pattern.KEY_BEFORE.search(self._tail) is not None:
            raise self.fault("the object stands behind a key that is in no object")
        self._labelled = pattern.LABEL_BEFORE.search(self._tail) is not None
        self._note_before()
        in_array = self._tail.rstrip().endswith("[")
        self._forget_outside()
        if in_array:
            self.open([])
            self.pos -= 1  # the bracket lies before: it was read as text
        else:
            self._open_object()

    def _open_object(self) -> None:
        """Read the object at `pos`: all of it at once where that may be, else step by step."""
        if self.quick:
            try:
                value, end = parse_at(self.text, self.pos)
            except NOT_PARSED:
                self.quick = False
            else:
                if has_all_members(value, self.text[self.pos : end]):
                    self.root_at = self.base + self.pos
                    self.pos = end
                    self.root_done(value)
                    return
        self.open({})

    def _find_object(self) -> bool:
        """Go to the next `{`, keeping the ends of what lies before it."""
        start = self.pos
        found = self.text.find("{", start)
        self.waiting = found < 0
        self.pos = len(self.text) if found < 0 else found
        piece = self.text[start : self.pos]
        if len(self._outside) < _KEPT:
            self._outside += piece[:_KEPT]
        self._quotes += piece.count('"')
        self._broken = self._broken or pattern.BROKEN.search(self._tail + piece) is not None
        self._tail = (self._tail + piece[-_TAIL:])[-_TAIL:]
        return found >= 0

    def _forget_outside(self) -> None:
        self._outside = self._tail = ""
        self._quotes = 0
        self._broken = False

    def _check_outside(self) -> None:
        """Refuse text that may be a part of an object whose strings or brackets are broken.

        Raises:
            Unreadable: it may.
        """
        if self._broken or self._quotes % 2:
            raise self.fault("the text around the object looks like a part of it")

    def _note_before(self) -> None:
        self._check_outside()
        fence = pattern.FENCE.search(self._tail)
        here = self.base + self.pos
        fence_at = here - (len(self._tail) - fence.start()) if fence else here
        if self._outside[: fence_at - self._outside_at].strip():
            self.note("text_before", self._outside_at)
        if fence:
            self._fenced = True
            self.note("code_fence", fence_at)

    # Behind an object

    def _read_after(self) -> None:
        character = self.skip_space()
        if not character:
            return
        if character == "{":
            self._open_another()
        elif character in "}]":
            if self._labelled or self.noted_kind("missing_comma") or may_end_later(self._done):
                raise self.fault("a closing bracket closes nothing, and it is not clear which one")
            self.note("extra_closer", self.base + self.pos)
            self.pos += 1
        elif character == ",":
            self.note("trailing_comma", self.base + self.pos)
            self.pos += 1
            self.step = TextReader._read_after_comma
        elif character in '":[':
            raise self.fault(f"the object has ended, but {character!a} follows")
        else:
            self._outside_at = self.base + self.pos
            self.step = TextReader._read_behind

    def _read_after_comma(self) -> None:
        character = self.skip_space()
        if not character:
            return
        if character not in "{}]":
            raise self.fault("the object has ended, but a comma and more follow")
        self.step = TextReader._read_after

    def _read_behind(self) -> None:
        if not self._find_object():
            return
        if self._tail.rstrip().endswith("[") or pattern.KEY_BEFORE.search(self._tail):
            raise self.fault("the object has ended, but more of an object follows")
        self._note_after()
        self._open_another()

    def _open_another(self) -> None:
        if self.found.roots and isinstance(self.found.roots[-1][0], list):
            raise self.fault("an object stands behind an array")
        self._forget_outside()
        self._open_object()

    def _note_after(self) -> None:
        self._check_outside()
        text = self._outside.strip()
        if not text:
            return
        if text.strip("`"):
            self.note("text_after", self._outside_at)
        elif not self._fenced:
            self.note("code_fence", self._outside_at)
