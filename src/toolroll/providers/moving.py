"""What a history takes along from one provider to another, and what it has to leave behind."""

from toolroll.content import Content, ResourceLink, Text
from toolroll.outcome import Note
from toolroll.providers.block import REPORTED, line_of
from toolroll.providers.turn import MediaPart, ResultPart, Turn

ANY_IMAGE = "image/*"
"""Type of an image that only its address is known of."""

PDF = "application/pdf"

SHOWN = "Media of the message above:"
"""Opens the user message that carries what a message of another cannot."""


def link_of(url: str, mime_type: str = ANY_IMAGE) -> ResourceLink | None:
    """Media that a history only points to; None for what other providers could not read.

    Example:
        >>> link_of("https://example.com/a.png").name, link_of("files/abc")
        ('a.png', None)
    """
    if not url.startswith(("https://", "http://")):
        return None
    return ResourceLink(url, name=url.rstrip("/").rpartition("/")[2], mime_type=mime_type)


def url_of(block: Content, mime_type: str) -> str:
    """Where media of a type can be read; "" where the block is no link to it.

    Example:
        >>> url_of(link_of("https://example.com/a.png"), ANY_IMAGE)
        'https://example.com/a.png'
    """
    if not isinstance(block, ResourceLink):
        return ""
    said = block.mime_type or ""
    is_image = mime_type == ANY_IMAGE and said.startswith("image/")
    return block.uri if said == mime_type or is_image else ""


def told_as_failed(text: str) -> tuple[str, bool]:
    """The text of a result without the words that say it failed, and whether they stood there.

    Example:
        >>> told_as_failed(REPORTED + chr(10) + "404"), told_as_failed("ok")
        (('404', True), ('ok', False))
    """
    rest = text.removeprefix(REPORTED)
    return (text, False) if rest == text else (rest.removeprefix("\n"), True)


def words_of(result: ResultPart) -> list[Content]:
    """The blocks of a result from another wire, on one without a mark for errors."""
    is_marked = result.failed and result.raw is not None  # what was lost here says so itself
    return [Text(REPORTED), *result.blocks] if is_marked else list(result.blocks)


def named_only(part: MediaPart, turn: Turn, provider: str, notes: list[Note]) -> str:
    """One line for media the provider has no place for."""
    line = line_of(part.block)
    notes.append(_note(turn, "lost", f"{line} is only named: {provider} has no place for it"))
    return line


def leave_out(kind: str, turn: Turn, provider: str, notes: list[Note]) -> None:
    """Tell of a part that the provider has no place for."""
    notes.append(_note(turn, "dropped", f"{kind} is left out: {provider} has no place for it"))


def _note(turn: Turn, kind: str, reason: str) -> Note:
    return Note(kind, f"messages[{turn.index}]", reason)
