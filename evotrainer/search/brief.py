"""What a search tells the agent of one slot: what it may change, whose outcomes it sees, what the lineage says.

The agent's own work stays the same, whoever it is: it proposes from a context that the brief has narrowed
(agents/briefed.py). An agent that reads text finds the same things in `text`.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from evotrainer.campaign.trials.of_versions import trials_of
from evotrainer.campaign.trials.skill import Skill, skills
from evotrainer.config.factors import Factor
from evotrainer.records import HIDDEN_LABELS, Trial, VersionRecord

AUTHOR_SIGN = "@"
"""Separates the agent from the specialist in an author: rules@reward."""


@dataclass(frozen=True)
class Surface:
    """The part of a recipe that one specialist owns."""

    name: str
    meaning: str
    families: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    """Owned by name, whatever their family; a factor that another surface names is not owned by its family."""
    off_limits: frozenset[str] = frozenset()
    """Factors that the specialist must leave alone, although it owns them."""


@dataclass(frozen=True)
class Brief:
    """The search's word to the agent of one slot."""

    rank: int
    """Which of its accepted candidates the slot takes, from 0."""
    surface: Surface | None = None
    """What it may change; None: every factor."""
    visible: frozenset[str] | None = None
    """Versions whose outcomes it sees; None: all."""
    closed: Mapping[str, str] = field(default_factory=dict)
    """Version -> label of those whose direction is closed; see agents/briefed.py."""
    text: str = ""


def owns(surface: Surface, factor: Factor, others: Collection[Surface]) -> bool:
    """Return whether a specialist may change a factor."""
    if factor.name in surface.off_limits:
        return False
    if factor.name in surface.factors:
        return True
    is_named = any(factor.name in other.factors for other in others)
    return factor.family in surface.families and not is_named


def seen_trials(records: Sequence[VersionRecord]) -> list[Trial]:
    """Return the versions as trials, without those that infrastructure ended: agents never see these."""
    return [trial for trial in trials_of(records) if trial.label not in HIDDEN_LABELS]


def skill_text(records: Sequence[VersionRecord]) -> str:
    """Return how often each author's predictions came true, one line an author."""
    return "\n".join(_told(skill) for skill in skills(seen_trials(records)) if skill.decided)


def _told(skill: Skill) -> str:
    told = f"{skill.author}: the sign came true in {skill.hits} of {skill.decided} predictions"
    if skill.gap is not None and skill.brier is not None:
        told += f"; stated probabilities lie {skill.gap:+.2f} from the hit rate (Brier {skill.brier:.3f})"
    return told
