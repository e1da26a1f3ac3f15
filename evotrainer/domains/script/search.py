"""Hill climbing over a script, in git: one edit a trial, kept where it beats the best by more than the noise floor.

    runs/NAME/work/        a git repository: one commit a trial, so that every edit is a diff; branch `best`
    trials/NAME/           the records, read by `evotrainer trials NAME` like imported ones

The noise floor is the SD of the difference of two repeats of the unedited script under other seeds (`REPEATS`).
"""

import math
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

from evotrainer.campaign.trials.store import FOLDER, stored_trials
from evotrainer.domains.script.editor import EXPECTED, Edit, next_edit
from evotrainer.domains.script.task import ScriptTask, numbers_in, read_task, with_number
from evotrainer.domains.script.trial import Measured, run_trial
from evotrainer.errors import LineageError
from evotrainer.records import Trial, TrialSet

REPEATS = 4
SPECIALIST = "rules"


class ScriptSearch:
    """A run over one script. `root` is the checkout whose trials/ and runs/ it writes."""

    def __init__(self, root: Path, folder: Path, name: str, seed: int = 0) -> None:
        self.task: ScriptTask = read_task(folder)
        self._seed, self._document = seed, stored_trials(root, name)
        self._work = root / "runs" / name / "work"
        if self._document.exists() or self._work.exists():
            raise LineageError(f"{FOLDER}/{name} or runs/{name} is there already: choose another name with --name")
        self._originals = {path: (folder / path).read_text(encoding="utf-8") for path in self.task.files}
        self._best = self._originals[self.task.train]
        self._name, self._trials = name, []
        self.noise_floor = 0.0

    def run(self, num_trials: int, tell: Callable[[Trial], None] = lambda trial: None) -> TrialSet:
        """Run the baseline and this many trials, or until nothing near is untried; return the records."""
        self._open_repository()
        self._record(self._baseline(), tell)
        while len(self._trials) <= num_trials:
            numbers = numbers_in(self._best, list(self.task.numbers))
            edit = next_edit(self.task, numbers, self._trials, self._seed)
            if edit is None:
                break
            self._record(self._tried(edit), tell)
        return self._stored()

    def _baseline(self) -> Trial:
        """Return the unedited script's trial; measures the noise floor on its repeats."""
        scores = [self._measured(with_number(self._best, self.task.seed, seed)) for seed in range(REPEATS)]
        valid = [found.score for found in scores if found.score is not None and found.label == "discard"]
        if len(valid) < 2:
            raise LineageError(f"the unedited script ends as {scores[0].label} ({scores[0].notes}): mend it first")
        self.noise_floor = math.sqrt(2) * statistics.stdev(valid)
        first = self._measured(self._best)
        self._commit("000 baseline")
        notes = f"noise floor {self.noise_floor:.4g} over {len(valid)} seeds"
        return Trial(
            trial_id="000",
            specialist="baseline",
            label="baseline",
            score=first.score,
            numbers=first.numbers,
            notes=notes,
        )

    def _tried(self, edit: Edit) -> Trial:
        source = with_number(self._best, edit.name, edit.new)
        found, best = self._measured(source), self._leader()
        sign = 1 if self.task.better == "higher" else -1
        assert best.score is not None
        delta = None if found.score is None else found.score - best.score
        gain = -math.inf if delta is None or found.label != "discard" else sign * delta
        label = "keep" if gain > self.noise_floor else found.label
        trial = Trial(
            trial_id=f"{len(self._trials):03d}",
            specialist=SPECIALIST,
            label=label,
            parents=[best.trial_id],
            against=best.trial_id,
            hypothesis=f"if {edit.change} then {self.task.score} improves by {EXPECTED:.0%}",
            expected=round(sign * EXPECTED * abs(best.score), 6),
            probability=edit.probability,
            score=found.score,
            delta=delta,
            hit=None if delta is None or abs(delta) < self.noise_floor else sign * delta > 0,
            change=edit.change,
            numbers=found.numbers,
            notes=found.notes,
        )
        snapshot = self._commit(f"{trial.trial_id} {label}: {edit.change}")
        if label == "keep":
            self._best = source
        else:
            (self._work / self.task.train).write_text(self._best, encoding="utf-8")
            self._commit(f"{trial.trial_id} taken back")
        return trial.model_copy(update={"snapshot": snapshot})

    def _leader(self) -> Trial:
        return next(trial for trial in reversed(self._trials) if trial.label in ("keep", "baseline"))

    def _measured(self, source: str) -> Measured:
        (self._work / self.task.train).write_text(source, encoding="utf-8")
        return run_trial(self._work, self._originals, self.task)

    def _record(self, trial: Trial, tell: Callable[[Trial], None]) -> None:
        self._trials.append(trial)
        self._document.write(self._stored())
        tell(trial)

    def _stored(self) -> TrialSet:
        return TrialSet(
            name=self._name,
            source=str(self.task.train),
            sha256="",
            score_name=self.task.score,
            better=self.task.better,
            trials=list(self._trials),
        )

    def _open_repository(self) -> None:
        for name, text in self._originals.items():
            path = self._work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self._git("init", "--quiet", "--initial-branch=best")

    def _commit(self, message: str) -> str:
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "--message", message)
        return self._git("rev-parse", "HEAD").strip()

    def _git(self, *words: str) -> str:
        identity = ["-c", "user.name=evotrainer", "-c", "user.email=evotrainer@localhost", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", "-C", str(self._work), *identity, *words], capture_output=True, text=True)
        if done.returncode:
            raise LineageError(f"git {words[0]} failed in {self._work}: {' '.join(done.stderr.split())}")
        return done.stdout
