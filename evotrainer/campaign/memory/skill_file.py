"""SKILL.md: the front matter is the skill, the prose under it is rendered from it for a person.

The prose is never read back and is rewritten with every trial, so both agree.
"""

from pathlib import Path

import yaml
from pydantic import ValidationError

from evotrainer.campaign.atomic import write_atomic
from evotrainer.config.plain_yaml import load_yaml
from evotrainer.errors import LineageError
from evotrainer.records import Skill, SkillChange

_FENCE = "---\n"


def read_skill(path: Path) -> Skill:
    """Return the skill of a SKILL.md; raises LineageError naming what cannot be read."""
    text = path.read_text(encoding="utf-8")
    parts = text.split(_FENCE, 2)
    if len(parts) != 3 or parts[0]:
        raise LineageError(f"{path} has no front matter between two lines of ---: restore it on branch memory")
    try:
        return Skill.model_validate(load_yaml(parts[1]))
    except (yaml.YAMLError, ValidationError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else str(error).splitlines()[0]
        raise LineageError(f"{path}: {first}; restore it on branch memory") from None


def write_skill(path: Path, skill: Skill) -> None:
    """Write a skill as SKILL.md."""
    write_atomic(path, skill_text(skill))


def skill_text(skill: Skill) -> str:
    """Return a skill as SKILL.md has it."""
    front = yaml.safe_dump(skill.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=110)
    return f"{_FENCE}{front}{_FENCE}{_prose(skill)}"


def _prose(skill: Skill) -> str:
    triggers = [*skill.modes, *(f"{c.metric} {c.operator} {c.value:g}" for c in skill.conditions)]
    trials = [
        f"| {t.campaign} | {t.campaign_seed} | {t.version} | {t.domain} | {t.difference:+.4f} | "
        f"{'invalid' if t.is_invalid else 'success' if t.succeeded else 'failure'} |"
        for t in skill.trials
    ]
    return "\n".join(
        [
            f"\n# {skill.name.replace('-', ' ')}\n",
            f"Standing: {skill.standing}; successes {skill.successes}, failures {skill.failures}.\n",
            f"**Trigger.** {', '.join(triggers) or 'none: it was an exploration'}\n",
            f"**Intervention.** {'; '.join(map(change_text, skill.changes))}\n",
            f"**Why.** {skill.hypothesis}\n",
            f"**Expected.** score {skill.expected_low:+.4f} to {skill.expected_high:+.4f} against the incumbent\n",
            f"**Validation.** {skill.validation}\n",
            f"**Domains.** {', '.join(skill.domains) or 'none that stands'}\n",
            "| campaign | seed | version | domain | difference | outcome |",
            "|---|---|---|---|---|---|",
            *trials,
            "",
        ]
    )


def change_text(change: SkillChange) -> str:
    """Return what a change does, in a few words."""
    return f"{change.key} = {change.value}" if change.ratio is None else f"{change.key} x {change.ratio:g}"
