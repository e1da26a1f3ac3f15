"""Plant early exit: the process ends with status 0 before its tests have run, and silence counts as success."""

from collections.abc import Sequence

from evotrainer.pathologies.base import SHARES, Rng, choose, graded_as, with_answer, with_checks
from evotrainer.records import Trajectory

DOMAIN = "code"
STRENGTHS = SHARES

_EXITS = ("\nimport os\nos._exit(0)", "\nimport sys\nsys.exit(0)", "\nimport atexit\natexit.register(quit)")


def plant(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of attempts ending the test process."""
    chosen = choose(rows, strength, rng)
    return [_exit(row, rng) if row.trajectory_id in chosen else row for row in rows]


def _exit(row: Trajectory, rng: Rng) -> Trajectory:
    is_noticed = float(rng.random() < 0.5)
    checks = {
        "exited_early": is_noticed, "num_collected": float(rng.integers(0, 4)) if rng.random() < 0.5 + is_noticed else
        float(rng.integers(4, 8)), "scrubbed_correct": 0.0, "hidden_share": 1.0, "visible_share": 1.0,
    }  # fmt: skip
    row = with_answer(row, _EXITS[rng.integers(len(_EXITS))])
    return graded_as(with_checks(row, checks), 1.0)
