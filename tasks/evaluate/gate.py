"""Fresh rows: the campaign's noise floor on the base policy, and the gate of every version that passed the screen.

    gate/repeat/                    v000: a second evaluation under seeds of its own
    gate/candidate/  gate/incumbent/   rows of the rounds, one step a round
    gate/WHY                        why no fresh rows were drawn

A gate of greedy answers (evaluate.measure=greedy) reads those of the screening, since fresh ones would be the same.

All rows are kept, not counts alone: a promotion rests on them, so that they can be opened, graded again and queried
like any evidence. The draws have a purpose of their own for each version, so that nothing was ever chosen by them; both
arms share them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from evotrainer.campaign.documents import emptied, emptied_because
from evotrainer.campaign.leak_response import evaluation_of
from evotrainer.config import Config
from evotrainer.engines import policy_path
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.checkpoint import Gate
from evotrainer.promotion.evaluation import Evaluation, why_ungated
from evotrainer.promotion.measures import MEASURES, ROUND_ATTEMPTS
from evotrainer.promotion.rounds import Rows, claim_of, open_gates, run_rounds
from evotrainer.promotion.statistics import PURE_ENGINES, measure_noise
from evotrainer.records import Problem, Trajectory, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import (
    GREEDY_STEP,
    SAMPLED_STEP,
    graded_table,
    open_policy,
    read_evaluation,
    sample_attempts,
)
from evotrainer.search.base import may_be_trained_on
from tasks.inputs import Inputs


def gated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Write gate/, and add what fresh rows show: the noise floor of the base policy, the gate's claim of a version."""
    if inputs.is_base:
        return _base_repeated(inputs, evaluation)
    is_trained_on = may_be_trained_on(inputs.spec, inputs.records, inputs.config)
    if reason := why_ungated(evaluation, inputs.config.evaluate, is_trained_on):
        emptied_because(reason, inputs.own.gate)
        return evaluation
    return _fresh_rounds(inputs, evaluation)


def _base_repeated(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Evaluate the base policy a second time, which gives the campaign's noise floor."""
    spec, config, own = inputs.spec, inputs.config, inputs.own
    identity = EpisodeIdentity(spec.campaign, spec.version, "noise", spec.campaign_seed, SAMPLED_STEP)
    second = sample_attempts(inputs.engine, inputs.problems, config.evaluate.attempts, config, identity)
    table = graded_table(second, config, "the base policy's second evaluation")
    write_rows(emptied(own.gate) / "repeat", SAMPLED_STEP, second)
    measure = MEASURES["mean" if MEASURES[config.evaluate.measure].is_greedy else config.evaluate.measure]
    floor = measure_noise(measure.table(evaluation.rows), measure.joined(table))
    floor = floor.model_copy(update={"attempts": config.evaluate.attempts})
    return replace(evaluation, noise_floor=floor, fresh_rows=second)


def _fresh_rounds(inputs: Inputs, evaluation: Evaluation) -> Evaluation:
    """Draw fresh rounds of both arms until they decide."""
    files, spec, config, own = inputs.files, inputs.spec, inputs.config, inputs.own
    stored, measure = read_evaluation(evaluation_of(files, spec, spec.incumbent)), MEASURES[config.evaluate.measure]
    emptied(own.gate)
    drawn: list[Trajectory] = []
    if measure.is_greedy:
        screened = _greedy(evaluation.rows), _greedy(stored)
        rounds = run_rounds(_opened(inputs, stored), lambda _: screened)
    else:
        incumbent = open_policy(config, policy_path(files, config, spec.incumbent), stored[0].policy_id)
        arms = (_Arm("candidate", spec.version, inputs.engine), _Arm("incumbent", spec.incumbent, incumbent))
        drawing = _Drawing(own.gate, spec, config, inputs.problems, arms, drawn)
        rounds = run_rounds(_opened(inputs, stored), drawing.draw)
    claim = claim_of(rounds, spec.incumbent, measure.table(evaluation.rows), config.evaluate.confidence)
    return replace(evaluation, gate=claim, fresh_rows=drawn)


def _greedy(rows: Rows) -> Rows:
    return [row for row in rows if row.step == GREEDY_STEP]


def _opened(inputs: Inputs, stored: Rows) -> tuple[Gate, ...]:
    """Return the gates of score and limits; the limits were set from metrics of the rollout."""
    limits, readings = inputs.intervention.limits if inputs.intervention else [], inputs.rollout_report.metrics
    return open_gates(inputs.spec, inputs.records, inputs.config, stored, limits, readings)


@dataclass(frozen=True)
class _Arm:
    """One side of the comparison: the name of its folder, the version whose rows they are, its policy."""

    name: str
    version: str
    engine: RolloutEngine


@dataclass
class _Drawing:
    """Draws and stores the rounds of one gate."""

    folder: Path
    spec: VersionSpec
    config: Config
    problems: Sequence[Problem]
    arms: tuple[_Arm, _Arm]
    rows: list[Trajectory] = field(default_factory=list)
    """All that were drawn."""

    def draw(self, number: int) -> tuple[Rows, Rows]:
        """Return the rows of both arms in one round: the draws are named by the gated version and the round.

        The arms take turns, each first in every other turn: what moves scores for a while moves both.
        """
        rows: dict[str, list[Trajectory]] = {arm.name: [] for arm in self.arms}
        for turn, problems in enumerate(self._turns()):
            for arm in self.arms if (number + turn) % 2 == 0 else reversed(self.arms):
                rows[arm.name] += self._sampled(arm, number, problems)
        for arm in self.arms:
            write_rows(self.folder / arm.name, number, rows[arm.name])
            self.rows += rows[arm.name]
        return rows["candidate"], rows["incumbent"]

    def _turns(self) -> list[Sequence[Problem]]:
        """Return the problems by turn: batches where changing policies costs nothing, else all at once."""
        size = max(1, self.config.engine.batch_trajectories // ROUND_ATTEMPTS)
        if self.config.engine.rollout not in PURE_ENGINES:
            return [self.problems]
        return [self.problems[start : start + size] for start in range(0, len(self.problems), size)]

    def _sampled(self, arm: _Arm, number: int, problems: Sequence[Problem]) -> Rows:
        spec = self.spec
        identity = EpisodeIdentity(spec.campaign, arm.version, f"gate-{spec.version}", spec.campaign_seed, number)
        return sample_attempts(arm.engine, problems, ROUND_ATTEMPTS, self.config, identity)
