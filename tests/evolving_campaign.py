"""A closed campaign on disk, its versions known-good or known-bad, with rows in which bad ones hedge more often."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.campaign.labels import Label
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, DomainConfig, EvaluateConfig, HarnessConfig
from evotrainer.evidence.store import write_rows
from evotrainer.records import (
    Comparison,
    Gap,
    HarnessReport,
    Intervention,
    Outcome,
    Proposal,
    Trajectory,
    Verdict,
    VersionRecord,
)
from tests.evidence_rows import change, healthy_rows
from tests.plain_records import compared, plain_intervention, plain_verdict, version_spec
from tests.stored_versions import small_root

ROOT = Path(__file__).resolve().parents[1]
SETTINGS = [
    ("algorithm.learning_rate", 1e-4),
    ("sampling.temperature", 0.9),
    ("reward.partial", 0.2),
    ("filter.group", "std"),
    ("data.mixture", "by_failure"),
    ("reward.format", 0.3),
    ("algorithm.kl_coefficient", 0.0),
    ("algorithm.adam_beta2", 0.95),
]


def comparison(against: str, difference: float, width: float = 0.02) -> Comparison:
    return compared(against, difference, difference - width, difference + width)


def verdict(version: str, label: Label, incumbent: str = "v001", outcome: Outcome | None = None) -> Verdict:
    """Return the verdict of a version whose honest score makes it known-good, known-bad or neither."""
    over_base = {"good": 0.2, "bad": 0.15, "": 0.01}[label]
    over_incumbent = {"good": 0.01, "bad": -0.05, "": 0.0}[label]
    width = 0.02 if label else 0.3
    over = {incumbent: over_base if incumbent == "v000" else over_incumbent, "v000": over_base}
    found = [comparison(name, difference, width) for name, difference in over.items()]
    usual: Outcome = "rejected" if label == "bad" else "kept"
    return plain_verdict(
        version,
        outcome or usual,
        score=0.4 + over_base,
        score_low=0.3,
        score_high=0.7,
        comparisons=found,
        gate_version="2",
    )


def candidate(index: int) -> Intervention:
    key, value = SETTINGS[index % len(SETTINGS)]
    return plain_intervention(Config(), {key: value}, said={"high": 0.2})


def record(version: str, label: Label, **values) -> VersionRecord:
    """Return one record; `values` replace fields of the record, `outcome` and `kind` those of verdict and spec."""
    number = int(version[1:])
    incumbent = values.pop("incumbent", "v000" if number < 2 else "v001")
    kind = values.pop("kind", "base" if number == 0 else "baseline" if number == 1 else "candidate")
    spec = version_spec(version, kind, incumbent, parents=[] if number == 0 else [incumbent])
    plain = {
        "spec": spec,
        "intervention": candidate(number) if number > 1 else None,
        "backtest": None,
        "verdict": verdict(version, label, incumbent, values.pop("outcome", None)),
        "findings": [],
        "metrics": {"score": 0.5},
        "config_hash": "",
        "policy_hash": None,
    }
    made = VersionRecord(**plain | values)
    if number == 0:
        return made.model_copy(update={"verdict": made.verdict.model_copy(update={"comparisons": [], "score": 0.4})})
    return made


def write_campaign(root: Path, labels: Sequence[Label], num_groups: int = 10, **harness) -> CampaignFiles:
    """Write v000 and one closed version a label under a harness that evolves."""
    files = CampaignFiles(root)
    config = Config(
        domain=DomainConfig(data_path="data"),
        harness=HarnessConfig(plugins=["score"], evolve=True, **harness),
        evaluate=EvaluateConfig(attempts=4, max_problems=12, bootstrap_samples=500),
        num_versions=12,
    )
    save_config(files.config, config)
    shutil.copytree(
        ROOT / "harness_plugins" / "evolved",
        root / "harness_plugins" / "evolved",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    small_root(root / "harness_plugins")
    for number, label in enumerate(["", *labels]):
        _write_version(files, record(f"v{number:03d}", label), label == "bad", config, num_groups)
    return files


def _write_version(files: CampaignFiles, made: VersionRecord, is_bad: bool, config: Config, num_groups: int) -> None:
    own, version = files.version(made.spec.version), made.spec.version
    own.root.mkdir(parents=True)
    own.spec.write(made.spec)
    own.verdict.write(made.verdict)
    own.metrics.write_text(json.dumps(made.metrics))
    gaps = [Gap(version=version, message="the score fell")] if is_bad else []
    own.audit.write(HarnessReport(version=version, harness_version="h", gaps=gaps))
    seed = int(version[1:])
    validation = healthy_rows(900 + seed, num_groups=6, version=version, split="validation")
    write_rows(own.validation, 0, validation)
    if made.spec.kind == "base":
        return
    own.findings.write(HarnessReport(version=version, harness_version="h"))
    chosen = made.intervention.intervention_id if made.intervention else None
    pool = [made.intervention] if made.intervention else []
    own.proposal.write(Proposal(version=version, pool=pool, backtests=[], chosen=chosen, agent="rules"))
    save_config(own.config, config)
    own.training_summary.path.write_text(json.dumps({"trained": True, "policy_hash": f"p{seed}"}))
    write_rows(own.training, 0, _busy(healthy_rows(seed, num_groups=num_groups, version=version), is_bad, seed))
    write_rows(own.rollout, 0, _busy(healthy_rows(500 + seed, num_groups=num_groups, version=version), False, seed))


def _busy(rows: list[Trajectory], is_bad: bool, seed: int) -> list[Trajectory]:
    """Return rows with a behaviour that no shipped diagnostic reads, and that bad versions show more often."""
    rng = np.random.default_rng(seed)
    rate = (9.0 if is_bad else 3.0) * np.exp(rng.normal(0, 0.1))
    return change(rows, lambda row: {"extra": {**row.extra, "checks": {"num_hedges": float(rng.poisson(rate))}}})


def labelled_campaign(*labels, **values) -> list[VersionRecord]:
    records = [record("v000", ""), record("v001", "good", outcome="promoted")]
    return [*records, *(record(f"v{place + 2:03d}", label, **values) for place, label in enumerate(labels))]


def changed(made: VersionRecord, spec: Any = None, verdict: Any = None, **values: Any) -> VersionRecord:
    """Return a record with other values of its spec, of its verdict, and of its own."""
    parts = {"spec": made.spec.model_copy(update=spec), "verdict": made.verdict.model_copy(update=verdict)}
    return made.model_copy(update=parts | values)


def promoted(records: list[VersionRecord], place: int) -> list[VersionRecord]:
    return [*records[:place], changed(records[place], verdict={"outcome": "promoted"}), *records[place + 1 :]]
