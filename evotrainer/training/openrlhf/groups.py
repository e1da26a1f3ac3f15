"""One group of attempts: filtered, masked and paid, and its file.

OpenRLHF knows no attempt that counts for nothing. A masked one therefore has no tokens in the loss, and stands at the
mean of those that count: it moves no mean, but makes the spread of its group smaller. Rows hold the advantage that
OpenRLHF's estimator makes of these rewards.

A file is two lines: a header, which the watch reads often, and the rows with their tokens. It appears whole.
"""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.algorithm.advantages import spreads
from evotrainer.algorithm.credit import masked_rows, reward_matrix
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.campaign.documents import write_atomic
from evotrainer.config import Config
from evotrainer.errors import EvidenceError
from evotrainer.records import TokenTurn, Trajectory
from evotrainer.training.openrlhf.options import refills

EPSILON = 1e-9
"""What OpenRLHF adds to a group's spread."""
KEPT_SCORE, DROPPED_SCORE = 0.5, 0.0
"""Dynamic filtering keeps a group whose mean score lies strictly between 0 and 1."""


@dataclass(frozen=True)
class SettledGroup:
    """Rows with advantage and in_loss set, and what each attempt is told."""

    rows: list[Trajectory]
    ends: list[dict[str, Any]]
    is_accepted: bool
    """Whether OpenRLHF trains on the group or samples another problem in its place."""
    is_kept: bool
    is_dead: bool


@dataclass(frozen=True)
class GroupFile:
    """The header of a group's file."""

    path: Path
    draw: int
    finished: float
    """Seconds since the epoch: groups reach training in this order."""
    is_accepted: bool
    is_kept: bool
    is_dead: bool
    num_counted: int
    num_tokens: int
    rewards: list[float]


def settle_group(rows: Sequence[Trajectory], config: Config) -> SettledGroup:
    """Filter, mask and pay the attempts at one drawn problem."""
    rewards_1G = reward_matrix(rows, masked_rows(rows, config))
    counts_G = ~np.isnan(rewards_1G[0])
    group_filter = GroupFilter(config.filter)
    is_kept = bool(counts_G.any()) and (config.filter.group == "none" or bool(group_filter.keep(rewards_1G)[0]))
    filled_G = np.where(counts_G, rewards_1G[0], rewards_1G[0][counts_G].mean() if counts_G.any() else 0.0)
    advantages_G = group_advantages(filled_G, config.algorithm.advantage)
    in_loss = [bool(is_kept and counts) for counts in counts_G]
    credited = [
        row.model_copy(update={"advantage": float(value) if used else None, "in_loss": used})
        for row, value, used in zip(rows, advantages_G, in_loss, strict=True)
    ]
    ends = [
        _end(row, float(reward), used, is_kept, refilled=refills(config))
        for row, reward, used in zip(rows, filled_G, in_loss, strict=True)
    ]
    is_dead = bool(counts_G.any()) and float(spreads(rewards_1G)[0]) < DEAD_SPREAD
    return SettledGroup(credited, ends, is_kept or not refills(config), is_kept, is_dead)


def group_advantages(rewards_G: np.ndarray, normalisation: str) -> np.ndarray:
    """Return what OpenRLHF's estimators group_norm and dr_grpo make of one group's rewards, [G]."""
    centred_G = rewards_G - rewards_G.mean()
    return centred_G / (rewards_G.std(ddof=1) + EPSILON) if normalisation == "group_std" else centred_G


def _end(row: Trajectory, reward: float, in_loss: bool, is_kept: bool, *, refilled: bool) -> dict[str, Any]:
    kept_score = KEPT_SCORE if is_kept else DROPPED_SCORE
    return {
        "reward": reward,
        "score": kept_score if refilled else row.correct or 0.0,
        "in_loss": in_loss,
        "logs": {
            "episode_reward": row.reward or 0.0,
            "correct": row.correct or 0.0,
            "masked": float(not in_loss),
            "errors": float(row.error is not None),
            "turns": float(row.num_turns),
            "sampled_tokens": float(row.num_tokens),
        },
    }


def write_group(folder: Path, draw: int, group: SettledGroup, turns: Sequence[TokenTurn]) -> None:
    """Write the file of a group; one that was played before, by a run that was stopped, is replaced."""
    counted = [row.reward for row in group.rows if row.reward is not None]
    header = {
        "draw": draw,
        "finished": time.time(),
        "is_accepted": group.is_accepted,
        "is_kept": group.is_kept,
        "is_dead": group.is_dead,
        "num_counted": len(counted),
        "num_tokens": sum(row.num_tokens for row in group.rows),
        "rewards": counted,
    }
    rows = [row.model_dump() for row in group.rows]
    body = {"rows": rows, "turns": [turn.model_dump() for turn in turns]}
    write_atomic(folder / f"{draw:08d}.jsonl", f"{json.dumps(header)}\n{json.dumps(body)}\n")


def read_header(path: Path) -> GroupFile:
    """Return a file's header."""
    with path.open(encoding="utf-8") as file:
        return GroupFile(path=path, **json.loads(file.readline()))


def read_group(path: Path) -> tuple[list[Trajectory], list[TokenTurn]]:
    """Return the rows and turns of a group; raises EvidenceError for a damaged file."""
    try:
        body = json.loads(path.read_text(encoding="utf-8").split("\n")[1])
        return [Trajectory(**row) for row in body["rows"]], [TokenTurn(**turn) for turn in body["turns"]]
    except (ValueError, LookupError, TypeError) as error:
        raise EvidenceError(f"{path} is no file of episodes ({error}): delete the run's scratch folder") from None
