"""The controller of a search that edits itself: its numbers, and the journal of all edits, refused ones too."""

from pydantic import Field

from evotrainer.records.base import Record


class ControllerEdit(Record):
    """One edit of one number, and what replay on past decisions said of it. Gains are in noise floors."""

    number: int
    after: str = Field(description="version that was closed last")
    key: str
    old: float
    new: float
    replayed: int = Field(description="past choices that it changes and whose outcome is known or estimated")
    gain: float = Field(description="mean improvement of these choices")
    standard_error: float
    is_accepted: bool
    reason: str


class Controller(Record):
    """The numbers in force, and how they came about: the content of inputs/controller.json."""

    revision: int = Field(description="accepted edits")
    numbers: dict[str, float]
    journal: list[ControllerEdit] = []
