"""Does reasoning identify its problem? Attempts at one problem should reason more alike than attempts at others.

Similarity is estimated from the sketches of evidence/features/sketch.py. For an attempt, its mean similarity to the
other attempts at its problem is compared with its mean similarity to those at each other problem. The share of problems
below is the area under the curve of retrieving the problem by the reasoning: 1 always, 1/2 where reasoning does not
depend on the problem.

The area bounds the mutual information of problem and reasoning from below, needs no model, and ignores text that all
attempts share. RAGEN-2 names the failure and measures it with the policy's own likelihoods.
"""

import numpy as np

from evotrainer.evidence.features.sketch import EMPTY, NUM_BINS
from evotrainer.evidence.frames import Frame

MAX_GROUPS, MAX_ROWS = 96, 384
MIN_ATTEMPTS = 4
_MIN_BINS = 16
"""Filled bins below which a text is too short to compare."""


def reasoning_specificity(rows: Frame) -> dict[int, float]:
    """Return the area under the curve, in [0, 1], of the groups whose attempts reason; group number to value.

    Groups of one problem are not compared with each other. At most 96 groups, spread evenly over those given, and 384
    attempts, four of a group at least: the cost does not grow with the rows.
    """
    sketches, groups, numbers = _sketches(rows)
    names, places = np.unique(groups, return_inverse=True)
    problem_of = rows.drop_duplicates("group").set_index("group")["problem_id"]
    problems = problem_of.loc[names].to_numpy()
    if len(set(problems)) < 2:
        return {}
    is_other_GG = problems[:, None] != problems[None, :]
    similarity_NN = _similarity(sketches)
    area_N = np.zeros(len(places))
    for number in np.unique(numbers):
        # An attempt is compared with as many attempts at each other problem as at its own: all but one.
        mine = numbers == number
        members_NG = (np.eye(len(names))[places]) * ~mine[:, None]
        means_NG = similarity_NN[mine] @ members_NG / members_NG.sum(axis=0)
        own_N = means_NG[np.arange(mine.sum()), places[mine]]
        below_NG = (means_NG < own_N[:, None]) + 0.5 * (means_NG == own_N[:, None])
        area_N[mine] = (below_NG * is_other_GG[places[mine]]).sum(axis=1) / is_other_GG[places[mine]].sum(axis=1)
    return {int(name): float(area_N[places == place].mean()) for place, name in enumerate(names)}


def _sketches(rows: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sketches N x bins, groups N and numbers within the group N of the chosen attempts."""
    known = rows.loc[rows["reasoning_sketch"].notna(), ["group", "reasoning_sketch"]]
    table = np.frombuffer(bytes.fromhex("".join(known["reasoning_sketch"].tolist())), np.uint8).reshape(-1, NUM_BINS)
    is_long = (table != EMPTY).sum(axis=1) >= _MIN_BINS
    known, table = known[is_long], table[is_long]
    number = known.groupby("group").cumcount()
    groups = np.sort(known.loc[number == 1, "group"].unique())
    places = np.linspace(0, max(len(groups) - 1, 0), min(len(groups), MAX_GROUPS)).astype(int)
    keep = (
        known["group"].isin(groups[places]) & (number < max(MIN_ATTEMPTS, MAX_ROWS // max(len(places), 1)))
    ).to_numpy()
    return table[keep], known["group"].to_numpy()[keep], number.to_numpy()[keep]


def _similarity(sketches: np.ndarray) -> np.ndarray:
    """Return the estimated Jaccard similarity N x N: equal bins among those that either text fills."""
    equal = np.zeros((len(sketches), len(sketches)), np.uint8)
    for column in sketches.T:
        equal += column[:, None] == column[None, :]
    filled = (sketches != EMPTY).astype(float)
    counts = filled.sum(axis=1)
    either = counts[:, None] + counts[None, :] - filled @ filled.T
    # Bins that both leave empty are equal too, and count as neither.
    return (equal - (NUM_BINS - either)) / np.maximum(either, 1.0)
