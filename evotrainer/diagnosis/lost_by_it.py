"""Whether attempts that met something others did not are worse off for it: they earn less at the same problem.

What others left differs from attempt to attempt, and comes up at several problems. One other answer for all is a world
of two forms, drawn by chance.
"""

from evotrainer.diagnosis.context import Context, z_limit
from evotrainer.diagnosis.pay import Pay, pay_of
from evotrainer.evidence.frames import Frame

_DIFFER = 0.3
"""Share of different answers among those that were met."""
_MIN_PROBLEMS, _MIN_ATTEMPTS = 3, 6


def lost_by_it(context: Context, rows: Frame, is_hit: Frame, met: Frame) -> Pay | None:
    """Return what marked attempts earn beside others, where that is less and the answers that they met differ.

    None where attempts or problems are too few, the answers are alike, or nothing is lost.
    """
    hit = rows[is_hit]
    if hit["problem_id"].nunique() < _MIN_PROBLEMS or len(hit) < _MIN_ATTEMPTS or met.nunique() < _DIFFER * len(met):
        return None
    pay = pay_of(rows, is_hit)
    return pay if pay is not None and pay.z <= -z_limit(context.thresholds.alpha) else None
