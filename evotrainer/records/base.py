"""What all records share, and the words that several of them use."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA_VERSION = 3

Split = Literal["train", "probe", "validation", "test", "holdout"]
HELD = ("validation", "test", "holdout")
"""Splits that no version trains on."""
Severity = Literal["info", "warning", "critical", "invalid"]
Direction = Literal["up", "down", "none"]
Operator = Literal["<", "<=", ">", ">=", "=="]
Outcome = Literal["promoted", "kept", "rejected", "invalid", "inconclusive", "failed"]
VersionKind = Literal["base", "warm_up", "distillation", "baseline", "candidate", "merge", "continuation"]
WITHOUT_RECIPE = ("base", "warm_up", "distillation")
"""Kinds of versions that no recipe trained: as given, on worked answers, on right attempts."""


class Record(BaseModel):
    """Base of all records: immutable, and a field that is not declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun: 1 row, 2 rows."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


class AccessPolicy(Record):
    """A named restriction of what an episode may read or call.

    Of two policies of a domain the one with the higher strictness restricts all that the other restricts, and answers
    all failure modes that the other answers.
    """

    name: str = "full"
    strictness: int = Field(default=0, ge=0, description="0: open")
    answers: list[str] = Field(default=[], description="failure modes that a score under this policy settles")
    wording: str = Field(default="with full access", description="the end of 'scored again ...'")


class Access(Record):
    """Under which policy a version runs, and whose scores under it it needs."""

    policy: AccessPolicy = Field(default=AccessPolicy(), description="in force; stricter after a leak")
    rows_in: dict[str, str] = Field(default={}, description="by peer: the version that holds its rows under the policy")
    again: list[str] = Field(default=[], description="peers that the version may have to score again")

    def scored_by(self, version: str) -> list[str]:
        """Return the peers that a version scores under its own policy, since none before it did."""
        return [peer for peer, holder in self.rows_in.items() if holder == version]
