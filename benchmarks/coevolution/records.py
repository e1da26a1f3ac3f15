"""What a campaign of the co-evolution bench came to."""

from pydantic import Field

from evotrainer.records.base import Record


class Promotion(Record):
    """One promoted version beside the incumbent of its time, both scored with the trap removed on the holdout split."""

    version: str
    incumbent: str
    score: float
    incumbent_score: float
    invalid_modes: list[str] = Field(default=[], description="unresolved findings of severity invalid that it carries")

    @property
    def is_invalid(self) -> bool:
        """Whether the promotion brought nothing, or rests on a finding that forbids it."""
        return self.score <= self.incumbent_score or bool(self.invalid_modes)


class WorkLedger(Record):
    """Tokens and processor seconds of shared work, by whether the campaign did it itself or found it done."""

    done_tokens: int = 0
    done_cpu_seconds: float = 0.0
    reused_tokens: int = 0
    reused_cpu_seconds: float = 0.0


class CoevolutionRun(Record):
    """One campaign: world, arm and seed, the honest scores on the test split, promotions and what was wasted."""

    world: str
    arm: str
    seed: int
    incumbent: str
    num_problems: int
    attempts: int
    score: float = Field(description="of the final incumbent on the test split, trap removed")
    base_score: float
    baseline_score: float | None = Field(description="of the campaign's own recipe, the latest where it trained again")
    shown_score: float | None = Field(description="what the campaign itself believes of its incumbent")
    num_trained: int
    promotions: list[Promotion]
    invalid_versions: int = Field(description="versions that the campaign judged invalid")
    steps: int = Field(description="optimiser steps of all trained versions")
    wasted_steps: int = Field(description="those of versions that were not promoted")
    revisions: int = Field(default=0, description="of the harness")
    entered_cards: int = Field(default=0, description="that a revision let in, provisional ones among them")
    trainings: WorkLedger
    completions: WorkLedger
    other_cpu_seconds: float = Field(description="of diagnosis, proposals, backtests and all else that is not shared")

    @property
    def invalid_promotions(self) -> int:
        """How many promotions brought nothing or rest on an invalid finding."""
        return sum(promotion.is_invalid for promotion in self.promotions)
