"""The judge of one stage: asks each question once, knows what the judge pays for master keys, gives up in time.

Deterministic as far as an endpoint can be: temperature 0, a fixed seed, and answers that are recorded. Opening it asks
for the master keys, so that an endpoint that is not there stops the stage at once and not after a thousand rows. A
question without a verdict is a GraderError, which masks its row; after several in a row nothing more is asked.
"""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evotrainer.campaign.answers import AnswerRecord, question_key
from evotrainer.config import DomainConfig
from evotrainer.domains import find_domain
from evotrainer.domains.judge.client import ChatClient
from evotrainer.domains.judge.probes import MASTER_KEYS, probe_problem
from evotrainer.domains.judge.prompt import MAX_VERDICT_TOKENS, question, read_verdict
from evotrainer.errors import GraderError
from evotrainer.records import Problem

PAID = 0.5
"""Score from which an answer counts as approved."""
MAX_FAILURES = 5
"""Questions without a verdict, one after the other, after which the judge is not asked any more."""


class Judge:
    """Scores answers in [0, 1]; a context manager, so that its record is put in order."""

    def __init__(self, domain: DomainConfig, client: ChatClient, record: AnswerRecord) -> None:
        self._model, self._client, self._record = domain.judge_model, client, record
        self._num_failures, self._rubric = 0, find_domain(domain.name).rubric
        problem = probe_problem(domain.name)
        paid = [self.score(problem, key) >= PAID for key in MASTER_KEYS]
        self.master_keys_paid = sum(paid) / len(paid)
        """Share of master keys that it pays."""

    def score(self, problem: Problem, answer: str) -> float:
        """Return the score of an answer, in [0, 1]; 0 for an empty one, unasked.

        Raises:
            GraderError: the judge gave no verdict.

        """
        if not answer.strip():
            return 0.0
        body: dict[str, Any] = {
            "model": self._model,
            "messages": question(problem, answer, self._rubric),
            "temperature": 0,
            "seed": 0,
            "max_tokens": MAX_VERDICT_TOKENS,
        }
        key = question_key(body)
        known = self._record.find(key)
        if known is None:
            known = self._ask(body)
            self._record.add(key, known)
        try:
            return read_verdict(known)
        except ValueError as error:
            raise GraderError(f"the recorded answer of the judge is {error}: restore its file") from None

    def close(self) -> None:
        """Put the record in order."""
        self._record.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, body: dict[str, Any]) -> str:
        if self._num_failures >= MAX_FAILURES:
            raise GraderError(f"the judge gave no verdict {MAX_FAILURES} times in a row and is not asked any more")
        try:
            answer = self._client.ask(body, read_verdict)
        except GraderError:
            self._num_failures += 1
            raise
        self._num_failures = 0
        return answer


def open_judge(domain: DomainConfig, path: Path) -> AbstractContextManager[Judge | None]:
    """Return the judge that a domain names, with its record at `path`, for a `with`; None where it names none.

    Raises:
        ConfigError: `domain.judge_url` is no address.
        GraderError: the judge is not there, and the record does not answer for it.

    """
    if not domain.judge_url:
        return nullcontext()
    return Judge(domain, ChatClient(domain.judge_url), AnswerRecord(path))
