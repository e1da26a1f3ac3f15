"""Variety that is lost: of sampled tokens, of reasoning."""

import math

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.rules import moved, moves, outliers, share, spreading
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import t_limit, trend, unusual
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.sketch import EMPTY, NUM_BINS
from evotrainer.records import Finding, Severity

_MIN_STEPS = 9
"""Optimiser steps of which each third has three."""


@hookimpl
def entropy_collapse(context: Context) -> Diagnosis:
    """Return logprob, diversity and entropy; warn or worse when exploration is gone.

    Limits on the level: mean logprob above -0.1 with repeated responses, above -0.05 without (base metrics of
    EvoTrainer, arXiv 2606.03108). A policy that is certain and still tries different things has not collapsed; nor has
    one that keeps half of its campaign's uncertainty: answers of a fixed form are nearly certain from the start. Over a
    run, unless success rises (a policy that learns becomes more certain), the first that holds: entropy falls by 80% or
    doubles; attempts near noise, below -2 nats a token, are common; attempts far more, or far less, certain than those
    of the first third spread, or the more certain ones exceed their limit.
    """
    rows = context.graded
    logprob = rows["mean_logprob"].mean()
    by_group = rows[rows["num_chars"] > 0].groupby("group")["response_hash"]
    size = by_group.size()
    # 1: no two responses of a group are equal; 0: all are.
    distinct = ((by_group.nunique() - 1) / (size - 1))[size >= 2].mean()
    metrics = known(
        {"mean_logprob": logprob, "distinct_responses": distinct, "logprob_change": rows["logprob_change"].mean()}
    )
    findings: list[Finding] = []
    if math.isfinite(logprob) and len(rows) >= LIMITS.min_rows and logprob > LIMITS.logprob_warning:
        findings = _sure(context, logprob, distinct)
    who, mode = "far {} certain than the first ones", "entropy_collapse"
    return Diagnosis(
        metrics,
        findings
        + (
            _entropy(context)
            or _exploded(context)
            or spreading(context, mode, lambda part: unusual(part, 1), who.format("more"))
            or spreading(context, mode, lambda part: unusual(part, -1), who.format("less"))
            or outliers(context, mode, lambda part: unusual(part, 1), f"attempts are {who.format('more')}")
        ),
    )


def _sure(context: Context, logprob: float, distinct: float) -> list[Finding]:
    repeats = distinct < LIMITS.distinct_responses
    if not repeats and logprob <= LIMITS.logprob_critical:
        return []
    keeps_half = 1 - LIMITS.logprob_change
    if context.start is not None and logprob < keeps_half * context.start.get("mean_logprob", logprob):
        return []
    severity: Severity = "critical" if repeats and logprob > LIMITS.logprob_critical else "warning"
    beside = f" and responses repeat (distinct {distinct:.2f})" if repeats else ""
    message = (
        f"mean logprob is {logprob:.3f} nats a token (limit {LIMITS.logprob_warning:g}){beside}: hardly anything is "
        "explored, raise the temperature or the KL coefficient"
    )
    numbers = known({"mean_logprob": logprob, "distinct_responses": distinct})
    examples = context.graded.sort_values("mean_logprob", ascending=False, kind="stable")
    return [context.finding("entropy_collapse", severity, message, numbers, examples)]


def _entropy(context: Context) -> list[Finding]:
    entropy = context.signals["entropy"]
    third = len(entropy) // 3
    if len(entropy) < _MIN_STEPS or entropy.iloc[:third].mean() <= 0:
        return []
    early, late = float(entropy.iloc[:third].mean()), float(entropy.iloc[-third:].mean())
    solved = trend(context.training, "correct", LIMITS.min_groups)
    improves = solved is not None and solved.z > LIMITS.outcome_rise
    if improves or (1 - LIMITS.entropy_fall) * early <= late <= (1 + LIMITS.entropy_rise) * early:
        return []
    message = f"entropy went from {early:.3g} to {late:.3g} nats a token and the solve rate did not rise"
    return [context.finding("entropy_collapse", "warning", message, {"early": early, "late": late})]


def _exploded(context: Context) -> list[Finding]:
    rows = context.graded
    rows = rows[rows["mean_logprob"].notna()]
    is_noise = rows["mean_logprob"] < LIMITS.logprob_exploded
    what = f"attempts have a mean logprob below {LIMITS.logprob_exploded:g}, near noise: lower the learning rate"
    return share(context, "entropy_collapse", rows, is_noise, "exploded", what, numbers={"exploded": is_noise.mean()})


@hookimpl
def template_collapse(context: Context) -> Diagnosis:
    """Return how well reasoning identifies its problem; critical near chance, a warning where it falls.

    Reasoning that no longer depends on the problem follows one template, though its texts differ, so that entropy does
    not see it. reasoning_retrieval is 1 where the reasoning always identifies its problem, 1/2 where never. It is
    critical significantly below its limit, and a warning where it falls by 0.05 along all steps of a run, or lies below
    the incumbent's and falls over the run (either sign alone can come from other problems), and success does not rise.
    Reasoning is the text beside answers and tool calls. Attempts without any are not judged.
    """
    rows = context.graded
    if rows["reasoning_sketch"].isna().mean() > 0.5 or rows.empty:
        return Diagnosis()
    areas: Frame = pd.Series(reasoning_specificity(rows), dtype="float64")
    if len(areas) < LIMITS.min_groups:
        return Diagnosis()
    metrics, mode = known({"reasoning_retrieval": areas.mean()}), "template_collapse"
    high = areas.mean() + t_limit(LIMITS.limit_alpha, len(areas)) * float(areas.std()) / math.sqrt(len(areas))
    if high < LIMITS.reasoning_specificity:
        message = (
            f"reasoning hardly identifies its problem (area {areas.mean():.2f}, limit "
            f"{LIMITS.reasoning_specificity:g}, chance 0.50): it follows one template"
        )
        examples = rows[rows["group"].isin(areas.index)].drop_duplicates("group")
        return Diagnosis(metrics, [context.finding(mode, "critical", message, metrics, examples)])
    training = graded(context.training)
    by_group = pd.Series(reasoning_specificity(training), dtype="float64")
    training = training.assign(_area=training["group"].map(by_group))
    what = "how well reasoning identifies its problem (chance 0.50)"
    findings = moves(context, mode, training, "_area", -1, "specificity_fall", what)
    before = context.before.get("reasoning_retrieval")
    if not findings and before is not None and moves(context, mode, training, "_area", -1, "", what, "joint_alpha"):
        spread = rows.assign(_area=rows["group"].map(areas))
        findings = moved(context, mode, spread, "_area", -1, "specificity_vs_incumbent", what, before)
    return Diagnosis(metrics, findings)


MAX_GROUPS, MAX_ROWS = 96, 384
"""Groups and attempts that are compared at most, so that the cost does not grow with the rows."""
MIN_ATTEMPTS = 4
"""Attempts of a group that are compared at least."""
_MIN_BINS = 16
"""Filled bins below which a text is too short to compare."""


def reasoning_specificity(rows: Frame) -> dict[int, float]:
    """Return the area under the curve, in [0, 1], of the groups whose attempts reason; group number to value.

    Similarity is estimated from the sketches of evidence/sketch.py. For an attempt, its mean similarity to the
    other attempts at its problem is compared with its mean similarity to those at each other problem. The share of
    problems below is the area under the curve of retrieving the problem by the reasoning. It bounds the mutual
    information of problem and reasoning from below, needs no model, and ignores text that all attempts share. RAGEN-2
    names the failure and measures it with the policy's own likelihoods.
    """
    sketches, groups, numbers = _sketches(rows)
    names, places = np.unique(groups, return_inverse=True)
    problem_of = rows.drop_duplicates("group").set_index("group")["problem_id"]
    problems = problem_of.loc[names].to_numpy()
    if len(set(problems)) < 2:
        return {}
    is_other_GG = problems[:, None] != problems[None, :]
    similarity_NN = _similarity(sketches)
    area_N = np.zeros(len(places))
    for number in np.unique(numbers):
        # An attempt is compared with as many attempts at each other problem as at its own: all but one.
        mine = numbers == number
        members_NG = (np.eye(len(names))[places]) * ~mine[:, None]
        means_NG = similarity_NN[mine] @ members_NG / members_NG.sum(axis=0)
        own_N = means_NG[np.arange(mine.sum()), places[mine]]
        below_NG = (means_NG < own_N[:, None]) + 0.5 * (means_NG == own_N[:, None])
        area_N[mine] = (below_NG * is_other_GG[places[mine]]).sum(axis=1) / is_other_GG[places[mine]].sum(axis=1)
    return {int(name): float(area_N[places == place].mean()) for place, name in enumerate(names)}


def _sketches(rows: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sketches N x bins, groups N and numbers within the group N of the chosen attempts."""
    known = rows.loc[rows["reasoning_sketch"].notna(), ["group", "reasoning_sketch"]]
    table = np.frombuffer(bytes.fromhex("".join(known["reasoning_sketch"].tolist())), np.uint8).reshape(-1, NUM_BINS)
    is_long = (table != EMPTY).sum(axis=1) >= _MIN_BINS
    known, table = known[is_long], table[is_long]
    number = known.groupby("group").cumcount()
    groups = np.sort(known.loc[number == 1, "group"].unique())
    places = np.linspace(0, max(len(groups) - 1, 0), min(len(groups), MAX_GROUPS)).astype(int)
    keep = (
        known["group"].isin(groups[places]) & (number < max(MIN_ATTEMPTS, MAX_ROWS // max(len(places), 1)))
    ).to_numpy()
    return table[keep], known["group"].to_numpy()[keep], number.to_numpy()[keep]


def _similarity(sketches: np.ndarray) -> np.ndarray:
    """Return the estimated Jaccard similarity N x N: equal bins among those that either text fills."""
    equal = np.zeros((len(sketches), len(sketches)), np.uint8)
    for column in sketches.T:
        equal += column[:, None] == column[None, :]
    filled = (sketches != EMPTY).astype(float)
    counts = filled.sum(axis=1)
    either = counts[:, None] + counts[None, :] - filled @ filled.T
    # Bins that both leave empty are equal too, and count as neither.
    return (equal - (NUM_BINS - either)) / np.maximum(either, 1.0)
