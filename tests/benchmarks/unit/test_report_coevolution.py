import pytest

from benchmarks.coevolution.records import CoevolutionRun, Promotion, WorkLedger
from benchmarks.reports.coevolution import coevolution_report, coevolution_values
from benchmarks.reports.coevolution_figure import coevolution_figure


def run(world: str, arm: str, seed: int, score: float, wasted: int, *promotions: Promotion) -> CoevolutionRun:
    ledger = WorkLedger(done_tokens=1000, done_cpu_seconds=2.0, reused_tokens=500, reused_cpu_seconds=1.0)
    return CoevolutionRun(
        world=world,
        arm=arm,
        seed=seed,
        incumbent="v002",
        num_problems=100,
        attempts=8,
        score=score,
        base_score=0.4,
        baseline_score=0.5,
        shown_score=score + 0.1,
        num_trained=4,
        promotions=list(promotions),
        invalid_versions=0,
        steps=40,
        wasted_steps=wasted,
        trainings=ledger,
        completions=ledger,
        other_cpu_seconds=3.0,
    )


GOOD = Promotion(version="v001", incumbent="v000", score=0.5, incumbent_score=0.4)
EMPTY = Promotion(version="v002", incumbent="v001", score=0.5, incumbent_score=0.5)
LEAKED = Promotion(version="v002", incumbent="v001", score=0.6, incumbent_score=0.5, invalid_modes=["history_leak"])
RUNS = [
    run("math", "static", 0, 0.61, 10, GOOD),
    run("math", "static", 1, 0.63, 10, GOOD),
    run("math", "hillclimb", 0, 0.60, 30, GOOD, EMPTY),
    run("math", "hillclimb", 1, 0.60, 20, GOOD, LEAKED),
    run("swe", "static", 0, 0.30, 10, GOOD),
]


def test_a_promotion_is_invalid_without_an_honest_gain_or_with_an_invalid_finding():
    assert [promotion.is_invalid for promotion in (GOOD, EMPTY, LEAKED)] == [False, True, True]


def test_arms_are_compared_within_seeds():
    values = coevolution_values(RUNS)
    found = {row["measure"]: row for row in values["differences"]}
    assert {(row["world"], row["arm"], row["other"]) for row in values["differences"]} == {
        ("math", "static", "hillclimb")
    }
    assert found["score"]["mean"] == pytest.approx(2.0) and found["score"]["num_seeds"] == 2
    assert found["invalid_promotions"]["mean"] == -1.0
    assert found["wasted_share"]["mean"] == pytest.approx(-37.5)
    assert len(values["runs"]) == 5


def test_the_tables_hold_every_campaign_and_all_invalid_promotions():
    text = coevolution_report(RUNS)
    assert "| math | static | 2 | 40.0 | 50.0 | 62.0 | 72.0 | 2 | 0 | 20 of 80 (25%) |" in text
    assert "| math | static - hillclimb | 2 | +2.0 [-10.7, +14.7] | -1.0 [-1.0, -1.0] |" in text
    assert "| math | 1 | hillclimb | v002 | 60.0 | 70.0 | 2 of 4 | v002 | 20 of 40 |  |" in text
    assert "| swe | static | 2 (1) | 2 (1) | 3 | 2,000 (1,000) |" in text


def test_the_figure_repeats_byte_for_byte():
    picture = coevolution_figure(RUNS)
    assert picture.startswith(b"\x89PNG") and picture == coevolution_figure(RUNS)
