"""Interventions as objects with laws: one factor, nothing protected, no no-op, no repetition; apply, invert, merge.

A diff is {flat key: (old, new)}; its hash is the intervention's id. The laws are enforced here, where every proposal
passes, whoever wrote it (arXiv 2606.03108: each candidate differs from the incumbent by at most one factor).
A merge unites the diffs of two winners of one generation, which share their incumbent; it alone spans two factors.

Success criteria, side-effect limits and negative controls are conditions on measured numbers. A person writes an
intervention as a YAML file of conf/intervention/ with the code that it names beside it:

    reward:
      code: file:brief.py            the text of conf/intervention/brief.py
    intervention:
      hypothesis: if ... then ... because ...
      prediction: {metric: score, direction: up, size: 0.02, low: -0.02, high: 0.08, probability: 0.5}

The values are what changes; the block `intervention` says why. A code file is read here and named by its hash, so that
what is proposed no longer depends on the file.
"""

import math
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from evotrainer.config import Config, config_from_dict, config_to_dict, content_hash, flatten
from evotrainer.config.code import CODE_KEYS, FILE_SIGN, check_source, reference, source_of
from evotrainer.config.factors import FACTORS, Factor, changed_keys, effective_recipe, factors_of, recipe_hash
from evotrainer.config.validation import validated
from evotrainer.config.yaml_files import read_yaml_file
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Condition, Intervention, Prediction

Diff = Mapping[str, tuple[Any, Any]]

MERGE_SIGN = "+"
"""Joins the factors of a merge: learning_rate+group_size."""


def intervention_id(diff: Diff) -> str:
    """Return the content hash of the canonical diff: equal changes have equal ids, whoever proposed them."""
    return content_hash({key: list(diff[key]) for key in sorted(diff)})


def with_values(config: Config, values: Mapping[str, Any]) -> Config:
    """Return a copy of `config` with these flat keys set, validated; raises ConfigError for an unusable value."""
    tree = config_to_dict(config)
    known = flatten(tree)
    for key, value in values.items():
        if key not in known:
            raise InterventionError(f"'{key}' is no key of the configuration")
        *groups, name = key.split(".")
        node = tree
        for group in groups:
            node = node[group]
        node[name] = value
    return validated(config_from_dict(tree))


def apply(config: Config, diff: Diff) -> Config:
    """Return `config` with the diff applied; raises InterventionError where `config` does not hold the old value."""
    current = flatten(config_to_dict(config))
    for key, (old, _) in diff.items():
        if key in current and current[key] != old:
            raise InterventionError(f"the diff expects {key}={old}, but the parent has {current[key]}")
    return with_values(config, {key: new for key, (_, new) in diff.items()})


def invert(diff: Diff) -> dict[str, tuple[Any, Any]]:
    """Return the diff that undoes this one."""
    return {key: (new, old) for key, (old, new) in diff.items()}


def build(
    parent: Config,
    setting: Mapping[str, Any],
    *,
    author: str,
    hypothesis: str,
    prediction: Prediction,
    success: Sequence[Condition],
    limits: Sequence[Condition],
    parents: Sequence[str],
    negative_controls: Sequence[Condition] = (),
    evidence: Sequence[str] = (),
    triggers: Sequence[Condition] = (),
    files: Mapping[str, str] | None = None,
    table: Mapping[str, Factor] = FACTORS,
) -> Intervention:
    """Return the intervention that sets `setting` on `parent`; raises InterventionError if it breaks a law.

    `table` holds the factors that may be changed: those of every recipe, or with them those of a domain. `files` holds
    the text of code that `setting` names, by its reference (code.py).
    """
    diff = changed_keys(parent, with_values(parent, setting))
    intervention = Intervention(
        intervention_id=intervention_id(diff),
        author=author,
        factor=MERGE_SIGN.join(factor.name for factor in factors_of(set(diff), table)),
        diff=diff,
        hypothesis=hypothesis,
        prediction=prediction,
        success=list(success),
        limits=list(limits),
        negative_controls=list(negative_controls),
        rollback=f"return to {', '.join(parents)}: set " + ", ".join(f"{key}={old}" for key, (old, _) in diff.items()),
        evidence=list(evidence),
        triggers=list(triggers),
        parents=list(parents),
        files=dict(files or {}),
    )
    check(intervention, parent, table=table)
    return intervention


def check(
    intervention: Intervention,
    parent: Config,
    taken: Mapping[str, str] | None = None,
    table: Mapping[str, Factor] = FACTORS,
) -> Config:
    """Return the child recipe of a valid intervention; raises InterventionError naming the law that is broken.

    `taken` maps the recipe hash of every earlier version to its name.
    """
    if not intervention.diff:
        raise InterventionError("the intervention changes nothing")
    factors = [factor.name for factor in factors_of(set(intervention.diff), table)]
    if len(factors) > 1 and len(intervention.parents) < 2:
        raise InterventionError(f"a candidate changes one factor, this one changes {', '.join(factors)}")
    for key in CODE_KEYS.keys() & intervention.diff.keys():
        if new := intervention.diff[key][1]:
            check_source(key, source_of(new, intervention.files))
    child = apply(parent, intervention.diff)
    if effective_recipe(child) == effective_recipe(parent):
        raise InterventionError(f"{intervention.change} has no effect under the parent's other settings")
    earlier = (taken or {}).get(recipe_hash(child))
    if earlier is not None:
        raise InterventionError(f"{intervention.change} gives the recipe that {earlier} has tried")
    _check_prediction(intervention.prediction)
    return child


def merge(
    first: Intervention,
    second: Intervention,
    base: Config,
    *,
    parents: Sequence[str],
    table: Mapping[str, Factor] = FACTORS,
    have_won: bool = True,
) -> Intervention:
    """Return the union of two interventions on their common `base`; raises InterventionError where they overlap.

    `have_won` says whether both parents gained alone; a 2 x 2 or a crossover joins others too.
    """
    shared = sorted(set(first.diff) & set(second.diff))
    if shared:
        raise InterventionError(f"cannot merge {' and '.join(parents)}: both change {', '.join(shared)}")
    pair = sorted((first, second), key=lambda intervention: intervention.intervention_id)
    scores = [i.prediction for i in pair if i.prediction.metric == "score"]
    size = sum(prediction.size for prediction in scores)
    together = Prediction(
        metric="score",
        direction="up" if size >= 0 else "down",
        size=size,
        low=min(0.0, sum(prediction.low for prediction in scores)),
        high=max(0.0, sum(prediction.high for prediction in scores)),
        probability=math.prod(i.prediction.probability for i in pair),
    )
    return build(
        base,
        {key: new for intervention in pair for key, (_, new) in intervention.diff.items()},
        author=pair[0].author,
        hypothesis=f"if {' and '.join(i.change for i in pair)} then their gains add, because "
        f"{'each won alone and ' if have_won else ''}they act on different factors",
        prediction=together,
        success=[condition for intervention in pair for condition in intervention.success],
        limits=[condition for intervention in pair for condition in intervention.limits],
        negative_controls=_controls(pair),
        parents=sorted(parents),
        evidence=sorted({mode for intervention in pair for mode in intervention.evidence}),
        files={value: text for intervention in pair for value, text in intervention.files.items()},
        table=table,
    )


def _controls(pair: Sequence[Intervention]) -> list[Condition]:
    """Return what neither hypothesis says moves: a control of one that the other predicts is none of both."""
    predicted = {intervention.prediction.metric for intervention in pair}
    named = [condition for intervention in pair for condition in intervention.negative_controls]
    return [condition for condition in dict.fromkeys(named) if condition.metric not in predicted]


def _check_prediction(prediction: Prediction) -> None:
    numbers = (prediction.size, prediction.low, prediction.high, prediction.probability)
    if not all(math.isfinite(number) for number in numbers):
        raise InterventionError(f"the prediction of {prediction.metric} holds a number that is not finite")
    if not prediction.low <= prediction.size <= prediction.high:
        raise InterventionError(
            f"the predicted {prediction.metric} {prediction.size:+g} lies outside its interval "
            f"[{prediction.low:g}, {prediction.high:g}]"
        )
    if not 0 <= prediction.probability <= 1:
        raise InterventionError(f"the probability {prediction.probability:g} must lie in [0, 1]")
    sign = {"up": 1, "down": -1, "none": 0}[prediction.direction]
    if prediction.size * sign < 0 or (sign == 0 and prediction.size != 0):
        raise InterventionError(
            f"the predicted {prediction.metric} {prediction.size:+g} does not go {prediction.direction}"
        )


ConditionKind = Literal["success", "limits", "negative_controls"]
CONDITION_KINDS: tuple[ConditionKind, ...] = ("success", "limits", "negative_controls")

_NAMES = {"success": "success criterion", "limits": "side-effect limit", "negative_controls": "negative control"}
_OPERATORS = {
    "<": lambda value, bound: value < bound,
    "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound,
    ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: math.isclose(value, bound, abs_tol=1e-9),
}


def holds(condition: Condition, metrics: Mapping[str, float]) -> bool | None:
    """Return whether a condition holds; None where its metric was not measured or is no number."""
    value = metrics.get(condition.metric)
    if value is None or math.isnan(value):
        return None
    return _OPERATORS[condition.operator](value, condition.value)


def spell(condition: Condition) -> str:
    """Return a condition as a person reads it."""
    return f"{condition.metric} {condition.operator} {condition.value:.4g}"


def conditions_of(intervention: Intervention | None, kind: ConditionKind) -> list[Condition]:
    """Return an intervention's conditions of one kind; none without an intervention."""
    return getattr(intervention, kind) if intervention else []


def broken(intervention: Intervention | None, kind: ConditionKind, metrics: Mapping[str, float]) -> list[str]:
    """Return one sentence for each condition that does not hold."""
    return [
        f"{_NAMES[kind]} {spell(condition)} is broken: it is {metrics[condition.metric]:.4g}"
        for condition in conditions_of(intervention, kind)
        if holds(condition, metrics) is False
    ]


def unmeasured(intervention: Intervention | None, kind: ConditionKind, metrics: Mapping[str, float]) -> list[str]:
    """Return one sentence for each condition whose metric was not measured."""
    return [
        f"{_NAMES[kind]} {spell(condition)} is not judged: the metric was not measured"
        for condition in conditions_of(intervention, kind)
        if holds(condition, metrics) is None
    ]


BLOCK = "intervention"
"""Key of an intervention file that holds what is no configuration."""


@dataclass(frozen=True)
class WrittenIntervention:
    """The content of one file: a setting, the words that explain it, and the texts of its code."""

    name: str
    setting: dict[str, Any]
    """{flat key: value}; code by its reference."""
    block: dict[str, Any]
    files: dict[str, str]
    """{reference: text}."""
    beside: tuple[str, ...]
    """Names of the code files."""


def read_written(path: Path) -> WrittenIntervention:
    """Return the intervention in a YAML file; raises ConfigError naming the file and what to change."""
    needs = f"needs a block '{BLOCK}' with hypothesis and prediction: see docs/interventions.md"
    values = read_yaml_file(path, needs)
    block = values.get(BLOCK)
    if not isinstance(block, dict) or not {"hypothesis", "prediction"} <= block.keys():
        raise ConfigError(f"{path} {needs}")
    setting = flatten({key: value for key, value in values.items() if key not in (BLOCK, "defaults")})
    files: dict[str, str] = {}
    beside: list[str] = []
    for key in sorted(CODE_KEYS.keys() & setting.keys()):
        if not setting[key]:
            continue
        name, text = _read_code(path, key, str(setting[key]))
        setting[key] = reference(text)
        files[setting[key]] = text
        beside.append(name)
    return WrittenIntervention(path.stem, setting, block, files, tuple(beside))


def freeze_written(folder: Path, names: Sequence[str], target: Path) -> None:
    """Copy the interventions of these names, and the code beside them, to the folder `target`."""
    for name in names:
        path = folder / f"{name}.yaml"
        target.mkdir(parents=True, exist_ok=True)
        for file in (path.name, *read_written(path).beside):
            shutil.copyfile(folder / file, target / file)


def _read_code(path: Path, key: str, value: str) -> tuple[str, str]:
    """Return name and text of the file beside `path` that a key names."""
    name = value.removeprefix(FILE_SIGN)
    if not value.startswith(FILE_SIGN) or Path(name).name != name:
        raise ConfigError(f"{path}: {key}={value!r} names no file beside it: write file:NAME.py")
    try:
        text = (path.parent / name).read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: {key} names {name}, which cannot be read: {error}") from None
    check_source(key, text)
    return name, text
