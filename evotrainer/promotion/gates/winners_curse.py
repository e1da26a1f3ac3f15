"""Winner's curse: what selection on screening rows had added to a score, read off fresh rows.

The best of several checkpoints or versions was chosen because its screening rows came out well, partly by luck. Fresh
rows of the chosen one know nothing of the choice, so that screening score - fresh score estimates what luck had added.
"""

import math

from evotrainer.evidence.score_table import ScoreTable, require_same_problems
from evotrainer.promotion.statistics import noise_floor
from evotrainer.records import WinnersCurse


def winners_curse(screening: ScoreTable, fresh: ScoreTable) -> WinnersCurse:
    """Return screening score - fresh score of one checkpoint; raises EvidenceError if the problems differ."""
    require_same_problems(screening, fresh)
    floors = [noise_floor(screening), noise_floor(fresh)]
    error = None if None in floors else math.sqrt(sum((floor or 0.0) ** 2 / 2.0 for floor in floors))
    return WinnersCurse(
        screening=screening.score,
        fresh=fresh.score,
        correction=round(screening.score - fresh.score, 12),
        standard_error=error,
    )
