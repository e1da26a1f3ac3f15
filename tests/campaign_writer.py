"""Closed campaigns on disk without training: drawn attempts, real statistics, gates and verdicts."""

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, EvaluateConfig
from evotrainer.config.interventions import with_values
from evotrainer.evidence.score_table import tabulate
from evotrainer.evidence.store import write_rows
from evotrainer.promotion.checkpoint import open_gate
from evotrainer.promotion.evaluation import Evaluation, Screening, screen
from evotrainer.promotion.rounds import claim_of, run_rounds
from evotrainer.promotion.statistics import measure_noise
from evotrainer.promotion.verdict import decide
from evotrainer.records import (
    AccessPolicy,
    Backtest,
    CheckpointClaim,
    Condition,
    Finding,
    HarnessReport,
    Intervention,
    Message,
    Proposal,
    TrainingSummary,
    Trajectory,
    VersionSpec,
)
from tests.plain_records import plain_backtest, plain_finding, plain_intervention, plain_row, version_spec

EVALUATE = EvaluateConfig(max_problems=60, attempts=4, bootstrap_samples=2000)


BOOTSTRAP_SEED = 7


def make_rows(version: str, solve: Mapping[str, float], *, attempts: int, seed: int = 0) -> list[Trajectory]:
    """Return sampled (step 0) and greedy (step 1) validation rows of a policy that solves each problem at its rate."""
    rng = np.random.default_rng(seed)
    rows = []
    for problem, rate in sorted(solve.items()):
        for attempt in range(attempts + 1):
            greedy = attempt == attempts
            correct = float(rate >= 0.5 if greedy else rng.random() < rate)
            number = 0 if greedy else attempt
            rows.append(
                plain_row(
                    trajectory_id=f"{version}-validation-{problem}-{'greedy' if greedy else number}",
                    campaign="demo",
                    version=version,
                    split="validation",
                    step=int(greedy),
                    problem_id=problem,
                    group_id=f"{problem}-{int(greedy)}",
                    attempt=number,
                    seed=number,
                    policy_id=f"hash-{version}",
                    messages=[
                        Message(role="user", content="12+30="),
                        Message(role="assistant", content="42", num_tokens=3, mean_logprob=-0.4),
                    ],
                    reward=correct,
                    reward_terms={"correct": correct},
                    correct=correct,
                    num_tokens=3,
                    format_ok=True,
                    extra={"family": "addition", "decoding": "greedy" if greedy else "sampled"},
                )
            )
    return rows


def _sampled(rows: list[Trajectory]) -> list[Trajectory]:
    return [row for row in rows if row.step == 0]


def make_intervention(
    parent: Config, setting: dict[str, Any], metric: str, size: float, **conditions: Any
) -> Intervention:
    """Return a lawful intervention on `parent` with a prediction of `size` for `metric`."""
    direction = "up" if size > 0 else "down"
    change = ", ".join(f"{key} = {value}" for key, value in setting.items())
    low, high = sorted((size / 3, size * 2))
    said = {"metric": metric, "direction": direction, "size": size, "low": low, "high": high, "probability": 0.7}
    hypothesis = f"if we set {change} then {metric} moves by {size:+.2f}, because dead groups would gain signal"
    limits = [Condition(metric="truncation_rate", operator="<=", value=0.2)]
    given = {"hypothesis": hypothesis, "limits": limits, "evidence": ["dead_groups"]} | conditions
    return plain_intervention(parent, setting, said=said, **given)


class CampaignWriter:
    """Writes closed versions whose scores come from per-problem solve rates, judged by the real statistics."""

    def __init__(self, root: Path) -> None:
        self.files = CampaignFiles(root)
        self.config = Config(evaluate=EVALUATE)
        self.sampled: dict[str, list[Trajectory]] = {}
        self.solve: dict[str, dict[str, float]] = {}
        self.floor: Any = None
        rng = np.random.default_rng(3)
        self.problems = [f"math-{index:04d}" for index in range(EVALUATE.max_problems)]
        self.base = dict(zip(self.problems, rng.beta(0.8, 1.1, EVALUATE.max_problems), strict=True))
        save_config(self.files.config, self.config)

    def add(
        self,
        version: str,
        lift: float | None,
        *,
        generation: int,
        kind: Any = "candidate",
        incumbent: str = "v001",
        parents: list[str] | None = None,
        intervention: Intervention | None = None,
        slot: int = 0,
        findings: tuple[Finding, ...] = (),
        metrics: dict[str, float] | None = None,
        reason: str = "",
        error_share: float | None = None,
        rescored: dict[str, float] | None = None,
        rescored_under: AccessPolicy | None = None,
    ) -> None:
        """Write one version. `lift` moves every solve rate towards 1; None leaves the version untrained."""
        spec = version_spec(
            version,
            kind,
            incumbent,
            campaign="demo",
            generation=generation,
            slot=slot,
            parents=parents if parents is not None else [incumbent],
            campaign_seed=0,
        )
        own = self.files.version(version)
        measured = {"dead_group_ratio": 0.4 - (lift or 0) / 2, "truncation_rate": 0.04, **(metrics or {})}
        report = HarnessReport(
            version=version, harness_version="static-1", findings=list(findings), metrics=dict(measured)
        )
        evaluation = Evaluation(
            spec,
            report,
            TrainingSummary(
                trained=lift is not None,
                reason=reason,
                num_steps=40,
                num_tokens=200_000,
                policy_hash=None if lift is None else f"hash-{version}",
            ),
            intervention=intervention,
            rescored=rescored or {},
            rescored_under=rescored_under,
            incumbent_metrics={"dead_group_ratio": 0.36} if lift is not None else {},
        )
        if lift is not None:
            screening = self._screen(version, lift, incumbent, kind)
            if error_share is not None:
                screening = replace(screening, error_share=error_share)
            is_ahead = kind != "base" and screening.comparisons[0].difference > 0
            gate = self._gate(version, incumbent) if is_ahead else None
            evaluation = replace(evaluation, screening=screening, gate=gate, noise_floor=self.floor)
            measured |= {name: screening.metrics[name] for name in ("score", "difference") if name in screening.metrics}
        own.spec.write(spec)
        own.verdict.write(decide(evaluation, EVALUATE))
        own.audit.write(report.model_copy(update={"metrics": {}}))
        self._write_json(own.metrics, measured if lift is not None else {})
        if kind != "base":
            self._write_recipe(spec, intervention, evaluation.training)

    def _screen(self, version: str, lift: float, incumbent: str, kind: str) -> Screening:
        solve = {name: float(np.clip(rate + lift * (1 - rate), 0, 1)) for name, rate in self.base.items()}
        self.solve[version] = solve
        rows = make_rows(version, solve, attempts=EVALUATE.attempts, seed=11 + int(version[1:]))
        for step in (0, 1):
            write_rows(self.files.version(version).validation, step, [row for row in rows if row.step == step])
        sampled = self.sampled[version] = _sampled(rows)
        if kind == "base":
            again = _sampled(make_rows(version, solve, attempts=EVALUATE.attempts, seed=5))
            self.floor = measure_noise(tabulate(sampled), tabulate(again))
        peers = {} if kind == "base" else {name: self.sampled[name] for name in dict.fromkeys([incumbent, "v000"])}
        return screen(rows, peers, EVALUATE, BOOTSTRAP_SEED)

    def _gate(self, version: str, incumbent: str) -> CheckpointClaim:
        """Hold the sequential gate on attempts drawn at the two versions' solve rates."""

        def draw(number: int) -> tuple[list[Trajectory], list[Trajectory]]:
            first = 1000 * int(version[1:]) + number
            arms = ((version, first), (incumbent, first + 500))
            mine, theirs = (_sampled(make_rows(name, self.solve[name], attempts=4, seed=seed)) for name, seed in arms)
            return mine, theirs

        state = open_gate(tabulate(self.sampled[incumbent]), 0.05 / 9, min_floor=self.floor.value)
        rounds = run_rounds([state], draw)
        return claim_of(rounds, incumbent, tabulate(self.sampled[version]), EVALUATE.confidence)

    def _write_recipe(self, spec: VersionSpec, intervention: Intervention | None, training: TrainingSummary) -> None:
        version, own = spec.version, self.files.version(spec.version)
        values = {key: new for key, (_, new) in intervention.diff.items()} if intervention else {}
        save_config(own.config, with_values(self.config, values))
        backtests = [self._backtest(intervention, training)] if intervention else []
        proposal = Proposal(
            version=version,
            pool=[intervention] if intervention else [],
            backtests=backtests,
            chosen=intervention.intervention_id if intervention else None,
            agent="rules",
            refused=["seed: protected"] if intervention else [],
        )
        own.proposal.write(proposal)
        own.backtest.write(backtests[0] if backtests else self._backtest(None, training))
        own.findings.write(
            HarnessReport(
                version=version,
                harness_version="static-1",
                metrics={"dead_group_ratio": 0.41},
                findings=[
                    plain_finding(
                        "dead_groups",
                        version=version,
                        diagnostic="signal",
                        message="41% of the groups have equal rewards",
                        numbers={"dead_group_ratio": 0.4062},
                        trajectory_ids=[f"{spec.incumbent}-rollout-3-0"],
                    )
                ],
            )
        )
        own.training_summary.write(training)
        self._write_json(own.root / "costs" / "train.json", {"tokens": 200_000, "seconds": 31.5, "cpu_seconds": 30.9})

    @staticmethod
    def _backtest(intervention: Intervention | None, training: TrainingSummary) -> Backtest:
        return plain_backtest(
            intervention_id=intervention.intervention_id if intervention else "",
            family="reward",
            accepted=training.trained,
            reason=training.reason or "usable groups rise",
            predicted_effect=0.03,
            usable_groups_before=0.59,
            usable_groups_after=0.68,
            mistruncated_correct=0.0 if training.trained else 0.31,
        )

    @staticmethod
    def _write_json(path: Path, values: dict[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values, sort_keys=True))


def base_and_baseline(writer: CampaignWriter, lift: float = 0.3) -> None:
    writer.add("v000", 0.0, generation=0, kind="base", incumbent="v000", parents=[])
    writer.add("v001", lift, generation=1, kind="baseline", incumbent="v000")


def fill(writer: CampaignWriter) -> None:
    config = writer.config
    learning_rate = make_intervention(config, {"algorithm.learning_rate": 1.92e-4}, "score", 0.05)
    kl = make_intervention(config, {"algorithm.kl_coefficient": 0.001}, "dead_group_ratio", -0.05)
    settings = {"algorithm.learning_rate": 1.92e-4, "algorithm.kl_coefficient": 0.001}
    both = make_intervention(config, settings, "score", 0.08, parents=["v002", "v003"])
    length = make_intervention(config, {"sampling.max_response_tokens": 24}, "score", 0.01)
    penalty = make_intervention(config, {"reward.length_penalty": 0.1}, "mean_tokens", -4.0)
    std = make_intervention(config, {"filter.group": "std"}, "dead_group_ratio", -0.1)
    hot = make_intervention(config, {"sampling.temperature": 1.2}, "score", 0.02)
    hacked = plain_finding(
        "reward_outcome_divergence",
        "invalid",
        "v006",
        diagnostic="reward",
        step=31,
        message="the length term rises by 0.19 while correctness falls by 0.02",
        numbers={"term_change": 0.1912, "correct_change": -0.0213},
        trajectory_ids=[f"v006-train-31-{index}" for index in range(6)],
    )
    short = plain_finding(
        "truncation",
        version="v007",
        diagnostic="behaviour",
        message="22% of the attempts are cut by the token limit",
        numbers={"truncation_rate": 0.2219},
        trajectory_ids=["v007-train-12-3"],
    )
    base_and_baseline(writer)
    writer.add("v002", 0.48, generation=2, intervention=learning_rate)
    writer.add("v003", 0.34, generation=2, slot=1, intervention=kl)
    writer.add("v004", 0.5, generation=3, kind="merge", incumbent="v002", parents=["v002", "v003"], intervention=both)
    writer.add(
        "v005",
        None,
        generation=4,
        incumbent="v002",
        intervention=length,
        reason="the new budget would cut 31% of the correct answers, limit 5%",
    )
    writer.add(
        "v006",
        0.55,
        generation=4,
        slot=1,
        incumbent="v002",
        intervention=penalty,
        findings=(hacked,),
        metrics={"mean_tokens": 18.0},
    )
    writer.add("v007", 0.7, generation=5, incumbent="v002", intervention=std, findings=(short,))
    writer.add("v008", 0.15, generation=5, slot=1, incumbent="v002", intervention=hot)
