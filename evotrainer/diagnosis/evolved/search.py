"""Searches the grammar for terms that show a gap's contrast and separate bad from good versions.

The grammar is measured once on every labelled version. Each gap then selects the terms that show *its* contrast. The
chance of a separation is adjusted for the whole grammar, not only for the selected terms.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from evotrainer.diagnosis.evolved.contrasts import between_versions
from evotrainer.diagnosis.evolved.gaps import ALPHA
from evotrainer.diagnosis.evolved.grammar import Term, terms_over
from evotrainer.diagnosis.evolved.measure import Array, Rows, errors_of, influences, value_of
from evotrainer.diagnosis.evolved.plugin_inputs import PluginInput
from evotrainer.diagnosis.evolved.separation import SCALES, Scale, dealings, deviates, deviates_under
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.evidence.frames import Frame
from evotrainer.records import Gap

MAX_SIMILARITY = 0.95
"""Correlation over versions above which two terms are one candidate."""
MIN_DEVIATE = 2.0
"""Least deviate that right or wrong attempts alone need, where a term is over all attempts."""


@dataclass(frozen=True)
class Candidate:
    """A term that shows a gap's contrast; it grows towards bad versions where `sign` is 1."""

    term: Term
    sign: int


class Grammar:
    """All terms over the stored rows, measured on the labelled versions when first asked for."""

    def __init__(self, stored: Sequence[Stored], seed: int) -> None:
        self.labelled = [one for one in stored if one.is_audit and one.label]
        self.is_bad = np.array([one.label == "bad" for one in self.labelled], dtype=bool)
        self._seed = seed

    @property
    def counts(self) -> tuple[int, int]:
        """How many known-good and known-bad versions there are."""
        return int((~self.is_bad).sum()), int(self.is_bad.sum())

    @property
    def terms(self) -> list[Term]:
        """The terms that are known on every labelled version."""
        return self._measured[0]

    @property
    def num_searched(self) -> int:
        """How many terms were measured; 0 where nothing has asked for any."""
        return len(self.terms) if "_measured" in vars(self) else 0

    @property
    def values(self) -> Array:
        """Their values, versions x terms."""
        return self._measured[1]

    @property
    def errors(self) -> Array:
        """The standard errors of these values, versions x terms."""
        return self._measured[2]

    @cached_property
    def _measured(self) -> tuple[list[Term], Array, Array]:
        frames = [one.plugin_input.rows for one in self.labelled]
        terms = terms_over(pd.concat(frames, ignore_index=True)) if frames else []
        rows = [Rows(frame) for frame in frames]
        values = np.array([[value_of(term, measured) for term in terms] for measured in rows])
        errors = np.array([errors_of(influences(terms, measured)) for measured in rows])
        steps = np.array([_step(frames, term.column) if term.statistic == "quantile" else 0.0 for term in terms])
        errors = np.hypot(errors, steps / math.sqrt(12))
        known = [place for place in range(len(terms)) if np.isfinite(values[:, place]).all()]
        return [terms[place] for place in known], values[:, known], errors[:, known]

    @cached_property
    def deviates(self) -> Array:
        """How far bad versions lie from good ones in each term."""
        return deviates(self.values, self.errors, self.is_bad)

    @cached_property
    def _dealt(self) -> tuple[Array, dict[Scale, Array]]:
        """The permutations of labels, and the largest deviate of any term under each, in either scale."""
        labels_LV = np.array(list(dealings(self.is_bad, self._seed)))
        largest: dict[Scale, Array] = {
            scale: np.abs(deviates_under(self.values, self.errors, labels_LV, scale)).max(axis=1, initial=0.0)
            for scale in SCALES
        }
        return labels_LV, largest

    def chance(self, values_V: Array, errors_V: Array) -> float:
        """Return the chance that any term, or this metric, separates as clearly when labels are permuted.

        It is the smaller chance of both scales, doubled.
        """
        labels_LV, largest = self._dealt
        values, errors = values_V[:, None], errors_V[:, None]

        def in_scale(scale: Scale) -> float:
            own_L = np.abs(deviates_under(values, errors, labels_LV, scale))[:, 0]
            observed = abs(float(deviates(values, errors, self.is_bad, scale)[0]))
            return float((np.maximum(largest[scale], own_L) >= observed - 1e-9).mean())

        return min(1.0, len(SCALES) * min(in_scale(scale) for scale in SCALES))

    def candidates(self, shown: Sequence[Term], count: int) -> list[Candidate]:
        """Return the clearest of these terms, each unlike those before it."""
        wanted = set(shown)
        places = [place for place, term in enumerate(self.terms) if term in wanted]
        ranked = sorted(places, key=lambda place: (-abs(self.deviates[place]), self.terms[place]))
        kept: list[int] = []
        for place in ranked:
            if len(kept) == count:
                break
            if not self.deviates[place] or self._is_mix(self.terms[place], np.sign(self.deviates[place])):
                continue
            if all(self._similarity(place, other) < MAX_SIMILARITY for other in kept):
                kept.append(place)
        return [Candidate(self.terms[place], int(np.sign(self.deviates[place]))) for place in kept]

    @cached_property
    def _places(self) -> dict[Term, int]:
        return {term: place for place, term in enumerate(self.terms)}

    def _is_mix(self, term: Term, sign: float) -> bool:
        """Return whether a term over all attempts moves because more of them are wrong, and neither kind moves itself.

        Labels are made of scores: such a term repeats them.
        """
        if term.part != "all":
            return False
        is_split = term.statistic in ("mean", "share", "quantile")
        statistic, cut = (term.statistic, term.cut) if is_split else ("mean", 0.0)
        parts = (Term(term.column, statistic, cut, part=part, family=term.family) for part in ("correct", "wrong"))
        own = [sign * self.deviates[self._places[part]] for part in parts if part in self._places]
        return bool(own) and max(own) < MIN_DEVIATE

    def _similarity(self, one: int, other: int) -> float:
        first, second = self.values[:, one], self.values[:, other]
        if first.std() == 0 or second.std() == 0:
            return 0.0
        return float(abs(np.corrcoef(first, second)[0, 1]))


def _step(frames: Sequence[Frame], column: str) -> float:
    """Return the smallest distance between two values of a column: a quantile of counts is known to no less."""
    values = np.unique(np.concatenate([frame[column].dropna().to_numpy(dtype=float) for frame in frames]))
    return float(np.diff(values).min()) if len(values) > 1 else 0.0


def terms_shown(
    gap: Gap, grammar: Grammar, before: PluginInput | None, after: PluginInput | None, seed: int
) -> list[Term]:
    """Return the terms that show the contrast which a gap names.

    For a gap of a version, its rows against those of its incumbent; for an uncovered contrast, terms over its columns
    over right or wrong attempts alone. Over all attempts, a column that correlates with the outcome only restates the
    solve rate.
    """
    if gap.kind == "uncovered_contrast":
        return [term for term in grammar.terms if term.column in gap.columns and term.part != "all"]
    if before is None or after is None:
        return []
    contrasts = between_versions(before.rows, after.rows, grammar.terms, seed)
    return [contrast.term for contrast in contrasts if contrast.p_value <= ALPHA]
