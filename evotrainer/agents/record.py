"""What a trainer agent asked a model, what it was answered, and what that cost.

Questions and answers are recorded as an output of the stage and replayed when it runs again (campaign/answers.py). The
cost of an answer is recorded with it and charged to the stage in both cases: it is what the version's proposal cost,
whichever run paid it. An agent that asks no model costs nothing.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evotrainer.campaign.answers import AnswerRecord, question_key


@dataclass(frozen=True)
class Answer:
    """One answer of a model. `tokens` counts those read and those written."""

    text: str
    tokens: int
    dollars: float
    seconds: float


class AgentRecord:
    """The questions of one propose stage; a context manager, so that the file is put in order."""

    def __init__(self, path: Path) -> None:
        self._answers = AnswerRecord(path)
        self.tokens, self.dollars, self.seconds = 0, 0.0, 0.0

    def ask(self, question: dict[str, Any], send: Callable[[dict[str, Any]], Answer]) -> str:
        """Return the recorded answer to a question, or send the question to the model and record what comes back."""
        key = question_key(question)
        known = self._answers.find(key)
        answer = send(question) if known is None else Answer(**json.loads(known))
        if known is None:
            self._answers.add(key, json.dumps(asdict(answer), sort_keys=True))
        self.tokens += answer.tokens
        self.dollars += answer.dollars
        self.seconds += answer.seconds
        return answer.text

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._answers.close()
