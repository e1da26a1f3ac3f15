"""Score the version's policy on the validation split, audit its evidence, ask the gate, and give the verdict.

    validation rows (the screen) ─► statistics, audit ─► fresh rounds, if they pass (gate.py) ─► decide() ─► verdict

The evaluator is the campaign's (conf/campaign.yaml), never the recipe's. What did not train, or is bit by bit an
earlier policy, is not scored: validation/ then holds a file UNSCORED. A policy that is not the one that training
recorded is an error and is never used. A leak is answered by scores under stricter access. Changes of
harness metrics compare training with training; against the base policy, which has none, they compare with its rollout
in findings.json.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evotrainer.campaign.costs import write_tokens
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, VersionFiles
from evotrainer.campaign.leak_response import (
    evaluation_of,
    held_by,
    in_force,
    peers,
    stricter_access,
    to_rescore,
    under,
)
from evotrainer.campaign.lineage import taken_policies
from evotrainer.campaign.repository import load_records
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, load_config
from evotrainer.diagnosis.contamination import check_problems, inherited, problem_findings
from evotrainer.diagnosis.evolved.gaps import examine, version_gaps
from evotrainer.diagnosis.finding_order import in_order
from evotrainer.diagnosis.harness import Harness, read_context
from evotrainer.diagnosis.regrading import choose_rows, finding_of, regrade
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.diagnosis.trainer_audit import audit_trainer
from evotrainer.domains import access_policies
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.engines.base import RolloutEngine
from evotrainer.errors import LineageError
from evotrainer.evidence.score_table import lost_share
from evotrainer.promotion.gates.noise import campaign_floor
from evotrainer.promotion.statistics import compare, score_interval
from evotrainer.promotion.verdict import Trial, decide
from evotrainer.records import (
    AccessPolicy,
    Finding,
    HarnessReport,
    Intervention,
    Problem,
    Proposal,
    Record,
    Trajectory,
    VersionRecord,
    VersionSpec,
)
from evotrainer.rollouts.evaluation import (
    GREEDY_STEP,
    SAMPLED_STEP,
    choose_problems,
    evaluate_policy,
    graded_table,
    open_policy,
    read_evaluation,
    sampled,
    score_table,
    write_evaluation,
)
from tasks.evaluate.gate import hold_gate, leave_ungated, repeat_base, why_ungated
from tasks.evaluate.leak_response import open_folder, rescore

SPLIT = "validation"
UNSCORED = "UNSCORED"


@dataclass(frozen=True)
class _Scored:
    """A policy at the named problems, with its screening rows."""

    engine: RolloutEngine
    problems: Sequence[Problem]
    rows: list[Trajectory]


def run(files: CampaignFiles, version: str) -> None:
    """Write validation/, gate/, audit.json, metrics.json and verdict.json of the version."""
    own = files.version(version)
    spec = VersionSpec.model_validate_json(own.spec.read_bytes())
    campaign = load_config(files.config)
    config = in_force(campaign, spec)
    records = load_records(own.lineage)
    facts = _training_facts(files, own, spec, records)
    is_scored = facts["is_trained"] and not facts["duplicate_of"]
    scored = _score(files, own, spec, config) if is_scored else None
    rows = scored.rows if scored else _leave_unscored(own, facts)
    policies = access_policies(campaign.domain)
    if to_rescore(policies, spec):
        open_folder(own)
    rescored, peer_tokens = _rescore_peers(files, spec, config) if is_scored else ({}, 0)
    judged = _statistics(files, spec, config, rows) if is_scored else {}
    report = _audit(own, spec, config, records, is_scored)
    if scored:
        report = _with_problem_check(report, files, spec, config, records)
        report = _with_trainer_audit(report, own, spec, config, records)
    stricter = _stricter_access(policies, spec, campaign, report) if is_scored else None
    corrected, leak_tokens = _answer_leak(files, spec, under(campaign, stricter)) if stricter else ({}, 0)
    fresh, fresh_rows = _fresh_rows(files, own, spec, config, records, scored, judged, report)
    if scored:
        report = _with_regrading(report, scored, fresh_rows, spec, config)
    metrics = report.metrics | _score_metrics(judged) | _fresh_metrics(fresh)
    trial = Trial(
        spec=spec,
        harness_version=report.harness_version,
        intervention=_intervention(own),
        metrics=metrics,
        findings=tuple(report.findings),
        incumbent_metrics=_incumbent_metrics(own, spec, records, judged),
        rescored=rescored | corrected,
        rescored_under=stricter or (spec.access if rescored else None),
        **facts,
        **judged,
        **fresh,
    )
    verdict = decide(trial, config.evaluate)
    left_open = version_gaps(report, verdict, trial.intervention, _findings_before(own, spec, records))
    _write_json(own.audit, report.model_copy(update={"gaps": [*left_open, *report.gaps]}))
    _write_json(own.metrics, metrics)
    _write_json(own.verdict, verdict)
    sampled_tokens = sum(row.num_tokens for row in [*rows, *fresh_rows])
    write_tokens(own, "evaluate", sampled_tokens + peer_tokens + leak_tokens)
    print(f"score: {verdict.score}\noutcome: {verdict.outcome}\nclaim: {verdict.claim}", flush=True)


def _training_facts(
    files: CampaignFiles, own: VersionFiles, spec: VersionSpec, records: Sequence[VersionRecord]
) -> dict[str, Any]:
    """Return what training.json says, and the earlier version with the very same policy, if any."""
    if spec.kind == "base":
        return {"is_trained": True, "duplicate_of": ""}
    summary = json.loads(own.training_summary.read_bytes())
    base = {row.policy_id: BASE_VERSION for row in read_evaluation(files.version(BASE_VERSION).validation)[:1]}
    return {
        "is_trained": summary["trained"],
        "training_reason": summary["reason"],
        "failure_label": summary["label"],
        "duplicate_of": (base | taken_policies(records)).get(summary["policy_hash"], ""),
    }


def _score(files: CampaignFiles, own: VersionFiles, spec: VersionSpec, config: Config) -> _Scored:
    recorded = None if spec.kind == "base" else json.loads(own.training_summary.read_bytes())["policy_hash"]
    engine = open_policy(config, policy_path(files, config, spec.version), recorded)
    problems = load_problems(files.root, config.domain, SPLIT)
    chosen = choose_problems(problems, config.evaluate.max_problems, spec.campaign_seed)
    rows = evaluate_policy(engine, chosen, config, spec, SPLIT)
    write_evaluation(own.validation, rows, config)
    return _Scored(engine, chosen, rows)


def _fresh_rows(
    files: CampaignFiles,
    own: VersionFiles,
    spec: VersionSpec,
    config: Config,
    records: Sequence[VersionRecord],
    scored: _Scored | None,
    judged: dict[str, Any],
    report: HarnessReport,
) -> tuple[dict[str, Any], Sequence[Trajectory]]:
    """Write gate/; return the campaign's noise floor and the gate's claim, where there are any, and the rows drawn."""
    if scored is not None and spec.kind == "base":
        floor, second = repeat_base(own, spec, config, scored.engine, scored.problems, scored.rows)
        return {"noise_floor": floor}, second
    fresh = {"noise_floor": campaign_floor(records)}
    reason = why_ungated(spec, config, judged, report) if scored else "it was not scored"
    if reason or scored is None:
        leave_ungated(own, reason)
        return fresh, []
    readings = HarnessReport.model_validate_json(own.findings.read_bytes()).metrics
    gate, drawn = hold_gate(
        files, spec, config, records, scored.engine, scored.problems, scored.rows, _intervention(own), readings
    )
    return fresh | {"gate": gate}, drawn


def _rescore_peers(files: CampaignFiles, spec: VersionSpec, config: Config) -> tuple[dict[str, float], int]:
    """Score the peers that a version compares with under its access policy, where nobody has scored them so yet."""
    return rescore(files, spec, config, held_by(spec), SPLIT)


def _stricter_access(
    policies: Sequence[AccessPolicy], spec: VersionSpec, campaign: Config, report: HarnessReport
) -> AccessPolicy | None:
    """Return the policy under which the findings ask for other scores; the score-only gate asks for none."""
    is_asked = campaign.evaluate.gate != "greedy" and spec.kind != "base"
    return stricter_access(policies, spec.access, report.findings) if is_asked else None


def _answer_leak(files: CampaignFiles, spec: VersionSpec, config: Config) -> tuple[dict[str, float], int]:
    """Score a version with a leak, and its peers, under the stricter access of `config`."""
    return rescore(files, spec, config, [spec.version, *peers(spec)], SPLIT)


def _leave_unscored(own: VersionFiles, facts: dict[str, Any]) -> list[Trajectory]:
    shutil.rmtree(own.validation, ignore_errors=True)
    own.validation.mkdir(parents=True)
    reason = f"a duplicate of {facts['duplicate_of']}" if facts["duplicate_of"] else facts["training_reason"]
    (own.validation / UNSCORED).write_text(f"{reason}\n", encoding="utf-8")
    return []


def _statistics(files: CampaignFiles, spec: VersionSpec, config: Config, rows: Sequence[Trajectory]) -> dict[str, Any]:
    """Return score, interval and comparisons; without a score where a problem lost all of its attempts."""
    table, greedy = score_table(rows), score_table(rows, GREEDY_STEP)
    lost = {"error_share": lost_share(sampled(rows)), "ungraded": tuple(table.ungraded)}
    if spec.kind == "base":
        graded_table(sampled(rows), config, "the base policy")
    if table.ungraded:
        return lost
    others = [] if spec.kind == "base" else list(dict.fromkeys([spec.incumbent, BASE_VERSION]))
    draws = {
        "samples": config.evaluate.bootstrap_samples,
        "confidence": config.evaluate.confidence,
        "seed": derive_seed(spec.campaign_seed, "bootstrap"),
    }
    interval = score_interval(table, **draws)
    tables = {name: score_table(read_evaluation(evaluation_of(files, spec, name))) for name in others}
    return lost | {
        "score": interval.value,
        "score_low": interval.low,
        "score_high": interval.high,
        "greedy_score": None if greedy.ungraded else greedy.score,
        "comparisons": tuple(compare(table, tables[name], against=name, metric="score", **draws) for name in others),
    }


def _audit(
    own: VersionFiles, spec: VersionSpec, config: Config, records: Sequence[VersionRecord], is_scored: bool
) -> HarnessReport:
    """Return the harness report on the version's training and validation, by the plugins it froze."""
    harness, seed = Harness(own.plugins, config.harness), derive_seed(spec.campaign_seed, "gaps of", spec.version)
    if not is_scored:
        return HarnessReport(version=spec.version, harness_version=harness.version)
    if spec.kind == "base":
        return examine(harness, read_context(spec.version, validation=own.validation, recipe=config), seed)
    recipe = load_config(own.config)
    context = read_context(
        spec.version,
        rows=own.training,
        training=own.training,
        validation=own.validation,
        recipe=recipe,
        training_recipe=recipe,
        reference=_record(records, spec.incumbent),
    )
    return examine(harness, context, seed)


def _with_problem_check(
    report: HarnessReport, files: CampaignFiles, spec: VersionSpec, config: Config, records: Sequence[VersionRecord]
) -> HarnessReport:
    """Return the report with what the campaign's problem files say: checked for the base policy, the same for all."""
    if spec.kind != "base":
        return _with_findings(report, {}, inherited(records, spec.version))
    limits = Thresholds().with_overrides(config.harness.thresholds)
    path, policy = files.root / config.domain.data_path, policy_path(files, config, spec.version)
    check = check_problems(path, config.domain.name, policy, limits)
    return _with_findings(report, check.metrics, problem_findings(check, spec.version, limits))


def _with_trainer_audit(
    report: HarnessReport, own: VersionFiles, spec: VersionSpec, config: Config, records: Sequence[VersionRecord]
) -> HarnessReport:
    """Return the report with what the version and the lineage before it show of the trainer agent."""
    if spec.kind == "base":
        return report
    limits, recipe = Thresholds().with_overrides(config.harness.thresholds), in_force(load_config(own.config), spec)
    return _with_findings(report, {}, audit_trainer(config, recipe, spec, _intervention(own), records, limits))


def _with_findings(report: HarnessReport, metrics: dict[str, float], found: Sequence[Finding]) -> HarnessReport:
    findings = in_order([*report.findings, *found], report.order)
    return report.model_copy(update={"metrics": report.metrics | metrics, "findings": findings})


def _with_regrading(
    report: HarnessReport, scored: _Scored, fresh: Sequence[Trajectory], spec: VersionSpec, config: Config
) -> HarnessReport:
    """Return the report with what came of grading a sample of the rows again: of all that the verdict rests on."""
    sampled = [*(row for row in scored.rows if row.step == SAMPLED_STEP), *fresh]
    rows = choose_rows(sampled, config.evaluate.regraded_rows, spec.campaign_seed)
    regrading = regrade(rows, scored.problems, config.domain)
    found = finding_of(regrading, spec.version, Thresholds().with_overrides(config.harness.thresholds))
    return _with_findings(report, regrading.metrics, [found] if found else [])


def _score_metrics(judged: dict[str, Any]) -> dict[str, float]:
    """Return the numbers of the evaluation by the names that metrics.json, conditions and predictions use."""
    names = ("score", "score_low", "score_high", "greedy_score", "error_share")
    named = {name: judged.get(name) for name in names}
    comparisons = judged.get("comparisons", ())
    for prefix, found in zip(("", "base_"), (*comparisons[:1], *comparisons[-1:]), strict=False):
        # Where the base is the incumbent, the one comparison stands for both.
        named |= {
            f"{prefix}difference": found.difference,
            f"{prefix}difference_low": found.low,
            f"{prefix}difference_high": found.high,
            f"{prefix}wilcoxon_p": found.wilcoxon_p,
            f"{prefix}noise_floor": found.noise_floor,
        }
    return {name: value for name, value in named.items() if value is not None}


def _fresh_metrics(fresh: dict[str, Any]) -> dict[str, float]:
    """Return what fresh rows showed, by the names of metrics.json."""
    gate = fresh.get("gate")
    if gate is None or gate.estimate is None:
        return {}
    return {
        "fresh_difference": gate.estimate,
        "fresh_difference_low": gate.low,
        "fresh_difference_high": gate.high,
        "fresh_attempts": float(gate.attempts),
    }


def _incumbent_metrics(
    own: VersionFiles, spec: VersionSpec, records: Sequence[VersionRecord], judged: dict[str, Any]
) -> dict[str, float]:
    if spec.kind == "base":
        return {}
    if spec.incumbent == BASE_VERSION:
        before = dict(HarnessReport.model_validate_json(own.findings.read_bytes()).metrics)
    else:
        before = dict(_record(records, spec.incumbent).metrics)
    comparisons = judged.get("comparisons", ())
    return before | ({"score": comparisons[0].other_score} if comparisons else {})


def _findings_before(own: VersionFiles, spec: VersionSpec, records: Sequence[VersionRecord]) -> list[Finding]:
    """Return what was found on the incumbent: in its own audit, or in the rollout of the base policy."""
    if spec.kind == "base":
        return []
    if spec.incumbent == BASE_VERSION:
        return HarnessReport.model_validate_json(own.findings.read_bytes()).findings
    return _record(records, spec.incumbent).findings


def _record(records: Sequence[VersionRecord], version: str) -> VersionRecord:
    for record in records:
        if record.spec.version == version:
            return record
    raise LineageError(f"the frozen lineage has no {version}, against which this version is judged: plan it again")


def _intervention(own: VersionFiles) -> Intervention | None:
    if not own.proposal.is_file():
        return None
    proposal = Proposal.model_validate_json(own.proposal.read_bytes())
    return next((found for found in proposal.pool if found.intervention_id == proposal.chosen), None)


def _write_json(path: Path, value: Record | dict[str, Any]) -> None:
    """Write what is the same for every repetition; how long a diagnostic took is not."""
    plain = value.model_dump(mode="json", exclude={"seconds"}) if isinstance(value, Record) else value
    path.write_text(json.dumps(plain, indent=1, sort_keys=True, allow_nan=False) + "\n", encoding="utf-8")
