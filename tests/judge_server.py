"""A real chat endpoint on localhost, whose judge is a function of the question."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Reply = tuple[int, bytes] | Literal["silence", "drip"]
"""Status and body; or nothing at all, or a byte now and then without end."""


@dataclass
class Endpoint:
    """Where it listens, what it was asked under which keys, and how it answers the n-th request from now on."""

    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    reply: Callable[[dict[str, Any], int], Reply] = lambda body, number: verdict(0.5)
    models: list[str] = field(default_factory=list)
    """Names of what it serves."""
    closing: threading.Event = field(default_factory=threading.Event)


def completion(text: Any, finish: str = "stop") -> Reply:
    """Return a chat completion with this text."""
    choice = {"message": {"role": "assistant", "content": text}, "finish_reason": finish}
    return 200, json.dumps({"choices": [choice]}).encode()


def calling(*calls: tuple[str, Any], **usage: Any) -> Reply:
    """Return a chat completion that calls tools, each with arguments, or with a text that is none."""
    made = [
        {"id": f"c{place}", "type": "function", "function": {"name": name, "arguments": given}}
        for place, (name, given) in enumerate((name, _text(given)) for name, given in calls)
    ]
    choice = {"message": {"role": "assistant", "content": None, "tool_calls": made}, "finish_reason": "tool_calls"}
    return 200, json.dumps({"choices": [choice], "usage": usage}).encode()


def _text(given: Any) -> str:
    return given if isinstance(given, str) else json.dumps(given)


def verdict(score: Any, reason: Any = "so it seems") -> Reply:
    """Return a well-formed verdict."""
    return completion(json.dumps({"reason": reason, "score": score}))


def answer_in(body: dict[str, Any]) -> str:
    """Return the answer that a question asks about."""
    text = body["messages"][1]["content"]
    return text.split("Answer:\n")[1].split("\n", 1)[1].rsplit("\n", 1)[0]


@contextmanager
def serving() -> Iterator[Endpoint]:
    """Serve an endpoint while the block runs."""
    endpoint = Endpoint()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802  # the name that http.server asks for
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"data": [{"id": name} for name in endpoint.models]}).encode())

        def do_POST(self) -> None:  # noqa: N802  # the name that http.server asks for
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.requests.append({"path": self.path, **body})
            endpoint.keys.append(self.headers["Authorization"])
            reply = endpoint.reply(body, len(endpoint.requests))
            if reply == "silence":
                endpoint.closing.wait(30)
                return
            if reply == "drip":
                self.send_response(200)
                self.end_headers()
                while not endpoint.closing.wait(0.02):
                    self.wfile.write(b" ")
                return
            self.send_response(reply[0])
            self.send_header("Content-Length", str(len(reply[1])))
            self.end_headers()
            self.wfile.write(reply[1])

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        endpoint.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
