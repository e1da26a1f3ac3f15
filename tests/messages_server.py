"""A real endpoint on localhost that speaks the Messages API, whose model is a function of the question."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Reply = tuple[int, bytes, dict[str, str]] | Literal["drop", "half"]
"""Status, body and headers; or a connection that ends before, or within, the body."""


@dataclass
class Endpoint:
    """Where it listens, what it was asked with which headers, and how it answers the n-th request from now on."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    reply: Callable[[dict[str, Any], int], Reply] = lambda body, number: message(text("nothing to say"))


def text(words: str) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": words}


def use(name: str, number: int = 0, **arguments: Any) -> dict[str, Any]:
    """Return a block that calls a tool."""
    return {"type": "tool_use", "id": f"toolu_{name}_{number}", "name": name, "input": arguments}


def message(*blocks: dict[str, Any], stop: str | None = None, tokens: tuple[int, ...] = (1000, 100, 0, 0)) -> Reply:
    """Return an answer with these blocks; `tokens` are input, output, written to and read from the cache."""
    called = any(block["type"] == "tool_use" for block in blocks)
    body = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": list(blocks),
        "stop_reason": stop or ("tool_use" if called else "end_turn"),
        "stop_sequence": None,
        "usage": {
            "input_tokens": tokens[0],
            "output_tokens": tokens[1],
            "cache_creation_input_tokens": tokens[2],
            "cache_read_input_tokens": tokens[3],
        },
    }
    return 200, json.dumps(body).encode(), {}


def failure(status: int, kind: str, words: str = "no", **headers: str) -> Reply:
    """Return an error as the API gives it."""
    body = {"type": "error", "error": {"type": kind, "message": words}}
    return status, json.dumps(body).encode(), {name.replace("_", "-"): value for name, value in headers.items()}


def results_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the results of tools in the last message of a question."""
    content = body["messages"][-1]["content"]
    return [block for block in content if block["type"] == "tool_result"]


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve an endpoint while the block runs."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:  # noqa: N802  # the name that http.server asks for
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.requests.append({"path": self.path, **body})
            endpoint.headers.append(dict(self.headers))
            reply = endpoint.reply(body, len(endpoint.requests))
            if reply == "drop":
                self.connection.shutdown(socket.SHUT_RDWR)
                return
            status, content, headers = message(text("half")) if reply == "half" else reply
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if reply == "half" else content)
            self.close_connection = reply == "half"

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield endpoint
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
