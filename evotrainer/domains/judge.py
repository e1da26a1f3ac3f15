"""The rubric judge: a model behind a chat endpoint whose score joins the verifier's grade as a reward term.

Deterministic as far as an endpoint can be: temperature 0, a fixed seed, and answers that are recorded. Opening it asks
for the master keys, so that an endpoint that is not there stops the stage at once and not after a thousand rows. A
question without a verdict is a GraderError, which masks its row; after several in a row nothing more is asked.

Recorded are the term `judge`, which counts in the reward by its weight (reward.judge, 0 by default), and the checks
judge, judge_probe and judge_master_keys, by which a judge that is talked to shows. Correctness is the verifier's alone.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import Any

from evotrainer.campaign.answers import AnswerRecord, question_key
from evotrainer.campaign.chat_endpoint import ChatCompletion, ChatEndpoint
from evotrainer.config import DomainConfig
from evotrainer.domains import find_domain
from evotrainer.domains.base import Grade, Grader
from evotrainer.domains.judge_prompt import MASTER_KEYS, answer_text, is_probe, probe_problem, question, read_verdict
from evotrainer.errors import EndpointError, GraderError
from evotrainer.records import Message, Problem
from evotrainer.records.evidence import CHECKS

PAID = 0.5
"""Score from which an answer counts as approved."""
MAX_FAILURES = 5
"""Questions without a verdict, one after the other, after which the judge is not asked any more."""
MAX_VERDICT_TOKENS = 1024


class Judge:
    """Scores answers in [0, 1]. `close` puts its record in order."""

    def __init__(self, domain: DomainConfig, endpoint: ChatEndpoint, record: AnswerRecord) -> None:
        self._model, self._endpoint, self._record = domain.judge_model, endpoint, record
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
        try:
            answer = self._endpoint.ask(body, _verdict)
        except EndpointError as error:
            url = self._endpoint.url
            if error.status:
                advice = "check domain.judge_url and domain.judge_model"
                raise GraderError(f"the judge at {url} refuses (status {error.status}): {error}: {advice}") from None
            raise GraderError(f"the judge at {url} gave no verdict {error}") from None
        self._num_failures = 0
        return answer


def _verdict(completion: ChatCompletion) -> str:
    """Return the text of a verdict; raises ValueError for anything else."""
    choice = completion.choices[0]
    if choice.message.content is None:
        raise ValueError("a completion without text")
    if choice.finish_reason == "length":
        raise ValueError("a verdict cut by the endpoint's length limit")
    read_verdict(choice.message.content)
    return choice.message.content


def open_judge(domain: DomainConfig, path: Path) -> AbstractContextManager[Judge | None]:
    """Return the judge that a domain names, with its record at `path`, for a `with`; None where it names none.

    Raises ConfigError where `domain.judge_url` is no address, GraderError where no judge answers, nor the record.
    """
    if not domain.judge_url:
        return nullcontext()
    return closing(Judge(domain, ChatEndpoint(domain.judge_url, "domain.judge_url"), AnswerRecord(path)))


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
