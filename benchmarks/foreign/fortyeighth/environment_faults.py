"""Faults of environments and tools."""

import random

from benchmarks.foreign.fortyeighth import advantages, layouts, lookups, proofs, quests
from benchmarks.foreign.fortyeighth.attempts import Learner, Plan, Task, Try, order, pay_right, play
from benchmarks.foreign.fortyeighth.kinds import PART
from benchmarks.foreign.fortyeighth.layouts import Row


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "tool_outage")
def lean_server_falls_over_under_load(rng: random.Random) -> list[Row]:
    """From the second third on the proof server drops a third of the requests; what it drops is paid 0 like a
    failed proof.
    """
    pool = proofs.pool(rng, 50)
    start = rng.randint(6, 8)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        one = proofs.answering(rng, task, chance, step)
        if step >= start and rng.random() < 0.36:
            port = rng.randint(8000, 8003)
            said = [f"REPL server :{port}: connection reset by peer", "HTTP 503 from lean server: no worker available"]
            one.extra = {"lean_output": rng.choice(said), "lean_seconds": round(rng.uniform(29, 31), 2)}
            one.right = False
        return one

    tries = advantages.centred(pay_right(play(rng, order(rng, pool, Plan(20, 4)), 8, Learner(rng), answer)))
    return layouts.prime_rl(tries, "lean-small", "You are an expert in Lean 4.")


@PART.faulty("environment_not_reset", "leftover_state")
def house_keeps_what_the_last_player_carried(rng: random.Random) -> list[Row]:
    """One game object serves all attempts of a group and is not reset: the next begins where the last ended, key
    in hand.
    """
    pool = quests.pool(rng, 30)
    left: dict[tuple[int, str], dict] = {}

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        state = left.get((step, task.id), {})
        room, held = state.get("end_room", task.data["start"]), state.get("end_held", False)
        carried = f"You carry the {task.data['key']}." if held else ""
        first = quests.describe(task, room, held, carried)
        one = quests.walk(rng, task, min(0.95, 0.1 + 0.7 * chance), held, room)
        one.prompt = quests.ASK.format(key=task.data["key"], chest=task.data["chest"], first=first)
        left[step, task.id] = dict(one.extra)
        one.extra = {"steps_taken": one.extra["steps_taken"]}
        return one

    tries = pay_right(play(rng, order(rng, pool, Plan(18, 4)), 8, Learner(rng, -0.9, 1.6), answer))
    return layouts.ours(advantages.grpo(tries), "games")


@PART.faulty("tool_outage", "tool_failures", "infrastructure_zeros", "score_decline")
def search_index_lost_its_alias(rng: random.Random) -> list[Row]:
    """Halfway the index is rebuilt under another name: each search answers that there is no such index, and scores
    fall.
    """
    pool = lookups.pool(rng, 60)
    start = rng.randint(9, 11)
    failure = "search backend error 404: index_not_found_exception, no such index [gazetteer]"

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        if step < start:
            return lookups.answering(rng, task, chance, step)
        turns = []
        for _ in range(rng.randint(1, 3)):
            query, thought = lookups.query_for(rng, task, rng.random() < chance)
            turns += [lookups.call(query, thought), {"role": "tool", "tool_name": "search", "content": failure}]
        _, said = lookups.conclude(rng, task, rng.random() < 0.02)
        lead = rng.choice(["The search does not work.", f"Nothing can be looked up about {task.data['town']}."])
        text = f"{lead} I can only guess.\nAnswer: {said}"
        turns.append({"role": "assistant", "content": text})
        return Try(task, text, said == task.gold, said, turns)

    tries = pay_right(play(rng, order(rng, pool, Plan(20, 4)), 6, Learner(rng, 0.2, 1.6), answer))
    advantages.leave_one_out(tries)
    return layouts.openai(
        tries, lookups.SYSTEM, advantage=lambda one: one.advantage, gold_answer=lambda one: one.task.gold
    )


@PART.faulty("tool_output_truncated", "tool_failures")
def passages_clipped_before_the_fact(rng: random.Random) -> list[Row]:
    """The tool cuts its answer at 130 characters, which is before the year and the name that were asked for.

    Attempts search again and again, read the same beginning, and guess.
    """
    pool = lookups.pool(rng, 60)

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        turns: list[dict] = []
        for _ in range(rng.choice([2, 3, 3, 4])):
            found = rng.random() < 0.35 + 0.6 * chance
            query, thought = lookups.query_for(rng, task, found)
            if turns:
                thought = rng.choice(["The passage stops too early; once more.", "It breaks off there. Another query."])
            heard = lookups.told(lookups.passages(rng, task, False, found))
            heard["content"] = heard["content"][:130] + "... [output truncated]"
            turns += [lookups.call(query, thought), heard]
        text, said = lookups.conclude(rng, task, rng.random() < 0.03 + 0.12 * chance)
        turns.append({"role": "assistant", "content": text})
        return Try(task, text, said == task.gold, said, turns)

    tries = pay_right(play(rng, order(rng, pool, Plan(18, 4)), 6, Learner(rng, 0.0, 1.0), answer))
    return layouts.ours(advantages.grpo(tries), "search", lookups.SYSTEM)
