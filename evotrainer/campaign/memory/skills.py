"""Skills: how a diff becomes a lesson that applies to another recipe, when it is called for, and what a trial teaches.

A number that was scaled is remembered as a ratio, because each domain has its own scale; anything else as a value. Two
lessons of one factor in one direction are one skill, whose record grows.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.criteria import holds
from evotrainer.config.validation import RANGES, multiplied
from evotrainer.records import Condition, Intervention, Skill, SkillChange, SkillTrial

MAX_RATIO = 8.0
"""Beyond this a step is remembered as a value: it was no step along a scale."""


def changes_of(intervention: Intervention) -> list[SkillChange]:
    """Return an intervention's diff in a form that applies to other recipes."""
    return [_change(key, old, new) for key, (old, new) in sorted(intervention.diff.items())]


def skill_name(factor: str, changes: Sequence[SkillChange]) -> str:
    """Return the name of a lesson: its factor with the direction or value of each change."""
    words = [factor.replace("_", "-").replace("+", "-and-")]
    for change in changes:
        leaf = change.key.rpartition(".")[2].replace("_", "-")
        if change.ratio is not None:
            words.append(f"{leaf}-{'up' if change.ratio > 1 else 'down'}")
        else:
            words.append(f"{leaf}-{change.value}".lower().replace(".", "p").replace("_", "-"))
    return "-".join(words)


def setting_of(skill: Skill, config: Config) -> dict[str, Any]:
    """Return the settings that a skill makes of this recipe."""
    flat = flatten(config_to_dict(config))
    return {
        change.key: change.value if change.ratio is None else multiplied(change.key, flat[change.key], change.ratio)
        for change in skill.changes
        if change.key in flat
    }


def is_called_for(skill: Skill, modes: Iterable[str], reading: Mapping[str, float]) -> bool:
    """Tell whether findings or readings call for a skill; one from an exploration is always tried."""
    if not skill.modes and not skill.conditions:
        return True
    observed = bool(skill.conditions) and all(holds(condition, dict(reading)) for condition in skill.conditions)
    return observed or bool(set(modes) & set(skill.modes))


def native(skills: Sequence[Skill], domain: str) -> list[Skill]:
    """Return the skills that a domain tries first: its own and general ones in good standing, best record first."""
    return _ranked(
        skill
        for skill in skills
        if skill.standing == "general" or (skill.standing == "domain" and domain in skill.domains)
    )


def foreign(skills: Sequence[Skill], domain: str) -> list[Skill]:
    """Return the skills of other domains, which are tried after the domain's own options failed."""
    return _ranked(skill for skill in skills if skill.standing == "domain" and domain not in skill.domains)


def with_trial(skill: Skill, trial: SkillTrial) -> Skill:
    """Return a skill with one more trial; one that may repeat a trial that it knows changes nothing.

    Every draw of a campaign is keyed by its seed and not by its name, so the same outcome in the same domain under the
    same seed may be the same bits again. Another outcome cannot be, and is news.
    """
    if any(_draws(old) == _draws(trial) for old in skill.trials):
        return skill
    return skill.model_copy(update={"trials": [*skill.trials, trial]})


def credence(skill: Skill) -> float:
    """Return the probability that a skill succeeds again: Laplace's rule of succession."""
    return round((skill.successes + 1) / (skill.successes + skill.failures + 2), 3)


def triggers_of(intervention: Intervention) -> tuple[list[str], list[Condition]]:
    """Return the findings and readings that led to an intervention, without names of rules and of earlier versions."""
    return [mode for mode in intervention.evidence if ":" not in mode], intervention.triggers


def _draws(trial: SkillTrial) -> tuple[str, int, bool, bool]:
    return trial.domain, trial.campaign_seed, trial.succeeded, trial.is_invalid


def _change(key: str, old: Any, new: Any) -> SkillChange:
    numbers = all(isinstance(value, int | float) and not isinstance(value, bool) for value in (old, new))
    if numbers and key in RANGES and old > 0 and new > 0 and 1 / MAX_RATIO <= new / old <= MAX_RATIO:
        return SkillChange(key=key, ratio=float(f"{new / old:.4g}"))
    return SkillChange(key=key, value=new)


def _ranked(skills: Iterable[Skill]) -> list[Skill]:
    return sorted(skills, key=lambda skill: (-credence(skill), skill.name))
