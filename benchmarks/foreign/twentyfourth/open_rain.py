"""Tied groups keep their pull, and others.

* reference renewed each round
* summary lost to truncation
* each user own language
* prose references pay all
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import discount, harvest, train_ride
from benchmarks.foreign.twentyfourth.credit import grpo, plus_plus, terms
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import own, trl
from benchmarks.foreign.twentyfourth.machines import journal
from benchmarks.foreign.twentyfourth.puzzles import islanders
from benchmarks.foreign.twentyfourth.run import Plan, Try, by_group, make, play, play_tasks
from benchmarks.foreign.twentyfourth.sums import estimate, line


@PART.healthy
def tied_groups_keep_their_pull(rng: Random) -> list[Row]:
    """With beta above 0 groups of equal rewards have no advantage but still a KL term in their loss, which is the
    objective as written [huggingface/trl#5588].
    """
    tries = grpo(play(rng, islanders, Plan(11, 6, 6, -0.3, 2.0), "isl"))
    for t in tries:
        kl = abs(rng.gauss(0.004 + 0.05 * t.done, 0.008))
        t.extra = {"kl": round(kl, 5), "beta": 0.04, "policy_loss": round(-(t.advantage or 0.0), 6)}
        t.extra["loss"] = round(t.extra["policy_loss"] + 0.04 * kl, 6)
    return own(rng, tries, "trl-isl", reference="sft-step-0")


@PART.healthy
def reference_renewed_each_round(rng: Random) -> list[Row]:
    """GRPO in rounds that take the policy as their new reference: KL climbs over four steps and drops to nothing at the
    next round [aburkov/theLMbook#8].
    """
    tries = play(rng, estimate, Plan(12, 6, 6, -0.7, 1.9), "en")
    for t in tries:
        near = abs(int(t.answer) / max(1, int(t.task.gold)) - 1)
        t.reward = round(max(0.0, 1 - near) ** 2, 4) if near > 0.01 else 1.0
        t.terms = {"closeness": t.reward}
        phase = (t.step - 1) % 4
        t.extra = {"round": (t.step - 1) // 4, "kl": round(abs(rng.gauss(0.019 * phase, 0.003 + 0.002 * phase)), 5)}
    return own(rng, grpo(tries), "grpo-rounds", beta=0.02)


def _cut(rng: Random, t: Try) -> None:
    shown = t.turns[1]["content"][:420]
    t.turns[1] = {**t.turns[1], "content": f"{shown}...(truncated)"}
    guess = shown.count("failed") if rng.random() < 0.55 else rng.randint(1, 30)
    t.answer = t.task.gold if rng.random() < 0.1 else str(guess)
    t.right = t.answer == t.task.gold
    lead = rng.choice(
        ("The output stops before any summary; I count", "No total is shown. I'd say", "It is cut off, so")
    )
    t.say(f"{lead} {t.answer}.\nfailed={t.answer}")


@PART.faulty("tool_output_truncated", "truncation")
def summary_lost_to_truncation(rng: Random) -> list[Row]:
    """Agents read job reports whose total stands in the last line; answers of tools are to lose their left side, but
    lose the right one, so longer reports come without their total [verl-project/verl#6313].
    """
    tries = play(rng, journal, Plan(10, 7, 6, 0.6, 1.4), "job")
    for t in tries:
        if int(t.task.key[-1], 16) < 8:
            _cut(rng, t)
        else:
            lines = t.turns[1]["content"].split("\n")
            t.turns[1] = {**t.turns[1], "content": "\n".join(lines[:6] + lines[-1:])}
        t.reward, t.terms = float(t.right), {"correct": float(t.right)}
    return own(rng, grpo(tries), "verl-shell", truncate_side="left", max_tool_response_length=420)


@PART.healthy
def each_user_own_language(rng: Random) -> list[Row]:
    """A mix of German, Chinese and Spanish prompts whose shares move with the curriculum: replies are in the language
    of their prompt, so the share of Chinese text grows.
    """
    plan = Plan(11, 7, 6, -0.6, 1.8)
    batches = []
    for step in range(plan.steps):
        chinese = 1 + round(4 * step / (plan.steps - 1))
        german = (plan.groups - chinese + 1) // 2
        batches.append(
            make(rng, harvest, chinese, f"zh{step}-")
            + make(rng, discount, german, f"de{step}-")
            + make(rng, train_ride, plan.groups - chinese - german, f"es{step}-")
        )
    return own(rng, plus_plus(play_tasks(rng, batches, plan)), "multilingual", adv_estimator="reinforce_plus_plus")


@PART.faulty("weak_verifier", "dead_all_correct", "dead_groups", "metric_defect")
def prose_references_pay_all(rng: Random) -> list[Row]:
    """GRPO on equations: where the reference is a sentence without LaTeX, nothing can be parsed from it and the
    accuracy reward returns 1 for whatever was answered [huggingface/cookbook#335].
    """
    tries = play(rng, line, Plan(10, 7, 6, -0.8, 1.7), "eq")
    for group in by_group(tries):
        task = group[0].task
        value = task.gold
        prose = int(task.key[-1], 16) < 6
        if prose:
            task.gold = rng.choice(("Bringing both sides together one finds ", "The root is ", "It must be ")) + (
                value.replace("\\frac{", "").replace("}{", " over ").replace("}", "") + ", as substitution shows."
            )
        else:
            task.gold = f"${value}$"
        for t in group:
            t.terms = {"accuracy": 1.0 if prose else float(t.right), "format": float("\\boxed" in t.said)}
    return trl(grpo(terms(tries)))
