"""Shared work: what is reused is bit for bit what the campaign would have done itself, and nothing else is reused."""

import json
from pathlib import Path

import pytest

from benchmarks.coevolution.records import WorkLedger
from benchmarks.work_cache.engines import sharing
from benchmarks.work_cache.store import COST, WorkCost, WorkStore
from evotrainer.config import Config, content_hash
from evotrainer.domains.math.grading.grader import MathGrader
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.errors import GraderError, LineageError
from evotrainer.records import Message
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training import train
from evotrainer.training.base import FitResult, TrainingRun


def _config(**options) -> Config:
    config = Config()
    config.sampling.max_response_tokens, config.sampling.problems_per_step = 6, 4
    config.engine.device, config.budget.max_steps = "cpu", 3
    for key, value in options.items():
        group, name = key.split("__")
        setattr(getattr(config, group), name, value)
    return config


def _fit(config: Config, policy: Path, problems, out: Path, **options) -> FitResult:
    arguments = {"campaign": "c", "version": "v001", "seed": 7, "pass_rates": {}, "scratch": out / "scratch"} | options
    return train(TrainingRun(config, policy, problems, out, **arguments))


def _bytes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): content_hash(path.read_bytes().hex())
        for path in sorted(folder.rglob("*"))
        if path.is_file() and "tracking" not in path.parts  # what trackers write has times in it
    }


def _journal(store: WorkStore) -> list[bool]:
    """Return of each piece of work whether it was reused."""
    return [json.loads(line)["reused"] for line in store.journal.read_text().splitlines()]


@pytest.fixture
def store(tmp_path: Path) -> WorkStore:
    return WorkStore(tmp_path / "shared", tmp_path / "journal.jsonl")


def test_a_reused_training_is_what_the_version_would_have_trained(
    digit_policy: Path, digit_problems, tmp_path: Path, store: WorkStore
):
    own = _fit(_config(), digit_policy, digit_problems, tmp_path / "own", campaign="mine", version="v012")
    with sharing(store):
        _fit(_config(), digit_policy, digit_problems, tmp_path / "first")
        reused = _fit(_config(), digit_policy, digit_problems, tmp_path / "reused", campaign="mine", version="v012")
    assert _journal(store) == [False, True]
    assert _bytes(tmp_path / "reused") == _bytes(tmp_path / "own")
    assert (reused.num_steps, reused.num_tokens, reused.policy_hash) == (own.num_steps, own.num_tokens, own.policy_hash)


@pytest.mark.parametrize(
    "changed",
    [
        {"config": _config(algorithm__learning_rate=1e-3)},
        {"config": _config(domain__access="open_history")},
        {"config": _config(budget__max_steps=2)},
        {"seed": 8},
        {"problems": 50},
        {"start": "other"},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_what_decides_a_training_is_in_its_key(
    digit_policy: Path, sharper_policy: Path, digit_problems, tmp_path: Path, store: WorkStore, changed: dict
):
    start = sharper_policy if "start" in changed else digit_policy
    problems = digit_problems[: changed.get("problems", 120)]
    with sharing(store):
        _fit(_config(), digit_policy, digit_problems, tmp_path / "first")
        _fit(changed.get("config", _config()), start, problems, tmp_path / "second", seed=changed.get("seed", 7))
    assert _journal(store) == [False, False]


@pytest.mark.parametrize(("mixture", "reused"), [("uniform", True), ("by_failure", False)])
def test_pass_rates_count_where_the_recipe_reads_them(
    digit_policy: Path, digit_problems, tmp_path: Path, store: WorkStore, mixture: str, reused: bool
):
    config = _config(data__mixture=mixture)
    with sharing(store):
        for name, rate in (("first", 0.1), ("second", 0.9)):
            _fit(config, digit_policy, digit_problems, tmp_path / name, pass_rates={"p000": rate})
    assert _journal(store) == [False, reused]


def test_without_a_store_every_training_is_its_own(
    digit_policy: Path, digit_problems, tmp_path: Path, store: WorkStore
):
    with sharing(store):
        _fit(_config(), digit_policy, digit_problems, tmp_path / "first")
    _fit(_config(), digit_policy, digit_problems, tmp_path / "second")
    assert _journal(store) == [False]


def test_a_damaged_entry_is_named(digit_policy: Path, digit_problems, tmp_path: Path, store: WorkStore):
    with sharing(store):
        _fit(_config(), digit_policy, digit_problems, tmp_path / "first")
        next(store.root.glob(f"trainings/*/{COST}")).write_text("{")
        with pytest.raises(LineageError, match="delete it"):
            _fit(_config(), digit_policy, digit_problems, tmp_path / "second")


def _play(policy: Path, problems, version: str, **identity):
    config = _config()
    rules = EpisodeRules(config.domain, SamplingParams(6), 1, config.reward)
    attempts = [(problem, attempt) for problem in problems[:5] for attempt in range(3)]
    named = EpisodeIdentity("c", version, "validation", **({"campaign_seed": 3} | identity))
    return play_attempts(create_rollout_engine(config, policy), attempts, rules, named)


def test_reused_completions_give_the_rows_that_the_version_would_have_had(
    digit_policy: Path, digit_problems, store: WorkStore
):
    own = _play(digit_policy, digit_problems, "v012")
    with sharing(store):
        _play(digit_policy, digit_problems, "v001")
        assert _play(digit_policy, digit_problems, "v012") == own
    assert _journal(store) == [False, True]


@pytest.mark.parametrize("changed", [{"replicate": 1}, {"step": 1}, {"campaign_seed": 4}])
def test_other_draws_are_sampled(digit_policy: Path, digit_problems, store: WorkStore, changed: dict):
    with sharing(store):
        _play(digit_policy, digit_problems, "v001")
        _play(digit_policy, digit_problems, "v001", **changed)
    assert _journal(store) == [False, False]


def test_another_policy_samples_its_own(digit_policy: Path, sharper_policy: Path, digit_problems, store: WorkStore):
    with sharing(store):
        _play(digit_policy, digit_problems, "v001")
        _play(sharper_policy, digit_problems, "v001")
    assert _journal(store) == [False, False]


def test_attempts_that_infrastructure_lost_are_graded_again(
    digit_policy: Path, digit_problems, store: WorkStore, monkeypatch: pytest.MonkeyPatch
):
    def fail(*_):
        raise GraderError("the worker died")

    with sharing(store):
        with monkeypatch.context() as failing:
            failing.setattr(MathGrader, "grade", fail)
            rows, _ = _play(digit_policy, digit_problems, "v001")
        assert all(row.error for row in rows)
        rows, _ = _play(digit_policy, digit_problems, "v001")
    assert not any(row.error for row in rows)


def test_a_conversation_that_was_cut_short_goes_on_as_if_it_had_not_been(digit_policy: Path, store: WorkStore):
    """The context of an earlier turn is computed again, so that even the last bits of a later one are the same."""
    limits = SamplingParams(3)

    def turns(engine, count: int) -> list:
        prompts, answers = [engine.codec.encode([Message(role="user", content=text)]) for text in ("1", "22")], []
        for turn in range(count):
            answers.append(engine.generate(prompts, limits, [turn, turn + 9]))
            pairs = zip(prompts, answers[-1], strict=True)
            prompts = [[*prompt, *found.token_ids, *prompt[:1]] for prompt, found in pairs]
        return answers

    config = _config()
    own = turns(create_rollout_engine(config, digit_policy), 3)
    with sharing(store):
        turns(create_rollout_engine(config, digit_policy), 2)
        assert turns(create_rollout_engine(config, digit_policy), 3) == own
        assert turns(create_rollout_engine(config, digit_policy), 3) == own
    assert _journal(store) == [False, False, True, True, False, True, True, True]


def test_the_engines_of_the_product_are_back_after_sharing(digit_policy: Path, store: WorkStore):
    plain = type(create_rollout_engine(_config(), digit_policy))
    with sharing(store):
        assert type(create_rollout_engine(_config(), digit_policy)) is not plain
    assert type(create_rollout_engine(_config(), digit_policy)) is plain


def test_a_piece_that_was_done_before_a_kill_is_not_found_again(store: WorkStore):
    store.keep("trainings", "a", WorkCost(1000, 100.0), _nothing)
    assert store.find("trainings", "a") is not None  # the stage runs again
    other = WorkStore(store.root, store.journal.with_name("other.jsonl"))
    assert other.find("trainings", "a") is not None
    assert store.ledgers() == {"trainings": WorkLedger(done_tokens=1000, done_cpu_seconds=100.0)}
    assert other.ledgers() == {"trainings": WorkLedger(reused_tokens=1000, reused_cpu_seconds=100.0)}
    assert (store.done_cpu_seconds(), other.done_cpu_seconds()) == (100.0, 0.0)


def test_who_comes_second_with_the_same_work_leaves_the_first(store: WorkStore):
    def meanwhile(folder: Path) -> None:
        rival = folder.with_name("a")
        rival.mkdir()
        (rival / COST).write_text('{"tokens": 1, "cpu_seconds": 1.0}')

    store.keep("attempts", "a", WorkCost(5, 5.0), meanwhile)
    assert [path.name for path in (store.root / "attempts").iterdir()] == ["a"]
    kept = store.find("attempts", "a")
    assert kept is not None and json.loads((kept / COST).read_bytes())["tokens"] == 1


def _nothing(folder: Path) -> None:
    """Fill an entry with no file."""
