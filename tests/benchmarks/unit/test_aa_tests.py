"""A/A campaigns: every attempt is dealt once, the product's own rules judge, and counts are what they say."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.aa_tests import policies
from benchmarks.aa_tests.bench import run_aa_tests
from benchmarks.aa_tests.outcomes import AACampaign, AAVersion, aa_table
from benchmarks.aa_tests.pool import AttemptPool
from evotrainer.config import Config, EvaluateConfig
from evotrainer.errors import ConfigError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import SAMPLED_STEP
from evotrainer.records import Trajectory
from tests.plain_records import plain_row

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
            plain_row(problem_id=problem, step=block, attempt=attempt, correct=float(rng.random() < self._rate(index)))
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
    assert {row.step for rows in dealt for row in rows} == {SAMPLED_STEP}, "a gate reads these as one evaluation"


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
        for name in ("greedy", "per-comparison bootstrap"):
            assert not any(version.attempts for version in found[name].versions)
        bootstrap = found["per-comparison bootstrap"]
        assert [v.outcome == "promoted" for v in greedy.versions] == [v.difference > 0 for v in greedy.versions]
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


def test_counts_and_limits() -> None:
    tried = AAVersion(outcome="promoted", difference=0.1, attempts=12)
    screened = AAVersion(outcome="kept", difference=-0.1)
    quiet = [AACampaign(number=number, rule="r", floor=0.1, versions=(screened,)) for number in range(59)]
    assert "| r | 59 | 1 | 0 (0.0%) | 5.0 | 0 | none: screening only |" in aa_table(quiet)
    loud = AACampaign(number=59, rule="r", floor=0.1, versions=(tried,))
    assert "| r | 59 | 1 | 1 (1.7%) | 7.8 | 1 | 1 | 12.0 |" in aa_table([*quiet[1:], loud])


def test_real_policies_fill_pools_that_the_next_run_goes_on_with(digit_settings: list[str], tmp_path: Path) -> None:
    settings = [*digit_settings, "evaluate.attempts=4"]
    out = tmp_path / "aa-tests"
    first = run_aa_tests(tmp_path, settings, 1, out)
    pieces = sorted((out / "attempts").iterdir())
    assert [found.number for found in first if found.rule == policies.GATE] == [0]
    again = run_aa_tests(tmp_path, settings, 2, out)
    grown = sorted((out / "attempts").iterdir())
    assert len({tuple(row.correct for row in Rows.read(path)) for path in grown}) == len(grown) > len(pieces)
    assert again[: len(first)] == first and len(again) == 2 * len(first)
    with pytest.raises(ConfigError, match="holds pools of other settings"):
        run_aa_tests(tmp_path, [*settings, "evaluate.temperature=0.7"], 1, out)
