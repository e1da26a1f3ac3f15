"""Identity of problems, groups and rows: ids of several prompts, groups of one, copies, held problems trained on."""

import re
from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis import checks
from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.diagnosis.reading.texts import MIN_COPIED, distinct
from evotrainer.records import Finding, Unjudged

_ID = re.compile(r"^x\.(?:.*[._])?(?:id|example_id|task_id|question_id|problem_id|prompt_id|uid)$")

CHECKS = (
    Check(
        "wrong_groups",
        "group_size = 1 AND prompt_size > 1 AND golds_of_prompt = 1",
        "gold IS NOT NULL AND group_id <> problem_id",
        above(checks.HALF),
        most="critical",
        says="{shows} of {among} attempts are a group of their own, though their prompt is sampled several times in "
        "the step: nothing is compared within groups; give all attempts at a prompt one group id",
    ),
    Check(
        "identical_samples",
        "copies = group_size",
        f"group_size > 2 AND chars >= {MIN_COPIED}",
        above(checks.MANY),
        most="critical",
        says="{shows} of {among} attempts are word for word the same as all others of their group: look at seeds and "
        "temperature of the sampler",
    ),
    Check(
        "identical_samples",
        "copies > 1",
        f"group_size > 2 AND chars >= {MIN_COPIED}",
        above(1 - checks.EFFECT),
        most="critical",
        says="{shows} of {among} attempts repeat another of their group word for word: look at the seeds of the "
        "sampler",
    ),
    Check(
        "template_bug",
        "slot_left",
        "prompt IS NOT NULL",
        above(checks.TOLERATED),
        says="{shows} of {among} prompts hold a place that was never filled in: print one prompt as the policy gets it",
    ),
)


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what is no share."""
    yield from _mixing_ids(evidence)
    yield from _held_and_trained(evidence)


def _mixing_ids(evidence: Evidence) -> Iterator[Finding]:
    """Find a column of ids, repeated like those of groups, of which each stands for several prompts."""
    if not evidence.conditions.is_known("prompt"):
        return
    prompts = evidence.codes("prompt")
    for name in evidence.table.column_names:
        if not _ID.search(name) or not evidence.conditions.is_known(name):
            continue
        names, ids = np.unique([str(one) for one in evidence.texts(name)], return_inverse=True)
        mixed = (distinct(ids, prompts) > 1) & (distinct(prompts, ids) > 1)
        few, many = checks.EFFECT * (prompts.max() + 1), (1 - checks.EFFECT) * len(ids)
        if not few <= len(names) <= many or mixed.mean() < checks.HALF:
            continue
        rows = np.flatnonzero(mixed)
        message = (
            f"{name.removeprefix('x.')} stands for several prompts in {len(rows)} of {len(ids)} attempts, and their "
            "prompts stand under several of it: whoever groups by it compares attempts at unlike problems; group by "
            "the prompt"
        )
        yield evidence.finding("wrong_groups", "warning", message, {"rows": len(rows)}, rows)
        return


def _held_and_trained(evidence: Evidence) -> Iterator[Finding]:
    """Find prompts of a held split that are trained on too."""
    if not {"prompt", "split"} <= set(evidence.table.column_names):
        return
    codes, is_held = evidence.codes("prompt"), evidence.is_held
    both = is_held & np.isin(codes, np.unique(codes[~is_held]))
    if not both.any() or is_held.all():
        return
    held, shared = len(np.unique(codes[is_held])), len(np.unique(codes[both]))
    if shared < max(2, checks.TOLERATED * held):
        return
    message = (
        f"{shared} of {held} held prompts are trained on too: their score says nothing, take them out of one split"
    )
    severity = "critical" if shared >= checks.CRITICAL_PROBLEMS else "warning"
    yield evidence.finding("contamination", severity, message, {"shared": shared, "held": held}, np.flatnonzero(both))
