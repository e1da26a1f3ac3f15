"""Hill climbing over a script, in git: one edit a trial, kept where it beats the best by more than the noise floor.

    runs/NAME/work/        a git repository: one commit a trial, so that every edit is a diff; branch `best`
    trials/NAME/           the records, read by `evotrainer trials NAME` like imported ones

The noise floor is the SD of the difference of two repeats of the unedited script under other seeds (`REPEATS`). A run
that was interrupted goes on where it stood: scripts are read back from the commits of their trials.
"""

import math
import statistics
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from evotrainer.campaign.trials.lineage import sign_of
from evotrainer.campaign.trials.store import FOLDER, check_name, stored_trials
from evotrainer.config import content_hash
from evotrainer.domains.script.edits import Edit, Editor, State, check_texts, texts_hash
from evotrainer.domains.script.task import ScriptTask, read_task, with_number
from evotrainer.domains.script.trial import Measured, place, run_trial
from evotrainer.errors import LineageError
from evotrainer.records import HIDDEN_LABELS, Trial, TrialSet

REPEATS = 4


class ScriptSearch:
    """A run over one script. `root` is the checkout whose trials/ and runs/ it writes, not before it runs.

    Raises:
        LineageError: the name cannot be used, or belongs to another script or an imported lineage.

    """

    def __init__(self, root: Path, folder: Path, name: str) -> None:
        self.task: ScriptTask = read_task(folder)
        self.folder = root / "runs" / check_name(name)
        self._document, self._work = stored_trials(root, name), self.folder / "work"
        self._originals = {path: (folder / path).read_text(encoding="utf-8") for path in self.task.files}
        self._best = {path: self._originals[path] for path in self.task.editable}
        self._name, self._trials = name, []
        self._tried: dict[str, str] = {}
        self.noise_floor = 0.0
        self._read()

    def run(self, num_trials: int, editor: Editor, tell: Callable[[Trial], None] = lambda trial: None) -> TrialSet:
        """Run the baseline and this many trials, or until the editor has nothing left to try; return the records."""
        self._open()
        if not self._trials:
            self._record(self._baseline(), tell)
        while len(self._trials) <= num_trials:
            edit = editor.next_edit(self._state())
            if edit is None:
                break
            self._check(edit.texts)
            self._record(self._outcome(edit), tell)
        return self._stored()

    def _state(self) -> State:
        return State(
            task=self.task,
            texts=dict(self._best),
            evaluator=self._originals[self.task.evaluate],
            trials=[trial for trial in self._trials if trial.label not in HIDDEN_LABELS],
            best=self._leader(),
            noise_floor=self.noise_floor,
            check=self._check,
        )

    def _check(self, texts: Mapping[str, str]) -> None:
        check_texts(self.task, self._best, self._tried, texts)

    def _baseline(self) -> Trial:
        """Return the unedited script's trial; measures the noise floor on its repeats."""
        source = self._best[self.task.train]
        scores = [self._measured({self.task.train: with_number(source, self.task.seed, n)}) for n in range(REPEATS)]
        valid = [found.score for found in scores if found.score is not None and found.label == "discard"]
        if len(valid) < 2:
            raise LineageError(f"the unedited script ends as {scores[0].label} ({scores[0].notes}): mend it first")
        self.noise_floor = math.sqrt(2) * statistics.stdev(valid)
        first = self._measured({})
        return Trial(
            trial_id="000",
            specialist="baseline",
            label="baseline",
            score=first.score,
            numbers=first.numbers,
            snapshot=self._commit("000 baseline"),
        )

    def _outcome(self, edit: Edit) -> Trial:
        found, best = self._measured(edit.texts), self._leader()
        sign = sign_of(self.task.better)
        assert best.score is not None
        delta = None if found.score is None else found.score - best.score
        gain = -math.inf if delta is None or found.label != "discard" else sign * delta
        is_decided = delta is not None and abs(delta) >= self.noise_floor and edit.expected != 0
        trial = Trial(
            trial_id=f"{len(self._trials):03d}",
            specialist=edit.author,
            label="keep" if gain > self.noise_floor else found.label,
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
            notes=found.notes,
        )
        snapshot = self._commit(f"{trial.trial_id} {trial.label}: {edit.change}")
        return trial.model_copy(update={"snapshot": snapshot})

    def _leader(self) -> Trial:
        return next(trial for trial in reversed(self._trials) if trial.label in ("keep", "baseline"))

    def _measured(self, texts: Mapping[str, str]) -> Measured:
        self._write({**self._best, **texts})
        return run_trial(self._work, self._originals, self.task)

    def _record(self, trial: Trial, tell: Callable[[Trial], None]) -> None:
        self._trials.append(trial)
        self._learn(trial)
        if trial.label not in ("keep", "baseline"):
            self._write(self._best)
            self._commit(f"{trial.trial_id} taken back")
        self._document.write(self._stored())
        tell(trial)

    def _learn(self, trial: Trial) -> None:
        """Remember a trial's script: as tried, and as the best one where it was kept."""
        texts = {path: self._git("show", f"{trial.snapshot}:{path}") for path in self.task.editable}
        if trial.label not in HIDDEN_LABELS:
            self._tried[texts_hash(texts)] = trial.trial_id
        if trial.label in ("keep", "baseline"):
            self._best = texts

    def _stored(self) -> TrialSet:
        return TrialSet(
            name=self._name,
            source=self.task.train,
            sha256=content_hash(self._originals),
            score_name=self.task.score,
            better=self.task.better,
            trials=list(self._trials),
            noise_floor=self.noise_floor,
        )

    def _read(self) -> None:
        """Read the run that stands under the name, if one does."""
        if not self._document.exists():
            return
        found = self._document.read()
        if found.sha256 != content_hash(self._originals):
            raise LineageError(f"{FOLDER}/{self._name} is of another script: choose another name with --name")
        self._trials, self.noise_floor = list(found.trials), found.noise_floor or 0.0
        for trial in self._trials:
            self._learn(trial)

    def _open(self) -> None:
        """Make the repository of a new run; put the best files in place."""
        if not self._trials:
            self._write(self._originals)
            self._git("init", "--quiet", "--initial-branch=best")
        self._write(self._best)

    def _write(self, texts: Mapping[str, str]) -> None:
        for name, text in texts.items():
            place(self._work, name, text)

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
