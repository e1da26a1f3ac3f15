"""What a verdict claims and the numbers it rests on: what the gates hand to verdict, lineage and report.

Differences and bounds are in score units, [-1, 1].
A *confidence sequence* is an interval that holds after every round at once, whenever the gate stopped.
"""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record

GateOutcome = Literal["open", "promoted", "futile", "harmful", "inconclusive"]


class NoiseFloor(Record):
    """Differences without any change: of two evaluations of the base policy, and as the spread of attempts predicts.

    `value` is the campaign's floor: no difference below it is called an improvement.
    """

    value: float = Field(description="SD of the difference of two evaluations, from the spread of one's attempts")
    observed: float = Field(description="the same SD from the differences of the two, problem by problem")
    difference: float = Field(description="score of the second evaluation minus that of the first")
    num_problems: int
    attempts: int


class WinnersCurse(Record):
    """A selected score beside its fresh repetition on the same problems."""

    screening: float
    fresh: float
    correction: float
    standard_error: float | None
    """SD of the correction if there were no selection; None where no problem has two attempts."""


class LimitClaim(Record):
    """A side-effect limit on a rate of the fresh rows: non-inferior by less than the margin, or not shown to be."""

    condition: str = Field(description="the limit as the intervention states it")
    metric: str
    margin: float = Field(description="rise (or fall) that the limit allows over the incumbent's reading")
    outcome: GateOutcome = Field(description="promoted: shown to hold; harmful: broken; else not shown")
    difference: float | None = Field(description="candidate's rate minus the incumbent's, on the fresh rows")


class CheckpointClaim(Record):
    """The claim of the checkpoint gate: this checkpoint against its incumbent, on fresh rows of the named problems."""

    against: str
    outcome: GateOutcome
    num_problems: int
    attempts: int = Field(description="fresh attempts a problem on each arm")
    alpha: float = Field(description="this claim's share of the campaign's error budget")
    log_wealth: float = Field(description="log of the bettor's wealth; promotion needs log(1 / alpha)")
    estimate: float | None = Field(description="difference over all fresh rows; None before the first round")
    low: float
    high: float = Field(description="confidence sequence of the difference, at the campaign's confidence")
    noise_floor: float = Field(description="smallest estimate that is called an improvement")
    winners_curse: WinnersCurse | None = Field(default=None, description="winner's curse: screening minus fresh score")
    limits: tuple[LimitClaim, ...] = ()
    held: tuple[str, ...] = Field(default=(), description="problems that lost every attempt on one arm")
    error_share: float = Field(default=0.0, description="share of its fresh draws that the arm that lost more lost")
    uneven_loss: float = Field(default=0.0, description="difference of the two arms' shares of lost draws")
