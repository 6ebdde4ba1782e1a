"""The base URLs a document names. They are listed, never asked: the host chooses one."""

import re

from toolroll.content import JsonObject, JsonValue
from toolroll.sources.openapi.document import Document, as_list, as_object, as_text

_VARIABLE = re.compile(r"\{([^{}]*)\}")


def document_servers(document: Document) -> tuple[str, ...]:
    """The base URLs of the document, in order."""
    if not document.is_swagger:
        return servers_of(document.raw.get("servers"))
    host, path = as_text(document.raw.get("host")), as_text(document.raw.get("basePath"))
    schemes = [as_text(word) for word in as_list(document.raw.get("schemes"))] or ["https"]
    if not host:
        return (path,) if path else ()
    return tuple(f"{scheme}://{host}{path}" for scheme in schemes if scheme in ("http", "https"))


def servers_of(raw: JsonValue) -> tuple[str, ...]:
    """The URLs of a list of servers, each variable with its default; one without keeps its braces.

    Example:
        >>> servers_of([{"url": "https://{r}.a.test", "variables": {"r": {"default": "eu"}}}])
        ('https://eu.a.test',)
    """
    urls = [
        _expanded(url, as_object(server.get("variables")) or {})
        for server in map(as_object, as_list(raw))
        if server is not None and (url := as_text(server.get("url")))
    ]
    return tuple(dict.fromkeys(urls))


def _expanded(url: str, variables: JsonObject) -> str:
    def default(found: re.Match[str]) -> str:
        said = (as_object(variables.get(found[1])) or {}).get("default")
        return str(said) if isinstance(said, (str, int, float)) else found[0]

    return _VARIABLE.sub(default, url)
