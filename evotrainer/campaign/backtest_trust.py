"""How far a family's backtests came true: the slope of observed on predicted change over its trained versions.

It is shrunk to PRIOR_TRUST as if PRIOR_VERSIONS of typical size had been seen. What was observed is the mean over fresh
training seeds where the recipe was confirmed, else what fresh rows of the one checkpoint show.
"""

from collections.abc import Sequence

from evotrainer.campaign.lineage import recipe_gain
from evotrainer.config.factors import Family, families_of
from evotrainer.config.interventions import MERGE_SIGN
from evotrainer.records import VersionRecord

PRIOR_TRUST = 1.0
PRIOR_VERSIONS = 4
TYPICAL_EFFECT = 0.02
TRUST_LIMITS = (0.05, 2.0)


def trust(records: Sequence[VersionRecord], family: Family) -> float:
    """Return the slope of observed on predicted score change for this family, shrunk to its prior."""
    weight = PRIOR_VERSIONS * TYPICAL_EFFECT**2
    product, square = PRIOR_TRUST * weight, weight
    for record in records:
        if record.intervention is None or record.backtest is None:
            continue
        observed, is_single = recipe_gain(record), MERGE_SIGN not in record.intervention.factor
        if families_of(record.intervention.diff) == {family} and is_single and observed is not None:
            predicted = record.backtest.numbers.get("raw_effect", 0.0)
            product += predicted * observed
            square += predicted**2
    return min(max(product / square, TRUST_LIMITS[0]), TRUST_LIMITS[1])
