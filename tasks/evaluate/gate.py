"""Fresh rows: the campaign's noise floor on the base policy, and the gate of every version that passed the screen.

    gate/repeat/                    v000: a second evaluation under seeds of its own
    gate/candidate/  gate/incumbent/   rows of the rounds, one step a round; state.json: the gates after the last one
    gate/UNGATED                    why no fresh rows were drawn

All rows are kept, not counts alone: a promotion rests on them, so that they can be opened, graded again and asked about
like any evidence. The draws have a purpose of their own for each version, so that nothing was ever chosen by them; both
arms share them.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evotrainer.campaign.layout import CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import evaluation_of
from evotrainer.config import Config
from evotrainer.engines import policy_path
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence import write_rows
from evotrainer.promotion.gates.checkpoint import ROUND_ATTEMPTS
from evotrainer.promotion.gates.noise import measure_noise
from evotrainer.promotion.gates.rounds import Rows, claim_of, open_gates, run_rounds
from evotrainer.promotion.verdict import MIN_PROBLEMS
from evotrainer.records import (
    CheckpointClaim,
    HarnessReport,
    Intervention,
    NoiseFloor,
    Problem,
    Trajectory,
    VersionRecord,
    VersionSpec,
)
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import (
    SAMPLED_STEP,
    graded_table,
    open_policy,
    read_evaluation,
    sample_attempts,
    score_table,
)

UNGATED = "UNGATED"


def leave_ungated(own: VersionFiles, reason: str) -> None:
    """Write gate/ without rows, with the reason."""
    _empty(own.gate)
    (own.gate / UNGATED).write_text(f"{reason}\n", encoding="utf-8")


def repeat_base(
    own: VersionFiles, spec: VersionSpec, config: Config, engine: RolloutEngine, problems: Sequence[Problem], rows: Rows
) -> tuple[NoiseFloor, Rows]:
    """Evaluate the base policy a second time; return the campaign's noise floor and the rows."""
    identity = EpisodeIdentity(spec.campaign, spec.version, "noise", spec.campaign_seed, SAMPLED_STEP)
    second = sample_attempts(engine, problems, config.evaluate.attempts, config, identity)
    table = graded_table(second, config, "the base policy's second evaluation")
    _empty(own.gate)
    write_rows(own.gate / "repeat", SAMPLED_STEP, second)
    return measure_noise(score_table(rows), table), second


def why_ungated(spec: VersionSpec, config: Config, judged: Mapping[str, Any], report: HarnessReport) -> str:
    """Return why a scored version draws no fresh rows, or nothing where it does."""
    against = judged["comparisons"][0] if judged.get("comparisons") else None
    if config.evaluate.gate != "sequential":
        return f"evaluate.gate={config.evaluate.gate} decides by the screening rows"
    if against is None or judged["error_share"] > config.evaluate.max_error_share:
        return "infrastructure took too many of the screening attempts"
    if against.num_problems < MIN_PROBLEMS:
        return f"{against.num_problems} problems carry no decision"
    invalid = [found.mode for found in report.findings if found.severity == "invalid"]
    if invalid:
        return f"invalid: {', '.join(invalid)}"
    return "" if against.difference > 0 else f"its screening score is not above {spec.incumbent}'s"


def hold_gate(
    files: CampaignFiles,
    spec: VersionSpec,
    config: Config,
    records: Sequence[VersionRecord],
    engine: RolloutEngine,
    problems: Sequence[Problem],
    screening: Rows,
    intervention: Intervention | None,
    readings: Mapping[str, float],
) -> tuple[CheckpointClaim, Rows]:
    """Draw fresh rounds of both arms until they decide; return what they claim and the rows.

    `readings` are the incumbent's metrics that the side-effect limits were set from.
    """
    own = files.version(spec.version)
    stored = [row for row in read_evaluation(evaluation_of(files, spec, spec.incumbent)) if row.step == SAMPLED_STEP]
    incumbent = open_policy(config, policy_path(files, config, spec.incumbent), stored[0].policy_id)
    gates = open_gates(spec, records, config, stored, intervention.limits if intervention else [], readings)
    _empty(own.gate)
    arms = (_Arm("candidate", spec.version, engine), _Arm("incumbent", spec.incumbent, incumbent))
    drawing = _Drawing(own.gate, spec, config, problems, arms)
    rounds = run_rounds(gates, drawing.draw)
    (own.gate / "state.json").write_text(rounds.gates.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return claim_of(rounds, spec.incumbent, score_table(screening), config.evaluate.confidence), drawing.rows


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
        """Return the rows of both arms in one round: the draws are named by the gated version and the round."""
        candidate, incumbent = (self._rows(arm, number) for arm in self.arms)
        return candidate, incumbent

    def _rows(self, arm: _Arm, number: int) -> Rows:
        spec = self.spec
        identity = EpisodeIdentity(spec.campaign, arm.version, f"gate-{spec.version}", spec.campaign_seed, number)
        rows = sample_attempts(arm.engine, self.problems, ROUND_ATTEMPTS, self.config, identity)
        write_rows(self.folder / arm.name, number, rows)
        self.rows += rows
        return rows


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
