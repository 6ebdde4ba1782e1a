"""Arguments that come in pieces."""

from toolroll.content import JsonValue
from toolroll.repair.arguments import Arguments
from toolroll.repair.around import TextReader
from toolroll.repair.conclusion import conclude, one_of
from toolroll.repair.rule import DEFAULT_RULES, ReadingRules


class ArgumentStream:
    """Reads arguments while they come, and shows what is certain so far.

    All pieces together cost time linear in their length. What is shown is never taken back: a later
    value holds it, with more. The exceptions are a key that stands twice, a text with several
    different objects, and one that turns out malformed.

    Args:
        rules: the limits.

    Example:
        >>> stream = ArgumentStream()
        >>> stream.feed('{"path": "a.txt", "text": "hel')
        {'path': 'a.txt', 'text': 'hel'}
        >>> stream.feed('lo"}')
        {'path': 'a.txt', 'text': 'hello'}
        >>> stream.finish().status
        'complete'
    """

    def __init__(self, rules: ReadingRules = DEFAULT_RULES) -> None:
        self._reader = TextReader(rules)
        self._finished: list[Arguments] = []

    def feed(self, text: str) -> JsonValue:
        """Read on with the next piece.

        Args:
            text: the piece; it may end anywhere.

        Returns:
            The value so far, `{}` before there is one. It is the value that is being built: it
            grows with the next piece, so copy what you keep.

        Raises:
            RuntimeError: the stream is finished.
        """
        if self._finished:
            raise RuntimeError("the stream is finished; make a new one")
        self._reader.run(text)
        self._reader.show()
        return self._reader.current

    def finish(self) -> Arguments:
        """End the text, and say what was read and how; the same each time.

        Returns:
            What `read_arguments` gives for all the pieces joined.
        """
        return one_of(self.finish_calls())

    def finish_calls(self) -> list[Arguments]:
        """End the text, and give one record for each object, as `read_calls` does."""
        if not self._finished:
            self._reader.finish()
            self._finished = conclude(self._reader)
        return list(self._finished)
