"""Objects and arrays: the part of the reader that builds the value.

One pass, no recursion: the open containers stand on a stack and are filled in place, so that what
was read so far is there at any moment.
"""

import re
from abc import abstractmethod
from typing import TypeAlias, cast

from toolroll.content import JsonScalar, JsonValue
from toolroll.repair import pattern
from toolroll.repair.escape import heal
from toolroll.repair.rule import ReadingRules
from toolroll.repair.scalar import (
    LITERALS,
    PYTHON_LITERALS,
    ScalarReader,
    is_literal,
)
from toolroll.repair.strict import parse_strict
from toolroll.repair.tape import Tape

Object: TypeAlias = dict[str, JsonValue]
Array: TypeAlias = list[JsonValue]


_KEY_HABITS = {2: "single_quotes", 3: "smart_quotes", 4: "unquoted_key"}


class ValueReader(ScalarReader):
    """Reads containers; what lies around them is a subclass's business."""

    top: Object | Array | None = None  # the innermost open container
    key: str = ""  # of the member being read
    root_at: int = 0
    _comma: int = -1  # offset of the comma just read; -1 behind an opening bracket
    _last_end: int = 0  # offset where the last value ended
    _last: JsonScalar = None  # the last scalar, None behind a container
    shown: int = -1  # how much of the open string stands in its container; -1: it does not

    def __init__(self, rules: ReadingRules) -> None:
        Tape.__init__(self, rules)
        self.stack: list[Object | Array] = []
        self.path: list[str | int] = []  # under which key each open container stands

    @abstractmethod
    def root_done(self, value: JsonValue) -> None:
        """Take a value that stands in no container."""

    # Containers

    def open(self, container: Object | Array) -> None:
        """Begin the container whose opening bracket stands at `pos`."""
        if len(self.stack) >= self.rules.depth:
            raise self.fault(f"nested deeper than {self.rules.depth} levels")
        top = self.top
        if top is None:
            self.root_at = self.base + self.pos
            self.path.append("")
        elif isinstance(top, dict):
            self.path.append(self.key)
            top[self.key] = container
        else:
            self.path.append(len(top))
            top.append(container)
        self.stack.append(container)
        self.top = container
        self.pos += 1
        self._comma = -1
        self.step = (
            ValueReader._read_member if isinstance(container, dict) else ValueReader._read_item
        )

    def _close(self) -> None:
        """End the innermost container; `pos` stands behind its closing bracket."""
        done = self.stack.pop()
        self.path.pop()
        if self.stack:
            self.top = self.stack[-1]
            self._last_end = self.base + self.pos
            self._last = None
            self.step = ValueReader._read_mark
        else:
            self.top = None
            self.root_done(done)

    def _close_behind_comma(self) -> None:
        if self._comma >= 0:
            self.note_once("trailing_comma", self._comma)
        self.pos += 1
        self._close()

    # Members

    def _read_member(self) -> None:
        """Behind `{` or a comma of an object: plain members at once, else one key."""
        text, pos, top = self.text, self.pos, cast("Object", self.top)
        match = pattern.MEMBER.match
        while found := match(text, pos):
            key, string, whole, rest, literal, flat, mark = found.groups()
            if key in top:
                self.pos = found.end(1) + 1
                self._note_twice(key, self.base + found.start(1) - 1)
            pos = found.end()
            if mark is None:
                self.key, self.pos = key, pos
                self._begin_value_at_once()
                return
            if string is not None:
                top[key] = string
            elif whole is not None:
                self.pos = found.end(4)
                top[key] = self.read_number(whole, rest)
            elif flat is None:
                top[key] = LITERALS[literal]
            elif not self._put_flat(key, flat):
                self.pos = found.start(6)
                self.open([])
                return
            if mark == "}":
                self.pos = pos
                self._close()
                return
            self._comma = self.base + pos - 1
        self.pos = pos
        self._read_odd_member()

    def _read_odd_member(self) -> None:
        """As `_read_member`, for members with other quotes, bare keys or words."""
        text, pos, top = self.text, self.pos, cast("Object", self.top)
        match = pattern.ODD_MEMBER.match
        while found := match(text, pos):
            plain, single, smart, bare, *value, word, flat, mark = found.groups()
            if word is not None and not is_literal(word):
                break  # the slow way says where and what
            self.key = key = plain or single or smart or bare or ""
            self._note_odd_key(found, key)
            self.pos = pos = found.end()
            if mark is None:
                self._begin_value_at_once()
                return
            if flat is None:
                top[key] = self._odd_value(found, value, word)
                self.pos = pos
            elif not self._put_flat(key, flat):
                self.pos = found.start(11)
                self.open([])
                return
            if mark == "}":
                self._close()
                return
            self._comma = self.base + pos - 1
        self._read_slow_member()

    def _put_flat(self, key: str, array: str) -> bool:
        """Put an array without others in it under a key, if it is strict JSON and not too deep."""
        self.key = key
        if len(self.stack) >= self.rules.depth:
            return False
        try:
            cast("Object", self.top)[key] = parse_strict(array, allow_inf_nan=False)
        except (ValueError, TypeError):
            return False
        return True

    def _note_odd_key(self, found: re.Match[str], key: str) -> None:
        group = next(group for group in (1, 2, 3, 4) if found[group] is not None)
        quoted = group != 4
        at = self.base + found.start(group) - quoted
        if group > 1:
            self.note_once(_KEY_HABITS[group], at)
        if key in cast("Object", self.top):
            self.pos = found.end(group) + quoted
            self._note_twice(key, at)

    def _odd_value(
        self, found: re.Match[str], value: list[str | None], word: str | None
    ) -> JsonScalar:
        plain, single, smart, whole, rest = value
        if plain is not None:
            return plain
        if single is not None:
            self.note_once("single_quotes", self.base + found.start(6) - 1)
            return single
        if smart is not None:
            self.note_once("smart_quotes", self.base + found.start(7) - 1)
            return smart
        if whole is not None:
            self.pos = found.end(9)
            return self.read_number(whole, rest or "")
        word = word or ""
        if word not in LITERALS:
            self.note("python_literal", self.base + found.start(10), here=True, was=word)
        return PYTHON_LITERALS[word.lower()]

    def _read_slow_member(self) -> None:
        character = self.next()
        if not character:
            return
        if character in pattern.QUOTES:
            self.begin_string(character, for_key=True)
        elif character == "}":
            self._close_behind_comma()
        elif character.isalnum() or character in "_$":
            self.note_once("unquoted_key", self.base + self.pos)
            self.begin_word(for_key=True)
        else:
            raise self.fault(f"expected a key in quotes, found {character!a}")

    def take_key(self, key: str) -> None:
        """Go on with a key that is whole."""
        if isinstance(self.top, dict) and key in self.top:
            self._note_twice(key, self.token_at)
        self.key = key
        self.step = ValueReader.read_colon

    def _note_twice(self, key: str, at: int) -> None:
        if self.noted_kind("missing_comma"):
            raise self.fault(f"{key[:20]!a} stands twice: two objects may have run into each other")
        self.key = key
        self.note("duplicate_key", at, here=True, was=key)

    def read_colon(self) -> None:
        """Behind a key."""
        character = self.next()
        if character == ":":
            self.pos += 1
            self.step = ValueReader.read_value
        elif character:
            raise self.fault(f"expected a colon behind the key, found {character!a}")

    # Items and values

    def _read_item(self) -> None:
        """Behind `[` or a comma of an array: plain items at once, else one value."""
        text, pos, top = self.text, self.pos, cast("Array", self.top)
        match = pattern.ITEM.match
        while found := match(text, pos):
            string, whole, rest, literal, mark = found.groups()
            pos = found.end()
            if string is not None:
                top.append(string)
            elif whole is not None:
                self.pos = found.end(3)
                top.append(self.read_number(whole, rest))
            else:
                top.append(LITERALS[literal])
            if mark == "]":
                self.pos = pos
                self._close()
                return
            self._comma = self.base + pos - 1
        self.pos = pos
        character = self.next()
        if character == "]":
            self._close_behind_comma()
        elif character:
            self._begin_value(character)

    def read_value(self) -> None:
        """Behind the colon."""
        character = self.next()
        if character:
            self._begin_value(character)

    def _begin_value_at_once(self) -> None:
        """Begin the value at `pos` if it stands there, without a turn for space and comments."""
        first = self.text[self.pos : self.pos + 1]
        self.step = ValueReader.read_value
        if first and first in '"{[':
            self._begin_value(first)

    def _begin_value(self, character: str) -> None:
        if character == "{":
            self.open({})
        elif character == "[":
            self.open([])
        elif character in pattern.QUOTES:
            self.begin_string(character, for_key=False)
        elif character.isalnum() or character in "-+._$":
            self.begin_word(for_key=False)
        else:
            raise self.fault(f"expected a value, found {character!a}")

    def take_value(self, value: JsonScalar) -> None:
        """Go on with a scalar that is whole."""
        top = self.top
        if top is None:
            self.root_done(value)
            return
        if self.rules.heal_unicode and isinstance(value, str):
            value = self.heal_value(value, cut=False)
        if isinstance(top, dict):
            top[self.key] = value
        elif self.shown >= 0:
            top[-1] = value
        else:
            top.append(value)
        self.shown = -1
        self._last = value
        self._last_end = self.base + self.pos
        self.step = ValueReader._read_mark

    def _read_mark(self) -> None:
        """Behind a value: a comma or the closing bracket."""
        found = pattern.MARK.match(self.text, self.pos)
        if found is not None:
            self.pos = found.end() - 1
            character = found[1]
        else:
            character = self.next()
            if not character:
                return
        in_object = isinstance(self.top, dict)
        if character == ",":
            self._comma = self.base + self.pos
            self.pos += 1
            self.step = ValueReader._read_member if in_object else ValueReader._read_item
        elif character == ("}" if in_object else "]"):
            self.pos += 1
            self._close()
        elif character == '"' and in_object and self._may_lack_comma():
            self.note_once("missing_comma", self.base + self.pos)
            self._comma = -1
            self.begin_string(character, for_key=True)
        else:
            wanted = 'a comma or "}"' if in_object else 'a comma or "]"'
            raise self.fault(f"expected {wanted}, found {character!a}")

    def _may_lack_comma(self) -> bool:
        """Whether a comma is missing at `pos`, and did not slip into the string before."""
        slipped = isinstance(self._last, str) and self._last.rstrip().endswith(",")
        return self.base + self.pos > self._last_end and not slipped

    # What is asked about the value

    def pointer(self) -> str:
        """The JSON pointer (RFC 6901) of the value being read."""
        if self.top is None:
            return ""
        here = self.key if isinstance(self.top, dict) else len(self.top) - (self.shown >= 0)
        if len(self.path) == 1:
            return step_to(here)
        return "".join(map(step_to, self.path[1:])) + step_to(here)

    def heal_value(self, text: str, *, cut: bool) -> str:
        """Read escapes that were escaped twice, where that is asked for."""
        healed = heal(text, cut=cut)
        if not cut and healed != text:
            self.note("double_escape", self.token_at, here=True)
        return healed


def step_to(part: str | int) -> str:
    """Write one step of a JSON pointer (RFC 6901)."""
    if isinstance(part, str) and ("~" in part or "/" in part):
        part = part.replace("~", "~0").replace("/", "~1")
    return f"/{part}"
