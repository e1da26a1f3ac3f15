"""What a trainer agent asked a model, what it was answered, and what that cost.

Questions, answers and the results of tools that read evidence are recorded as an output of the stage, and replayed when
it runs again (campaign/answers.py). The cost of an answer is recorded with it and charged to the stage in both cases:
it is what the version's proposal cost, whichever run paid it. An agent that asks no model costs nothing.

An entry is one JSON object: an answer with its place in the order of the stage, a result, or the opening of a
conversation, which stands there for a person to read.
"""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from evotrainer.campaign.chat_endpoint import AnswerRecord, question_key, read_answers
from evotrainer.campaign.layout import CampaignFiles, RevisionFiles, VersionFiles
from evotrainer.campaign.ledger import spent_dollars, write_tokens
from evotrainer.config import Config
from evotrainer.errors import LineageError
from evotrainer.records import Diagnosis

_PLACE, _RESULT, _OPENING = "place", "result", "opening"


@dataclass(frozen=True)
class Answer:
    """One answer of a model. `tokens` counts those read and those written, `usage` by kind."""

    text: str
    tokens: int
    dollars: float
    seconds: float
    usage: dict[str, int] = field(default_factory=dict)


class AgentRecord:
    """The questions of one stage; a context manager, so that the file is put in order.

    Args:
        path: the file of answers.
        spent: returns the dollars that the campaign's other stages paid for answers up to now.
        note: is called after each answer, so that stages beside this one see what was spent.

    """

    def __init__(
        self,
        path: Path,
        spent: Callable[[], float] = lambda: 0.0,
        note: Callable[["AgentRecord"], None] = lambda record: None,
    ) -> None:
        self._answers, self._spent, self._note = AnswerRecord(path), spent, note
        self.num_answers = 0
        self.tokens, self.dollars, self.seconds = 0, 0.0, 0.0
        self.usage: Counter[str] = Counter()
        self.calls: list[dict[str, Any]] = []
        """The calls of tools that read evidence, in their order."""
        self.refused: list[str] = []
        """What the agent wanted and did not get, with the reason."""
        self.diagnosis: Diagnosis | None = None
        """What the agent took for the bottleneck."""

    @property
    def spent(self) -> float:
        """What answers cost the campaign up to now, in dollars."""
        return self._spent() + self.dollars

    @property
    def costs(self) -> dict[str, float]:
        """What the stage's answers cost beside tokens: dollars, seconds, and tokens by kind."""
        kinds = {f"agent_{kind}": float(number) for kind, number in sorted(self.usage.items())}
        return {"dollars": round(self.dollars, 9), "agent_seconds": self.seconds, **kinds}

    def ask(self, question: dict[str, Any], send: Callable[[dict[str, Any]], Answer]) -> str:
        """Return the recorded answer to a question, or send the question to the model and record what comes back."""
        answer = _answer(self._once(question, lambda: asdict(send(question)) | {_PLACE: self.num_answers + 1}))
        self.num_answers += 1
        self.tokens += answer.tokens
        self.dollars += answer.dollars
        self.seconds += answer.seconds
        self.usage.update(answer.usage)
        self._note(self)
        return answer.text

    def result(self, call: dict[str, Any], run: Callable[[], str]) -> str:
        """Return the recorded result of a tool's call, or run it and record what comes back."""
        self.calls.append(call)
        return self._once(call, lambda: {_RESULT: run()})[_RESULT]

    def open(self, opening: str) -> None:
        """Record what a conversation begins with."""
        self._once({_OPENING: opening}, lambda: {_OPENING: opening})

    def _once(self, what: dict[str, Any], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Return the recorded entry of a question, or make and record it."""
        key = question_key(what)
        known = self._answers.find(key)
        if known is not None:
            return json.loads(known)
        entry = make()
        self._answers.add(key, json.dumps(entry, sort_keys=True))
        return entry

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._answers.close()


def recorded_answers(path: Path) -> list[Answer]:
    """Return the answers of a record in the order in which they came; raises LineageError for a damaged one."""
    entries = [json.loads(text) for text in read_answers(path).values()]
    try:
        found = sorted((entry for entry in entries if _PLACE in entry), key=lambda entry: entry[_PLACE])
        return [_answer(entry) for entry in found]
    except (TypeError, KeyError) as error:
        raise LineageError(f"{path} holds an answer that cannot be read ({error}): restore the file") from None


def _answer(entry: dict[str, Any]) -> Answer:
    return Answer(**{name: value for name, value in entry.items() if name != _PLACE})


def record_of(files: CampaignFiles, own: VersionFiles | RevisionFiles, stage: str, config: Config) -> AgentRecord:
    """Return the record of a stage: what was answered is charged to it, whatever comes of it."""

    def note(record: AgentRecord) -> None:
        write_tokens(own, stage, record.tokens, **record.costs)

    price = config.budget.total.accelerator_price
    record = AgentRecord(own.agent_answers, lambda: spent_dollars(files, own, price), note)
    note(record)
    return record
