"""Gaps: what the harness cannot explain in the evidence.

    unexplained_score    the score changed significantly against the incumbent and no finding explains it
    failed_prediction    a prediction missed its direction and its own interval, without a side effect
    uncovered_contrast   right and wrong attempts at a problem differ in a behaviour that no metric reads, beyond what
                         the behaviour columns with a metric explain (stats.depends)

The first two belong to a version and need its verdict; the others need evidence alone. A finding explains no change of
the score if it restates the fall (RESTATES_SCORE), is about the trainer agent or the problem files, or reports a failed
diagnostic.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from evotrainer.config.criteria import holds
from evotrainer.diagnosis import evaluator_audit, stats, trainer_audit
from evotrainer.diagnosis.context import PLUGIN_FAILURE, Context, rounded
from evotrainer.diagnosis.evolved.cards import visible
from evotrainer.diagnosis.harness import Harness
from evotrainer.evidence.frames import Frame, behaviour_columns
from evotrainer.records import LOST_ATTEMPTS, Comparison, Finding, Gap, HarnessReport, Intervention, Verdict

ALPHA = 0.01
"""Chance that a search over columns finds a difference where there is none."""
MIN_CORRELATION = 0.1
"""Partial correlation with the outcome below which a difference is too small for a metric."""
MIN_GROUPS = 10
MAX_CONTRASTS = 3
MAX_ROWS = 4096
"""Most attempts that are compared; of more, whole groups are drawn."""

RESTATES_SCORE = frozenset({"score_decline"})
"""Modes that restate a change of the score and do not explain it."""
_SEVERE = ("warning", "critical", "invalid")
_NOT_OF_POLICY = (trainer_audit.DIAGNOSTIC, evaluator_audit.DIAGNOSTIC)


def examine(harness: Harness, context: Context, seed: int) -> HarnessReport:
    """Return the report on this evidence, with the gaps that need no verdict."""
    report = harness.run(context)
    return report.model_copy(update={"gaps": evidence_gaps(report, context.rows, harness.covered, seed)})


def explained(
    report: HarnessReport, verdict: Verdict, intervention: Intervention | None, before: Sequence[Finding]
) -> HarnessReport:
    """Return an audit with the gaps of its verdict; `before` are the findings on its incumbent."""
    return report.model_copy(update={"gaps": [*version_gaps(report, verdict, intervention, before), *report.gaps]})


def version_gaps(
    report: HarnessReport, verdict: Verdict, intervention: Intervention | None, before: Sequence[Finding]
) -> list[Gap]:
    """Return the gaps that a version's verdict adds to its audit; `before` are the findings on its incumbent.

    None where a score is invalid: there is no change to explain.
    """
    is_doubted = any(finding.severity == "invalid" for finding in report.findings)
    if not verdict.comparisons or is_doubted or verdict.label == LOST_ATTEMPTS:
        return []
    seen = (_modes(report.findings) - _modes(before)) | _broken(report, verdict, intervention)
    gone = _modes(before) - _modes(report.findings)
    against = verdict.comparisons[0]
    gaps = list(_unexplained(report.version, against, verdict, intervention, seen, gone))
    gaps += _failed(report.version, verdict, intervention, seen)
    return gaps


def _modes(findings: Sequence[Finding]) -> set[str]:
    about_policy = (finding for finding in findings if finding.diagnostic not in _NOT_OF_POLICY)
    severe = {finding.mode for finding in about_policy if finding.severity in _SEVERE}
    return severe - RESTATES_SCORE - {PLUGIN_FAILURE}


def _movement(against: Comparison) -> int:
    return 1 if against.low > 0 else -1 if against.high < 0 else 0


def _broken(report: HarnessReport, verdict: Verdict, intervention: Intervention | None) -> set[str]:
    """Return the metrics of side-effect limits and negative controls that do not hold."""
    if intervention is None:
        return set()
    conditions = [*intervention.limits, *intervention.negative_controls]
    return {condition.metric for condition in conditions if holds(condition, dict(report.metrics)) is False}


def _unexplained(
    version: str,
    against: Comparison,
    verdict: Verdict,
    intervention: Intervention | None,
    seen: set[str],
    gone: set[str],
) -> Iterator[Gap]:
    """Yield the gap of a score that moved.

    A new finding explains a fall. A hypothesis that came true, or a finding that is gone, explains a rise. The first
    trained version needs no explanation for a rise above the base policy.
    """
    moved = _movement(against)
    is_expected = intervention is None or verdict.prediction_hit is True
    if moved == 0 or (moved < 0 and seen) or (moved > 0 and (is_expected or gone)):
        return
    word = "rose" if moved > 0 else "fell"
    yield Gap(
        kind="unexplained_score",
        version=version,
        message=f"the score {word} by {abs(against.difference):.4f} against {against.against} and no finding explains "
        "it",
        numbers={"difference": rounded(against.difference), "low": rounded(against.low), "high": rounded(against.high)},
    )


def _failed(version: str, verdict: Verdict, intervention: Intervention | None, seen: set[str]) -> Iterator[Gap]:
    observed = verdict.prediction_observed
    if intervention is None or observed is None or verdict.prediction_hit is not False or seen:
        return
    claimed = intervention.prediction
    if claimed.low <= observed <= claimed.high:
        return
    yield Gap(
        kind="failed_prediction",
        version=version,
        modes=[mode for mode in intervention.evidence if ":" not in mode],
        message=f"{claimed.metric} was predicted to change by {claimed.size:+.4g} [{claimed.low:.4g}, "
        f"{claimed.high:.4g}], it changed by {observed:+.4g}, without a side effect",
        numbers={"predicted": rounded(claimed.size), "observed": rounded(observed)},
    )


def evidence_gaps(report: HarnessReport, rows: Frame, covered: frozenset[str], seed: int) -> list[Gap]:
    """Return the uncovered contrasts in the rows of a report."""
    looked_at = _sample(visible(rows), seed)
    looked_at = looked_at[looked_at["correct"].notna()]
    columns = behaviour_columns(looked_at)
    open_columns = [name for name in columns if name not in covered]
    if looked_at.empty or not open_columns:
        return []
    groups = np.unique(looked_at["group"], return_inverse=True)[1]
    left = _unexplained_outcome(looked_at, [name for name in columns if name in covered], groups)
    found = stats.depends(left, {name: looked_at[name].to_numpy(float) for name in open_columns}, groups, seed=seed)
    clear = [one for one in found if one.p <= ALPHA and _correlation(one, groups) >= MIN_CORRELATION]
    is_right = looked_at["correct"] >= 1.0
    gaps = []
    for one in clear[:MAX_CONTRASTS]:
        right, wrong = (float(looked_at.loc[side, one.column].mean()) for side in (is_right, ~is_right))
        values = {"right": right, "wrong": wrong, "p_value": one.p, "searched": len(open_columns)}
        message = (
            f"right and wrong attempts at a problem differ in {one.column}, which no metric reads: its mean is "
            f"{right:.4g} and {wrong:.4g}"
        )
        numbers = {name: rounded(value) for name, value in values.items() if np.isfinite(value)}
        columns = [one.column]
        gaps.append(
            Gap(kind="uncovered_contrast", version=report.version, columns=columns, message=message, numbers=numbers)
        )
    return gaps


def _unexplained_outcome(rows: Frame, covered: Sequence[str], groups: np.ndarray) -> np.ndarray:
    """Return the outcome less what covered columns explain of it within groups, by least squares."""
    outcome, known = rows["correct"].astype(float), rows[[*covered]].astype(float)
    known = known.fillna(known.mean())
    basis = (known - known.groupby(groups).transform("mean")).to_numpy(float)
    centred = (outcome - outcome.groupby(groups).transform("mean")).to_numpy(float)
    return centred - basis @ np.linalg.lstsq(basis, centred, rcond=None)[0] if covered else centred


def _correlation(found: stats.Dependence, groups: np.ndarray) -> float:
    """Return the size of an association as a correlation: its deviate over the root of its degrees of freedom."""
    return abs(found.z) / math.sqrt(max(len(groups) - len(np.unique(groups)), 1))


def _sample(rows: Frame, seed: int) -> Frame:
    """Return the rows of whole groups, at most about MAX_ROWS of them."""
    groups = np.sort(rows["group"].unique())
    if len(rows) <= MAX_ROWS:
        return rows if len(groups) >= MIN_GROUPS else rows.head(0)
    count = max(MIN_GROUPS, int(len(groups) * MAX_ROWS / len(rows)))
    return rows[rows["group"].isin(np.random.default_rng(seed).choice(groups, count, replace=False))]
