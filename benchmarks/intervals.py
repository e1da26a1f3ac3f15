"""Exact intervals of a share (Clopper and Pearson 1934), for counts in the tables of benchmarks."""

from scipy.stats import binomtest


def exact_interval(successes: int, trials: int, confidence: float = 0.95) -> tuple[float, float]:
    """Return the two-sided limits of a proportion; raises ValueError unless 0 <= successes <= trials and trials > 0."""
    found = binomtest(successes, trials).proportion_ci(confidence, "exact")
    return float(found.low), float(found.high)
