"""A real endpoint of a model on localhost: it keeps what it is asked, and a function of the question answers."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Reply = tuple[int, bytes] | tuple[int, bytes, dict[str, str]] | Literal["silence", "drip", "drop", "half"]
"""Status, body and headers; or nothing at all, a byte now and then, or an end before, or within, the body."""


@dataclass
class Endpoint:
    """Where it listens, what it was asked with which headers, and how it answers the n-th request from now on."""

    reply: Callable[[dict[str, Any], int], Reply]
    url: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    models: list[str] = field(default_factory=list)
    """Names of what it serves."""
    closing: threading.Event = field(default_factory=threading.Event)


@contextmanager
def serving(reply: Callable[[dict[str, Any], int], Reply], path: str = "") -> Iterator[Endpoint]:
    """Serve an endpoint below this path while the block runs."""
    endpoint = Endpoint(reply)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802  # the name that http.server asks for
            self._send(200, json.dumps({"data": [{"id": name} for name in endpoint.models]}).encode())

        def do_POST(self) -> None:  # noqa: N802  # the name that http.server asks for
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.requests.append({"path": self.path, **body})
            endpoint.headers.append(dict(self.headers))
            reply = endpoint.reply(body, len(endpoint.requests))
            if reply == "silence":
                endpoint.closing.wait(30)
            elif reply == "drip":
                self.send_response(200)
                self.end_headers()
                while not endpoint.closing.wait(0.02):
                    self.wfile.write(b" ")
            elif reply == "drop":
                self.connection.shutdown(socket.SHUT_RDWR)
            elif reply == "half":
                self._send(200, b'{"half": ', {"Content-Length": "1000"})
            else:
                self._send(*reply)

        def _send(self, status: int, content: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            given = {"Content-Type": "application/json", "Content-Length": str(len(content)), **(headers or {})}
            for name, value in given.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *args: Any) -> None:
            pass

    with listening(Handler, endpoint.closing) as url:
        endpoint.url = f"{url}{path}"
        yield endpoint


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler], closing: threading.Event) -> Iterator[str]:
    """Answer by a handler at the address that is given while the block runs; `closing` lets waiting answers end."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
