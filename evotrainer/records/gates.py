"""What a person answered where a version waited."""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record

GateDecision = Literal["approve", "revise", "abort"]
AnsweredBy = Literal["person", "timeout"]


class GateAnswer(Record):
    """The answer at one gate of a version; part of its inputs, so that a repetition does not ask."""

    version: str
    gate: Literal["diagnosis", "proposal", "backtest", "completion"]
    decision: GateDecision
    text: str = Field(default="", description="what the person wrote; of a revision for the trainer agent")
    candidate: str = Field(default="", description="intervention_id that the answer is about; empty before a proposal")
    answered_by: AnsweredBy = "person"
    at: str = Field(
        default="", exclude_if=lambda value: not value, description="local time of the answer; empty: not known"
    )

    @property
    def as_input(self) -> "GateAnswer":
        """The answer as stages read it: without its time, so that equal decisions are equal inputs."""
        return self.model_copy(update={"at": ""})
