"""Stumbles after checkpoint load; long ledgers paged through; detours cost no points; uneven batches after sieve."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.clocks import CLOCKS
from benchmarks.foreign.twentyseventh.desk import DESK
from benchmarks.foreign.twentyseventh.estimators import credit
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import own
from benchmarks.foreign.twentyseventh.ledgers import LEDGERS
from benchmarks.foreign.twentyseventh.residues import RESIDUES
from benchmarks.foreign.twentyseventh.runs import Pace, attempt, call, cut_some, groups_of, plan_of, play, told
from benchmarks.foreign.twentyseventh.words import say


@PART.faulty("train_inference_mismatch", "score_decline", "stale_weights")
def stumbles_after_checkpoint_load(rng: Random) -> list[Row]:
    """After the run was loaded from a checkpoint, logprobs of sampler and trainer are far apart and hardly anything is
    solved for three steps, until both agree again. [THUDM/slime#1695]
    """
    lost = {6: (0.03, 0.46), 7: (0.08, 0.31), 8: (0.2, 0.14)}
    attempts = []
    for a in cut_some(rng, play(rng, RESIDUES, plan_of(rng, RESIDUES, 12, 6, "sl"), 7, Pace(-0.2, 1.5))):
        chance, gap = lost.get(a.step, (None, abs(rng.gauss(0.011, 0.003))))
        if chance is not None:
            a = attempt(rng, RESIDUES, a.task, a.step, a.number, chance, a.progress)
            gap = abs(rng.gauss(gap, gap / 6))
        a.shown = {
            "rollout_log_probs_mean": round(a.logprob, 4),
            "log_probs_mean": round(a.logprob - gap * 0.9, 4),
            "logprob_abs_diff": round(gap, 4),
            "loaded_from": "iter_0000120" if a.step >= 6 else None,
        }
        attempts.append(a)
    return own(rng, credit(attempts), "math")


@PART.healthy
def long_ledgers_paged_through(rng: Random) -> list[Row]:
    """The file tool cuts its output and says so; agents read on with an offset until the end of the book."""
    attempts = cut_some(rng, play(rng, LEDGERS, plan_of(rng, LEDGERS, 8, 6, "bk"), 8, Pace(-0.6, 2.0)))
    return own(rng, credit(attempts), "files")


@PART.healthy
def detours_cost_no_points(rng: Random) -> list[Row]:
    """Agents look things up that were not needed, and earn the same: the rubric counts the final state, not the steps.
    [ShishirPatil/gorilla#1042]
    """
    attempts = play(rng, DESK, plan_of(rng, DESK, 9, 7, "bf"), 7, Pace(-0.3, 1.7))
    for a in attempts:
        place = a.task.facts["n"][2]
        detours = rng.choices((0, 1, 2), (4, 3, 2))[0]
        for kind in rng.sample(("timetable", "fare_rules", "harbour_info"), detours):
            shown = f'{{"{kind}": "{place}", "updated": "{rng.randint(1, 28)} May", "rows": {rng.randint(2, 30)}}}'
            a.reply.turns[:0] = [
                call(say(rng, f"[First the {kind}|I also open the {kind}]."), kind, place=place),
                told(kind, shown),
            ]
        a.terms = {"state_match": a.reward}
        a.shown = {"steps_used": sum(t["role"] == "assistant" for t in a.reply.turns), "step_limit": 20}
    return own(rng, credit(attempts), "service")


@PART.healthy
def uneven_batches_after_sieve(rng: Random) -> list[Row]:
    """Groups of one reward are sieved out before the update and the batch is not filled up again, so steps hold few or
    many groups. [areal-project/AReaL#450]
    """
    attempts = play(rng, CLOCKS, plan_of(rng, CLOCKS, 12, 12, "dapo"), 6, Pace(-1.0, 2.0))
    kept = [a for group in groups_of(attempts) if len({a.reward for a in group}) > 1 for a in group]
    for step in range(12):
        batch = [a for a in kept if a.step == step]
        for a in batch:
            a.shown = {"groups_sampled": 12, "groups_kept": len(batch) // 6}
    return own(rng, credit(kept), "math")
