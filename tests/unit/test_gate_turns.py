"""The arms of a gate take turns within a round, and draw what they would draw one after the other."""

from pathlib import Path

from evotrainer.config import Config, DomainConfig, EngineConfig, EvaluateConfig
from evotrainer.engines import create_rollout_engine
from evotrainer.evidence.rows import Rows
from evotrainer.promotion.checkpoint import ROUND_ATTEMPTS
from evotrainer.records import Problem, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import sample_attempts
from tasks.evaluate.gate import _Arm, _Drawing

CONFIG = Config(
    domain=DomainConfig(data_path="data"),
    engine=EngineConfig(batch_trajectories=16),
    evaluate=EvaluateConfig(attempts=4, max_response_tokens=8),
)
SPEC = VersionSpec(
    campaign="c",
    version="v001",
    generation=1,
    slot=0,
    kind="candidate",
    parents=["v000"],
    incumbent="v000",
    campaign_seed=3,
)


def test_turns_give_the_rows_of_one_draw(tmp_path: Path, digit_policy: Path, digit_problems: list[Problem]) -> None:
    engine, problems = create_rollout_engine(CONFIG, digit_policy), digit_problems[:10]
    arms = (_Arm("candidate", "v001", engine), _Arm("incumbent", "v000", engine))
    drawing = _Drawing(tmp_path, SPEC, CONFIG, problems, arms)
    assert len(drawing._turns()) == 3
    candidate, incumbent = drawing.draw(1)
    identity = EpisodeIdentity("c", "v001", "gate-v001", 3, 1)
    assert list(candidate) == sample_attempts(engine, problems, ROUND_ATTEMPTS, CONFIG, identity)
    assert {row.version for row in incumbent} == {"v000"} and len(incumbent) == 40
    assert len(Rows.read(tmp_path / "candidate")) == 40
