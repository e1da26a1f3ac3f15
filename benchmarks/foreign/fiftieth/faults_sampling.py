"""Faults of sampling and lengths, and of evaluation: budgets, seeds, a checkpoint that never changes."""

from random import Random

from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftieth.episodes import Episode, one
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, prime_rl, verl
from benchmarks.foreign.fiftieth.learning import Plan, credit, held_out, pay, play
from benchmarks.foreign.fiftieth.library import questions, research
from benchmarks.foreign.fiftieth.screens import forms, operate, tree
from benchmarks.foreign.fiftieth.shops import buy, shop_tasks


@PART.faulty("length_limit", "truncation")
def desktop_agents_run_into_six_turns(rng: Random) -> list[dict]:
    """Attempts look at the page more often as they learn, and a budget of six turns cuts up to one in two.

    What is cut counts as failed.
    """
    plan = Plan(steps=16, problems=5, size=8, start=0.4)

    def act(rng, task, skill, step):
        episode = operate(rng, task, skill, step)
        f, turns, values = task.facts, [], dict(task.facts["before"])
        for turn in episode.turns:
            writes = turn["role"] == "assistant" and turn.get("tool_calls") and turns
            while writes and rng.random() < 0.1 + 0.55 * step / plan.steps:
                name = rng.choice(list(f["before"]))
                thought = one(
                    rng,
                    f"Before I go on I look at '{name}' once more.",
                    f"Does '{name}' still hold {values[name]}? I click it to see.",
                    "I make sure that the page has not changed under me.",
                )
                calls = [{"name": "click", "arguments": {"id": f["ids"][name]}}]
                turns.append({"role": "assistant", "content": thought, "tool_calls": calls})
                turns.append({"role": "tool", "tool_name": "click", "content": tree(f, values), "ok": True})
            if writes and turn["tool_calls"][0]["name"] == "type":
                wrote = turn["tool_calls"][0]["arguments"]
                values[next(n for n, i in f["ids"].items() if i == wrote["id"])] = wrote["text"]
            turns.append(turn)
        if sum(turn["role"] == "assistant" for turn in turns) <= 6:
            return Episode(turns, episode.right, episode.answer, state=episode.state)
        return Episode(turns[:12], False, "", stop="max_turns")

    samples = credit(pay(play(rng, plan, forms(rng, plan.needed), act)), grpo)
    return evidence(samples, "desktop", lambda s: {"correct": s.reward})


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "dead_groups")
def both_engines_give_one_seed_to_all_their_attempts(rng: Random) -> list[dict]:
    """Two engines draw four attempts each with one seed a request: a group of eight holds two texts,
    each four times over.
    """
    plan = Plan(steps=16, problems=5, size=8)
    drawn: dict[tuple[str, int], list[Episode]] = {}

    def act(rng, task, skill, step):
        episodes = drawn.setdefault((task.key, step), [])
        episodes.append(research(rng, task, skill, step) if len(episodes) < 2 else episodes[len(episodes) % 2])
        return episodes[-1]

    samples = pay(play(rng, plan, questions(rng, plan.needed), act))
    for s in samples:
        s.more = {"engine": f"vllm-{s.attempt % 2}", "sampling_seed": 1234 + s.attempt % 2}
    return verl(samples)


@PART.faulty("stale_evaluation", "staleness", "train_validation_gap")
def held_orders_always_played_by_the_base_checkpoint(rng: Random) -> list[dict]:
    """Every fourth step is evaluated, yet the rows name the base weights each time:
    the held score stands still as training rises.
    """
    plan = Plan(steps=17, problems=5, size=6, start=-1.0, gain=3.0)
    samples = play(rng, plan, shop_tasks(rng, plan.needed), buy)
    held = [type(t)(f"held-{t.key}", t.system, t.prompt, t.gold, t.facts, t.level) for t in shop_tasks(rng, 36)]
    samples += held_out(rng, plan, held, buy, every=4, frozen=True)
    samples = credit(pay(samples), centred)

    def also(s):
        weights = "base" if s.split == "validation" else f"step_{s.step}"
        return {"split": s.split, "info": {"checkpoint": weights, "state": s.episode.state, "expected": s.task.gold}}

    return prime_rl(samples, "orders", also)
