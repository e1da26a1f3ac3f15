"""Gold answers that went to other problems: rows of a shard, a source or a file that were joined one off.

Most attempts at a problem agree on an answer against its key, and the key of another problem is that answer. There,
too, attempts agree against the key. In a run that visits problems in an order of its own this needs no order to be
seen.

Healthy runs look alike where keys are letters or small numbers, which many problems share, and where a problem has a
twin whose answer is given in its place: at the twin, attempts agree with the key. How often answers that are right are
keys of others as well says what is chance.
"""

from collections import Counter

import numpy as np
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import answer_key, gold_column, is_short
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("gold", "reward")}

_AGREE, _MIN_MOVED, _SHARE = 0.5, 6, 0.5
"""Share of a problem's attempts that agree; problems whose answer is another's key, also by all that go against theirs.
"""
_OWN_THERE = 0.3
"""Share of the problems that hold the keys where attempts agree with them at most."""
_DISTINCT, _LEAST_CHANCE = 0.5, 0.02


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where answers that attempts agree on are the gold answers of other problems."""
    rows = context.unequally_paid
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows[(rows["final_answer"] != "") & rows[name].map(is_short)]
    problems = rows.groupby("problem_id")
    keys = problems[name].first().map(answer_key)
    said = rows["final_answer"].map(answer_key)
    agreed = said.groupby(rows["problem_id"]).agg(_agreed).reindex(keys.index)
    holders, counts = {key: problem for problem, key in keys.items()}, Counter(keys)
    if len(counts) < _DISTINCT * len(keys):
        return Diagnosis()
    against = agreed[(agreed != "") & (agreed != keys)]
    moved = against[against.isin(holders.keys())]
    known = [holders[answer] for answer in moved if agreed[holders[answer]] != ""]
    own = np.mean([agreed[problem] == keys[problem] for problem in known]) if known else 1.0
    if len(moved) < max(_MIN_MOVED, _SHARE * len(against)) or own > _OWN_THERE:
        return Diagnosis()
    right = agreed[(agreed != "") & (agreed == keys)]
    by_chance = float((right.map(counts) > 1).mean()) if len(right) else 0.0
    chance = float(scipy.stats.binom.sf(len(moved) - 1, len(against), max(_LEAST_CHANCE, by_chance)))
    if chance >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"at {len(against)} problems most attempts agree on an answer against the gold one, and at {len(moved)} of "
        "these it is the gold answer of another problem, where attempts do not give it: rows of gold answers were moved"
    )
    numbers = {"problems": len(moved), "against": len(against), "own_there": float(own), "p_value": chance}
    shown: Frame = rows[rows["problem_id"].isin(moved.index)]
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])


def _agreed(answers: Frame) -> str:
    """Return the answer of most attempts; empty where they do not agree."""
    counts = answers.value_counts()
    return str(counts.index[0]) if len(answers) > 1 and counts.iloc[0] >= _AGREE * len(answers) else ""
