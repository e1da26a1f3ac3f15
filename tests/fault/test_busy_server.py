"""A Prefect server on a busy machine answers late, and is used."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler

from flows.serving.server import check_reachable
from tests.model_endpoint import listening


@contextmanager
def silent_once() -> Iterator[str]:
    """A server that never answers its first question, and all others."""
    asked, closing = threading.Semaphore(1), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if asked.acquire(blocking=False):
                closing.wait()
                return
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            pass

    with listening(Handler, closing) as url:
        yield f"{url}/api"


def test_a_server_that_is_slow_to_answer_is_asked_again():
    with silent_once() as url:
        check_reachable(url)
