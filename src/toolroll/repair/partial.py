"""A value that is not whole: what is shown of it while it comes, and how it ends when it is cut."""

from toolroll.repair.scalar import could_become_scalar, is_literal
from toolroll.repair.value import ValueReader, step_to

_SHOWN_AT_ONCE = 65_536


class PartialReader(ValueReader):
    """Adds to the reader of values what there is before they are whole."""

    def show(self) -> None:
        """Put what there is of an open string into its container.

        A long one is put anew only when it has grown by a sixteenth, so that all of this together
        costs no more than a fixed number of times the length of the text.
        """
        if self.step is not ValueReader.read_string or self.for_key or self.top is None:
            return
        grown = self.length - self.shown
        if self.length > _SHOWN_AT_ONCE and grown < self.length // 16:
            return
        self._put_begun()

    def _put_begun(self) -> None:
        text = "".join(self.pieces)
        self.pieces = [text]
        shown = self.heal_value(text, cut=True) if self.rules.heal_unicode else text
        if not shown:
            return
        if isinstance(self.top, dict):
            self.top[self.key] = shown
        elif isinstance(self.top, list):
            if self.shown >= 0:
                self.top[-1] = shown
            else:
                self.top.append(shown)
        self.shown = len(text)

    def cut(self) -> list[str]:
        """End a text that stops inside a container: keep what is certain.

        Returns:
            The pointers of values that are cut, outermost first.

        Raises:
            Unreadable: what stands at the end cannot become a value.
        """
        partial: list[str] = []
        pointer = ""
        for part in self.path[1:]:
            pointer += step_to(part)
            partial.append(pointer)
        if self._cut_scalar():
            partial.append(self.pointer())
        at = self.base + self.pos
        for container in reversed(self.stack):
            kind = "closed_object" if isinstance(container, dict) else "closed_array"
            self.noted.append((at, kind, "", ""))
        return partial

    def _cut_scalar(self) -> bool:
        """End the scalar or key that is cut; whether a value is incomplete."""
        step = self.resumed_step()
        at = self.base + self.pos
        if step is ValueReader.read_value:
            self.note("dropped_value", at, here=True)
            return True
        if self.for_key or step not in (ValueReader.read_string, ValueReader.read_word):
            if step in (ValueReader.read_string, ValueReader.read_word, ValueReader.read_colon):
                self.note("dropped_key", self.token_at)
            return False
        if step is ValueReader.read_string:
            self._put_begun()
            self.note("closed_string" if self.shown >= 0 else "dropped_value", at, here=True)
            return True
        word = "".join(self.pieces)
        if is_literal(word) or not could_become_scalar(word):
            self.take_value(self.read_scalar(word))
            return False
        self.note("dropped_value", self.token_at, here=True)
        return True
