"""Scores: solve rates, of families too, and how they change against the reference and on unseen problems."""

import math
import re

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded, group_table, known, t_limit, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

_BINS = (0.0, 0.01, 0.3, 0.5, 0.8, 1.0)


@hookimpl
def score(context: Context) -> Diagnosis:
    """Return score metrics; warn when the solve rate falls over a run on an unchanged mix of problems.

    Score: the solve rate, its distribution, and how it changes between steps.

    solve_rate; avg_at_k, the mean over groups; pass_at_k, the share of groups with any success; the distribution of
    correctness over the bins 0, .01, .3, .5, .8, 1. The flow is over problems met at several steps: the share that most
    attempts solve at the last step but not at the first, and the reverse. Source: base metrics of EvoTrainer (arXiv
    2606.03108).
    """
    rows = context.graded
    rows = rows[rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    groups = rows.groupby("group")["correct"]
    metrics = {
        "solve_rate": rows["correct"].mean(),
        "avg_at_k": groups.mean().mean(),
        "pass_at_k": (groups.max() >= 1.0).mean(),
        "mean_reward": rows["reward"].mean(),
        "num_rows": len(context.rows),
        "num_groups": groups.ngroups,
        **_distribution(rows["correct"]),
        **_flow(context.training),
    }
    return Diagnosis(known(metrics), _decline(context))


def _distribution(correct: Frame) -> dict[str, float]:
    """Return the share of attempts in each bin that has any: partial credit may not exist."""
    places = np.searchsorted(_BINS, correct.to_numpy(), side="right") - 1
    shares = np.bincount(np.clip(places, 0, len(_BINS) - 1), minlength=len(_BINS)) / len(correct)
    return {f"correct_from_{low:g}_share": float(share) for low, share in zip(_BINS, shares, strict=True) if share > 0}


def _flow(training: Frame) -> dict[str, float]:
    solved = training[training["error"].isna()].groupby(["problem_id", "step"])["correct"].mean() >= 0.5
    visits = solved.groupby("problem_id")
    first, last = visits.first()[visits.size() > 1], visits.last()[visits.size() > 1]
    if first.empty:
        return {}
    return {"flow_gained": float((~first & last).mean()), "flow_lost": float((first & ~last).mean())}


def _decline(context: Context) -> list:
    if context.training_recipe is not None and context.training_recipe.data.curriculum != "none":
        return []  # a curriculum changes the mix of problems, and with it the solve rate
    limits = context.thresholds
    change = trend(context.training, "correct", limits.min_groups)
    if change is None or change.early - change.late < limits.decline or change.z > -z_limit(limits.alpha):
        return []
    message = (
        f"the solve rate on training rows fell from {change.early:.2f} to {change.late:.2f} over the run (limit "
        f"{limits.decline:g}): lower the learning rate"
    )
    numbers = {"early": change.early, "late": change.late, "z": change.z}
    return [context.finding("score_decline", "warning", message, numbers, ("decline", "alpha"))]


_MAX_FAMILIES = 100


@hookimpl
def families(context: Context) -> Diagnosis:
    """Return solve rates by family; info for a family far below the others.

    Families: the solve rate of each family of problems, as solve_rate_<family>, and families far below the others.

    A family that is solved 40 points less often than the others together, significantly over its problems, has the most
    to gain: it points to the mixture of training problems. Where rows name more than 100 families, those of few
    problems get no metric, since such names are names of problems.
    """
    rows = context.graded
    rows = rows[(rows["family"] != "") & rows["correct"].notna()]
    if rows.empty:
        return Diagnosis()
    rates = rows.groupby("family")["correct"].mean()
    by_problem = rows.groupby(["family", "problem_id"])["correct"].mean()
    limits, findings = context.thresholds, []
    sizes = by_problem.groupby("family").size()
    large = rates[sizes >= limits.min_groups]
    named = rates if len(rates) <= _MAX_FAMILIES else large
    metrics = known({f"solve_rate_{_word(str(family))}": rate for family, rate in named.items()})
    for family in large.index:
        own, others = by_problem[family], by_problem.drop(family, level="family")
        if len(others) < limits.min_groups:
            continue
        gap = float(others.mean() - own.mean())
        error = math.sqrt(float(own.var()) / len(own) + float(others.var()) / len(others))
        if gap - t_limit(limits.alpha, min(len(own), len(others))) * error > limits.family_gap:
            message = (
                f"the family '{family}' is solved in {own.mean():.0%}, the others in {others.mean():.0%} (limit of the "
                f"gap {limits.family_gap:.0%}): train on more of it"
            )
            examples = rows[(rows["family"] == family) & (rows["correct"] < 1.0)].drop_duplicates("problem_id")
            numbers = {"gap": gap, "standard_error": error}
            limit_names = ("family_gap", "min_groups", "alpha")
            findings.append(context.finding("weak_family", "info", message, numbers, limit_names, examples))
    return Diagnosis(metrics, findings)


def _word(family: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", family.lower()).strip("_") or "unnamed"


_LOGPROB_RISE = 0.5


@hookimpl
def versions(context: Context) -> Diagnosis:
    """Return changes against the reference version; nothing where there is none.

    Change against the reference version, as <metric>_change.

    Both versions' metrics come from this diagnostic's definitions. One rule of EvoTrainer's rule engine (arXiv
    2606.03108) compares two versions: mean logprob that rises by half (towards 0) without a better solve rate is a
    collapse of exploration.
    """
    rows = context.graded
    if context.reference is None or rows.empty:
        return Diagnosis()
    table = group_table(context.rows)
    current = known(
        {
            "solve_rate": rows["correct"].mean(),
            "mean_reward": rows["reward"].mean(),
            "mean_logprob": rows["mean_logprob"].mean(),
            "mean_tokens": rows["num_tokens"].mean(),
            "truncation_rate": rows["is_truncated"].mean(),
            "dead_group_ratio": table["is_dead"].mean(),
            "reward_spread": table["reward_std"].mean(),
        }
    )
    before = context.reference.metrics
    changes = {name: value - before[name] for name, value in current.items() if name in before}
    findings = []
    logprob, was = current.get("mean_logprob", math.nan), before.get("mean_logprob", math.nan)
    gain = changes.get("solve_rate", math.nan)
    error = float(rows.groupby("group")["correct"].mean().std()) / math.sqrt(max(rows["group"].nunique(), 1))
    if was < 0 and 1 - logprob / was > _LOGPROB_RISE and gain < z_limit(context.thresholds.alpha) * error:
        message = (
            f"mean logprob rose from {was:.3f} to {logprob:.3f} against {context.reference.spec.version} while the "
            f"solve rate changed by {gain:+.2f}: exploration collapses"
        )
        numbers = {"mean_logprob": logprob, "before": was, "solve_rate_change": gain}
        findings.append(context.finding("entropy_collapse", "warning", message, numbers, ("alpha",)))
    return Diagnosis(known({f"{name}_change": value for name, value in changes.items()}), findings)


@hookimpl
def train_validation_gap(context: Context) -> Diagnosis:
    """Return the gap; warn where it is significantly above 15 points.

    Train-validation gap: a policy that solves its training problems and not unseen ones has memorised.

    The last third of training rows is compared with sampled validation rows, over the families that both hold, since
    splits may differ by family on purpose. Groups are the independent units. The finding is a warning: an adaptive
    curriculum or another temperature can open a gap too.
    """
    limits, training = context.thresholds, graded(context.training)
    validation = graded(context.validation[context.validation["decoding"] == "sampled"])
    if training.empty or validation.empty:
        return Diagnosis()
    steps = sorted(training["step"].unique())
    training = training[training["step"].isin(steps[-max(1, len(steps) // 3) :])]
    shared = set(training["family"]) & set(validation["family"])
    means = [
        part[part["family"].isin(shared)].groupby("group")["correct"].mean().dropna() for part in (training, validation)
    ]
    if min(map(len, means)) < limits.min_groups:
        return Diagnosis()
    gap = float(means[0].mean() - means[1].mean())
    error = math.sqrt(sum(float(part.var()) / len(part) for part in means))
    findings = []
    if gap - t_limit(limits.alpha, min(map(len, means))) * error > limits.train_validation_gap:
        message = (
            f"the solve rate on training problems is {gap:.0%} above that on unseen problems of the same families "
            f"(limit {limits.train_validation_gap:.0%}): train on more problems"
        )
        numbers = {"gap": gap, "standard_error": error}
        limit_names = ("train_validation_gap", "min_groups", "alpha")
        findings.append(context.finding("train_validation_gap", "warning", message, numbers, limit_names))
    return Diagnosis(known({"train_validation_gap": gap}), findings)
