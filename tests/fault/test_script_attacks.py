"""A trial that reaches for its evaluator, its clock or its score: what is measured is measured outside of it.

Files, links and processes are out of its reach by the sandbox (tests/fault/sandbox/).
"""

import shutil
from pathlib import Path

import pytest

from evotrainer.domains.script.trial import Measured, read_task, run_trial
from tests.script_folder import originals, small_copy

SCORE = """
def _score():
    import json, os, sys
    print("bits_per_byte: 0.001")
    sys.stderr.write("score 0.001")
    line = json.dumps({"outcome": "ok", "score": 0.001, "value": 0.001, "cpu_seconds": 0.0}).encode()
    for number in range(3, 12):
        try:
            os.write(number, line + b"\\n")
        except OSError:
            pass
"""

PATCHES = """
def _patch():
    import builtins, math, resource, time
    for module, names in ((time, ("time", "perf_counter", "process_time", "monotonic", "thread_time")),
                          (resource, ("getrusage",))):
        for name in names:
            setattr(module, name, lambda *given: 0.0)
    np.log2 = np.exp2 = np.allclose = lambda *given, **more: 0
    np.array = lambda *given, **more: np.zeros(1)
    builtins.float = lambda *given: 0.001
    builtins.len = lambda *given: 1
    math.log2 = lambda *given: 0
"""

TRAIN = """
_train = train
def train(text):
    found = _train(text)
    {call}
    return found
"""
ANSWER = """
_answer = answer
def answer(artifact, question):
    found = _answer(artifact, question)
    {call}
    return found
"""

BURNS = """
def _burn(seconds):
    import resource
    started = resource.getrusage(resource.RUSAGE_SELF)
    while True:
        used = resource.getrusage(resource.RUSAGE_SELF)
        if used.ru_utime + used.ru_stime - started.ru_utime - started.ru_stime > seconds:
            return
"""


@pytest.fixture(scope="module")
def task_folder(tmp_path_factory) -> Path:
    return small_copy(tmp_path_factory.mktemp("script") / "task", 400, STEPS=10, BATCH=16, HIDDEN=8)


@pytest.fixture(scope="module")
def honest(task_folder: Path) -> Measured:
    return run_trial(originals(task_folder), {}, read_task(task_folder))


@pytest.fixture
def folder(task_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(task_folder, tmp_path / "task"))


def attacked(folder: Path, added: str) -> Measured:
    before, task = originals(folder), read_task(folder)
    return run_trial(before, {task.train: before[task.train] + added}, task)


def test_a_score_that_a_trial_writes_is_not_read(folder, honest):
    found = attacked(folder, SCORE + TRAIN.format(call="_score()"))
    assert found.score in (honest.score, None) and found.numbers.get("train_seconds", 1) > 0
    found = attacked(folder, SCORE + ANSWER.format(call="_score()"))
    assert found.score in (honest.score, None)


@pytest.mark.parametrize("place_of_attack", [TRAIN, ANSWER], ids=["train", "answer"])
def test_patches_stay_in_the_process_that_made_them(folder, honest, place_of_attack):
    found = attacked(folder, PATCHES + place_of_attack.format(call="_patch()"))
    assert found.score in (honest.score, None)


def test_processor_time_is_read_outside_whatever_the_script_says_of_its_clock(folder):
    call = "_burn(0.3); _patch(); _score()"
    found = attacked(folder, BURNS + PATCHES + SCORE + TRAIN.format(call=call))
    assert found.numbers["train_seconds"] > 0.3
    (folder / "script.yaml").write_text(
        (folder / "script.yaml").read_text().replace("train_seconds: 6.0", "train_seconds: 0.5")
    )
    in_thread = "import threading; t = threading.Thread(target=_burn, args=(5,)); t.start(); t.join()"
    found = attacked(folder, BURNS + TRAIN.format(call=in_thread))
    assert found.label == "train_budget_overrun", found


def test_nothing_goes_from_training_to_an_answer_beside_the_artifact(folder, honest):
    places = "['kept', '/tmp/evotrainer_kept', '/dev/shm/evotrainer_kept', '/var/tmp/evotrainer_kept']"
    writes = f"""
def _keep():
    import os
    np.kept = os.environ["KEPT"] = "weights"
    for path in {places}:
        try:
            open(path, "w").write("weights" * 1000)
        except OSError:
            pass

def _found():
    import os
    return hasattr(np, "kept") or "KEPT" in os.environ or any(map(os.path.exists, {places}))
"""
    call = "assert not _found(), 'kept'; _keep()"
    found = attacked(folder, writes + TRAIN.format(call=call) + ANSWER.format(call=call))
    assert (found.label, found.score) == (honest.label, honest.score)
    assert not Path("/tmp/evotrainer_kept").exists()


def test_an_artifact_without_end_is_no_score(folder):
    assert attacked(folder, "\ndef train(text):\n    return 'x' * 40_000_000\n").score is None
    assert (
        attacked(folder, "\ndef train(text):\n    found = []\n    found.append(found)\n    return found\n").score
        is None
    )
