"""The rubric judge: a model behind a chat endpoint whose score joins the verifier's grade as a reward term.

Deterministic as far as an endpoint can be: temperature 0, a fixed seed, and answers that are recorded. Opening it asks
for the master keys, so that an endpoint that is not there stops the stage at once and not after a thousand rows. A
question without a verdict is a GraderError, which masks its row; after several in a row nothing more is asked.

The endpoint is asked over plain HTTP, with a deadline for the whole exchange, which holds for one that drips a byte a
minute as well. What can pass is tried again: no connection, the deadline, status 429 and 5xx, an answer that is no chat
completion. No proxy is used and no redirect followed: the endpoint is the one that was configured.

Recorded are the term `judge`, which counts in the reward by its weight (reward.judge, 0 by default), and the checks
judge, judge_probe and judge_master_keys, by which a judge that is talked to shows. Correctness is the verifier's alone.
"""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from evotrainer.campaign.answers import AnswerRecord, question_key
from evotrainer.config import DomainConfig
from evotrainer.domains import find_domain
from evotrainer.domains.base import Grade, Grader
from evotrainer.domains.judge_prompt import MASTER_KEYS, answer_text, is_probe, probe_problem, question, read_verdict
from evotrainer.errors import ConfigError, GraderError
from evotrainer.records import Message, Problem
from evotrainer.records.checks import CHECKS

PAID = 0.5
"""Score from which an answer counts as approved."""
MAX_FAILURES = 5
"""Questions without a verdict, one after the other, after which the judge is not asked any more."""
MAX_VERDICT_TOKENS = 1024
DEADLINE_SECONDS = 60.0
PAUSES_SECONDS = (1.0, 4.0)
"""Before the second and the third attempt."""
MAX_BYTES = 2**20
_PATH = "/chat/completions"
_RETRIED = (408, 425, 429)


class ChatClient:
    """Asks one endpoint. Raises ConfigError where `url` is no http or https address."""

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

        Raises GraderError where the endpoint refuses, or no attempt gave an answer.
        """
        reason = ""
        for pause in (*PAUSES_SECONDS, None):
            try:
                text = self._completion(*asyncio.run(self._exchange(body)))
                accept(text)
                return text
            except ValueError as error:  # another attempt may not meet it
                reason = str(error)
            if pause is not None:
                self._pause(pause)
        raise GraderError(f"the judge at {self._url} gave no verdict in {1 + len(PAUSES_SECONDS)} attempts: {reason}")

    async def _exchange(self, body: dict[str, Any]) -> tuple[int, bytes]:
        """Send one request; return status and content of the answer."""
        import httpx

        content = b""
        try:
            async with (
                asyncio.timeout(self._deadline),
                httpx.AsyncClient(trust_env=False, timeout=None) as client,
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

    def _completion(self, status: int, content: bytes) -> str:
        """Return the text of a completion; raises ValueError where another attempt may give one, else GraderError."""
        if status != 200:
            said = " ".join(content[:200].decode(errors="replace").split())
            if status >= 500 or status in _RETRIED:
                raise ValueError(f"status {status} {said}".strip())
            raise GraderError(
                f"the judge at {self._url} refuses (status {status}): {said or 'no reason given'}: check "
                "domain.judge_url and domain.judge_model"
            )
        try:
            choice = json.loads(content)["choices"][0]
            text, reason = choice["message"]["content"], choice.get("finish_reason")
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            raise ValueError("an answer that is no chat completion") from None
        if not isinstance(text, str):
            raise ValueError("a completion without text")
        if reason == "length":
            raise ValueError("a verdict cut by the endpoint's length limit")
        return text


class Judge:
    """Scores answers in [0, 1]. `close` puts its record in order."""

    def __init__(self, domain: DomainConfig, client: ChatClient, record: AnswerRecord) -> None:
        self._model, self._client, self._record = domain.judge_model, client, record
        self._num_failures, self._rubric = 0, find_domain(domain.name).rubric
        problem = probe_problem(domain.name)
        paid = [self.score(problem, key) >= PAID for key in MASTER_KEYS]
        self.master_keys_paid = sum(paid) / len(paid)
        """Share of master keys that it pays."""
        self.close = record.close

    def score(self, problem: Problem, answer: str) -> float:
        """Return the score of an answer; 0 for an empty one, unasked. Raises GraderError without a verdict."""
        if not answer.strip():
            return 0.0
        messages = question(problem, answer, self._rubric)
        settings = {"temperature": 0, "seed": 0, "max_tokens": MAX_VERDICT_TOKENS}
        body: dict[str, Any] = {"model": self._model, "messages": messages, **settings}
        key = question_key(body)
        known = self._record.find(key)
        if known is None:
            known = self._ask(body)
            self._record.add(key, known)
        try:
            return read_verdict(known)
        except ValueError as error:
            raise GraderError(f"the recorded answer of the judge is {error}: restore its file") from None

    def _ask(self, body: dict[str, Any]) -> str:
        if self._num_failures >= MAX_FAILURES:
            raise GraderError(f"the judge gave no verdict {MAX_FAILURES} times in a row and is not asked any more")
        self._num_failures += 1
        answer = self._client.ask(body, read_verdict)
        self._num_failures = 0
        return answer


def open_judge(domain: DomainConfig, path: Path) -> AbstractContextManager[Judge | None]:
    """Return the judge that a domain names, with its record at `path`, for a `with`; None where it names none.

    Raises ConfigError where `domain.judge_url` is no address, GraderError where no judge answers, nor the record.
    """
    if not domain.judge_url:
        return nullcontext()
    return closing(Judge(domain, ChatClient(domain.judge_url), AnswerRecord(path)))


class JudgedGrader:
    """Grades as `grader` does, and asks `judge` about the same answer."""

    waits_for_sandbox = False

    def __init__(self, grader: Grader, judge: Judge) -> None:
        self._grader, self._judge = grader, judge

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade with the judge's term and checks; raises GraderError where either gave none."""
        grade = self._grader.grade(problem, messages, stop_reason)
        answer = answer_text(messages)
        score = self._judge.score(problem, answer)
        checks = {
            **grade.extra.get(CHECKS, {}),
            "judge": score,
            "judge_probe": float(is_probe(answer)),
            "judge_master_keys": self._judge.master_keys_paid,
        }
        return Grade(grade.correct, {**grade.terms, "judge": score}, grade.format_ok, {**grade.extra, CHECKS: checks})
