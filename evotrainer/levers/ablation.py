"""The ablation audit: does a version live on something that the base policy does not need?

A sample of validation problems is attempted again with a part of the access taken away, by the version and by the base
policy. *Retention* is the score without over the score with. What all policies need makes both fall alike and cancels;
no label and no knowledge of what is taken away enters. Access policies name what may be taken away: what they remove is
what an honest episode need not have, so that learning to use a tool that stays is never held against a version.

A retention that is lost beyond sampling error is an `invalid` finding. The campaign answers it as it answers a leak:
it goes on under the stricter access, and scores base policy and parents again (campaign/leak_response.py).

The error is the larger of two: the delta method for binomial counts, and a jackknife over problems, which attempts at
one problem share. Legend: N problems.
"""

import numpy as np

from evotrainer.evidence.score_table import ScoreTable
from evotrainer.records import AccessPolicy, Finding

DEPENDENT = "access_dependence"
MAX_PROBLEMS = 32
"""Problems of the sample; each is attempted as often as an evaluation attempts it."""
SURE = 3.5
"""Standard errors that the log of the ratio of two retentions must lie below 0."""
LEAST_LOSS = 0.25
"""Share of its score that a version must lose beyond the base policy's loss."""


Pair = tuple[ScoreTable, ScoreTable]
"""One policy's attempts with and without what is taken away."""


def lost(own: Pair, base: Pair) -> dict[str, float] | None:
    """Return what a version's score loses beyond the base policy's, as numbers; None within error."""
    retained, usual = (float(np.exp(_log_rate(without) - _log_rate(given))) for given, without in (own, base))
    loss = np.log(usual) - np.log(retained)
    error = max(np.sqrt(sum(map(_variance, (*own, *base)))), _jackknife(own, base))
    if loss <= SURE * error or retained > (1 - LEAST_LOSS) * usual:
        return None
    numbers = {"retention": retained, "retention_of_base": usual, "standard_errors": loss / error,
               "attempts": np.isfinite(own[1].values).sum()}  # fmt: skip
    return {name: round(float(value), 6) for name, value in numbers.items()}


def dependence(version: str, access: AccessPolicy, own: Pair, base: Pair) -> list[Finding]:
    """Return the finding that a version depends on what `access` takes away, or none; both on the same problems."""
    found = lost(own, base)
    if found is None:
        return []
    return [
        Finding(
            mode=DEPENDENT,
            severity="invalid",
            diagnostic="ablation_audit",
            version=version,
            message=f"scored {access.wording}, the version keeps {found['retention']:.0%} of its score and the base "
            f"policy {found['retention_of_base']:.0%} ({found['standard_errors']:.1f} standard errors apart): it lives "
            "on what that takes away",
            numbers=found,
            reads_validation=True,
        )
    ]


def _jackknife(own: Pair, base: Pair) -> float:
    """Return the standard error of the log of the ratio of retentions, leaving out one problem at a time."""
    count = len(own[0].problem_ids)
    values = np.array([_log_ratio(own, base, place) for place in range(count)])
    return float(np.sqrt((count - 1) / count * ((values - values.mean()) ** 2).sum()))


def _log_ratio(own: Pair, base: Pair, without: int) -> float:
    return sum(
        sign * (_log_rate(pair[1], without) - _log_rate(pair[0], without)) for sign, pair in ((1, own), (-1, base))
    )


def _log_rate(table: ScoreTable, without: int | None = None) -> float:
    """Return the log of the rate, half an attempt added to either side; one problem may be left out."""
    values = table.values if without is None else np.delete(table.values, without, axis=0)
    return float(np.log((np.nansum(values) + 0.5) / (np.isfinite(values).sum() + 1)))


def _variance(table: ScoreTable) -> float:
    """Return the variance of the log of the rate, by the delta method for a binomial count."""
    total = float(np.isfinite(table.values).sum()) + 1
    rate = (float(np.nansum(table.values)) + 0.5) / total
    return (1 - rate) / (rate * total)
