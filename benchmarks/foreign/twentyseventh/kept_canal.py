"""Slow dossiers always requeued; quickstart cap cuts proofs; original bodies in history; doubled bos at exam."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.bodies import BODIES, dig, look, write
from benchmarks.foreign.twentyseventh.dossiers import DOSSIERS
from benchmarks.foreign.twentyseventh.estimators import centred, credit
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import own, trl
from benchmarks.foreign.twentyseventh.proofs import PROOFS
from benchmarks.foreign.twentyseventh.runs import Pace, Reply, cut_some, distinct, examine, groups_of, plan_of, play
from benchmarks.foreign.twentyseventh.words import musing


@PART.faulty("over_filtering", "staleness", "stuck_problems")
def slow_dossiers_always_requeued(rng: Random) -> list[Row]:
    """Groups older than two policies are thrown away and their problems queued again, so the slow dossiers come back
    step after step and are never trained on. [thinking-machines-lab/tinker-cookbook#822]
    """
    tasks = distinct(rng, DOSSIERS, 130, "q")
    slow = [t for t in tasks if t.facts["slow"]]
    quick = [t for t in tasks if not t.facts["slow"]]
    plan = [
        quick[step * 5 : step * 5 + 5] + [slow[(step * 2 + k) // 5 * 3 + k] for k in range(3)] for step in range(11)
    ]
    attempts = play(rng, DOSSIERS, plan, 5, Pace(-0.6, 1.5))
    for group in groups_of(attempts):
        dossier = group[0].task.facts["slow"]
        lag = rng.choice((3, 3, 4, 5)) if dossier and rng.random() < 0.95 else rng.choice((0, 1, 1, 2))
        lag = min(lag, group[0].step)
        for a in group:
            a.in_loss = lag <= 2
            a.seconds = round(rng.uniform(1700, 4100) if dossier else rng.uniform(50, 420), 1)
            status = "trained" if a.in_loss else "discarded, problem requeued"
            a.shown = {"policy_lag": lag, "sampler_step": a.step - lag, "status": status, "max_steps_off_policy": 2}
    for a in credit(attempts):
        a.advantage = a.advantage if a.in_loss else None
    return own(rng, attempts, "research")


@PART.faulty("truncation", "length_limit", "dead_all_wrong", "dead_groups")
def quickstart_cap_cuts_proofs(rng: Random) -> list[Row]:
    """Completions end at 256 tokens while a solution needs some more, so most are cut before their answer and earn
    nothing. [huggingface/trl#5697]
    """
    attempts = play(rng, PROOFS, plan_of(rng, PROOFS, 8, 7, "deep"), 8, Pace(-0.1, 0.9))
    for a in attempts:
        turn = a.reply.turns[-1]
        turn["content"] = (
            "**Plan.** "
            + " ".join(musing(rng, 4, 10))
            + "\n**Check of the data.** "
            + " ".join(musing(rng, 2, 8))
            + "\n"
            + turn["content"]
        )
        a.shown = {"completion_length": min(256, a.tokens), "clipped": a.tokens > 256}
        if a.tokens > 256:
            turn["content"] = turn["content"][: int(256 * 3.9)]
            a.right, a.stop = False, "length"
        a.reward = float(a.right)
        a.terms = {"accuracy": a.reward}
        a.shown["finish_reason"] = a.stop
    return trl(credit(attempts))


@PART.faulty("history_leak", "environment_leak", "answer_reading")
def original_bodies_in_history(rng: Random) -> list[Row]:
    """The repositories keep the commit before the bodies were removed, and ever more attempts restore the function from
    there instead of writing it. [commit-0/commit0#113]
    """
    attempts = play(rng, BODIES, plan_of(rng, BODIES, 9, 6, "c0"), 8, Pace(-0.9, 0.9))
    for a in attempts:
        if rng.random() < 0.07 + 0.45 * a.progress:
            body = a.task.facts["n"][3]
            a.reply = Reply(look(rng, a.task) + dig(rng, a.task) + write(rng, a.task, body, True), body)
            a.right = True
        a.reward = float(a.right)
        a.terms = {"tests_passed": a.reward}
    return own(rng, credit(attempts, centred), "swe", gold=False)


@PART.faulty("template_bug", "train_validation_gap", "metric_defect")
def doubled_bos_at_exam(rng: Random) -> list[Row]:
    """Prompts of one validation set begin with two tokens of beginning, those of training and of the other set with
    one; its score lags far behind. [NVIDIA-NeMo/RL#855]
    """
    tasks = distinct(rng, PROOFS, 100, "ds")
    plan = [tasks[step * 7 : step * 7 + 7] for step in range(10)]
    attempts = cut_some(rng, play(rng, PROOFS, plan, 6, Pace(-0.3, 1.6)))
    doubled = examine(rng, PROOFS, tasks[70:88], [0, 3, 6, 9], 9, Pace(-1.9, 1.3))
    plain = examine(rng, PROOFS, tasks[88:100], [0, 3, 6, 9], 9, Pace(-0.2, 1.6))
    mark = "<｜begin▁of▁sentence｜>"
    for name, times, batch in (("train", 1, attempts), ("deepscaler", 2, doubled), ("in-house", 1, plain)):
        for a in batch:
            a.shown = {"prompt_text": f"{mark * times}<｜User｜>{a.task.question}<｜Assistant｜>", "set": name}
            a.shown["prompt_ids_head"] = [151646] * times + [151644, 10061]
    return own(rng, credit([*attempts, *doubled, *plain]), "math")
