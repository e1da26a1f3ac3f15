"""Records with the plainest values: a test names what it is about."""

from collections.abc import Mapping
from typing import Any

from evotrainer.config import Config
from evotrainer.config.interventions import build
from evotrainer.records import (
    Backtest,
    Case,
    Comparison,
    Finding,
    Intervention,
    Prediction,
    Problem,
    Signals,
    Trajectory,
    Verdict,
    VersionSpec,
)

DEFAULTS: dict[str, Any] = {
    "campaign": "c",
    "version": "v001",
    "split": "train",
    "step": 0,
    "domain": "math",
    "attempt": 0,
    "seed": 0,
    "policy_id": "p",
    "messages": [],
    "stop_reason": "stop",
    "num_turns": 1,
    "num_tokens": 1,
    "is_truncated": False,
}


def plain_row(**values: Any) -> Trajectory:
    """Return a row; its id and its group follow from problem and attempt where they are not named."""
    row = DEFAULTS | values
    names = {"trajectory_id": f"{row['problem_id']}.{row['attempt']}", "group_id": row["problem_id"]}
    return Trajectory(**names | row)


def plain_problem(problem_id: str, prompt: str, answer: str, domain: str = "math", **values: Any) -> Problem:
    given = {"family": "own", "split": "train"} | values
    return Problem(problem_id=problem_id, domain=domain, prompt=prompt, answer=answer, **given)


def version_spec(version: str, kind: Any = "candidate", incumbent: str = "v000", **fields: Any) -> VersionSpec:
    parents = [] if kind == "base" else [incumbent]
    given = {"campaign": "c", "generation": int(version[1:]), "slot": 0, "parents": parents, "campaign_seed": 3}
    return VersionSpec(version=version, kind=kind, incumbent=incumbent, **{**given, **fields})


def compared(against: str, difference: float, low: float, high: float, base: float = 0.5, **values: Any) -> Comparison:
    """Return a comparison with a version that scored `base`."""
    scores = {"score": base + difference, "other_score": base, "difference": difference, "low": low, "high": high}
    given = {"metric": "score", "num_problems": 60, "attempts": 8, "wilcoxon_p": 0.01}
    return Comparison(against=against, **given | scores | values)


def plain_verdict(version: str, outcome: Any = "kept", **values: Any) -> Verdict:
    given = {"claim": "c", "reasons": [], "score": 0.5, "gate_version": "g", "harness_version": "h"}
    return Verdict(version=version, outcome=outcome, **given | values)


def plain_finding(mode: str, severity: Any = "warning", version: str = "v001", **values: Any) -> Finding:
    return Finding(mode=mode, severity=severity, version=version, **{"diagnostic": mode, "message": "m"} | values)


def plain_backtest(**values: Any) -> Backtest:
    """Return a backtest that accepts and predicts no effect."""
    effect = {"predicted_effect": 0.0, "usable_groups_before": 0.5, "usable_groups_after": 0.5}
    return Backtest(**{"intervention_id": "", "family": "algorithm", "accepted": True, "reason": ""} | effect | values)


def plain_signals(step: int, **values: Any) -> Signals:
    given = {"loss": 0.1, "grad_norm": 0.5, "kl": 0.01, "entropy": 0.6, "clip_fraction": 0.0, "mean_ratio": 1.0}
    given |= {"dead_group_ratio": 0.2, "kept_groups": 1.0, "num_tokens": 100, "seconds": 0.0}
    return Signals(**{"campaign": "c", "version": "v001", "step": step} | given | values)


def plain_intervention(parent: Config, setting: Mapping[str, Any], **values: Any) -> Intervention:
    """Return a lawful intervention that says that the score rises by a tenth; `said` are fields of its prediction."""
    said = {"metric": "score", "direction": "up", "size": 0.1, "low": 0.0, "high": 0.3, "probability": 0.6}
    given = {"author": "rules", "hypothesis": "if then because", "success": [], "limits": [], "parents": ["v001"]}
    return build(parent, setting, prediction=Prediction(**said | values.pop("said", {})), **given | values)


def plain_case(**values: Any) -> Case:
    given = {"campaign": "c", "version": "v002", "domain": "math", "findings": [], "metrics": {}, "factor": "kl"}
    return Case(**given | {"outcome": "promoted", "difference": 0.02} | values)
