"""A local MCP server that behaves as its first argument says, bad manners included.

It keeps what it reads in the file of `SEEN`, and its process ids in the file of `PIDS`.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

HOW = sys.argv[1]
MODERN = "2026-07-28"
CAPABILITIES = {"tools": {"listChanged": True}} if HOW.startswith("tells") else {}


def write(message, end="\n"):
    data = (json.dumps(message) + end).encode()
    while data:
        data = data[os.write(1, data) :]


def answer(request, result):
    write({"jsonrpc": "2.0", "id": request["id"], "result": result})


def refuse(request, code=-32601):
    write({"jsonrpc": "2.0", "id": request["id"], "error": {"code": code, "message": "no"}})


def text(words):
    return {"content": [{"type": "text", "text": words}]}


def keep(name, words):
    path = os.environ.get(name)
    if path:
        with Path(path).open("a") as file:
            file.write(words + "\n")


def progress(request, step):
    token = request["params"]["_meta"]["progressToken"]
    params = {"progressToken": token, "progress": step}
    write({"jsonrpc": "2.0", "method": "notifications/progress", "params": params})


LISTENING = []
"""The ids of the requests that want to hear of changes."""


def tell(method, **params):
    write({"jsonrpc": "2.0", "method": method, "params": params})


def change():
    """Tell of a change, as the era has it."""
    if not LISTENING:
        tell("notifications/tools/list_changed")
    for id in LISTENING:
        meta = {"io.modelcontextprotocol/subscriptionId": id}
        tell("notifications/tools/list_changed", _meta=meta)


def listened(request):
    id = request["id"]
    LISTENING.append(id)
    meta = {"io.modelcontextprotocol/subscriptionId": id}
    honoured = request["params"]["notifications"]
    tell("notifications/subscriptions/acknowledged", _meta=meta, notifications=honoured)


def wait_for(method):
    """Read up to a message."""
    for line in iter(sys.stdin.readline, ""):
        keep("SEEN", line.rstrip("\n"))
        if json.loads(line).get("method") == method:
            return


def called(request):
    arguments = request["params"]["arguments"]
    if arguments.get("change"):
        change()
    if arguments.get("end"):
        tell("notifications/cancelled", requestId=LISTENING.pop())
    if HOW == "dies on call" or arguments.get("die"):
        os.write(2, b"fatal: the token is hunter2\n")
        os._exit(3)
    if HOW == "dies with a word":
        os.write(2, b"no memory left")
        os._exit(3)
    if HOW == "killed on call":
        os.kill(os.getpid(), signal.SIGKILL)
    if HOW == "hangs on call" or arguments.get("hang"):
        return
    if HOW == "closes output on call":
        os.close(1)
        time.sleep(3600)
    if HOW == "closes input on call":
        os.close(0)
        time.sleep(3600)
    if HOW == "floods errors":
        for _ in range(3000):
            os.write(2, b"e" * 999 + b"\n")
    if HOW == "floods output":
        for _ in range(3000):
            os.write(1, b"o" * 999 + b"\n")
    if HOW == "is huge":
        answer(request, text("x" * 3_000_000))
        return
    if HOW == "goes on and on":
        os.write(1, b'{"jsonrpc":"2.0","id":%d,"result":"' % request["id"])
        while True:
            os.write(1, b"x" * 65536)
    if HOW == "reports for ever":
        for step in range(1, 10_000):
            progress(request, step)
            time.sleep(0.1)
    if HOW == "asks":
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        params = {"message": "Who?", "requestedSchema": form}
        write({"jsonrpc": "2.0", "id": "p1", "method": "ping"})
        write({"jsonrpc": "2.0", "id": "q1", "method": "elicitation/create", "params": params})
        answers = [json.loads(sys.stdin.readline()) for _ in range(2)]
        answer(request, text(json.dumps(sorted(answers, key=lambda each: each["id"]))))
        return
    if arguments.get("late"):
        wait_for("notifications/cancelled")
    if "until" in arguments:
        wait_until(arguments["until"])
    if "ask" in arguments:
        form = {"type": "object", "properties": {"name": {"type": "string"}}}
        params = {"message": "Who?", "requestedSchema": form}
        keep("ASKED", json.dumps(request["id"]))
        write({"jsonrpc": "2.0", "id": "ask", "method": "elicitation/create", "params": params})
        return
    if arguments.get("environment"):
        answer(request, text(json.dumps({**os.environ, "cwd": str(Path.cwd())})))
        return
    answer(request, text(str(arguments.get("text", "ok"))))


def wait_until(path):
    while not Path(path).exists():
        time.sleep(0.005)


def chat():
    """Say far more than a pipe holds, whether anybody calls or not."""
    wait_until(os.environ["CALLED"])
    for _ in range(5000):
        os.write(2, b"e" * 999 + b"\n")
    os.write(2, b"the end")
    keep("SAID", "all")


def main():
    keep("PIDS", str(os.getpid()))
    if HOW == "is broken at first" and not Path(os.environ["ONCE"]).exists():
        keep("ONCE", "x")
        sys.exit(1)
    if HOW == "is stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        code = (
            "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(3600)"
        )
        child = subprocess.Popen([sys.executable, "-c", code])
        keep("PIDS", str(child.pid))
    if HOW == "leaves a child":
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"])
        keep("PIDS", str(child.pid))
    if HOW == "is noisy":
        os.write(1, "Server v1 starting\n\n[info] {not json}\r\n\ufeff".encode())
    if HOW == "says only noise":
        os.write(1, b"usage: server [options]\n")
    if HOW == "hangs":
        sys.stdin.readline()
        time.sleep(3600)
    if HOW == "is slow":
        wait_until(os.environ["READY"])
    if HOW == "chats":
        threading.Thread(target=chat, daemon=True).start()
    for line in sys.stdin:
        keep("SEEN", line.rstrip("\n"))
        request = json.loads(line)
        method = request.get("method")
        if method == "server/discover":
            if HOW == "dies on probe":
                os._exit(7)
            if HOW in ("is silent", "says only noise"):
                continue
            if HOW in {
                "is modern",
                "is noisy",
                "is broken at first",
                "is modern alone",
                "is slow",
                "tells",
            }:
                info = {"supportedVersions": [MODERN], "resultType": "complete"}
                answer(request, {**info, "capabilities": CAPABILITIES})
            else:
                refuse(request)
        elif method == "initialize":
            if HOW in {"is broken at first", "is modern alone"}:
                refuse(request)
            elif HOW != "says only noise":
                version = request["params"]["protocolVersion"]
                told = {"protocolVersion": version, "serverInfo": {}}
                answer(request, {**told, "capabilities": CAPABILITIES})
        elif method == "tools/list":
            life = {"ttlMs": 3_600_000} if HOW == "tells" else {}
            answer(request, {"tools": [{"name": "echo"}], "resultType": "complete", **life})
        elif method == "subscriptions/listen" and HOW == "tells":
            listened(request)
        elif method == "tools/call":
            called(request)
        elif "id" in request and method:
            refuse(request)
        elif request.get("id") == "ask":
            asked = int(Path(os.environ["ASKED"]).read_text())
            write({"jsonrpc": "2.0", "id": asked, "result": text(json.dumps(request["result"]))})
    if HOW == "is stubborn":
        time.sleep(3600)


main()
