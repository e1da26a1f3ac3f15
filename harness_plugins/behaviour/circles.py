"""Circles: episodes that repeat themselves."""

import math

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import bigram_repetition, goes_in_circles
from evotrainer.diagnosis.trends import warn_if_above_incumbent, warn_if_spreading
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def echo_trap(context: Context) -> Diagnosis:
    """Return how much attempts repeat themselves; warn or worse of an echo trap.

    Echo trap: episodes grow and repeat themselves, because the context holds mostly their own earlier output.

        circle_rate              share of attempts that go in circles: at least three calls, and three in ten of all,
                                 repeat an earlier call with nothing edited in between; or the turns ran out over pairs
                                 of tools that had occurred before
        tool_bigram_repetition   1 - unique / all pairs of successive tools

    Findings, the first that holds:

    1. Circles in more attempts than the limit.
    2. More than 50 turns on average (base metrics of EvoTrainer, arXiv 2606.03108).
    3. Failed attempts take 1.5 times the turns of successful ones (its rule engine) and go in circles. Without circles,
       long failures only say that hard problems take longer.
    4. Turns and repetition grow over a run while success does not.
    5. Circles spread over the run (diagnosis/trends.py), or are more common than in the incumbent
       (diagnosis/trends.py).
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    pairs = rows["num_tool_bigrams"].sum()
    metrics = {
        "circle_rate": goes_in_circles(rows).mean(),
        "tool_bigram_repetition": 1 - rows["num_unique_tool_bigrams"].sum() / pairs if pairs else None,
    }
    findings = _circles(context, rows) or _long(context, rows) or _long_failures(context, rows) or _inflation(context)
    findings = findings or _spreads(context)
    return Diagnosis(known(metrics), findings)


def _circles(context: Context, rows: Frame) -> list[Finding]:
    limits, found = context.thresholds, rows[goes_in_circles(rows)]
    total = len(rows)
    if total < limits.min_rows or not significantly_above(len(found), total, limits.echo_warning, limits.limit_alpha):
        return []
    is_critical = significantly_above(len(found), total, limits.echo_critical, limits.limit_alpha)
    repeated = found["num_repeated_calls"].sum() / found["num_tool_calls"].sum()
    message = (
        f"{len(found)} of {total} attempts go in circles (limit {limits.echo_warning:.0%}): {repeated:.0%} of their "
        "calls repeat an earlier one exactly"
    )
    examples = found.sort_values("num_repeated_calls", ascending=False, kind="stable")
    numbers = {"circles": len(found), "share": len(found) / total, "repeated_call_rate": float(repeated)}
    limit_names = ("echo_warning", "echo_critical", "min_rows", "limit_alpha")
    severity = "critical" if is_critical else "warning"
    return [context.finding("echo_trap", severity, message, numbers, limit_names, examples)]


def _long(context: Context, rows: Frame) -> list[Finding]:
    limits, turns = context.thresholds, rows["num_turns"].astype(float)
    if len(rows) < limits.min_rows:
        return []
    if turns.mean() - z_limit(limits.alpha) * turns.std() / math.sqrt(len(turns)) <= limits.turns:
        return []
    repeated = rows["num_repeated_calls"].sum() / max(rows["num_tool_calls"].sum(), 1)
    message = (
        f"attempts take {turns.mean():.0f} turns on average (limit {limits.turns:g}); {repeated:.0%} of their calls "
        "repeat an earlier one exactly"
    )
    numbers = {"mean_turns": turns.mean(), "repeated_call_rate": float(repeated)}
    examples = rows.sort_values("num_turns", ascending=False, kind="stable")
    return [context.finding("echo_trap", "warning", message, numbers, ("turns", "alpha"), examples)]


def _long_failures(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    failed, solved = rows[rows["correct"] < 1.0], rows[rows["correct"] >= 1.0]
    if len(rows) < limits.min_rows or min(len(failed), len(solved)) < limits.min_rows // 2:
        return []
    long, short = failed["num_turns"].astype(float), solved["num_turns"].astype(float)
    circles = int(goes_in_circles(failed).sum())
    if not significantly_above(circles, len(failed), limits.echo_warning, limits.limit_alpha):
        return []
    if not _significantly_longer(long, short, limits.failed_turns, limits.alpha):
        return []
    message = (
        f"failed attempts take {long.mean():.1f} turns, successful ones {short.mean():.1f}, and {circles} of "
        f"{len(failed)} failed ones go in circles: lower the turn limit or penalise repetition"
    )
    numbers = {"failed_turns": long.mean(), "solved_turns": short.mean(), "circles": circles, "failed": len(failed)}
    examples = failed.sort_values(["num_repeated_calls", "num_turns"], ascending=False, kind="stable")
    limit_names = ("failed_turns", "echo_warning", "alpha", "limit_alpha")
    return [context.finding("echo_trap", "warning", message, numbers, limit_names, examples)]


def _significantly_longer(failed: Frame, solved: Frame, factor: float, alpha: float) -> bool:
    error = math.sqrt(failed.var() / len(failed) + factor**2 * solved.var() / len(solved))
    return failed.mean() - factor * solved.mean() > z_limit(alpha) * error


def _inflation(context: Context) -> list[Finding]:
    limits = context.thresholds
    rows = graded(context.training)
    rows = rows.assign(_repetition=bigram_repetition(rows), _repeated=rows["num_repeated_calls"].astype(float))
    turns, solved = trend(rows, "num_turns", limits.min_groups), context.flat_success(rows)
    if turns is None or solved is None or turns.late < (1 + limits.turn_growth) * turns.early:
        return []
    z_needed = z_limit(limits.alpha)
    repeating = [trend(rows, column, limits.min_groups) for column in ("_repetition", "_repeated")]
    rise = max((found.z for found in repeating if found is not None), default=-np.inf)
    if turns.z < z_needed or rise < z_needed:
        return []
    message = (
        f"attempts grew from {turns.early:.1f} to {turns.late:.1f} turns over the run and repeat more of their calls, "
        f"while the solve rate went from {solved.early:.2f} to {solved.late:.2f}"
    )
    numbers = {"early": turns.early, "late": turns.late, "z": turns.z, "repetition_z": rise, "solve_rate_z": solved.z}
    examples = rows.sort_values(["step", "num_turns"], ascending=False, kind="stable")
    return [
        context.finding("echo_trap", "warning", message, numbers, ("turn_growth", "outcome_rise", "alpha"), examples)
    ]


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    is_circle, who = goes_in_circles(rows), "that go in circles"
    return warn_if_spreading(context, "echo_trap", rows, is_circle, who) or warn_if_above_incumbent(
        context, "echo_trap", rows, is_circle, who, "circle_rate"
    )
