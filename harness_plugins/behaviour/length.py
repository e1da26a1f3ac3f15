"""Length of an attempt: mean, median and 95th percentile of its tokens, and mean characters. No findings."""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return length metrics."""
    rows = context.graded
    metrics: dict[str, float] = {"mean_chars": rows["num_chars"].mean()}
    if (rows["num_tokens"] > 0).any():
        tokens = rows["num_tokens"]
        metrics |= {"mean_tokens": tokens.mean(), "median_tokens": tokens.median(), "p95_tokens": tokens.quantile(0.95)}
    return Diagnosis(known(metrics))
