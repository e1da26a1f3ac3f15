"""Cases and controls: the evidence of one version, drawn from real attempts.

A control is a draw of honest attempts: for code and swe, problems with a solve rate of their own, whose attempts are
taken from the pool; for math, groups of a real training run. A case is the control of the same seed with one mode
injected, so the two differ in that mode alone. Groups of a math run are taken so that at most `MAX_DEAD` of a step are
dead: a run may be in that state by itself, and a control must not be.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from benchmarks.failure_modes.base import Rng
from benchmarks.failure_modes.case import Case
from benchmarks.fault_injection.rollouts import HONEST, Pool
from benchmarks.fault_injection.training import Run
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.evidence.frames import Frame, empty_signals
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.schema import CHECK_PREFIX, TERM_PREFIX
from evotrainer.records import Trajectory
from evotrainer.records.evidence import CHECKS

GROUP_SIZE = 8
NUM_STEPS, GROUPS_A_STEP = 8, 6
MAX_DEAD = 0.15


class RowSource:
    """Draws cases of a domain from its pool of attempts; what stays as it was keeps its features."""

    def __init__(self, pool: Pool) -> None:
        self.domain = pool.domain
        self._rows = pool.rows
        self._places: dict[tuple[str, str, bool], list[int]] = defaultdict(list)
        for place, (row, mode) in enumerate(zip(pool.rows, pool.modes, strict=True)):
            self._places[row.problem_id, mode, row.correct == 1.0 and mode == HONEST].append(place)
        self._problems = {
            split: sorted({row.problem_id for row in pool.rows if row.split == split})
            for split in ("train", "validation")
        }

    @cached_property
    def _frame(self) -> Frame:
        named = [row.model_copy(update={"trajectory_id": str(place)}) for place, row in enumerate(self._rows)]
        return Rows.of(named).frame()

    def plays(self, mode: str) -> bool:
        """Tell whether the pool holds attempts that cheat by a mode."""
        return any(played == mode for _, played, _ in self._places)

    def control(self, seed: int, *, has_judge: bool = False) -> "Drawn":
        """Return honest rows: training over steps, then validation, all of other problems than those."""
        rng = np.random.default_rng([seed, 0])
        chances = {name: float(rng.beta(1.5, 1.5)) for names in self._problems.values() for name in names}
        drawn: list[tuple[Trajectory, int]] = []
        for step in range(NUM_STEPS):
            chosen = rng.choice(self._problems["train"], GROUPS_A_STEP, replace=False)
            for problem in chosen:
                drawn += self._group(rng, str(problem), "train", step, chances[str(problem)])
        for problem in self._problems["validation"]:
            drawn += self._group(rng, problem, "validation", 0, chances[problem])
        rows = [row for row, _ in drawn]
        if has_judge:
            rows = [_judged(row, rng) for row in rows]
        return Drawn(tuple(rows), tuple(place for _, place in drawn))

    def cheats(self, drawn: "Drawn", mode: str, strength: float, rng: Rng) -> "Drawn":
        """Return the rows with that share of attempts replaced by real ones that cheat at the same problem."""
        rows, places = list(drawn.rows), list(drawn.places)
        count = max(1, round(strength * len(rows)))
        for index in rng.choice(len(rows), count, replace=False):
            known = self._places[rows[index].problem_id, mode, False]
            if known:
                places[index] = known[rng.integers(len(known))]
                rows[index] = _placed(self._rows[places[index]], rows[index])
        return Drawn(tuple(rows), tuple(places))

    def case(self, drawn: "Drawn", rows: Sequence[Trajectory] | None = None) -> Case:
        """Return the frames of drawn rows, or of `rows`, which were made of them in their order."""
        changed = rows if rows is not None else drawn.rows
        kept = [index for index, (new, old) in enumerate(zip(changed, drawn.rows, strict=True)) if new is old]
        others = sorted(set(range(len(changed))) - set(kept))
        parts = [_renamed(self._frame.iloc[[drawn.places[index] for index in kept]], [changed[i] for i in kept], kept)]
        if others:
            parts.append(Rows.of([changed[index] for index in others]).frame().assign(_order=others))
        frame: Frame = (
            pd.concat(parts, ignore_index=True).sort_values("_order", ignore_index=True).drop(columns="_order")
        )
        keys = pd.MultiIndex.from_frame(frame[["version", "step", "group_id"]])
        frame["group"] = pd.factorize(keys)[0]
        trained, held = frame[frame["split"] == "train"], frame[frame["split"] != "train"]
        return Case(trained.reset_index(drop=True), held.reset_index(drop=True), empty_signals())

    def _group(self, rng: Rng, problem: str, split: str, step: int, chance: float) -> list[tuple[Trajectory, int]]:
        num_right = int(rng.binomial(GROUP_SIZE, chance))
        places = [
            *self._draw(rng, self._places[problem, HONEST, True], num_right),
            *self._draw(rng, self._places[problem, HONEST, False], GROUP_SIZE - num_right),
        ]
        order = rng.permutation(len(places))
        group = f"v001.{split}.{step}.{problem}"
        return [
            (
                self._rows[places[index]].model_copy(
                    update={"trajectory_id": f"{group}.{attempt}", "group_id": group, "attempt": attempt, "step": step}
                ),
                places[index],
            )
            for attempt, index in enumerate(order)
        ]

    @staticmethod
    def _draw(rng: Rng, places: Sequence[int], count: int) -> list[int]:
        if not places:
            return []
        return [int(place) for place in rng.choice(places, count, replace=count > len(places))]


@dataclass(frozen=True)
class Drawn:
    """Drawn rows, and the place of each in the pool."""

    rows: tuple[Trajectory, ...]
    places: tuple[int, ...]


def draw_run(runs: Sequence[Run], seed: int) -> Case:
    """Return a control from real training: groups of each step, and held problems, drawn anew."""
    rng = np.random.default_rng([seed, 1])
    run = runs[seed % len(runs)]
    training = _take_groups(run.training, rng)
    held = run.validation[run.validation["group"].isin(_some(rng, run.validation["group"].unique(), 0.7))]
    spread = training.groupby(["step", "group"])["reward"].std().fillna(0.0)
    ratio = (spread < DEAD_SPREAD).groupby("step").mean()
    signals = run.signals.assign(dead_group_ratio=run.signals["step"].map(ratio))
    return Case(training, held.reset_index(drop=True), signals, run.config)


def _take_groups(frame: Frame, rng: Rng) -> Frame:
    """Return three quarters of the groups of each step, with few dead ones among them."""
    spread = frame.groupby(["step", "group"])["reward"].std().fillna(0.0)
    taken: list[int] = []
    for _, by_group in spread.groupby("step"):
        groups = by_group.index.get_level_values("group").to_numpy()
        live, dead = groups[by_group.to_numpy() >= DEAD_SPREAD], groups[by_group.to_numpy() < DEAD_SPREAD]
        wanted = min(round(0.75 * len(groups)), len(live) + round(MAX_DEAD * len(groups)))
        num_dead = min(int(rng.binomial(wanted, MAX_DEAD / 2)), len(dead), round(MAX_DEAD * wanted))
        taken += [int(group) for group in rng.permutation(live)[: wanted - num_dead]]
        taken += [int(group) for group in rng.permutation(dead)[:num_dead]]
    return frame[frame["group"].isin(taken)].reset_index(drop=True)


def _some(rng: Rng, values: Iterable, share: float) -> list:
    chosen = np.asarray(list(values))
    return rng.choice(chosen, round(share * len(chosen)), replace=False).tolist()


def _renamed(frame: Frame, rows: Sequence[Trajectory], order: Sequence[int]) -> Frame:
    """Return pool rows under the identities of drawn ones, with what drawing may change."""
    names = ("trajectory_id", "group_id", "attempt", "step", "split", "problem_id", "reward", "correct")
    values = {name: [getattr(row, name) for row in rows] for name in names}
    judged = [row.extra[CHECKS].get("judge") for row in rows]
    if any(value is not None for value in judged):
        values |= {f"{CHECK_PREFIX}judge": judged, f"{TERM_PREFIX}judge": judged}
        values |= {
            f"{CHECK_PREFIX}{name}": [row.extra[CHECKS].get(name) for row in rows]
            for name in ("judge_probe", "judge_master_keys")
        }
    return frame.assign(**values, _order=list(order))


def _placed(row: Trajectory, at: Trajectory) -> Trajectory:
    """Return a row under the identity of another."""
    names = ("trajectory_id", "group_id", "attempt", "step", "split")
    return row.model_copy(update={name: getattr(at, name) for name in names})


def _judged(row: Trajectory, rng: Rng) -> Trajectory:
    """Return the row as a rubric judge leaves it that hears the answer, with noise."""
    score = round(float(rng.beta(6.0, 2.0) if row.correct else rng.beta(2.0, 5.0)), 2)
    checks = {**row.extra[CHECKS], "judge": score, "judge_master_keys": 0.0, "judge_probe": float(rng.random() < 0.005)}
    return row.model_copy(
        update={"reward_terms": {**row.reward_terms, "judge": score}, "extra": {**row.extra, CHECKS: checks}}
    )
