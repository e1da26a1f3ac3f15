"""Kinds whose environments, tools or workers fail."""

import json
import random

from benchmarks.foreign.fiftyfirst import depots, layouts, proofs, searching, stones
from benchmarks.foreign.fiftyfirst.advantages import centred, fill, grpo
from benchmarks.foreign.fiftyfirst.depots import call, told
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.policy import Message, Problem, distinct, train

DOWN = (
    "HTTPConnectionPool(host='retriever-0', port=8000): Max retries exceeded with url: /search",
    "503 Service Unavailable: upstream connect error before headers",
    "ReadTimeout: retriever-0 did not answer within 20 s",
)
RETRY = ("The call failed, I try once more.", "Another attempt in other words.", "Perhaps a second call gets through.")
BLIND = (
    "The archive cannot be reached, so I answer from what is likely.",
    "No passage came back. I have to guess.",
    "The search failed again; a guess is better than nothing.",
    "Without the archive I cannot check this.",
)


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "infrastructure_errors")
def the_retriever_was_down_for_a_third_of_the_run(rng: random.Random) -> list[dict]:
    """Between two fifths and three quarters of the run most searches answer with connection errors; the guesses that
    follow are graded 0 and trained on like any attempt."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
        if not 0.4 < progress < 0.75 or rng.random() < 0.2:
            return searching.write(rng, problem, right, progress)
        turns: list[Message] = []
        for query in searching.queries(rng, problem)[: rng.randint(1, 3)]:
            said = rng.choice(RETRY if turns else searching.THINK).format(**problem.facts["town"])
            turns += [call("search", {"query": query}, said), told("search", rng.choice(DOWN), False)]
        text, answer = searching.closing(rng, problem, rng.random() < 0.04)
        end = {"role": "assistant", "content": f"{rng.choice(BLIND)}\n{text.splitlines()[-1]}"}
        return [*turns, end], answer

    attempts = train(rng, distinct(rng, searching.problem, 120), write, 24, 6, 0.35, 0.75)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
    return [layouts.prime(a) | {"env_name": "archive-qa", "task": "archive-qa"} for a in fill(attempts, centred)]


@PART.faulty("environment_not_reset", "leftover_state", "metric_defect")
def the_table_shows_the_game_of_someone_else(rng: random.Random) -> list[dict]:
    """In half of the episodes start() shows the pile, and the noun, of another episode that shares the environment
    object: the game played is not the one of the prompt, and where its pile is a multiple of four it cannot be won."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
        pile, name = problem.facts["pile"], problem.facts["name"]
        if rng.random() < 0.5:
            pile, name = rng.randint(3, 24), rng.choice([n for n in stones.NAMES if n != name])
        turns, won = stones.play(rng, problem, right, pile, name)
        return turns, "win" if won else "loss"

    attempts = train(rng, distinct(rng, stones.problem, 80), write, 20, 8, 0.25, 0.8)
    for a in attempts:
        a.reward = a.correct = float(a.answer == "win")
        a.terms = {"won": a.reward}
    return [layouts.ours(a) for a in fill(attempts, grpo)]


@PART.faulty("tool_output_truncated")
def lists_end_after_a_hundred_and_sixty_letters(rng: random.Random) -> list[dict]:
    """The wrapper of tools cuts each answer at 160 characters: articles further down the list cannot be found, and the
    policy guesses their numbers."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[list[Message], str]:
        turns, answer = depots.write(rng, problem, right, progress)
        whole = turns[1]["content"]
        cut = f"{whole[:160]}... [truncated, {len(whole)} characters]"
        turns[1] = told("list_items", cut)
        item, depot = problem.facts["item"], problem.facts["depot"]
        if item["sku"] in whole[:160]:
            return turns, answer
        turns = turns[:2]
        for _ in range(rng.randint(1, 2)):
            sku = f"{item['name'][:2].upper()}-{rng.randint(100, 999)}"
            said = rng.choice(
                ("The {p} is not in the part I can see; I try {s}.", "The list breaks off. {s} may be it.")
            )
            turns.append(call("get_item", {"depot": depot, "sku": sku}, said.format(p=item["name"], s=sku)))
            turns.append(told("get_item", json.dumps({"error": f"unknown sku {sku}"}), False))
        answer = str(rng.randint(20, 500))
        say = rng.choice(("I could not open the record; my estimate is {x}.", "The list is cut off, so I suppose {x}."))
        return [*turns, {"role": "assistant", "content": say.format(x=answer)}], answer

    attempts = train(rng, distinct(rng, depots.problem, 100), write, 20, 6, 0.45, 0.9)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
    return [layouts.openai(a) for a in fill(attempts, grpo)]


REFUSED = {
    "linarith": "error: linarith failed to find a contradiction",
    "omega": "error: omega could not prove the goal",
    "exact": "error: type mismatch",
    "rfl": "error: the rfl tactic failed",
    "positivity": "error: not a positivity goal",
}


@PART.faulty("infrastructure_zeros", "judge_refuses_right", "reward_bias", "flaky_grading")
def two_lean_workers_ran_out_of_memory(rng: random.Random) -> list[dict]:
    """From a third of the run on two of eight proof checkers are killed at start (code 137); every proof sent to
    them is paid 0, those that the others accept word for word too."""
    attempts = train(rng, distinct(rng, proofs.problem, 120), proofs.write, 20, 6, 0.35, 0.75)
    for a in attempts:
        worker = rng.randrange(8)
        tactic = a.answer.split()[0]
        said = "no goals" if a.right else REFUSED.get(tactic, "error: unsolved goals")
        if worker in (2, 5) and a.progress > 0.33:
            a.reward, said = 0.0, "lean exited with code 137"
        a.columns = {"checker": f"lean-{worker}", "checker_said": said}
    return [layouts.plain(a) for a in fill(attempts, grpo)]
