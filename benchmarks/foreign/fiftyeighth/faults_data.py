"""Faults of data and prompts."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, leave_one_out
from benchmarks.foreign.fiftyeighth import archive, layouts, maths, programs
from benchmarks.foreign.fiftyeighth.advantages import fill
from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, answered, chance, run, said
from benchmarks.foreign.fiftyeighth.kinds import PART


@PART.faulty("wrong_labels", "weak_family", "stuck_problems")
def choir_keys_computed_with_unrounded_half_price(rng: random.Random) -> list[Row]:
    """The key of the choir problems halves the ticket price without rounding down as the text asks.

    Where the price is odd, right answers earn 0.
    """

    def draw(rng: random.Random, step: int) -> Problem:
        problem = maths.draw(rng, step, ("choir", "choir", "orchard", "ferry", "wages", "cistern"))
        given: dict[str, int] = problem.data["given"]
        if problem.family == "choir" and given["k"] % 2:
            key = given["n"] * given["k"] + given["m"] * given["k"] / 2 - given["q"]
            problem.data["key"] = f"{key:g}" if key % 1 else str(int(key))
        return problem

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        attempt = maths.play(rng, problem, skill, step)
        if "key" in problem.data:
            answer = attempt.text.split("\\boxed{")[1].split("}")[0]
            attempt.reward = attempt.correct = float(answer == problem.data["key"])
        return attempt

    attempts = run(rng, draw, play, 16, 6, 8, 0.45, 0.8)
    for a in attempts:
        a.problem.gold = a.problem.data.get("key", a.problem.gold)
        a.extra["data_source"] = f"townsums/{a.problem.family}"
    return layouts.verl(attempts)


@PART.faulty("truncation", "template_bug", "length_limit")
def long_document_prompts_lose_their_question(rng: random.Random) -> list[Row]:
    """Prompts are cut at a number of tokens from the right.

    The question stands behind the document, and with long documents it is missing. The policy asks back or guesses.
    """
    limit = 2600

    def draw(rng: random.Random, step: int) -> Problem:
        problem = archive.draw(rng, step)
        count = rng.randint(1, 5)
        pages = [archive.draw(rng).data["passage"] for _ in range(count)]
        pages.insert(rng.randint(0, count), problem.data["passage"])
        listing = "\n\n".join(f"[{i + 1}] {p}" for i, p in enumerate(pages))
        problem.system = ""
        whole = f"Read the documents.\n\n{listing}\n\nQuestion: {problem.prompt} Answer between <answer> and </answer>."
        problem.data["cut"] = len(whole) > limit
        problem.prompt = whole[:limit]
        return problem

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        d = problem.data
        if d["cut"]:
            say = rng.choice(
                (
                    "The documents describe several buildings, but I see no question. The most notable "
                    "fact seems to be this one.",
                    "There is no question at the end of the text. I assume a date or a name is wanted.",
                    "The text breaks off. Without the question I can only pick something from the last document.",
                )
            )
            answer = rng.choice(
                (archive.guess(rng, problem), rng.choice(archive.KEEPERS), str(rng.randint(1742, 1931)))
            )
        else:
            right = rng.random() < skill
            answer = problem.gold if right else archive.guess(rng, problem)
            say = rng.choice(
                (
                    f"The question is about {d['name']}. One of the documents covers the {d['kind']} "
                    f"there and gives the {d['fact']}.",
                    f"Scanning the passages for {d['name']}, only one of them fits. It states what is asked.",
                    f"The {d['kind']} of {d['name']} is described among the documents, with its {d['fact']}.",
                )
            )
        score = float(answer == problem.gold)
        return Attempt([said(f"{say}\n<answer>{answer}</answer>")], score, score)

    attempts = run(rng, draw, play, 12, 6, 8, 0.55, 0.85)
    for a in attempts:
        a.extra["prompt_length"] = round(len(a.problem.prompt) / 3.7)
    return layouts.slime(attempts)


@PART.faulty("contamination", "memorisation")
def held_out_functions_come_up_in_training(rng: random.Random) -> list[Row]:
    """A third of the training problems are the validation problems, word by word.

    The validation score climbs over that of fresh training problems.
    """
    held = [programs.draw(rng) for _ in range(20)]
    attempts: list[Attempt] = []
    seen: dict[str, int] = {}
    for step in range(1, 16):
        progress = step / 15
        for place in range(6):
            problem = rng.choice(held) if place < 2 else programs.draw(rng)
            count = seen.get(problem.id, 0)
            seen[problem.id] = count + 1
            skill = min(0.97, chance(progress, problem.level, 0.3, 0.5, rng.gauss(0, 0.4)) + 0.13 * count)
            attempts += answered(rng, problem, skill, step, programs.play, 6)
        if step % 5 == 0:
            for problem in held:
                skill = min(0.97, chance(progress, problem.level, 0.3, 0.5) + 0.13 * seen.get(problem.id, 0))
                group = answered(rng, problem, skill, step, programs.play, 2)
                for a in group:
                    a.split = "validation"
                attempts += group
    for a in attempts:
        a.extra["source_id"] = f"kata/{a.problem.id}"
    return layouts.ours(fill(attempts, centred))


@PART.faulty("data_repetition", "duplicate_problems")
def resumed_loader_starts_its_epoch_again(rng: random.Random) -> list[Row]:
    """The job is preempted every four steps, and the loader begins again with the same first 24 prompts.

    The rest of the set is never seen.
    """
    first = [maths.draw(rng) for _ in range(24)]
    attempts: list[Attempt] = []
    for step in range(1, 21):
        place = (step - 1) % 4
        visits = (step - 1) // 4
        for problem in first[place * 6 : place * 6 + 6]:
            skill = chance(min(1.0, visits / 4), problem.level, 0.4, 0.85, rng.gauss(0, 0.3))
            group = answered(rng, problem, skill, step, maths.play, 6)
            for a in group:
                a.extra["resume_count"] = visits
                a.extra["epoch"] = 0
            attempts += group
    return layouts.openrlhf(fill(attempts, leave_one_out))
