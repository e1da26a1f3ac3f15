"""Does behaviour differ between two sets of attempts? A permutation test over the whole grammar searched.

Both tests give each term a normal deviate and compare it with the largest deviate of *any* term under permuted labels
(Westfall and Young's max statistic). So the chance that a search without a true difference reports any term is at most
alpha, for every size of the grammar and every correlation of its terms.

    between versions    units are groups; labels are the version of a group, permuted within families
    between outcomes    units are attempts; labels are the outcome, permuted within the attempts at one problem; what
                        covered columns explain is taken out of columns and of each permuted label (Freedman and Lane,
                        1983), so that both sides are partial correlations

Letters: R rows, U units, T terms, B permutations.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from evotrainer.diagnosis.evolved.grammar import Term, behaviour_columns, cuts_of
from evotrainer.diagnosis.evolved.measure import Array, Rows, influences, value_of
from evotrainer.evidence.frames import Frame

PERMUTATIONS = 999
_TINY = 1e-12


@dataclass(frozen=True)
class Contrast:
    """One term on two sets: `size` is a deviate between versions, a partial correlation between outcomes."""

    term: Term
    first: float
    second: float
    size: float
    p_value: float
    """Adjusted for all terms searched."""


def between_versions(first: Frame, second: Frame, terms: Sequence[Term], seed: int) -> list[Contrast]:
    """Return each term's contrast between the rows of two versions, the clearest first."""
    if first.empty or second.empty or not terms:
        return []
    parts = [first.assign(group=first["group"]), second.assign(group=second["group"] + first["group"].max() + 1)]
    both = Rows(pd.concat(parts, ignore_index=True))
    psi_UT = influences(terms, both)
    is_second = np.zeros(both.num_groups, dtype=bool)
    is_second[both.groups[len(first) :]] = True
    strata = np.zeros(both.num_groups, dtype=np.int64)
    strata[both.groups] = np.unique(both.families.astype(str), return_inverse=True)[1]
    psi_UT = _scaled(_centred(psi_UT, strata), is_second, strata)
    size_T = is_second @ psi_UT
    largest_B = np.array([np.abs(labels @ psi_UT).max() for labels in _relabelled(is_second, strata, seed)])
    rows = Rows(first), Rows(second)
    return _ranked(
        [
            Contrast(
                term, value_of(term, rows[0]), value_of(term, rows[1]), float(size), _p_value(abs(size), largest_B)
            )
            for term, size in zip(terms, size_T, strict=True)
        ]
    )


def between_outcomes(rows: Frame, covered: Sequence[str], seed: int) -> tuple[list[Contrast], int]:
    """Return what right and wrong attempts at a problem do differently beyond the covered columns, and how many terms.

    `first` and `second` of a contrast are the wrong and the right attempts' values, over groups that hold both.
    """
    mixed = _mixed(rows)
    columns = behaviour_columns(mixed) if len(mixed) else []
    terms = [term for name in columns if name not in covered for term in _row_terms(mixed, name)]
    if not terms:
        return [], 0
    measured = Rows(mixed)
    known = [term for name in columns if name in covered for term in _row_terms(mixed, name)]
    label_R1 = _within(np.nan_to_num(mixed["correct"].to_numpy(dtype=float))[:, None], measured)
    covered_RK = _basis(_functions(known, measured))
    terms_RT = _without(_functions(terms, measured), covered_RK)
    label_R = _left_of(label_R1[:, 0], covered_RK)
    norms_T = np.linalg.norm(terms_RT, axis=0)
    kept = norms_T > _TINY + 1e-6 * np.sqrt(measured.size)
    unit_RT = np.where(kept, terms_RT / np.where(kept, norms_T, 1.0), 0.0)
    size_T = label_R @ unit_RT
    permuted = (_left_of(label_R[order], covered_RK) for order in _reordered(measured.groups, seed))
    largest_B = np.array([np.abs(labels @ unit_RT).max() for labels in permuted])
    parts = Rows(mixed[mixed["correct"] < 1]), Rows(mixed[mixed["correct"] >= 1])
    return _ranked(
        [
            Contrast(
                term, value_of(term, parts[0]), value_of(term, parts[1]), float(size), _p_value(abs(size), largest_B)
            )
            for term, size in zip(terms, size_T, strict=True)
        ]
    ), len(terms)


def _p_value(size: float, largest_B: Array) -> float:
    return float((1 + (largest_B >= size - _TINY).sum()) / (1 + len(largest_B)))


def _ranked(contrasts: Sequence[Contrast]) -> list[Contrast]:
    return sorted(contrasts, key=lambda found: (-abs(found.size), found.term))


def _centred(values_UT: Array, strata: Array) -> Array:
    """Return values minus the mean of their stratum: a difference in the mix of strata is no difference."""
    counts = np.bincount(strata)
    sums = np.zeros((len(counts), values_UT.shape[1]))
    np.add.at(sums, strata, values_UT)
    return values_UT - (sums / counts[:, None])[strata]


def _scaled(centred_UT: Array, label_U: Array, strata: Array) -> Array:
    """Return values scaled so that a sum over permuted labels has variance 1; terms that nothing moves become 0."""
    variance_T = np.zeros(centred_UT.shape[1])
    for stratum in np.unique(strata):
        inside = strata == stratum
        total, chosen = int(inside.sum()), int(label_U[inside].sum())
        if total > 1:
            share = chosen * (total - chosen) / (total * (total - 1))
            variance_T += share * (centred_UT[inside] ** 2).sum(axis=0)
    deviation_T = np.sqrt(variance_T)
    moves = deviation_T > _TINY * (1 + np.abs(centred_UT).max(axis=0))
    return np.where(moves, centred_UT / np.where(moves, deviation_T, 1.0), 0.0)


def _relabelled(label_U: Array, strata: Array, seed: int) -> list[Array]:
    """Return label vectors permuted within strata."""
    rng = np.random.default_rng(seed)
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    drawn = np.tile(label_U.astype(float), (PERMUTATIONS, 1))
    for inside in places:
        drawn[:, inside] = rng.permuted(drawn[:, inside], axis=1)
    return list(drawn)


def _reordered(groups: Array, seed: int) -> list[Array]:
    """Return orders of rows that permute rows within their groups."""
    rng = np.random.default_rng(seed)
    home = np.argsort(groups, kind="stable")
    orders = []
    for _ in range(PERMUTATIONS):
        order = np.empty(len(groups), dtype=np.int64)
        order[home] = np.lexsort((rng.random(len(groups)), groups))
        orders.append(order)
    return orders


def _mixed(rows: Frame) -> Frame:
    """Return the attempts at problems that were both solved and failed: only these compare outcomes."""
    known = rows[rows["correct"].notna()]
    solved = (known["correct"] >= 1).groupby(known["group"]).transform("mean")
    return known[(solved > 0) & (solved < 1)]


def _row_terms(rows: Frame, column: str) -> list[Term]:
    return [Term(column, "mean"), *(Term(column, "share", cut) for cut in cuts_of(rows[column]))]


def _functions(terms: Sequence[Term], rows: Rows) -> Array:
    """Return what each term counts in each row, centred within groups; 0 where it is not known."""
    columns = []
    for term in terms:
        x = rows.column(term.column)
        x = np.where(np.isfinite(x), (x > term.cut).astype(float), np.nan) if term.statistic == "share" else x
        columns.append(x)
    return _within(np.column_stack(columns), rows) if columns else np.zeros((rows.size, 0))


def _within(values_RT: Array, rows: Rows) -> Array:
    """Return values minus the mean of the known ones in their group; 0 where a value is not known."""
    known = np.isfinite(values_RT)
    filled = np.where(known, values_RT, 0.0)
    sums, counts = np.zeros((rows.num_groups, values_RT.shape[1])), np.zeros((rows.num_groups, values_RT.shape[1]))
    np.add.at(sums, rows.groups, filled)
    np.add.at(counts, rows.groups, known)
    return np.where(known, filled - (sums / np.maximum(counts, 1))[rows.groups], 0.0)


def _basis(values_RK: Array) -> Array:
    """Return an orthonormal basis of the space that these columns span."""
    scale = np.linalg.norm(values_RK, axis=0)
    kept = values_RK[:, scale > _TINY] / scale[scale > _TINY]
    if not kept.shape[1]:
        return kept
    left, sizes, _ = np.linalg.svd(kept, full_matrices=False)
    return left[:, sizes > 1e-8 * sizes[0]]


def _without(values_RT: Array, basis_RK: Array) -> Array:
    return values_RT - basis_RK @ (basis_RK.T @ values_RT)


def _left_of(label_R: Array, basis_RK: Array) -> Array:
    """Return what a basis leaves of a label, at length 1; zeros where it explains the label."""
    left_R, length = _without(label_R, basis_RK), float(np.linalg.norm(label_R))
    remaining = float(np.linalg.norm(left_R))
    return left_R / remaining if remaining > 1e-6 * length else np.zeros_like(left_R)
