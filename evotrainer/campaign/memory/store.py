"""The memory as files: plain text that a person can read, diff and correct.

    skills/<name>/SKILL.md     front matter (what the program reads) and prose (what a person reads)
    cards.jsonl                one line an evolved diagnostic, with its trials
    cases.jsonl ledger.jsonl searches.jsonl

Rows are appended, never rewritten; a skill or card is rewritten when it gains a trial. A folder that does not exist
is an empty memory.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.memory.skill_file import read_skill, write_skill
from evotrainer.errors import LineageError
from evotrainer.records import Case, LedgerRow, Record, RememberedCard, SearchTrace, Skill

R = TypeVar("R", bound=Record)
CARDS = "cards.jsonl"


class Memory(Record):
    """What earlier campaigns left."""

    ledger: list[LedgerRow] = []
    cases: list[Case] = []
    skills: list[Skill] = []
    searches: list[SearchTrace] = []
    cards: list[RememberedCard] = []

    @property
    def campaigns(self) -> list[str]:
        """Names of the campaigns that are remembered, in order."""
        return list(dict.fromkeys(row.campaign for row in self.ledger))


def load_memory(folder: Path) -> Memory:
    """Return the memory in `folder`; raises LineageError naming file and line of what cannot be read."""
    return Memory(
        ledger=_read_rows(folder / "ledger.jsonl", LedgerRow),
        cases=_read_rows(folder / "cases.jsonl", Case),
        skills=[read_skill(path) for path in sorted(folder.glob("skills/*/SKILL.md"))],
        searches=_read_rows(folder / "searches.jsonl", SearchTrace),
        cards=read_cards(folder),
    )


def save_memory(folder: Path, memory: Memory) -> None:
    """Write a memory; equal memories give equal bytes."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_rows(folder / "ledger.jsonl", memory.ledger)
    _write_rows(folder / "cases.jsonl", memory.cases)
    _write_rows(folder / "searches.jsonl", memory.searches)
    if memory.cards:
        _write_rows(folder / CARDS, memory.cards)
    for skill in memory.skills:
        write_skill(folder / "skills" / skill.name / "SKILL.md", skill)


def read_cards(folder: Path) -> list[RememberedCard]:
    """Return the cards of the memory in `folder`; raises LineageError naming the line that cannot be read."""
    return _read_rows(folder / CARDS, RememberedCard)


def _read_rows(path: Path, kind: type[R]) -> list[R]:
    if not path.is_file():
        return []
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        try:
            rows.append(kind.model_validate_json(line))
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise LineageError(f"{path}:{number}: {reason}; correct the line on branch memory") from None
    return rows


def _write_rows(path: Path, rows: Sequence[Record]) -> None:
    write_atomic(path, "".join(f"{row.model_dump_json()}\n" for row in rows))
