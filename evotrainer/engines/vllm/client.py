"""HTTP to one server: many requests in flight from one event loop, a bounded number of attempts at each.

What can pass is tried again: no connection, a broken one, half an answer, status 429 and 5xx. A request that outlasts
its time is not: a second one would only add to the load. What cannot pass is a PolicyError that quotes the server. All
attempts end within sixteen seconds of pauses: no server starts again in that time. No proxy is used and no redirect
followed. A request costs about half a millisecond of CPU, however many are in flight.
"""

import asyncio
import json
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from http import HTTPStatus
from typing import Any, TypeVar
from urllib.parse import urlsplit

import aiohttp

from evotrainer.errors import ConfigError, PolicyError, RolloutError, ServerLostError

PAUSES_SECONDS = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before the second and each further attempt."""
HEALTH_SECONDS = 5.0
IDLE_SECONDS = 4.0
"""An unused connection is closed before the server closes it, which vLLM does after five seconds."""
KEY_VARIABLE = "VLLM_API_KEY"
_RETRIED = (408, 425, 429)

Answer = dict[str, Any]
Result = TypeVar("Result")


class _PassingError(Exception):
    """A failure that another attempt may not meet."""


class ServerClient:
    """Talks to the server at `url`, with at most `max_requests` in flight.

    Raises:
        ConfigError: `url` is no http or https address.

    """

    def __init__(self, url: str, max_requests: int, request_seconds: float) -> None:
        if not url.startswith(("http://", "https://")) or not urlsplit(url).hostname:
            raise ConfigError(f"engine.vllm.url '{url}' is no address: write it like http://127.0.0.1:8000")
        self.url, self.request_seconds = url.rstrip("/").removesuffix("/v1"), request_seconds
        self.watch: Callable[[], None] = lambda: None
        """Raises if the server is known to be gone; called when an attempt failed."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="vllm-client", daemon=True)
        self._thread.start()
        self._slots = asyncio.Semaphore(max_requests)
        self._http = self.start(_open(max_requests)).result()

    def start(self, work: Coroutine[Any, Any, Result]) -> Future[Result]:
        """Run a coroutine of this client in its loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def call(self, path: str, body: Answer | None = None, *, method: str = "POST") -> Answer:
        """Send one request and wait for its answer, as `ask` does."""
        return self.start(self.ask(path, body, method=method)).result()

    async def ask(self, path: str, body: Answer | None = None, *, method: str = "POST") -> Answer:
        """Return the JSON that the server answers; empty where it answers none.

        Raises:
            PolicyError: the server refuses the request.
            RolloutError: no attempt was answered whole and in time.
            ServerLostError: there is no server, or its engine is dead.

        """
        async with self._slots:
            return await self._try_often(path, body, method)

    async def is_healthy(self) -> bool:
        """Tell whether the server says that it works."""
        limit = aiohttp.ClientTimeout(total=HEALTH_SECONDS)
        try:
            async with self._http.get(f"{self.url}/health", timeout=limit) as response:
                return response.status == HTTPStatus.OK
        except (aiohttp.ClientError, TimeoutError):
            return False

    def close(self) -> None:
        """Close all connections; requests that wait are cancelled."""
        if not self._loop.is_closed():
            self.start(self._close()).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    async def _close(self) -> None:
        own = asyncio.current_task()
        for task in [task for task in asyncio.all_tasks() if task is not own]:
            task.cancel()
        await self._http.close()

    async def _try_often(self, path: str, body: Answer | None, method: str) -> Answer:
        reason = ""
        for pause in (*PAUSES_SECONDS, None):
            try:
                return await self._exchange(path, body, method)
            except _PassingError as error:
                reason = str(error)
                self.watch()
                if pause is not None:
                    await asyncio.sleep(pause)
        if await self.is_healthy():
            raise RolloutError(
                f"the server at {self.url} did not answer {path} in {1 + len(PAUSES_SECONDS)} attempts: {reason}"
            )
        raise lost(self.url, reason)

    async def _exchange(self, path: str, body: Answer | None, method: str) -> Answer:
        try:
            async with asyncio.timeout(self.request_seconds):
                response, content = await self._send(path, body, method)
        except TimeoutError:
            raise await self._late(path) from None
        except aiohttp.ClientError as error:
            raise _PassingError(str(error) or type(error).__name__) from None
        if response.status != HTTPStatus.OK:
            self._refuse(path, response.status, content)
        if response.content_type != "application/json":
            return {}  # some endpoints answer a sentence, or nothing
        try:
            return json.loads(content)
        except ValueError:
            raise _PassingError("an answer that is no JSON") from None

    async def _send(self, path: str, body: Answer | None, method: str) -> tuple[aiohttp.ClientResponse, bytes]:
        async with self._http.request(method, self.url + path, json=body, allow_redirects=False) as response:
            return response, await response.read()

    async def _late(self, path: str) -> Exception:
        if not await self.is_healthy():
            return lost(self.url, f"no answer within {self.request_seconds:g} s")
        return RolloutError(
            f"the server at {self.url} did not answer {path} within {self.request_seconds:g} s: lower "
            "engine.vllm.max_requests, or raise engine.vllm.request_seconds"
        )

    def _refuse(self, path: str, status: int, content: bytes) -> None:
        said = said_by(content)
        if status >= 500 or status in _RETRIED:
            raise _PassingError(f"status {status} {said}".strip())
        if status in (401, 403):
            raise PolicyError(f"the server at {self.url} wants a key: set {KEY_VARIABLE} in the environment")
        raise PolicyError(f"the server at {self.url} refuses {path} (status {status}): {said}")


async def _open(max_requests: int) -> aiohttp.ClientSession:
    """Return the connections of the running loop: one for each request in flight, a few for looks at its health."""
    key = os.environ.get(KEY_VARIABLE)
    return aiohttp.ClientSession(
        headers={"Authorization": f"Bearer {key}"} if key else {},
        connector=aiohttp.TCPConnector(limit=max_requests + 8, keepalive_timeout=IDLE_SECONDS),
        timeout=aiohttp.ClientTimeout(total=None),
    )


def lost(url: str, reason: str) -> ServerLostError:
    """Return the error of a server that is gone."""
    return ServerLostError(
        f"the vLLM server at {url} is gone ({reason}): start it again and run the campaign again; it goes on from here"
    )


def said_by(content: bytes) -> str:
    """Return the message in an error that the server answers."""
    try:
        value = json.loads(content)
        error = value.get("error", value)
        text = error.get("message", error) if isinstance(error, dict) else error
    except (ValueError, AttributeError):
        text = content[:300].decode(errors="replace")
    return " ".join(str(text).split())[:300] or "no reason given"
