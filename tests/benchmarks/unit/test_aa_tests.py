"""A/A campaigns: every attempt is dealt once, the product's own rules judge, and counts are what they say."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.aa_tests import policies, recipes
from benchmarks.aa_tests.bench import read_aa_tests, run_aa_tests
from benchmarks.aa_tests.outcomes import AACampaign, AAVersion, count
from benchmarks.aa_tests.pool import AttemptPool, read_rows, store_rows, stored_row
from benchmarks.aa_tests.report import aa_table
from evotrainer.config import Config, EvaluateConfig
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.promotion.gates.recipe import RecipeDesign
from evotrainer.records import Problem, Trajectory

PROBLEMS = [f"p{index:02d}" for index in range(24)]
CONFIG = Config(evaluate=EvaluateConfig(bootstrap_samples=500), num_versions=4)


class Sampler:
    """A policy that solves every problem at its own rate; `sampled` are the blocks that were asked of it."""

    def __init__(self, attempts: int, rate: float | None = None) -> None:
        self.attempts, self.rate = attempts, rate
        self.sampled: list[int] = []

    def __call__(self, block: int) -> list[Trajectory]:
        self.sampled.append(block)
        rng = np.random.default_rng([7, block])
        return [
            stored_row(problem, attempt, float(rng.random() < self._rate(index)), None)
            for index, problem in enumerate(PROBLEMS)
            for attempt in range(self.attempts)
        ]

    def _rate(self, index: int) -> float:
        return (index + 1) / (len(PROBLEMS) + 1) if self.rate is None else self.rate


def correct(rows: Sequence[Trajectory], problem: str) -> list[float | None]:
    return [row.correct for row in rows if row.problem_id == problem]


def test_attempts_are_dealt_once_and_in_order_over_blocks(tmp_path: Path) -> None:
    sampler = Sampler(10)
    pool = AttemptPool(tmp_path, sampler)
    dealt = [pool.deal(attempts) for attempts in (4, 8, 8)]
    assert [sorted({row.attempt for row in rows}) for rows in dealt] == [list(range(4)), list(range(8)), list(range(8))]
    blocks = [Sampler(10)(block) for block in (0, 1)]
    for problem in PROBLEMS:
        assert sum((correct(rows, problem) for rows in dealt), []) == sum(
            (correct(rows, problem) for rows in blocks), []
        )
    assert (sampler.sampled, pool.dealt) == ([0, 1], 20)


def test_a_run_that_was_cut_short_samples_only_what_is_missing(tmp_path: Path) -> None:
    AttemptPool(tmp_path, Sampler(10)).deal(15)
    again = Sampler(10)
    AttemptPool(tmp_path, again).deal(25)
    assert again.sampled == [2]


def test_a_damaged_block_is_named(tmp_path: Path) -> None:
    (tmp_path / "attempts-00000.parquet").write_bytes(b"half a file")
    with pytest.raises(EvidenceError, match="attempts-00000.parquet cannot be read .* delete it"):
        AttemptPool(tmp_path, Sampler(4)).deal(1)
    store_rows(tmp_path / "attempts-00000.parquet", Sampler(4)(0)[:-1])
    with pytest.raises(EvidenceError, match="lacks attempts at some problems"):
        AttemptPool(tmp_path, Sampler(4)).deal(1)


def test_lost_attempts_stay_lost(tmp_path: Path) -> None:
    rows = [stored_row("p", 0, None, "SandboxError"), stored_row("p", 1, 1.0, None)]
    store_rows(tmp_path / "rows.parquet", rows)
    assert [(row.correct, row.error) for row in read_rows(tmp_path / "rows.parquet")] == [
        (None, "SandboxError"),
        (1.0, None),
    ]


def test_every_rule_judges_the_same_screening_attempts_and_the_gate_alone_draws(tmp_path: Path) -> None:
    pool = AttemptPool(tmp_path, Sampler(64))
    before, attempts = 0, CONFIG.evaluate.attempts
    for number in range(6):
        found = {campaign.rule: campaign for campaign in policies.hold_campaign(pool.deal, CONFIG, number)}
        assert list(found) == list(policies.RULES)
        gate, greedy = found["checkpoint gate"], found["greedy"]
        fresh = sum(2 * version.attempts for version in gate.versions)
        assert pool.dealt - before == (2 + CONFIG.num_versions) * attempts + fresh
        before = pool.dealt
        assert gate.versions[0].difference == greedy.versions[0].difference
        for version in gate.versions:
            assert (version.attempts > 0) == (version.difference > 0)
        for name in ("greedy", "fixed margin 1f", "per-comparison bootstrap"):
            assert not any(version.attempts for version in found[name].versions)
        margin, bootstrap = found["fixed margin 1f"], found["per-comparison bootstrap"]
        assert [v.outcome == "promoted" for v in greedy.versions] == [v.difference > 0 for v in greedy.versions]
        assert [v.outcome == "promoted" for v in margin.versions] == [
            v.difference > margin.floor for v in margin.versions
        ]
        assert all(v.difference > bootstrap.floor for v in bootstrap.versions if v.outcome == "promoted")


def test_a_better_version_would_be_promoted_so_that_a_null_can_fail(tmp_path: Path) -> None:
    """The campaign is held by rules that can promote: versions from a better policy are."""
    weak, strong = AttemptPool(tmp_path / "weak", Sampler(64, 0.3)), AttemptPool(tmp_path / "strong", Sampler(64, 0.8))
    calls = iter([weak, weak, *[strong] * CONFIG.num_versions])

    def deal(attempts: int) -> list[Trajectory]:
        return next(calls, strong if attempts == CONFIG.evaluate.attempts else next(arms)).deal(attempts)

    arms = iter([strong, weak] * 1000)
    gate = policies.hold_campaign(deal, CONFIG, 0)[0]
    assert gate.versions[0].outcome == "promoted" and gate.promotions >= 1


def replicates(number: int, spread: float, seed: int = 0) -> list[recipes.Replicate]:
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(number):
        rate = float(np.clip(rng.normal(0.5, spread), 0.05, 0.95))
        rows = [
            stored_row(problem, attempt, float(rng.random() < rate), None)
            for problem in PROBLEMS
            for attempt in range(8)
        ]
        made.append(recipes.Replicate(rows, float(np.mean([row.correct for row in rows]))))
    return made


def test_a_campaign_of_recipes_takes_each_replicate_at_most_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made, design = replicates(36, 0.05), RecipeDesign(alpha=0.0125)
    seen: list[recipes.Division] = []
    single_seed = recipes._single_seed

    def noted(rule: str, division: recipes.Division, config: Config, number: int) -> AACampaign:
        seen.append(division)
        return single_seed(rule, division, config, number)

    monkeypatch.setattr(recipes, "_single_seed", noted)
    for number in range(8):
        gate, *others = recipes.hold_campaign(made, CONFIG, number, design)
        assert [found.rule for found in others] == list(recipes.RULES)
        assert all(version.runs in (0, 2, 6) for version in gate.versions)
        assert {version.outcome for version in gate.versions} <= {"screened", "futile", "proven", "unproven"}
    for division in seen:
        parts = [*division.incumbent, *division.screens, *division.fresh]
        assert len({id(replicate) for replicate in parts}) == len(parts) == 36
        assert (len(division.incumbent), len(division.screens)) == (8, 4)
    assert len({tuple(id(replicate) for replicate in division.incumbent) for division in seen}) == 8


def test_too_few_replicates_are_refused_with_what_is_needed() -> None:
    with pytest.raises(ConfigError, match="4 versions may take 36 replicates, there are 35"):
        recipes.hold_campaign(replicates(35, 0.05), CONFIG, 0, RecipeDesign())


def test_counts_and_limits() -> None:
    tried = AAVersion(outcome="promoted", difference=0.1, fresh=0.02, attempts=12)
    screened = AAVersion(outcome="kept", difference=-0.1)
    quiet = [AACampaign(kind="policy", number=n, rule="r", floor=0.1, versions=(screened,)) for n in range(58)]
    none = count([*quiet, quiet[0]])
    assert none.with_any == 0 and none.upper_limit == pytest.approx(1 - 0.05 ** (1 / 59)) and none.upper_limit < 0.05
    loud = AACampaign(kind="policy", number=58, rule="r", floor=0.1, versions=(tried,))
    one = count([*quiet, loud])
    assert (one.with_any, one.promotions, one.tried, one.attempts) == (1, 1, 1, 12.0)
    assert 0.05 < one.upper_limit < 0.09


def test_the_table_has_a_row_a_rule(tmp_path: Path) -> None:
    pool = AttemptPool(tmp_path, Sampler(64))
    held = [found for number in range(3) for found in policies.hold_campaign(pool.deal, CONFIG, number)]
    held += recipes.hold_campaign(replicates(36, 0.05), CONFIG, 0, RecipeDesign())
    table = aa_table(held)
    assert table.count("\n") == 2 + len(policies.RULES) + 1 + len(recipes.RULES)
    assert "| same policy | checkpoint gate | 3 | 4 |" in table
    assert "| other seeds of one recipe | recipe gate | 1 | 4 |" in table
    stored = [AACampaign.model_validate(json.loads(found.model_dump_json())) for found in held]
    assert stored == held


@pytest.fixture
def settings(digit_policy: Path, digit_problems: list[Problem], tmp_path: Path) -> list[str]:
    """Settings of A/A campaigns on the digit policy, whose pieces take a second."""
    folder = tmp_path / "data" / "digits"
    folder.mkdir(parents=True)
    parts = {"train": digit_problems[:50], "probe": digit_problems[50:70], "validation": digit_problems[70:]}
    for split, part in parts.items():
        lines = [
            json.dumps({"id": f"{split}-{p.problem_id}", "problem": p.prompt, "answer": p.answer, "family": p.family})
            for p in part
        ]
        (folder / f"{split}.jsonl").write_text("\n".join(lines))
    return [
        f"policy.path={digit_policy}",
        "domain.data_path=data/digits",
        "engine.device=cpu",
        "num_versions=2",
        "evaluate.max_problems=12",
        "evaluate.max_response_tokens=6",
        "sampling.max_response_tokens=6",
        "budget.train_tokens=400",
        "evaluate.bootstrap_samples=200",
        "evaluate.attempts=4",
        "evaluate.recipe_seeds=2",
    ]


def test_real_policies_fill_pools_that_the_next_run_goes_on_with(settings: list[str], tmp_path: Path) -> None:
    out = tmp_path / "aa-tests"
    run_aa_tests(tmp_path, "policy", settings, 1, 0, out)
    first, pieces = read_aa_tests(out), sorted((out / "policy" / "attempts").iterdir())
    assert [found.number for found in first if found.rule == policies.GATE] == [0]
    stamps = [path.stat().st_mtime_ns for path in pieces]
    run_aa_tests(tmp_path, "policy", settings, 2, 0, out)
    assert [path.stat().st_mtime_ns for path in pieces] == stamps
    grown = sorted((out / "policy" / "attempts").iterdir())
    assert len({tuple(row.correct for row in read_rows(path)) for path in grown}) == len(grown) > len(pieces)
    again = read_aa_tests(out)
    assert again[: len(first)] == first and len(again) == 2 * len(first)


def test_real_replicates_are_trained_once_and_divided_anew(settings: list[str], tmp_path: Path) -> None:
    out = tmp_path / "aa-tests"
    with pytest.raises(ConfigError, match="2 versions may take 9 replicates, there are 8"):
        run_aa_tests(tmp_path, "recipe", settings, 1, 8, out)
    run_aa_tests(tmp_path, "recipe", settings, 5, 9, out)
    pieces = sorted((out / "recipe" / "replicates").iterdir())
    assert len(pieces) == 9 and len({path.read_bytes() for path in pieces}) == 9
    assert {found.rule for found in read_aa_tests(out)} == {recipes.GATE, *recipes.RULES}
    assert not (out / "recipe" / "work").exists()


def test_pools_of_other_settings_are_not_mixed(settings: list[str], tmp_path: Path) -> None:
    run_aa_tests(tmp_path, "policy", settings, 1, 0, tmp_path / "aa-tests")
    with pytest.raises(ConfigError, match="holds pools of other settings"):
        run_aa_tests(tmp_path, "policy", [*settings, "evaluate.temperature=0.7"], 1, 0, tmp_path / "aa-tests")
    with pytest.raises(ConfigError, match="unknown A/A test 'both': choose from policy, recipe"):
        run_aa_tests(tmp_path, "both", settings, 1, 0, tmp_path / "aa-tests")
