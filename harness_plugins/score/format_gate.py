"""Format gate: answers that are right when read leniently and wrong under the gate.

Above 30% format failures the gate is suspect, not the policy (base metrics of EvoTrainer, arXiv 2606.03108). The second
signal is the share of attempts that the gate alone makes wrong: they punish the form of an answer, not its content.
Reads `format_ok`, and `lenient_correct` of `extra`.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return format failures and wrongly rejected attempts; warn above 30% and 4%."""
    rows, limits = context.graded, context.thresholds
    judged = rows[rows["format_ok"].notna()]
    failed = judged[judged["format_ok"] == 0.0]
    read = rows[rows["lenient_correct"].notna() & rows["correct"].notna()]
    rejected = read[(read["lenient_correct"] >= 1.0) & (read["correct"] < 1.0)]
    metrics = known(
        {
            "format_failure_rate": len(failed) / len(judged) if len(judged) else None,
            "rejected_correct_rate": len(rejected) / len(read) if len(read) else None,
        }
    )
    findings = []
    if len(read) >= limits.min_rows and significantly_above(
        len(rejected), len(read), limits.rejected_correct, limits.limit_alpha
    ):
        message = (
            f"{len(rejected)} of {len(read)} attempts (limit {limits.rejected_correct:.0%}) are right when read "
            "leniently but wrong under the format gate; "
            f"the solve rate would be {(read['lenient_correct'] >= 1).mean():.2f}, not {read['correct'].mean():.2f}"
        )
        findings.append(
            context.finding("format_gate", "warning", message, metrics, ("rejected_correct", "limit_alpha"), rejected)
        )
    elif len(judged) >= limits.min_rows and significantly_above(
        len(failed), len(judged), limits.format_failures, limits.limit_alpha
    ):
        message = (
            f"{len(failed)} of {len(judged)} attempts fail the format gate (limit {limits.format_failures:.0%}): check "
            "the gate before the policy"
        )
        findings.append(
            context.finding("format_gate", "warning", message, metrics, ("format_failures", "limit_alpha"), failed)
        )
    return Diagnosis(metrics, findings)
