"""A correction as the text of reward.correction: the features' own module, the weights, one function.

The text alone says what is paid: it travels with the intervention, is frozen beside the version, and runs in the
sandbox, where it gives a stored row the bits that it gives a new one.
"""

import ast
import inspect
from collections.abc import Mapping

from evotrainer.algorithm.code.worker import BOUNDS
from evotrainer.config.code import CODE_KEYS
from evotrainer.levers import row_features
from evotrainer.levers.correction import Correction
from evotrainer.levers.table import Column

KEY = "reward.correction"
_LIMIT = BOUNDS[KEY][1]

_FUNCTION = '''

KIND = {kind!r}
INTERCEPT = {intercept!r}
TERMS = {terms}


def {function}(row):
    """Return what is added to row["reward"]: of a gate -R (1 - P(true | features)), else -(what is paid wrongly)."""
    found = features(row)
    values = [(found.get(name, 0.0) if cut is None else float(found.get(name, 0.0) > cut)) for name, cut, _ in TERMS]
    score = INTERCEPT + math.fsum(value * weight for value, (_, _, weight) in zip(values, TERMS, strict=True))
    if KIND == "gate":
        return -row["reward"] / (1 + math.exp(max(-50.0, min(50.0, score)))) if row["reward"] > 0 else 0.0
    return max(-{limit!r}, min({limit!r}, -score))
'''


def write_correction(correction: Correction) -> str:
    """Return the text of a correction."""
    terms = [(column.name, column.cut, _short(weight)) for column, weight in correction.terms]
    listed = "".join(f"    {term!r},\n" for term in terms)
    return inspect.getsource(row_features).partition('"""\n\n')[2] + _FUNCTION.format(
        kind=correction.kind,
        intercept=_short(correction.intercept),
        terms=f"[\n{listed}]",
        function=CODE_KEYS[KEY],
        limit=_LIMIT,
    )


def read_terms(source: str) -> list[tuple[Column, float]]:
    """Return the weights of a correction's text; none of a file that a person wrote otherwise."""
    values: Mapping[str, ast.expr] = {
        target.id: node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    try:
        return [(Column(name, cut), weight) for name, cut, weight in ast.literal_eval(values["TERMS"])]
    except (KeyError, ValueError, TypeError):
        return []


def _short(value: float) -> float:
    return float(f"{value:.6g}")
