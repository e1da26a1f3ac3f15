"""A training script under search: what is protected, which limits hold, how edits are chosen and kept."""

import json
from pathlib import Path

import pytest
import yaml

from evotrainer.campaign.trials import find_trials
from evotrainer.domains.script.search import RulesEditor, ScriptSearch, next_step
from evotrainer.domains.script.trial import EXAMPLE, numbers_in, read_task, run_trial
from evotrainer.errors import ConfigError, InterventionError, LineageError
from evotrainer.records import Trial
from tests.script_folder import originals, small_copy

pytestmark = pytest.mark.parts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return small_copy(tmp_path / "task", 2000, STEPS=20, BATCH=32)


def change(folder: Path, **limits: float) -> None:
    values = yaml.safe_load((folder / "script.yaml").read_text())
    setting(folder, limits=values["limits"] | limits)


def setting(folder: Path, **values: object) -> None:
    path = folder / "script.yaml"
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | values))


def measured(folder: Path, source: str | None = None):
    edited = {} if source is None else {"train.py": source}
    return run_trial(originals(folder), edited, read_task(folder))


def test_a_trial_is_measured_from_outside(folder):
    found = measured(folder)
    assert found.label == "discard"
    assert 3 < found.score < 6
    assert found.numbers["artifact_bytes"] > 1000
    assert 0 < found.numbers["train_seconds"] < 6
    assert measured(folder).score == found.score


def test_a_protected_file_cannot_be_edited(folder):
    before, task = originals(folder), read_task(folder)
    edited = {"evaluate.py": "def score(answers, text):\n    return 0.0\n", "text/held.txt": "aaaa"}
    assert run_trial(before, edited, task).score == run_trial(before, {}, task).score > 3


@pytest.mark.parametrize(
    ("limits", "edit", "label"),
    [
        ({"artifact_bytes": 500}, "", "size_blocked"),
        ({"worst_score": 1.0}, "", "disqualified"),
        ({"train_seconds": 1.0}, "def train(text):\n    while True: pass\n", "train_budget_overrun"),
        ({"eval_seconds": 1.0}, "def answer(a, c):\n    while True: pass\n", "eval_budget_overrun"),
        ({}, "def train(text):\n    raise RuntimeError('nan')\n", "crash"),
        ({}, "def answer(a, c):\n    return np.zeros((len(c), 128)).tolist()\n", "crash"),
        ({}, "def train(text:\n", "preflight_crash"),
    ],
)
def test_a_broken_limit_has_its_own_label(folder, limits, edit, label):
    change(folder, **limits)
    found = measured(folder, (folder / "train.py").read_text() + "\n\n" + edit)
    assert found.label == label
    assert found.score is None or label == "disqualified"


@pytest.mark.slow
def test_a_run_keeps_what_beats_the_noise_and_every_edit_is_recorded(folder, tmp_path):
    told: list[Trial] = []
    search = ScriptSearch(tmp_path, folder, "quick")
    found = search.run(3, RulesEditor(1), told.append)
    assert told == found.trials == find_trials(tmp_path, "quick").trials
    assert [trial.trial_id for trial in found.trials] == [f"{n:03d}" for n in range(4)]
    assert search.noise_floor > 0
    for trial in found.trials[1:]:
        is_better = trial.delta is not None and -trial.delta > search.noise_floor
        assert (trial.label == "keep") == is_better
        assert trial.numbers["artifact_bytes"] > 0
        assert json.loads(trial.snapshot).keys() == {"train.py"}
    best = [trial for trial in found.trials if trial.label in ("keep", "baseline")][-1]
    numbers = numbers_in((tmp_path / "runs" / "quick" / "work" / "train.py").read_text(), ["STEPS"])
    assert numbers["STEPS"] > 0 and found.trials[-1].against in (best.trial_id, best.parents[0] if best.parents else "")
    again = ScriptSearch(tmp_path, folder, "quick")
    assert again.run(3, RulesEditor(1)) == found
    with pytest.raises(InterventionError, match="exactly this script"):
        again.check(json.loads(found.trials[1].snapshot))
    change(folder, eval_seconds=3.0)
    with pytest.raises(LineageError, match="--name"):
        ScriptSearch(tmp_path, folder, "quick")


def test_an_edit_that_paid_is_gone_on_with_and_none_is_repeated(folder):
    task = read_task(folder)
    numbers = numbers_in((folder / "train.py").read_text(), list(task.numbers))
    name, old, new = next_step(task, numbers, [], seed=0)
    kept = Trial(trial_id="001", specialist="rules", label="keep", change=f"{name} {old!r} -> {new!r}")
    after = next_step(task, numbers | {name: new}, [kept], seed=0)
    assert after[0] == name and (after[2] > after[1]) == (new > old)
    lost = kept.model_copy(update={"label": "harness_abort", "hit": None})
    assert next_step(task, numbers, [lost], seed=0) is not None


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda folder: (folder / "script.yaml").unlink(), "No such file"),
        (lambda folder: (folder / "script.yaml").write_text("train: train.py\n"), "evaluate: Field required"),
        (lambda folder: setting(folder, editable=["train.py", "./evaluate.py"]), "evaluate.py is protected"),
        (lambda folder: setting(folder, editable=["train.py", "../other.py"]), "'../other.py' lies outside"),
        (lambda folder: setting(folder, evaluate="/etc/hostname"), "'/etc/hostname' lies outside"),
        (lambda folder: change(folder, train_seconds=-1), "limits.train_seconds: Input should be greater than 0"),
        (lambda folder: setting(folder, numbers={"STEPS": [9, 1]}), "numbers.STEPS: 9 to 1 is no range"),
        (lambda folder: (folder / "text" / "held.txt").write_bytes(b"\xff"), "codec can't decode"),
        (lambda folder: (folder / "train.py").write_text("STEPS = 1\n"), "sets no number CONTEXT"),
        (lambda folder: (folder / "evaluate.py").unlink(), "evaluate.py"),
    ],
)
def test_a_folder_that_is_no_task_is_refused_in_one_line(folder, damage, told):
    damage(folder)
    with pytest.raises(ConfigError, match=told) as error:
        read_task(folder)
    assert "\n" not in json.dumps(str(error.value)).strip('"')


@pytest.mark.parametrize("name", ["../outside", "A B", ""])
def test_a_name_that_is_no_folder_is_refused_before_anything_is_written(tmp_path, name):
    root = tmp_path / "checkout"
    with pytest.raises(LineageError, match="cannot name a lineage"):
        ScriptSearch(root, EXAMPLE, name)
    assert list(tmp_path.iterdir()) == []
