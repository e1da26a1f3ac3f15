"""Hill climbing over a script: one edit a trial, kept where it beats the best by more than the noise floor.

    runs/NAME/work/        the best script, once the run ends       trials/NAME/   the records

docs/search.md says what a trial is and when an edit is kept.
"""

import json
import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Protocol

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.seeds import derive_seed
from evotrainer.campaign.trials import sign_of, stored_trials
from evotrainer.config import content_hash
from evotrainer.domains.script.trial import Measured, ScriptTask, numbers_in, read_task, run_trial, with_number
from evotrainer.errors import InterventionError, LineageError
from evotrainer.records import HIDDEN_LABELS, Trial, TrialSet

REPEATS = 4
PRIOR_HIT, PRIOR_TRIALS = 0.25, 4.0
"""Of the rules' probability: agents' signs came true in 6 to 26% of real trials (arXiv 2605.05724)."""
EXPECTED = 0.02
"""Share of the score by which the rules expect an edit to improve it."""


@dataclass(frozen=True)
class Edit:
    """New texts of editable files, with the change of the score that its author expects, signed as it is written."""

    texts: Mapping[str, str]
    change: str
    hypothesis: str
    expected: float
    probability: float
    author: str


class Editor(Protocol):
    """An author of edits."""

    def next_edit(self, run: "ScriptSearch") -> Edit | None:
        """Return the next edit of the best script; None where there is nothing left to try."""
        ...


class ScriptSearch:
    """A run over one script; `root` is the checkout. Raises LineageError for a name that belongs to another script."""

    def __init__(self, root: Path, folder: Path, name: str) -> None:
        self.task: ScriptTask = read_task(folder)
        self._document, self._name = stored_trials(root, name), name
        self.folder, self._work = root / "runs" / name, root / "runs" / name / "work"
        self.originals = {path: (folder / path).read_text(encoding="utf-8") for path in self.task.files}
        self.best = {path: self.originals[path] for path in self.task.editable}
        self.trials: list[Trial] = []
        self.noise_floor = 0.0
        self._tried: dict[str, str] = {}
        if self._document.exists():
            found = self._document.read()
            if found.sha256 != content_hash(self.originals):
                raise LineageError(f"trials/{name} is of another script: choose another name with --name")
            self.noise_floor = found.noise_floor or 0.0
            for trial in found.trials:
                self._learn(trial)

    def run(self, num_trials: int, editor: Editor, tell: Callable[[Trial], None] = lambda trial: None) -> TrialSet:
        """Run the baseline and this many trials, or until the editor has nothing left to try; return the records."""
        if not self.trials:
            self._record(self._baseline(), tell)
        while len(self.trials) <= num_trials and (edit := editor.next_edit(self)) is not None:
            self.check(edit.texts)
            self._record(self._outcome(edit), tell)
        for name, text in {**self.originals, **self.best}.items():
            write_atomic(self._work / name, text)
        return self._document.read()

    @property
    def leader(self) -> Trial:
        """The best trial."""
        return next(trial for trial in reversed(self.trials) if trial.label in ("keep", "baseline"))

    def check(self, texts: Mapping[str, str]) -> None:
        """Raise InterventionError unless `texts` change editable files of the best script into one that is new."""
        for name in texts.keys() - set(self.task.editable):
            known = "protected" if name in self.task.files else "no file of this script"
            raise InterventionError(f"{name!r} is {known}: edit {', '.join(self.task.editable)}")
        if all(self.best[name] == text for name, text in texts.items()):
            raise InterventionError("the edit changes nothing")
        if twin := self._tried.get(content_hash({**self.best, **texts})):
            raise InterventionError(f"trial {twin} had exactly this script")

    def _baseline(self) -> Trial:
        """Return the unedited script's trial; measures the noise floor on its repeats."""
        source = self.best[self.task.train]
        seeded = [{self.task.train: with_number(source, self.task.seed, seed)} for seed in range(REPEATS)]
        found = [self._measured(texts) for texts in seeded]
        valid = [one.score for one in found if one.score is not None and one.label == "discard"]
        if len(valid) < 2:
            raise LineageError(f"the unedited script ends as {found[0].label} ({found[0].notes}): mend it first")
        self.noise_floor = math.sqrt(2) * statistics.stdev(valid)
        first = self._measured({})
        texts = json.dumps(self.best)
        return Trial(
            trial_id="000",
            specialist="baseline",
            label="baseline",
            score=first.score,
            numbers=first.numbers,
            snapshot=texts,
        )

    def _outcome(self, edit: Edit) -> Trial:
        found, best = self._measured(edit.texts), self.leader
        delta = None if found.score is None else found.score - (best.score or 0.0)
        is_valid = delta is not None and found.label == "discard"
        is_kept = is_valid and sign_of(self.task.better) * (delta or 0.0) > self.noise_floor
        is_decided = delta is not None and abs(delta) >= self.noise_floor and edit.expected != 0
        return Trial(
            trial_id=f"{len(self.trials):03d}",
            specialist=edit.author,
            label="keep" if is_kept else found.label,
            parents=[best.trial_id],
            against=best.trial_id,
            hypothesis=edit.hypothesis,
            expected=edit.expected,
            probability=edit.probability,
            score=found.score,
            delta=delta,
            hit=(delta or 0.0) * edit.expected > 0 if is_decided else None,
            change=edit.change,
            numbers=found.numbers,
            snapshot=json.dumps({**self.best, **edit.texts}),
            notes=found.notes,
        )

    def _measured(self, texts: Mapping[str, str]) -> Measured:
        return run_trial(self.originals, {**self.best, **texts}, self.task)

    def _record(self, trial: Trial, tell: Callable[[Trial], None]) -> None:
        self._learn(trial)
        self._document.write(
            TrialSet(
                name=self._name,
                source=self.task.train,
                sha256=content_hash(self.originals),
                score_name=self.task.score,
                better=self.task.better,
                trials=list(self.trials),
                noise_floor=self.noise_floor,
            )
        )
        tell(trial)

    def _learn(self, trial: Trial) -> None:
        """Remember a trial's script: as tried, and as the best one where it was kept."""
        texts = json.loads(trial.snapshot)
        self.trials.append(trial)
        if trial.label not in HIDDEN_LABELS:
            self._tried[content_hash(texts)] = trial.trial_id
        if trial.label in ("keep", "baseline"):
            self.best = texts


@dataclass(frozen=True)
class RulesEditor:
    """Edits one number a trial by a factor of two; `seed` orders those that were never tried.

    A number whose last step was kept is moved on in that direction; untried numbers come first.
    """

    seed: int = 0

    def next_edit(self, run: ScriptSearch) -> Edit | None:
        """Return the next number of the best script's, as an edit of its text."""
        source = run.best[run.task.train]
        step = next_step(run.task, numbers_in(source, list(run.task.numbers)), run.trials, self.seed)
        if step is None:
            return None
        name, old, new = step
        change = f"{name} {old!r} -> {new!r}"
        hits = [trial.hit for trial in run.trials if trial.hit is not None]
        return Edit(
            texts={run.task.train: with_number(source, name, new)},
            change=change,
            hypothesis=f"if {change} then {run.task.score} improves by {EXPECTED:.0%}",
            expected=round(sign_of(run.task.better) * EXPECTED * abs(run.leader.score or 0.0), 6),
            probability=round((PRIOR_TRIALS * PRIOR_HIT + sum(hits)) / (PRIOR_TRIALS + len(hits)), 3),
            author="rules",
        )


def next_step(
    task: ScriptTask, numbers: Mapping[str, float], trials: Sequence[Trial], seed: int
) -> tuple[str, float, float] | None:
    """Return (number, old, new) of the next edit; None where everything near was tried."""
    known = [trial.change for trial in trials if trial.label not in HIDDEN_LABELS]
    last = next((trial.change.split() for trial in reversed(trials) if trial.label == "keep"), [])
    rng, possible = Random(derive_seed(seed, "script_edit", len(trials))), []
    for name, (low, high) in task.numbers.items():
        for ratio in (2.0, 0.5):
            old = numbers[name]
            new = min(max(old * ratio, low), high)
            new = round(new) if isinstance(old, int) else float(f"{new:.4g}")
            if new != old and name != task.seed and f"{name} {old!r} -> {new!r}" not in known:
                goes_on = last[:1] == [name] and (float(last[3]) > float(last[1])) == (new > old)
                count = sum(change.startswith(f"{name} ") for change in known)
                possible.append(((not goes_on, count, rng.random()), (name, old, new)))
    return min(possible)[1] if possible else None
