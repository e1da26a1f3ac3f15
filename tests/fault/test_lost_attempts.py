"""Attempts that infrastructure loses: drawn again under another replicate, counted, and never scored 0."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from evotrainer.config import Config, DomainConfig, EvaluateConfig
from evotrainer.domains.math.grader import MathGrader
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import RolloutEngine
from evotrainer.errors import GraderError, InfrastructureError
from evotrainer.evidence.score_table import lost_share
from evotrainer.records import Problem, Trajectory, VersionSpec
from evotrainer.rollouts.evaluation import evaluate_policy, graded_table, sampled, score_table

CONFIG = Config(
    domain=DomainConfig(data_path="data"), evaluate=EvaluateConfig(attempts=4, max_problems=12, max_response_tokens=8)
)
SPEC = VersionSpec(
    campaign="c", version="v000", generation=0, slot=0, kind="base", parents=[], incumbent="v000", campaign_seed=3
)


@pytest.fixture(scope="module")
def engine(digit_policy: Path) -> RolloutEngine:
    return create_rollout_engine(CONFIG, digit_policy)


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[int], bool]], None]:
    """Return a function that lets the real grader fail on the calls that it is told."""
    grade = MathGrader.grade

    def use(fails: Callable[[int], bool]) -> None:
        calls = 0

        def flaky(self: MathGrader, *arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if fails(calls - 1):
                raise GraderError("the worker died")
            return grade(self, *arguments)

        monkeypatch.setattr(MathGrader, "grade", flaky)

    return use


def evaluated(engine: RolloutEngine, problems: list[Problem]) -> list[Trajectory]:
    return evaluate_policy(engine, problems[:12], CONFIG, SPEC, "validation")


def test_a_lost_attempt_is_drawn_again_and_stays_counted(
    engine: RolloutEngine, digit_problems: list[Problem], fail: Callable[[Callable[[int], bool]], None]
) -> None:
    whole = evaluated(engine, digit_problems)
    fail(lambda call: call in (0, 5, 48))  # of 48 attempts, then 2 again, the first of which is lost again
    rows = evaluated(engine, digit_problems)
    changed = [(new, old) for new, old in zip(rows, whole, strict=True) if new != old]
    assert [new.trajectory_id for new, _ in changed] == [old.trajectory_id for _, old in changed]
    assert [new.extra["lost"] for new, _ in changed] == [["GraderError"] * 2, ["GraderError"]]
    assert all(new.error is None and new.seed != old.seed for new, old in changed)
    assert score_table(rows).error_share == 0.0
    assert lost_share(rows) == 3 / (len(rows) + 3)
    assert lost_share(whole) == 0.0


def test_what_is_lost_every_time_is_masked_and_never_wrong(
    engine: RolloutEngine, digit_problems: list[Problem], fail: Callable[[Callable[[int], bool]], None]
) -> None:
    fail(lambda call: call >= 44)  # the last problem, whenever it is drawn
    rows = [row for row in evaluated(engine, digit_problems) if row.step == 0]
    lost = [row for row in rows if row.error is not None]
    assert {row.problem_id for row in lost} == {digit_problems[11].problem_id}
    assert all(row.extra["lost"] == ["GraderError"] * 2 and row.correct is None for row in lost)
    table = score_table(rows)
    assert table.ungraded == [digit_problems[11].problem_id]
    assert lost_share(rows) == 12 / (48 + 8)


def test_no_score_stands_on_attempts_of_which_too_many_were_lost(
    engine: RolloutEngine, digit_problems: list[Problem], fail: Callable[[Callable[[int], bool]], None]
) -> None:
    """Lost attempts are drawn again, so every problem has its attempts: the share of draws tells of the loss."""
    fail(lambda call: call == 3)
    rows = evaluated(engine, digit_problems)
    assert graded_table(sampled(rows), CONFIG, "v000").score == score_table(rows).score
    fail(lambda call: call % 8 == 0)
    many = evaluated(engine, digit_problems)
    assert not score_table(many).ungraded
    with pytest.raises(InfrastructureError, match=r"1\d\.\d% of the attempts of v000 were lost, 0 problem"):
        graded_table(sampled(many), CONFIG, "v000")
