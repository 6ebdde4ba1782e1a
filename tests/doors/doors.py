"""Every door to a toolkit: a new one joins by a function and a line in `DOORS`."""

from functools import partial

from tests.doors.carrying import (
    AT_THE_TERMINAL,
    IN_A_SEARCH,
    JSON_ONLY,
    MEDIA_LINE,
    OVER_MCP,
    UNMARKED,
)
from tests.doors.door import Door
from tests.doors.entering import command, direct, found, imported, synchronous, together
from tests.doors.offering import (
    anthropic_reply,
    anthropic_told,
    chat_reply,
    chat_told,
    gemini_reply,
    gemini_told,
    offered,
    responses_reply,
    responses_told,
)
from tests.doors.place import Era, Places
from toolroll.providers import anthropic, gemini, openai_chat, openai_responses

ERAS: tuple[Era, ...] = ("modern", "legacy")

DOORS: tuple[Door, ...] = (
    Door(name="direct", enter=direct),
    Door(name="call-all", enter=together),
    Door(name="blocking", enter=synchronous),
    Door(name="tool-call", enter=found, projections=IN_A_SEARCH),
    Door(name="command", enter=command, projections=AT_THE_TERMINAL, shows_models=False),
    *(
        Door(
            name=f"mcp-{way}-{era}",
            enter=partial(imported, over=over, era=era),
            projections=OVER_MCP,
        )
        for way, over in (("stdio", Places.over_stdio), ("http", Places.over_http))
        for era in ERAS
    ),
    Door(
        name="openai-chat",
        enter=partial(offered, wire=openai_chat, reply=chat_reply, told=chat_told),
        projections=(UNMARKED, MEDIA_LINE),
    ),
    Door(
        name="openai-responses",
        enter=partial(offered, wire=openai_responses, reply=responses_reply, told=responses_told),
        projections=(UNMARKED,),
    ),
    Door(
        name="anthropic",
        enter=partial(offered, wire=anthropic, reply=anthropic_reply, told=anthropic_told),
        projections=(JSON_ONLY,),
    ),
    Door(
        name="gemini",
        enter=partial(offered, wire=gemini, reply=gemini_reply, told=gemini_told),
        projections=(JSON_ONLY, MEDIA_LINE),
    ),
)
