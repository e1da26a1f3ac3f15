"""One question to an OpenAI-style chat endpoint: plain HTTP, a deadline for the whole exchange, a few attempts.

What can pass is tried again: no connection, the deadline, status 429 and 5xx, an answer that is no chat completion.
What cannot is an error. No proxy is used and no redirect followed: the endpoint is the one that was configured. The
deadline holds for an endpoint that drips a byte a minute as well.
"""

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from evotrainer.errors import ConfigError, GraderError

DEADLINE_SECONDS = 60.0
PAUSES_SECONDS = (1.0, 4.0)
"""Before the second and the third attempt."""
MAX_BYTES = 2**20
_PATH = "/chat/completions"
_RETRIED = (408, 425, 429)


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
        self._url, self._deadline, self._pause = url, deadline_seconds, pause
        self._endpoint = parts._replace(path=parts.path.rstrip("/").removesuffix(_PATH) + _PATH).geturl()

    def ask(self, body: dict[str, Any], accept: Callable[[str], object]) -> str:
        """Return the text of the first answer that `accept` takes; it refuses one with ValueError.

        Raises:
            GraderError: no attempt gave one.

        """
        reason = ""
        for pause in (*PAUSES_SECONDS, None):
            try:
                text = asyncio.run(self._exchange(body))
                accept(text)
                return text
            except (_PassingError, ValueError) as error:
                reason = str(error) or type(error).__name__
            if pause is not None:
                self._pause(pause)
        raise GraderError(f"the judge at {self._url} gave no verdict in {1 + len(PAUSES_SECONDS)} attempts: {reason}")

    async def _exchange(self, body: dict[str, Any]) -> str:
        """Send one request and return the text of the completion."""
        import httpx

        try:
            async with (
                asyncio.timeout(self._deadline),
                httpx.AsyncClient(trust_env=False, timeout=None) as client,
                client.stream("POST", self._endpoint, json=body) as response,
            ):
                content = b""
                async for part in response.aiter_bytes():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise _PassingError(f"an answer of more than {MAX_BYTES} bytes")
        except TimeoutError:
            raise _PassingError(f"no answer within {self._deadline:g} s") from None
        except httpx.HTTPError as error:
            raise _PassingError(str(error) or type(error).__name__) from None
        if response.status_code != httpx.codes.OK:
            self._refuse(response.status_code, content)
        return _completion(content)

    def _refuse(self, status: int, content: bytes) -> None:
        said = " ".join(content[:200].decode(errors="replace").split())
        if status >= 500 or status in _RETRIED:
            raise _PassingError(f"status {status} {said}".strip())
        raise GraderError(
            f"the judge at {self._url} refuses (status {status}): {said or 'no reason given'}: check "
            "domain.judge_url and domain.judge_model"
        )


def _completion(content: bytes) -> str:
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
