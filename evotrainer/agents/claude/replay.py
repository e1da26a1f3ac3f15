"""The recorded answers of an earlier campaign in place of a model.

The n-th question of a version is answered by the n-th recorded answer of the version of the same name, whatever was
asked. Tools run on this campaign's own evidence and the laws hold, so that a decision made elsewhere is tried here.
Where all questions are equal, so is everything that follows. A replay costs nothing and needs neither SDK nor key.
"""

import json
from pathlib import Path
from typing import Any

from evotrainer.agents.record import Answer, recorded_answers
from evotrainer.errors import AgentError


class ReplayedAnswers:
    """The answers of one stage, in their order."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._answers = recorded_answers(path) if path is not None and path.is_file() else []
        self._place = 0

    def send(self, question: dict[str, Any]) -> Answer:
        """Return the next recorded answer; after the last an empty one that calls no tool."""
        if not self._answers:
            raise AgentError(
                f"{self._path} holds no recorded answers: the campaign of trainer.replay_from did not get so far"
            )
        self._place += 1
        if self._place > len(self._answers):
            return Answer(text=_nothing_left(question["model"]), tokens=0, dollars=0.0, seconds=0.0)
        return Answer(text=self._answers[self._place - 1].text, tokens=0, dollars=0.0, seconds=0.0)


def _nothing_left(model: str) -> str:
    return json.dumps(
        {
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [{"type": "text", "text": "no recorded answer is left"}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 0, "output_tokens": 0},
        },
        sort_keys=True,
    )
