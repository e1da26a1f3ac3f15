"""A landscape of recipes, fitted to a stored sweep: the true score of a recipe in microseconds.

    score = 1 - (1 - start) exp(-(sum of effects - clashes) / headroom)        effects in points, headroom in points

A factor whose settings the sweep measured has these effects, with the noise of the sweep drawn anew; the learning
rate a parabola in its logarithm through its three points. All other settings draw theirs from the spread of the
measured ones: a seed is another world with the same statistics. Two factors that act on the same thing
(search/gear/choice.py) clash: what the smaller of their gains would add is lost in part.

Some settings of reward factors are hacks: the score that is shown rises, the true one does not. The shares of trials
that crash, or that infrastructure ends, are those of the public records (`trials`). What a backtest predicts agrees
with the truth as measured in docs/interventions.md (correlation .45).
"""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml

from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, config_to_dict, content_hash, flatten
from evotrainer.config.factors import FACTORS, effective_recipe
from evotrainer.search.gear.choice import ACT_ALIKE

SWEEP = Path(__file__).with_name("sweep.yaml")
POINTS = 100.0
CRASHES, ABORTS = 0.05, 0.047
"""Shares of trials in the public records: 38 crashes and 42 aborts of 900, and 11 crashes of 200."""
HACKS, HACK_SHOWS, HACK_FOUND = 0.15, 3.0, 0.9
"""Share of reward settings that are hacks, points that one adds to the shown score, chance that the harness sees it."""
BACKTEST_CORRELATION = 0.45
CLASH = 0.7
"""Share of the smaller gain that is lost where two factors act on the same thing."""
LEARNING_RATE = "algorithm.learning_rate"


@dataclass(frozen=True)
class Sweep:
    """Stored effects of single settings, in points."""

    noise: float
    base: float
    start: float
    observed: list[tuple[dict[str, Any], float]]

    @property
    def spread(self) -> float:
        """Robust SD of the measured effects."""
        values = [value for _, value in self.observed]
        return 1.4826 * float(np.median(np.abs(np.array(values) - np.median(values))))


def read_sweep(path: Path = SWEEP) -> Sweep:
    """Return a stored sweep."""
    values = yaml.safe_load(path.read_text(encoding="utf-8"))
    observed = [(dict(setting), float(effect)) for setting, effect in values["observed"]]
    return Sweep(values["noise"], values["base"], values["start"], observed)


@dataclass
class Landscape:
    """One world: `seed` draws what the sweep did not measure."""

    seed: int
    sweep: Sweep = field(default_factory=read_sweep)
    _effects: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._default, self._start = flatten(config_to_dict(Config())), effective_recipe(Config())
        rng = self._rng("learning_rate")
        steps = [
            (math.log(s[LEARNING_RATE] / self._default[LEARNING_RATE]), e)
            for s, e in self.sweep.observed
            if set(s) == {LEARNING_RATE}
        ]
        points = np.array([(0.0, 0.0), *steps])
        noisy = points[:, 1] + np.array([0.0, *(rng.gauss(0, self.sweep.noise) for _ in steps)])
        self._rate = np.polyfit(points[:, 0], noisy, 2)

    def score(self, recipe: Config) -> float:
        """Return the true score of a recipe, in [0, 1]."""
        parts = {name: self._effect(name, setting) for name, setting in self._settings(recipe).items()}
        return self._closed(sum(parts.values()) - _clashes(parts))

    def shown(self, recipe: Config) -> float:
        """Return what an endless evaluation would show: the true score, and what hacks add to it."""
        return self.score(recipe) + HACK_SHOWS / POINTS * len(self.hacks(recipe))

    def hacks(self, recipe: Config) -> list[str]:
        """Return the factors of a recipe whose setting is a hack."""
        found = []
        for name, setting in self._settings(recipe).items():
            is_reward = FACTORS[name].family == "reward" and any(setting.values())
            if is_reward and self._rng("hack", content_hash(setting)).random() < HACKS:
                found.append(name)
        return found

    def _closed(self, points: float) -> float:
        left = 1 - self.sweep.start
        return 1 - left * math.exp(-max(-40.0, min(60.0, points)) / (POINTS * left))

    def _settings(self, recipe: Config) -> dict[str, dict[str, Any]]:
        flat = effective_recipe(recipe)
        changed = {key for key, value in flat.items() if value != self._start.get(key)}
        found: dict[str, dict[str, Any]] = {}
        for name, factor in FACTORS.items():
            own = changed & set(factor.keys)
            if own:
                found[name] = {key: flat[key] for key in sorted(own)}
                changed -= own
        return found

    def _effect(self, name: str, setting: Mapping[str, Any]) -> float:
        key = content_hash({"factor": name, **setting})
        if key not in self._effects:
            self._effects[key] = self._drawn(setting, key)
        return self._effects[key]

    def _drawn(self, setting: Mapping[str, Any], key: str) -> float:
        if set(setting) == {LEARNING_RATE}:
            return float(np.polyval(self._rate, math.log(setting[LEARNING_RATE] / self._default[LEARNING_RATE])))
        rng = self._rng("effect", key)
        measured = [effect for known, effect in self.sweep.observed if known == dict(setting)]
        if measured:
            return measured[0] + rng.gauss(0, self.sweep.noise)
        return rng.gauss(-0.5 * self.sweep.spread, 2 * self.sweep.spread)

    def _rng(self, *purpose: str) -> Random:
        return Random(derive_seed(self.seed, "landscape", *purpose))


def _clashes(parts: Mapping[str, float]) -> float:
    """Return the points that are lost where factors act on the same thing."""
    lost = 0.0
    for alike in ACT_ALIKE:
        for one, other in itertools.combinations(sorted(alike & set(parts)), 2):
            lost += CLASH * max(0.0, min(parts[one], parts[other]))
    return lost
