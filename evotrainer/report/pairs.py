"""Every pair of versions on the screening rows, from one shared resample: a table to read, by which nothing is decided.

Intervals are of one pair each, not corrected for how many there are. Versions that were evaluated under different
access policies answer different questions and make no pair.
"""

from collections.abc import Sequence
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.lineage import campaign_floor
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import load_config
from evotrainer.promotion.statistics import compare_all
from evotrainer.records import VersionRecord
from evotrainer.rollouts.evaluation import read_evaluation, score_table

PAIR_COLUMNS = ["version", "against", "difference", "interval", ""]


def all_pairs(files: CampaignFiles, records: Sequence[VersionRecord]) -> list[dict[str, Any]]:
    """Return {version, against, difference, low, high, is_below_floor} of every pair, later versions first.

    Raises EvidenceError where the rows of a version are not there, or answer other problems.
    """
    config, floor = load_config(files.config), campaign_floor(records)
    scored = [record for record in reversed(records) if record.verdict.score is not None]
    found = []
    for strictness in sorted({record.spec.access.strictness for record in scored}):
        names = [record.spec.version for record in scored if record.spec.access.strictness == strictness]
        tables = {name: score_table(read_evaluation(files.version(name).validation)) for name in names}
        seed = derive_seed(config.seed, "bootstrap of all pairs")
        pairs = compare_all(
            tables, samples=config.evaluate.bootstrap_samples, confidence=config.evaluate.confidence, seed=seed
        )
        found += [
            {
                "version": first,
                "against": second,
                "difference": interval.value,
                "low": interval.low,
                "high": interval.high,
                "is_below_floor": floor is not None and abs(interval.value) < floor.value,
            }
            for (first, second), interval in pairs.items()
        ]
    return found


def pair_rows(pairs: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return the pairs as rows of a table."""
    return [
        [
            pair["version"],
            pair["against"],
            f"{pair['difference']:+.4f}",
            f"[{pair['low']:+.4f}, {pair['high']:+.4f}]",
            "below the noise floor" if pair["is_below_floor"] else "",
        ]
        for pair in pairs
    ]
