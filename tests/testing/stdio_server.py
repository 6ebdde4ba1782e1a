"""A local MCP server with the three tools of an exam, on the standard library alone.

    python stdio_server.py ERA STATE LOG

It tells in the file LOG what it works at. Its words hold what must not be told.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

ERA, STATE, LOG = sys.argv[1:4]
TELLS = {"tools": {"listChanged": True}}
MODERN, LEGACY = "2026-07-28", "2025-11-25"
WORDS = f"(asked with {os.environ.get('EXAM_TOKEN')})"
ECHO = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOLS = [
    {"name": "echo", "inputSchema": ECHO},
    {"name": "failing", "inputSchema": {"type": "object"}},
    {"name": "blocking", "inputSchema": {"type": "object"}},
]


LISTENING = []
"""The ids of those who want to hear of changes."""


def change(signal, frame):
    """Offer one tool more, and say so."""
    TOOLS.append({"name": "grown", "inputSchema": {"type": "object"}})
    for id in LISTENING or [None]:
        params = {"_meta": {"io.modelcontextprotocol/subscriptionId": id}} if id else {}
        write({"jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": params})


def keep(line):
    with Path(LOG).open("a") as file:
        file.write(line + "\n")


def write(message):
    data = (json.dumps(message) + "\n").encode()
    while data:
        data = data[os.write(1, data) :]


def answer(id, result):
    write({"jsonrpc": "2.0", "id": id, "result": {**result, "resultType": "complete"}})


def refuse(id, code, message):
    write({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def endless(id):
    os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":"' % id)
    for _ in range(512):
        os.write(1, b"x" * 65536)
    os.write(1, b'"}\n')


def call(id, name, arguments):
    if name == "echo" and STATE == "huge":
        endless(id)
    elif name == "echo" and STATE != "slow":
        answer(id, text(arguments["text"]))
    elif name == "failing":
        answer(id, text(f"no such account {WORDS}", isError=True))
    elif name in ("echo", "blocking"):
        keep(f"+ {id}")
    else:
        refuse(id, -32602, f"unknown tool {WORDS}, which asked db-7.planted.internal:5432")


def take(message):
    id, method, params = message.get("id"), message.get("method"), message.get("params", {})
    if method == "server/discover" and ERA == "modern":
        answer(id, {"supportedVersions": [MODERN], "capabilities": TELLS})
    elif method == "initialize" and ERA == "legacy":
        answer(id, {"protocolVersion": LEGACY, "capabilities": TELLS, "serverInfo": {}})
    elif method == "tools/list":
        answer(id, {"tools": TOOLS})
    elif method == "subscriptions/listen" and ERA == "modern":
        LISTENING.append(id)
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        params = {"_meta": meta, "notifications": params["notifications"]}
        method = "notifications/subscriptions/acknowledged"
        write({"jsonrpc": "2.0", "method": method, "params": params})
    elif method == "tools/call":
        call(id, params["name"], params["arguments"])
    elif method == "notifications/cancelled":
        keep(f"- {params['requestId']}")
    elif id is not None:
        refuse(id, -32601, f"no such method {WORDS}")


def main():
    signal.signal(signal.SIGUSR1, change)
    keep(f"begun {os.getpid()}")
    if STATE == "unavailable":
        sys.exit(f"the database is down {WORDS}")
    if STATE == "unreachable":
        time.sleep(3600)
    for line in sys.stdin:
        take(json.loads(line))


main()
