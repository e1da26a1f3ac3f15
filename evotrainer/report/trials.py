"""A trial lineage as tables: labels by specialist, kept trials, the best chain, the skill of predictions."""

from collections.abc import Sequence
from typing import Any

from evotrainer.campaign.trials.lineage import best_chain, label_counts, leaderboard, noise_bound, tree_lines
from evotrainer.campaign.trials.skill import Skill, skills
from evotrainer.records import TRIAL_LABELS, Trial, TrialSet

SKILL_COLUMNS = ["author", "predictions", "right sign", "95% interval", "slope", "bias", "Brier", "reference", "gap"]
TRIAL_COLUMNS = ["trial", "from", "specialist", "score", "change", "expected", "hypothesis"]
_HYPOTHESIS_CHARS = 90


def skill_row(skill: Skill) -> list[str]:
    """Return one author's cells."""
    right = "-" if skill.accuracy is None else f"{skill.accuracy:.1%} ({skill.hits} of {skill.decided})"
    interval = f"[{skill.low:.1%}, {skill.high:.1%}]" if skill.decided else "-"
    numbers = (skill.slope, skill.bias, skill.brier, skill.reference, skill.gap)
    return [skill.author, str(skill.predictions), right, interval, *map(_number, numbers)]


def label_table(trials: Sequence[Trial]) -> tuple[list[str], list[list[str]]]:
    """Return columns and rows: how many trials of each specialist ended under each label."""
    counts = label_counts(trials)
    labels = list(next(iter(counts.values()), dict.fromkeys(TRIAL_LABELS, 0)))
    rows = [[name, *(str(found[label]) for label in labels)] for name, found in counts.items()]
    total = ["all", *(str(sum(found[label] for found in counts.values())) for label in labels)]
    return ["specialist", *labels], [*rows, total]


def trial_row(trial: Trial, num_chars: int = _HYPOTHESIS_CHARS) -> list[str]:
    """Return one trial's cells, its hypothesis cut to `num_chars`."""
    said = " ".join(trial.hypothesis.split())
    short = said if len(said) <= num_chars else f"{said[: num_chars - 3]}..."
    return [
        trial.trial_id,
        "+".join(trial.parents) or "-",
        trial.specialist,
        "-" if trial.score is None else f"{trial.score:.5f}",
        "-" if trial.delta is None else f"{trial.delta:+.6f}",
        "-" if trial.expected is None else f"{trial.expected:+.6f}",
        short,
    ]


def noise_line(found: TrialSet) -> str:
    """Return what the records say of their noise, in one line: what repeats showed, or a bound."""
    trials = found.trials
    if found.noise_floor is not None:
        return f"noise floor {found.noise_floor:.3g}, measured on repeats"
    bound = noise_bound(trials)
    if bound is None:
        return "noise floor unknown: fewer than five valid trials"
    return (
        f"noise floor at most {bound.value:.3g}, the spread of {bound.num_trials} valid changes (no trial was "
        f"repeated); {bound.kept_below} of {bound.num_kept} kept trials gained less than that"
    )


def trials_data(found: TrialSet) -> dict[str, Any]:
    """Return everything the command shows, as plain values."""
    trials = found.trials
    bound = noise_bound(trials)
    return {
        "name": found.name,
        "source": found.source,
        "sha256": found.sha256,
        "score": found.score_name,
        "better": found.better,
        "num_trials": sum(trial.label != "baseline" for trial in trials),
        "labels": label_counts(trials),
        "keeps": [trial.model_dump(mode="json") for trial in leaderboard(trials, found.better)],
        "best_chain": [trial.trial_id for trial in best_chain(trials, found.better)],
        "noise_floor": found.noise_floor,
        "noise_bound": None if bound is None else vars(bound),
        "skill": [skill.model_dump(mode="json") | {"accuracy": skill.accuracy} for skill in skills(trials)],
        "tree": tree_lines(trials),
        "notes": [note.model_dump(mode="json") for note in found.notes],
    }


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}" if abs(value) < 1 else f"{value:.6g}"
