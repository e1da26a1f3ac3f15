"""The proposal that ends a conversation.

A proposal is a diagnosis and ranked candidates. Each is built by the laws of interventions.py, as every author's is.
Nothing is kept of a list that is followed by another one. A call whose arguments are malformed is refused like a list
of unlawful candidates, and holds no list.

Author, factor, hypothesis, rollback, success and the usual limits are set here: an agent can add conditions, not leave
them out, and cannot write what has a meaning elsewhere (`escalated:`, `skill:`).
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any

from pydantic import Field

from evotrainer.agents.base import ProposalContext
from evotrainer.agents.claude.tools import Arguments, Submission
from evotrainer.agents.rule_table import STILL
from evotrainer.campaign.untrusted import one_line
from evotrainer.config import config_to_dict, flatten
from evotrainer.config.code import CODE_KEYS, reference
from evotrainer.config.factors import Factor
from evotrainer.config.interventions import holds, spell
from evotrainer.config.validation import CHOICES, RANGES
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Condition, Diagnosis, Intervention, Prediction

AUTHOR = "claude"
_SCORE = "score"

Scalar = bool | int | float | str


class CandidateDraft(Arguments):
    """One candidate: if `setting` then the predicted metric moves, because ..."""

    setting: dict[str, Scalar] = Field(default={}, max_length=12, description="new values by key, of one factor")
    code: dict[str, str] = Field(
        default={}, max_length=2, description=f"texts of small Python files by key: {', '.join(CODE_KEYS)}"
    )
    because: str = Field(min_length=10, max_length=600, description="the cause, with the numbers that it rests on")
    prediction: Prediction = Field(description="change of a metric against the incumbent; score is the main one")
    evidence: list[Annotated[str, Field(pattern="^[^:]*$")]] = Field(
        default=[], max_length=10, description="modes of findings that led to it"
    )
    triggers: list[Condition] = Field(
        default=[], max_length=6, description="readings that hold now and call for it; a skill is made of them"
    )
    success: list[Condition] = Field(default=[], max_length=6, description="beside a higher score")
    limits: list[Condition] = Field(default=[], max_length=6, description="beside the usual side effects")
    negative_controls: list[Condition] = Field(default=[], max_length=6, description="what must not move")

    @property
    def values(self) -> dict[str, Scalar]:
        """The setting, with the reference of each text as the value of its key."""
        return {**self.setting, **{key: reference(text) for key, text in self.code.items()}}

    @property
    def files(self) -> dict[str, str]:
        """The texts by reference, as they travel with the intervention."""
        return {reference(text): text for text in self.code.values()}


class ProposeArguments(Arguments):
    """The diagnosis, and candidates in the order in which they deserve to be tried."""

    diagnosis: Diagnosis
    candidates: list[CandidateDraft] = Field(min_length=1, max_length=64)


class Proposals(Submission[ProposeArguments]):
    """What the agent proposed so far: the candidates that stand, in their order, and the diagnosis."""

    name, arguments = "propose", ProposeArguments

    def __init__(self, context: ProposalContext) -> None:
        super().__init__()
        self._context = context
        self.candidates: list[Intervention] = []
        self.diagnosis: Diagnosis | None = None
        self.description = (
            f"Propose up to {context.config.trainer.pool_size} candidates in the order in which they deserve to be "
            "tried, with a diagnosis. Ends the work when all are lawful."
        )

    def take(self, given: ProposeArguments) -> list[str]:
        """Keep the lawful candidates of a list; return the laws that the others break."""
        self.candidates, self.diagnosis, reasons = [], given.diagnosis, []
        for place, draft in enumerate(given.candidates[: self._context.config.trainer.pool_size], start=1):
            try:
                self.candidates.append(built(draft, self._context))
            except ConfigError as error:
                reasons.append(f"candidate {place} ({spelled(draft.values)}): {error}")
        return reasons

    def ending(self) -> str:
        """Return what the model is told at the end."""
        return f"{len(self.candidates)} candidates stand"


def built(draft: CandidateDraft, context: ProposalContext) -> Intervention:
    """Return the intervention of a draft; raises ConfigError with the law that it breaks."""
    _check_metrics(draft, context.reading)
    moved = f"{draft.prediction.metric} moves by {draft.prediction.size:+g}"
    intervention = context.change(
        draft.values,
        author=AUTHOR,
        hypothesis=f"if {spelled(draft.values)} then {moved} because {one_line(draft.because, 600)}",
        prediction=draft.prediction,
        still=STILL,
        success=draft.success,
        limits=draft.limits,
        negative_controls=draft.negative_controls,
        evidence=draft.evidence,
        triggers=draft.triggers,
        files=draft.files,
    )
    context.check(intervention)
    return intervention


def recipe_text(context: ProposalContext) -> str:
    """Return the factors with their keys, present and allowed values, one line each."""
    values = flatten(config_to_dict(context.config))
    return "\n".join(_factor_line(factor, values) for factor in context.factors.values())


def spelled(setting: Mapping[str, Any]) -> str:
    """Return a setting as a person reads it."""
    return one_line(", ".join(f"{key}={value}" for key, value in setting.items()), 200)


def _factor_line(factor: Factor, values: Mapping[str, Any]) -> str:
    keys = ", ".join(f"{key}={values.get(key)}{_allowed(key)}" for key in factor.keys)
    return f"{factor.name} ({factor.family}: {factor.meaning}): {keys}"


def _allowed(key: str) -> str:
    if key in CHOICES:
        return f" of {'/'.join(CHOICES[key])}"
    return f" in [{RANGES[key][0]:g}, {RANGES[key][1]:g}]" if key in RANGES else ""


def _check_metrics(draft: CandidateDraft, reading: Mapping[str, float]) -> None:
    conditions = [*draft.triggers, *draft.success, *draft.limits, *draft.negative_controls]
    for name in [draft.prediction.metric, *(condition.metric for condition in conditions)]:
        if name not in reading and name != _SCORE:
            near = get_close_matches(name, reading, n=3)
            raise InterventionError(f"metric {name!r} is not measured{f': did you mean {near}' if near else ''}")
    for condition in [*draft.triggers, *draft.limits, *draft.negative_controls]:
        if holds(condition, reading) is False:
            now = reading[condition.metric]
            raise InterventionError(f"condition {spell(condition)} does not hold now: it is {now:.4g}")
