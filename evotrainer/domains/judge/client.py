"""One question to an OpenAI-style chat endpoint: plain HTTP, a deadline for the whole exchange, a few attempts.

What can pass is tried again: no connection, the deadline, status 429 and 5xx, an answer that is no chat completion.
What cannot is an error. No proxy is used and no redirect followed: the endpoint is the one that was configured. The
deadline holds for an endpoint that drips a byte a minute as well: a timer closes the connection under the reader.
"""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from evotrainer.errors import ConfigError, GraderError

DEADLINE_SECONDS = 60.0
PAUSES_SECONDS = (1.0, 4.0)
"""Before the second and the third attempt."""
MAX_BYTES = 2**20
_PATH = "/chat/completions"
_RETRIED = (408, 425, 429)
_Messages = Sequence[dict[str, str]]


class _PassingError(Exception):
    """A failure that another attempt may not meet."""


class ChatClient:
    """Asks one endpoint.

    Raises:
        ConfigError: `url` is no http or https address.

    """

    def __init__(
        self, url: str, *, deadline_seconds: float = DEADLINE_SECONDS, pause: Callable[[float], None] = time.sleep
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"domain.judge_url '{url}' is no address: write it like http://localhost:8000/v1")
        path = parts.path.rstrip("/")
        self._path = path if path.endswith(_PATH) else path + _PATH
        self._secure, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._deadline, self._pause, self._url = deadline_seconds, pause, url

    def ask(self, body: dict[str, Any], accept: Callable[[str], object]) -> str:
        """Return the text of the first answer that `accept` takes; it refuses one with ValueError.

        Raises:
            GraderError: no attempt gave one.

        """
        reason = ""
        for pause in (*PAUSES_SECONDS, None):
            try:
                text = self._exchange(json.dumps(body).encode())
                accept(text)
                return text
            except (_PassingError, OSError, http.client.HTTPException, ValueError) as error:
                reason = str(error) or type(error).__name__
            if pause is not None:
                self._pause(pause)
        raise GraderError(f"the judge at {self._url} gave no verdict in {1 + len(PAUSES_SECONDS)} attempts: {reason}")

    def _exchange(self, body: bytes) -> str:
        """Send one request and return the text of the completion."""
        kind = http.client.HTTPSConnection if self._secure else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=self._deadline)
        late = threading.Event()
        try:
            status, content = self._send(connection, body, late)
        except TimeoutError:
            raise self._late() from None
        except (OSError, http.client.HTTPException) as error:
            raise self._late() if late.is_set() else _PassingError(str(error) or type(error).__name__) from None
        finally:
            connection.close()
        if late.is_set():
            raise self._late()
        if status != http.client.OK:
            self._refuse(status, content)
        return _completion(content)

    def _send(self, connection: http.client.HTTPConnection, body: bytes, late: threading.Event) -> tuple[int, bytes]:
        """Return status and content; at the deadline `late` is set and the connection ends under the reader."""
        connection.connect()
        timer = threading.Timer(self._deadline, _end, (connection.sock, late))
        timer.daemon = True
        timer.start()
        try:
            connection.request("POST", self._path, body, {"Content-Type": "application/json"})
            response = connection.getresponse()
            return response.status, response.read(MAX_BYTES + 1)
        finally:
            timer.cancel()

    def _late(self) -> _PassingError:
        return _PassingError(f"no answer within {self._deadline:g} s")

    def _refuse(self, status: int, content: bytes) -> None:
        said = " ".join(content[:200].decode(errors="replace").split())
        if status >= 500 or status in _RETRIED:
            raise _PassingError(f"status {status} {said}".strip())
        raise GraderError(
            f"the judge at {self._url} refuses (status {status}): {said or 'no reason given'}: check "
            "domain.judge_url and domain.judge_model"
        )


def _end(sock: socket.socket, late: threading.Event) -> None:
    late.set()
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _completion(content: bytes) -> str:
    if len(content) > MAX_BYTES:
        raise _PassingError(f"an answer of more than {MAX_BYTES} bytes")
    try:
        choice = json.loads(content)["choices"][0]
        text, reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise _PassingError("an answer that is no chat completion") from None
    if not isinstance(text, str):
        raise _PassingError("a completion without text")
    if reason == "length":
        raise _PassingError("a verdict cut by the endpoint's length limit")
    return text
