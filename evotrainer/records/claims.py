"""What a verdict claims and the numbers it rests on: what the gates hand to verdict, lineage and report.

Differences and bounds are in score units, [-1, 1].
A *confidence sequence* is an interval that holds after every round at once, whenever the gate stopped.

A verdict is about one checkpoint and is never rewritten. Whether the *recipe* is better is another claim with its own
evidence and its own file: confirmation.json, with fresh training seeds.
"""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record

GateOutcome = Literal["open", "promoted", "futile", "harmful", "inconclusive"]
RecipeOutcome = Literal["open", "proven", "futile", "unproven"]
"""Better over training seeds; stopped after the first ones; not shown. `open`: between two runs only."""

Attribution = Literal["FIRED", "NOT_FIRED", "CONFOUNDED"]
"""Of an intervention whose recipe was tested: proven, by what its hypothesis says and nothing else; not proven; proven,
but what was predicted did not happen or what must not move did."""


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
    measure: str = Field(default="mean", description="evaluate.measure")
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


class SeedRun(Record):
    """One training run of a recipe under its own seed, evaluated once; of the base policy, the evaluation alone."""

    replicate: int
    score: float
    policy_hash: str
    num_tokens: int = Field(description="sampled in training and evaluation")


class RecipeClaim(Record):
    """The claim of the recipe gate: this recipe against another, over training seeds, on the named problems."""

    against: str = Field(description="version whose recipe it is compared with; v000: the base policy, untrained")
    outcome: RecipeOutcome
    reason: str
    alpha: float = Field(description="this claim's share of the campaign's error budget for recipes")
    num_problems: int
    attempts: int = Field(description="attempts a problem on each run")
    screening: float = Field(description="score of the version's own seed, which only screens")
    candidate: tuple[SeedRun, ...] = Field(description="fresh seeds of this recipe, all of them")
    reference: tuple[SeedRun, ...] = Field(description="fresh seeds of the other, all of them")
    difference: float | None = Field(default=None, description="mean over seeds minus that of the other recipe")
    low: float | None = None
    high: float | None = Field(default=None, description="t interval over seeds, at the campaign's confidence")
    p_value: float | None = Field(default=None, description="one-sided, of 'not better'")
    minimum: float | None = Field(default=None, description="worst fresh seed: what training once may give")
    seed_spread: float = Field(description="SD between training seeds, evaluation noise included")
    recipe_floor: float = Field(description="SD of the difference of two runs of one recipe")


class MetricShift(Record):
    """The shift of a metric that the hypothesis names, over training seeds: mean of this recipe minus the other's."""

    metric: str
    said: str = Field(description="what was said of it, as a person reads it")
    difference: float | None = Field(description="None where runs of both recipes do not measure it")
    low: float | None = None
    high: float | None = None
    came_true: bool | None = Field(description="None where it was not measured")


class Confirmation(Record):
    """All that was tested of a version after its verdict."""

    version: str
    recipe: RecipeClaim | None = Field(default=None, description="null where no fresh seed was trained")
    prediction: MetricShift | None = Field(default=None, description="the predicted metric over seeds")
    controls: tuple[MetricShift, ...] = Field(default=(), description="what the hypothesis says does not move")
    attribution: Attribution | None = Field(default=None, description="null where the recipe was not tested")
    reasons: list[str] = []
