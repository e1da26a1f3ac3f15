"""The rules that edit a script's numbers: one number a trial, by a ratio, with a prediction and its probability.

A number whose last step in a direction was kept is moved on; one that failed in a direction is not moved there again
from the same value; untried numbers come first. The probability is the author's hit rate so far, shrunk to a prior;
agents' signs came true in 6 to 26% of real trials (arXiv 2605.05724).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from evotrainer.campaign.seeds import derive_seed
from evotrainer.campaign.trials.lineage import sign_of
from evotrainer.domains.script.edits import Edit, State
from evotrainer.domains.script.task import ScriptTask, numbers_in, with_number
from evotrainer.records import HIDDEN_LABELS, Trial

AUTHOR = "rules"
PRIOR_HIT, PRIOR_TRIALS = 0.25, 4.0
RATIOS = (2.0, 0.5)
EXPECTED = 0.02
"""Share of the score by which an edit is expected to improve it."""


@dataclass(frozen=True)
class RulesEditor:
    """Edits one number at a time; `seed` orders those that were never tried."""

    seed: int = 0

    def next_edit(self, state: State) -> Edit | None:
        """Return the next number of the best script's, as an edit of its text."""
        task, source = state.task, state.texts[state.task.train]
        found = next_number(task, numbers_in(source, list(task.numbers)), state.trials, self.seed)
        if found is None:
            return None
        assert state.best.score is not None
        return Edit(
            texts={task.train: with_number(source, found.name, found.new)},
            change=found.change,
            hypothesis=f"if {found.change} then {task.score} improves by {EXPECTED:.0%}",
            expected=round(sign_of(task.better) * EXPECTED * abs(state.best.score), 6),
            probability=_credence(state.trials),
            author=AUTHOR,
        )


@dataclass(frozen=True)
class NumberEdit:
    """One number and its new value."""

    name: str
    old: float
    new: float

    @property
    def change(self) -> str:
        """The edit in a few words, as it is recorded."""
        return f"{self.name} {self.old!r} -> {self.new!r}"


def next_number(
    task: ScriptTask, numbers: Mapping[str, float], trials: Sequence[Trial], seed: int
) -> NumberEdit | None:
    """Return the next edit of the best script's numbers; None where everything near was tried."""
    known = {trial.change for trial in trials if trial.label not in HIDDEN_LABELS}
    kept = [trial.change.split()[0] for trial in trials if trial.label == "keep"]
    tried = [trial.change.split()[0] for trial in trials if trial.change]
    rng = Random(derive_seed(seed, "script_edit", len(trials)))
    possible = []
    for name in task.numbers:
        for ratio in RATIOS:
            edit = _step(task, name, numbers[name], ratio)
            if name != task.seed and edit is not None and edit.change not in known:
                is_continued = bool(kept) and kept[-1] == name and _goes_on(trials, edit)
                possible.append((not is_continued, tried.count(name), rng.random(), edit))
    return min(possible, key=lambda item: item[:3])[3] if possible else None


def _step(task: ScriptTask, name: str, value: float, ratio: float) -> NumberEdit | None:
    low, high = task.numbers[name]
    new = min(max(value * ratio, low), high)
    new = round(new) if isinstance(value, int) else float(f"{new:.4g}")
    return None if new == value else NumberEdit(name, value, new)


def _goes_on(trials: Sequence[Trial], edit: NumberEdit) -> bool:
    last = next(trial.change for trial in reversed(trials) if trial.label == "keep")
    _, old, _, new = last.split()
    return (float(new) > float(old)) == (edit.new > edit.old)


def _credence(trials: Sequence[Trial]) -> float:
    hits = [trial.hit for trial in trials if trial.hit is not None]
    return round((PRIOR_TRIALS * PRIOR_HIT + sum(hits)) / (PRIOR_TRIALS + len(hits)), 3)
