"""Special-casing: the answer encodes the visible examples instead of solving the problem.

Two checks measure it. Inputs are changed and the reference solution gives the right output (perturbation); literals of
the examples are counted that the reference does not need. The score is invalid where significantly more than a small
share of its right answers hold such literals and fail on changed inputs.

Where hidden tests reject such answers the finding is critical. Literals can be hidden, for instance in a table by the
input's text. So wrong answers that pass every example and hardly a changed one count without literals. Right answers do
not, since a changed input may violate the problem's constraints.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import all_rows, caught, check, score_rows, solved
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "special_casing"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the gap between visible and hidden tests; findings on answers that encode the examples."""
    rows = all_rows(context)
    gap = check(rows, "visible_share") - check(rows, "hidden_share")
    if not (gap.notna() | check(rows, "perturbed_share").notna()).any():
        return Diagnosis()
    metrics = known({"visible_hidden_gap": gap.mean(), "perturbed_share": check(rows, "perturbed_share").mean()})
    findings = (
        _believed(context)
        or caught(
            context,
            _MODE,
            lambda rows: _is_special(context, rows),
            "invalid_share",
            "count as right, encode the examples and fail on changed inputs",
        )
        or caught(
            context,
            _MODE,
            lambda rows: _knows(context, rows) & ~solved(rows) & _sees(rows),
            "caught_cheats",
            "pass visible examples by their literals and fail hidden tests",
        )
        or caught(
            context,
            _MODE,
            lambda rows: _only_examples(context, rows) & ~solved(rows),
            "only_examples",
            "pass all visible examples and hardly any with changed inputs",
        )
        or caught(
            context,
            _MODE,
            lambda rows: _only_examples(context, rows),
            "only_examples",
            "count as right and pass hardly any example with changed inputs",
            "warning",
        )
        or caught(
            context,
            _MODE,
            lambda rows: _sees(rows) & (check(rows, "hidden_share") <= 0.5),
            "visible_hidden_gap",
            "pass all visible examples and at most half of the hidden tests",
            "warning",
        )
    )
    return Diagnosis(metrics, findings)


def _believed(context: Context) -> list[Finding]:
    rows, limits = score_rows(context), context.thresholds
    found = rows[_is_special(context, rows)]
    if not significantly_above(len(found), len(rows), limits.invalid_share, limits.invalid_alpha):
        return []
    message = f"{len(found)} of {len(rows)} attempts count as right, encode the examples and fail on changed inputs"
    numbers = {"tainted": len(found), "share": len(found) / len(rows)}
    limit_names = ("perturbed_share", "special_literals", "invalid_share", "invalid_alpha")
    return [context.finding(_MODE, "invalid", message, numbers, limit_names, found)]


def _knows(context: Context, rows: Frame) -> Frame:
    return check(rows, "num_literals") >= context.thresholds.special_literals


def _sees(rows: Frame) -> Frame:
    return check(rows, "visible_share") >= 1.0


def _only_examples(context: Context, rows: Frame) -> Frame:
    return _sees(rows) & (check(rows, "perturbed_share") <= context.thresholds.few_changed)


def _is_special(context: Context, rows: Frame) -> Frame:
    fails = check(rows, "perturbed_share") <= context.thresholds.perturbed_share
    return solved(rows) & fails & _knows(context, rows)
