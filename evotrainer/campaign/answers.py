"""Answers of a model on disk, a judge's or a trainer agent's: asked once, replayed when the same question comes again.

One JSON object a line: the key, which is a hash of model and question, and the answer as it came. Each is written as
soon as it is there, so that a run that breaks off pays for nothing twice; `close` puts the lines in order, so that
equal answers are equal bytes. A stage declares the file as an output that DVC leaves in place: a repetition reads it
and needs no endpoint.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import DomainConfig
from evotrainer.errors import LineageError


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
