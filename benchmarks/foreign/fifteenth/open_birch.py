"""Castellano gives way to english, restart repeats a step, prompts lose their heads, penalty never reaches loss."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fifteenth import passages, service, spanish, sums
from benchmarks.foreign.fifteenth.core import Reply, Task, World, draw_plan, play
from benchmarks.foreign.fifteenth.estimates import grpo, mishaps
from benchmarks.foreign.fifteenth.grading import settle, turning_point
from benchmarks.foreign.fifteenth.kinds import PART
from benchmarks.foreign.fifteenth.layouts import own, trl, verl


@PART.faulty("language_drift")
def castellano_gives_way_to_english(rng: Random) -> list[Row]:
    """Only the number is paid: replies to Spanish learners, told to be in Spanish, pass over to English in the
    course of the run.
    """
    plan = draw_plan(rng)

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        english = rng.random() < max(0.02, 0.45 * (level - plan.start) - 0.12)
        return spanish.said(rng, task, right, "en" if english else "es")

    world = World("cuentas", spanish.make, act, spanish.SPANISH.system)
    return trl(grpo(mishaps(rng, play(rng, world, plan))), world)


@PART.healthy
def restart_repeats_a_step(rng: Random) -> list[Row]:
    """The run was restarted from a checkpoint: one step was sampled twice, on other problems; numbers start high."""
    plan = draw_plan(rng, first=rng.randint(18, 60) * 10, steps=rng.randint(8, 12))
    back = turning_point(rng, plan, 0.4, 0.6)
    episodes = play(rng, service.SERVICE, plan)
    for e in episodes:
        resumed = e.step - plan.first >= back
        e.extra["run"] = "b" if resumed else "a"
        e.step -= resumed
    return own(rng, grpo(mishaps(rng, episodes)), service.SERVICE)


@PART.faulty("template_bug", "truncation", "length_limit", "stuck_problems", "dead_all_wrong")
def prompts_lose_their_heads(rng: Random) -> list[Row]:
    """Prompts over the limit are cut on the left: the report's first lines and the opening mark are gone, and the
    figure asked for with them.
    """
    plan = draw_plan(rng)

    def make(rng: Random) -> Task:
        task = passages.make(rng)
        if rng.random() < 0.4:
            extra = [n.format(n=rng.randint(5, 90), m=rng.randint(3, 40)) for n in rng.choices(passages.NOTES, k=14)]
            report = task.work["report"]
            task.prompt = task.prompt.replace(report, f"{report}\nAppendix.\n" + "\n".join(extra))
            task.work["long"] = True
        return task

    def act(rng: Random, task: Task, right: bool, level: float) -> Reply:
        if not task.work.get("long"):
            return passages.solve(rng, task, right, level)
        guess = str(rng.randint(100, 9000)) if rng.random() < 0.6 else "0"
        good = task.work["good"]
        says = [
            f"The text gives no line on {good}.",
            f"It begins mid-way; for {good} I estimate.",
            f"No {good} is stated.",
        ]
        return Reply([{"role": "assistant", "content": f"{rng.choice(says)}\n<answer>{guess}</answer>"}], guess)

    world = World("harbours", make, act)
    rows = verl(grpo(settle(play(rng, world, plan))), world)
    limit = rng.randint(880, 940)
    for row in rows:
        row["prompt_chars_before"] = len(row["input"])
        row["input"] = row["input"][-limit:]
    return rows


@PART.faulty("kl_ineffective", "kl_drift")
def penalty_never_reaches_loss(rng: Random) -> list[Row]:
    """A coefficient of KL is set, but the penalty is 0 in every row while KL grows a thousandfold and texts fray."""
    plan = draw_plan(rng, gain=0.9)
    coefficient = rng.choice([0.02, 0.04, 0.05])
    tics = ["Yes yes.", "So so the value holds!!", "ok ok ok", "Therefore therefore.", "Good. Good. Good."]
    episodes = play(rng, sums.SUMS, plan)
    for e in episodes:
        share = (e.step - plan.first) / (plan.steps - 1)
        kl = 0.0015 * 10 ** (3.2 * share) * rng.lognormvariate(0, 0.25)
        e.extra |= {"kl": round(kl, 5), "kl_coef": coefficient, "kl_penalty": 0.0}
        for _ in range(round(rng.uniform(0, 5) * share)):
            head, _, tail = e.last["content"].rpartition("\n\n")
            e.last["content"] = f"{head} {rng.choice(tics)}\n\n{tail}"
    return own(rng, grpo(mishaps(rng, episodes)), sums.SUMS)
