"""HTTP APIs as sources of tools: operations as data, filled with an input and sent."""

from toolroll.sources.http.fill import fill
from toolroll.sources.http.operation import Operation
from toolroll.sources.http.place import Body, Part, Place
from toolroll.sources.http.setting import HttpSettings
from toolroll.sources.http.source import HttpSource, http_source
from toolroll.sources.http.template import RequestTemplate

__all__ = [
    "Body",
    "HttpSettings",
    "HttpSource",
    "Operation",
    "Part",
    "Place",
    "RequestTemplate",
    "fill",
    "http_source",
]
