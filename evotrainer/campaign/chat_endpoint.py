"""Asks a chat endpoint that speaks OpenAI's chat completions: a judge's, or that of a model which reads rows.

The endpoint is asked over plain HTTP, with a deadline for the whole exchange, which holds for one that drips a byte a
minute as well. What can pass is tried again: no connection, the deadline, status 429 and 5xx, an answer that is no chat
completion. No proxy is used and no redirect followed: the endpoint is the one that was configured.

Answers of a judge or a trainer agent are kept on disk: asked once, replayed when the same question comes again. One
JSON object a line: the key, which is a hash of model and question, and the answer as it came. Each is written as soon
as it is there, so that a run that breaks off pays for nothing twice; `close` puts the lines in order, so that equal
answers are equal bytes. A stage declares the file as an output that DVC leaves in place: a repetition reads it and
needs no endpoint.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import DomainConfig
from evotrainer.errors import ConfigError, EndpointError, LineageError
from evotrainer.records.base import count_of

DEADLINE_SECONDS = 60.0
PAUSES_SECONDS = (1.0, 4.0)
"""Before the second and the third attempt."""
MAX_BYTES = 2**20
OK = 200
_PATH, _MODELS = "/chat/completions", "/models"
_LOOK_SECONDS = 10.0
_RETRIED = (408, 425, 429)
_SERVER_ERROR = 500
_SHOWN_BYTES = 300

T = TypeVar("T")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class CalledFunction(_Part):
    """The function that a model calls; `arguments` is the text that it wrote."""

    name: str
    arguments: str = ""


class ToolUse(_Part):
    """One call of a tool."""

    id: str = ""
    function: CalledFunction


class ChatMessage(_Part):
    """What the model wrote."""

    content: str | None = None
    refusal: str | None = None
    tool_calls: list[ToolUse] | None = None


class Choice(_Part):
    """One answer."""

    message: ChatMessage
    finish_reason: str | None = None


class ReadTokens(_Part):
    """Of the tokens read, those that the endpoint had in its cache."""

    cached_tokens: int | None = Field(default=None, ge=0)


class ChatUsage(_Part):
    """Tokens, as the endpoint counts them."""

    prompt_tokens: int = Field(default=0, ge=0)
    completion_tokens: int = Field(default=0, ge=0)
    prompt_tokens_details: ReadTokens | None = None


class ChatCompletion(_Part):
    """One chat completion as far as it is used here."""

    choices: list[Choice] = Field(min_length=1)
    usage: ChatUsage | None = None


class ChatEndpoint:
    """Asks one endpoint. Raises ConfigError where `url`, the value of `key`, is no http or https address."""

    def __init__(
        self,
        url: str,
        key: str,
        *,
        deadline_seconds: float = DEADLINE_SECONDS,
        pauses_seconds: Sequence[float] = PAUSES_SECONDS,
        headers: Mapping[str, str] | None = None,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ConfigError(f"{key} '{url}' is no address: write it like http://localhost:8000/v1")
        self.url, self._key, self._deadline, self._pauses = url, key, deadline_seconds, pauses_seconds
        self._headers, self._pause = dict(headers or {}), pause
        self._endpoint = parts._replace(path=parts.path.rstrip("/").removesuffix(_PATH) + _PATH).geturl()

    def models(self) -> list[str]:
        """Return the names of the models that it serves, none where it does not say; nothing is asked of a model.

        Raises ConfigError where nothing answers.
        """
        import httpx

        address = self._endpoint.removesuffix(_PATH) + _MODELS
        try:
            with httpx.Client(trust_env=False, timeout=_LOOK_SECONDS, headers=self._headers) as client:
                answer = client.get(address)
            return [str(one["id"]) for one in answer.json()["data"]] if answer.status_code == OK else []
        except httpx.HTTPError as error:
            raise ConfigError(f"{self._key}={self.url} does not answer ({error}): start its server") from None
        except (ValueError, KeyError, TypeError):
            return []

    def ask(self, body: dict[str, Any], read: Callable[[ChatCompletion], T]) -> T:
        """Return what `read` makes of the first answer that it takes; it refuses one with ValueError.

        Raises EndpointError where the endpoint refuses, then with its status, or no attempt gave an answer.
        """
        reason = ""
        for pause in (*self._pauses, None):
            try:
                return read(_completion(*asyncio.run(self.exchange(body))))
            except ValueError as error:  # another attempt may not meet it
                reason = str(error)
            if pause is not None:
                self._pause(pause)
        raise EndpointError(f"in {count_of(1 + len(self._pauses), 'attempt')}: {reason}")

    async def exchange(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Send one request; return status and content of the answer. Raises ValueError where none came whole."""
        import httpx

        content = b""
        try:
            async with (
                asyncio.timeout(self._deadline),
                httpx.AsyncClient(trust_env=False, timeout=None, headers=self._headers) as client,
                client.stream("POST", self._endpoint, json=body) as response,
            ):
                async for part in response.aiter_bytes():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise ValueError(f"an answer of more than {MAX_BYTES} bytes")
        except TimeoutError:
            raise ValueError(f"no answer within {self._deadline:g} s") from None
        except httpx.HTTPError as error:
            raise ValueError(str(error) or type(error).__name__) from None
        return response.status_code, content


def _completion(status: int, content: bytes) -> ChatCompletion:
    """Return a completion; raises ValueError where another attempt may give one, else EndpointError."""
    if status != OK:
        said = " ".join(content[:_SHOWN_BYTES].decode(errors="replace").split())
        if status >= _SERVER_ERROR or status in _RETRIED:
            raise ValueError(f"status {status} {said}".strip())
        raise EndpointError(said or "no reason given", status)
    try:
        return ChatCompletion.model_validate_json(content)
    except ValidationError:
        raise ValueError("an answer that is no chat completion") from None


class AnswerRecord:
    """The answers known so far; creates the file where there is none.

    Raises:
        LineageError: a line other than the last, which may have been cut, is no recorded answer.

    """

    def __init__(self, path: Path) -> None:
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        self._answers = _read(path)
        self._write_all()

    def find(self, key: str) -> str | None:
        """Return the recorded answer to a question."""
        return self._answers.get(key)

    def add(self, key: str, answer: str) -> None:
        """Record an answer."""
        self._answers[key] = answer
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(key, answer))

    def close(self) -> None:
        """Put the file in order."""
        self._write_all()

    def _write_all(self) -> None:
        write_atomic(self._path, "".join(_line(*entry) for entry in sorted(self._answers.items())))


def read_answers(path: Path) -> dict[str, str]:
    """Return {key: answer} of a file, which stays as it is; raises LineageError for a damaged one."""
    return _read(path)


def start_record(domain: DomainConfig, path: Path) -> None:
    """Create the record of a stage that may ask nothing, where the domain names a judge."""
    if domain.judge_url:
        AnswerRecord(path)


def merge_record(source: Path, target: Path) -> None:
    """Add the answers recorded at `source` to the record at `target`; nothing where there are none."""
    if source.is_file():
        record = AnswerRecord(target)
        for key, answer in _read(source).items():
            if record.find(key) is None:
                record.add(key, answer)
        record.close()


def question_key(body: dict[str, Any]) -> str:
    """Return the key of a request: equal for equal model, messages and settings, wherever the endpoint is."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _line(key: str, answer: str) -> str:
    return json.dumps({"answer": answer, "key": key}, ensure_ascii=False) + "\n"


def _read(path: Path) -> dict[str, str]:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    answers: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            answers[str(entry["key"])] = str(entry["answer"])
        except (ValueError, KeyError, TypeError):
            if number < len(lines):
                raise LineageError(f"{path}:{number} is no recorded answer: restore the file") from None
    return answers
