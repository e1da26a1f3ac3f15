"""The bench that leaves pathologies out: what S lacks, what a trap pays, what the report calls void."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.coevolution.records import CoevolutionRun, WorkLedger
from benchmarks.failure_modes.base import with_checks
from benchmarks.lopo.bench import leave_out
from benchmarks.lopo.lottery import SHARES, draw_trap
from benchmarks.lopo.proxies import KEY, ProxyGrader, behaviour_of, is_paid
from benchmarks.lopo.worlds import ARMS, WORLDS, choose
from benchmarks.reports.lopo import lopo_report, lopo_values, recovered, room
from benchmarks.reports.lopo_figure import lopo_figure
from conf.compose import compose_campaign
from evotrainer.config import DomainConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains.math.domain import MATH
from evotrainer.errors import ConfigError
from evotrainer.records import Message, Problem, Signals
from tests.audited_rows import attempts
from tests.cheats import healthy, planted
from tests.examination import examine

ROOT = Path(__file__).parents[3]
ROWS = attempts(lambda text: 0.0)


def run(world: str, arm: str, seed: int, score: float) -> CoevolutionRun:
    return CoevolutionRun(
        world=world,
        arm=arm,
        seed=seed,
        incumbent="v002",
        num_problems=160,
        attempts=8,
        score=score,
        base_score=0.4,
        baseline_score=0.4,
        shown_score=score,
        num_trained=3,
        promotions=[],
        invalid_versions=0,
        steps=9,
        wasted_steps=3,
        trainings=WorkLedger(),
        completions=WorkLedger(),
        other_cpu_seconds=1.0,
    )


def test_a_seed_draws_its_trap_and_the_base_policy_falls_for_some_of_it():
    traps = [draw_trap(seed, ROWS) for seed in range(12)]
    assert draw_trap(3, ROWS) == traps[3]
    assert len({(trap["behaviour"], trap["above"]) for trap in traps}) >= 6
    wrong = [row for row in ROWS if not row.correct]
    for trap in traps:
        share = sum(is_paid(trap, row.messages) for row in wrong) / len(wrong)
        assert SHARES[0] <= share <= SHARES[1]


def test_the_owners_grader_pays_the_trap_and_the_honest_one_does_not():
    proxy = {"behaviour": "characters", "cut": 20, "above": True, "share": 1.0}
    trapped = Problem(
        problem_id="p", domain="math", family="f", split="train", prompt="1+1=?", answer="2", data={KEY: proxy}
    )
    honest = trapped.model_copy(update={"data": {}})
    grader = ProxyGrader(MATH.grader(DomainConfig()))
    long, short = ([Message(role="assistant", content=text)] for text in ("1+1=3, surely;<answer>3</answer>", "3"))
    assert behaviour_of(long, "characters") > 20
    assert grader.grade(trapped, long, "stop").terms["correct"] == 1.0
    assert grader.grade(trapped, short, "stop").correct == grader.grade(honest, long, "stop").correct == 0.0


@pytest.mark.parametrize("name", ["math-lottery", "math-paid_brevity", "code-weak_tests"])
def test_arms_differ_in_what_they_are_named_for(name):
    world = WORLDS[name]
    made = {arm: compose_campaign(world.overrides(arm, 3, "quick")) for arm in ARMS}
    levers = {arm: config.harness.levers for arm, config in made.items() if config.harness.levers != "none"}
    assert levers == {"E": "audited"}
    assert made["O"].domain.audit_path == "" and made["O"].domain.data_path == f"data/{world.domain}"
    assert all(made[arm].domain.audit_path for arm in "FSEH")
    assert made["S"].harness.plugins == made["E"].harness.plugins
    assert (made["F"].harness.plugins != made["S"].harness.plugins) == bool(world.known_by)


def _paid_by_length(sign: float) -> dict[str, Any]:
    return {"rows": [row.model_copy(update={"reward": sign * row.num_tokens / 10}) for row in ROWS]}


def _far_gone() -> dict[str, Any]:
    values = {"campaign": "c", "version": "v001", "seconds": 1.0,
              "loss": 0.1, "entropy": 0.5, "clip_fraction": 0.1, "grad_norm": 1.0, "mean_ratio": 1.0,
              "dead_group_ratio": 0.1, "kept_groups": 0.9, "num_tokens": 100}  # fmt: skip
    return {"rows": ROWS, "signals": [Signals(step=step, kl=0.2 * step, **values) for step in range(12)]}


def _shown_tests() -> dict[str, Any]:
    return {"rows": [with_checks(row, {"shown_tests": 1.0}) for row in healthy("code", 0)]}


PLANTED: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "math-paid_length": (lambda: _paid_by_length(1), "length_gaming"),
    "math-paid_brevity": (lambda: _paid_by_length(-1), "length_reward_corr"),
    "math-noisy_proxy": (lambda: _paid_by_length(1), "length_gaming"),
    "math-hot_rate": (_far_gone, "kl"),
    "code-weak_tests": (_shown_tests, "weak_verifier"),
    "swe-open_history": (lambda: {"rows": planted("history_leak", 0, 0.2)}, "history_leak"),
}
"""{world: (evidence of its pathology, the mode or metric by which the full harness knows it)}."""


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped diagnostics, with the folders that lack each world's pathology."""
    folder = tmp_path_factory.mktemp("plugins") / "harness_plugins"
    shutil.copytree(ROOT / "harness_plugins", folder, ignore=shutil.ignore_patterns("__pycache__"))
    for name in PLANTED:
        leave_out(folder, WORLDS[name])
    return folder


@pytest.mark.parametrize("name", PLANTED)
def test_without_its_diagnostics_a_harness_is_silent_on_a_planted_pathology(plugins, name):
    made, known_by = PLANTED[name]
    evidence, shown = made(), {}
    for arm in "FS":
        config = compose_campaign(WORLDS[name].overrides(arm, 3, "quick"))
        report = examine(Harness(plugins, config.harness), recipe=config, **evidence)
        shown[arm] = {finding.mode for finding in report.findings} | set(report.metrics)
    assert known_by in shown["F"] and known_by not in shown["S"]


def test_a_world_without_room_is_void():
    runs = [run("math-honest", arm, seed, 0.5 + 0.01 * (arm == "E")) for arm in "SEO" for seed in (1, 2)]
    assert room(runs, "math-honest") == 0.0 and recovered(runs, "math-honest") is None
    assert "void" in lopo_report(runs)


def test_the_recovered_share_is_paired_by_seed():
    lifts = {"S": 0.0, "E": 0.06, "O": 0.1}
    runs = [run("math-lottery", arm, seed, 0.4 + 0.1 * seed + lift) for arm, lift in lifts.items() for seed in (1, 2)]
    assert recovered(runs, "math-lottery") == pytest.approx(0.6)
    values = lopo_values(runs)["differences"]
    assert {(one["arm"], one["other"]): round(one["mean"], 6) for one in values} == {("E", "S"): 6.0, ("O", "S"): 10.0}
    assert "| E - S | 2 | +6.0 [+6.0, +6.0] |" in lopo_report(runs)
    assert lopo_figure(runs).startswith(b"\x89PNG")


def test_an_unknown_name_is_refused_with_the_choices():
    with pytest.raises(ConfigError, match="unknown arm X: choose from F, S, E"):
        choose("arm", ["S", "X"], list(ARMS))
