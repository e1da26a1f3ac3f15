"""Prefect's server, as our own server process runs it, with a Retry-After header on every 503.

On SQLite two transactions that overlap can end in "database is locked". The server answers that with 503 at once, and
Prefect's client then waits 2, 4, 8, ... seconds, although the lock is held for milliseconds. Slots of a generation
report side by side and would lose most of their time. The header makes the client retry shortly.
"""

import gc
from typing import TYPE_CHECKING, Any

from evotrainer.processes import exit_with_owner

if TYPE_CHECKING:
    from fastapi import FastAPI

RETRY_AFTER_SECONDS = b"0.2"
BUSY_STATUS = 503


class RetrySoon:
    """ASGI middleware that adds Retry-After to every 503."""

    def __init__(self, app: Any):
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle one connection."""

        async def send_with_header(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] == BUSY_STATUS:
                message = {**message, "headers": [*message["headers"], (b"retry-after", RETRY_AFTER_SECONDS)]}
            await send(message)

        await self.app(scope, receive, send_with_header)


def create_app() -> "FastAPI":
    """Return the server's application, in a process that ends with the flow that started it."""
    exit_with_owner()
    gc.disable()  # what is imported stays: walking it again and again is an eighth of the start
    from prefect.server.api.server import create_app as create_prefect_app  # seconds, in which the owner may end

    app = create_prefect_app()
    app.add_middleware(RetrySoon)
    gc.freeze()
    gc.enable()
    return app
