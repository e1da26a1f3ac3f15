"""Identity of problems, groups and rows: ids of several prompts, groups of one, copies, held problems trained on."""

from collections.abc import Iterator

import numpy as np

from evotrainer.diagnosis.checks import Check, above
from evotrainer.diagnosis.conditions import Evidence
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.records import Finding, Unjudged

COPIED = 0.3
"""Share of attempts that repeat another of their group word for word: short answers repeat, solutions do not."""

CHECKS = (
    Check(
        "wrong_groups",
        "prompts_of_id > 1 AND ids_of_prompt > 1",
        "prompt IS NOT NULL",
        above(0.05),
        most="critical",
        says="{shows} of {among} attempts have a problem id that stands for several prompts, while their prompt stands "
        "under several ids: group by the prompt, the ids mix problems",
    ),
    Check(
        "wrong_groups",
        "group_size = 1 AND prompt_size > 1",
        "prompt IS NOT NULL",
        above(0.5),
        most="critical",
        says="{shows} of {among} attempts are a group of their own, though their prompt is sampled several times in "
        "the "
        "step: nothing is compared within groups; give all attempts at a prompt one group id",
    ),
    Check(
        "identical_samples",
        "copies > 1",
        "group_size > 1 AND chars >= 80",
        above(COPIED),
        most="critical",
        says="{shows} of {among} attempts repeat another of their group word for word: look at seeds and temperature "
        "of "
        "the sampler",
    ),
    Check(
        "template_bug",
        "slot_left",
        "prompt IS NOT NULL",
        above(0.02),
        says="{shows} of {among} prompts hold a place that was never filled in: print one prompt as the policy gets it",
    ),
)


def findings(evidence: Evidence) -> Iterator[Finding | Unjudged]:
    """Yield what is no share."""
    yield from _held_and_trained(evidence)
    yield from _served_again(evidence)


def _held_and_trained(evidence: Evidence) -> Iterator[Finding]:
    """Find prompts of a held split that are trained on too."""
    if not {"prompt", "split"} <= set(evidence.table.column_names):
        return
    split = np.array(evidence.table["split"].to_pylist(), dtype=object)
    codes = evidence.table["prompt"].combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
    is_held = np.isin(split, list(HELD))
    both = is_held & np.isin(codes, np.unique(codes[~is_held]))
    if not both.any() or is_held.all():
        return
    held, shared = len(np.unique(codes[is_held])), len(np.unique(codes[both]))
    if shared < max(2, 0.01 * held):
        return
    message = (
        f"{shared} of {held} held prompts are trained on too: their score says nothing, take them out of one split"
    )
    severity = "critical" if shared >= 3 else "warning"
    yield evidence.finding("contamination", severity, message, {"shared": shared, "held": held}, np.flatnonzero(both))


def _served_again(evidence: Evidence) -> Iterator[Finding]:
    """Find prompts that come back in far more steps than others, or in neighbouring steps."""
    if not evidence.conditions.is_known("prompt_steps"):
        return
    prompts = evidence.table["prompt"].combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
    steps = np.unique(evidence.step)
    pairs = np.unique(np.stack([prompts, np.searchsorted(steps, evidence.step)], axis=1), axis=0)
    times = np.bincount(pairs[:, 0])
    if len(steps) < 6 or len(times) < 12:
        return
    usual = float(np.median(times))
    often = times >= max(4, 3 * usual)
    served = times[often].sum() / times.sum()
    if served < 0.2 or often.mean() > 0.3:
        return
    rows = np.flatnonzero(often[prompts])
    message = (
        f"{often.sum()} of {len(times)} prompts fill {served:.0%} of all steps' places ({times[often].mean():.1f} "
        "steps "
        f"each, others {usual:g}): look at how the loader draws, and at a resume"
    )
    yield evidence.finding("data_repetition", "warning", message, {"often": often.sum(), "served": served}, rows)
