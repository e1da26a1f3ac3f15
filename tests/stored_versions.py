"""Stored versions as the retrospective gate meets them: known-good and known-bad, with rows of a stated making.

Every version has rows of the healthy model and a few columns of noise that vary between versions too, as behaviour
does between recipes. What bad versions do differently is planted by the test.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from evotrainer.campaign.labels import Label
from evotrainer.config import HarnessConfig
from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.candidates import Stored
from evotrainer.diagnosis.evolved.cards import Card, visible
from evotrainer.diagnosis.evolved.gate import CAMPAIGN_LEVEL
from evotrainer.diagnosis.evolved.revision import Reviser
from evotrainer.evidence.frames import Frame, empty_signals
from evotrainer.evidence.rows import Rows
from evotrainer.records import Gap
from tests.evidence_rows import healthy_rows

ROOT = Path(__file__).resolve().parents[1]

Plant = Callable[[Frame, bool, np.random.Generator], Frame]
"""(rows, whether the version is bad, generator) -> rows."""

NUM_NOISE = 4


def nothing(rows: Frame, is_bad: bool, rng: np.random.Generator) -> Frame:
    return rows


def more_edits(size: float = 2.0) -> Plant:
    """Bad versions edit more often, by `size` standard deviations of what differs between healthy versions."""

    def plant(rows: Frame, is_bad: bool, rng: np.random.Generator) -> Frame:
        rate = 3.0 * np.exp(rng.normal(0, 0.1) + 0.1 * size * is_bad)
        return rows.assign(num_edits=rng.poisson(rate, len(rows)))

    return plant


def stored_versions(
    labels: Sequence[Label], plant: Plant = nothing, seed: int = 0, num_groups: int = 12
) -> list[Stored]:
    """Return one audited set of evidence a label, named v001, v002, ..."""
    rng = np.random.default_rng(seed)
    return [
        Stored(name, context(_rows(plant, label == "bad", rng, seed + place, num_groups), name), label, label != "bad")
        for place, label in enumerate(labels)
        for name in [f"v{place + 1:03d}"]
    ]


def context(rows: Frame, version: str) -> Context:
    """Return rows as an audit sees them."""
    return Context(version, rows, rows, rows.head(0), empty_signals())


def reviser(root, stored: Sequence[Stored], before: Frame, cards: Sequence[Card] = (), **values) -> Reviser:
    """Return a reviser over these inputs; `before` are the rows of everyone's incumbent."""
    config = HarnessConfig(plugins=["score"], evolve=True, **values)
    befores = {one.version: visible(before) for one in stored}
    return Reviser(root, config, stored, befores.get, "demo r02", seed=0, level=CAMPAIGN_LEVEL, before=cards)


def gap(version: str, **values) -> Gap:
    """Return a gap of a version."""
    return Gap(version=version, message="the score fell and nothing says why", **values)


def plain_rows(plant: Plant = nothing) -> Frame:
    """Return healthy rows of no version in particular."""
    return _rows(plant, False, np.random.default_rng(77), 77, 12)


def card(name: str = "busy", **values: Any) -> Card:
    """Return a card on attempts with more than four edits."""
    given = {"status": "provisional", "gap": "v002: m", "formula": "share that edits"}
    given |= {"shows": "num_edits > 4", "limit": 0.4, "author": "rules", "date": "demo r02"}
    return Card(name=name, **given | values)


@cache
def _healthy(seed: int, num_groups: int) -> Frame:
    return Rows.of(healthy_rows(seed, num_groups=num_groups)).frame()


def _rows(plant: Plant, is_bad: bool, rng: np.random.Generator, seed: int, num_groups: int) -> Frame:
    rows = _healthy(seed, num_groups).copy()
    for place in range(NUM_NOISE):
        rows[f"noise_{place}"] = rng.poisson(3.0 * np.exp(rng.normal(0, 0.1)), len(rows))
    return plant(rows, is_bad, rng)


def small_root(folder: Path, **modules: str) -> Path:
    """Write a plugin root with two of the shipped diagnostics and these modules; return it."""
    score = folder / "score"
    score.mkdir(parents=True)
    shipped = (
        "from harness_plugins.behaviour.lengths import length",
        "from harness_plugins.score.solve_rate import score",
    )
    (score / "small.py").write_text("\n".join(shipped))
    for name, text in modules.items():
        (score / f"{name}.py").write_text(text)
    return folder


def revised(
    root: Path,
    labels: Sequence[Label],
    plant: Plant,
    cards: Sequence[Card] = (),
    gaps: Sequence[Gap] = (),
    **values: Any,
) -> Reviser:
    """Return the reviser after one revision of such versions; `values` are those of stored_versions."""
    made = reviser(root, stored_versions(labels, plant, **values), plain_rows(more_edits(0)), cards)
    made.revise(list(gaps))
    return made
