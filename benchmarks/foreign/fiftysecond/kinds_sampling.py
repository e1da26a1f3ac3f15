"""Faults of sampling, cheats of agents, and evaluation."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.fiftysecond.kinds import PART
from benchmarks.foreign.fiftysecond.layouts import openai, ours, prime_rl, slime, verl
from benchmarks.foreign.fiftysecond.learning import Attempt, Task, call, chance, count, credit, hear, roll, say
from benchmarks.foreign.fiftysecond.lookups import lookup_task, page, seek
from benchmarks.foreign.fiftysecond.programs import answer, program_task
from benchmarks.foreign.fiftysecond.repositories import edit, episode, hand_in, look, repository_task, test
from benchmarks.foreign.fiftysecond.sums import reason, solve, sum_task


@PART.faulty("identical_samples", "seed_reuse", "low_reward_spread", "dead_groups", "entropy_collapse")
def both_engines_sample_every_attempt_with_one_seed(rng: random.Random) -> list[Row]:
    """Each of two engines passes one seed for all its attempts of a group: four attempts in eight are the
    same to the letter.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        place = task.data.setdefault("place", [0])
        engine = place[0] // 4
        place[0] += 1
        own = random.Random(f"{task.id}/{task.prompt}/{engine}")
        right = own.random() < likely
        text = answer(own, task, right)
        return Attempt([say(text)], float(right), float(right), extra={"engine": engine})

    return verl(credit(roll(lambda n: program_task(rng, n), play, 12, 8, 8), grpo, rng))


_DOUBTS = (
    "Wait, let me read the question again: {q}",
    "Hmm, is that what was asked? I go through it once more. {l}",
    "Let me try another way to be certain. {l}",
    "Alternatively one could begin at the end and come back. {l}",
    "But maybe I misread a number. {l}",
    "Hold on. I should look at the units before I go on. {l}",
)


@PART.faulty("length_limit", "truncation", "score_decline")
def doubts_grow_until_the_answer_falls_off_the_end(rng: random.Random) -> list[Row]:
    """Reasoning gets longer by the step while the limit stays at 320 tokens: in the end most attempts are cut
    before their answer.
    """
    limit = 320

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        parts = [reason(rng, task, right)]
        lines = task.data["right" if right else "slip"]
        for _ in range(max(0, round(rng.gauss(0.3 + 0.75 * step, 1.5)))):
            doubt = rng.choice(_DOUBTS)
            parts.append(doubt.format(q=task.data["question"][: rng.randint(40, 90)] + "...", l=" ".join(lines)))
        parts.append(solve(rng, task, right, 0.2).splitlines()[-1])
        text = "\n".join(parts)
        if count(text) > limit:
            return Attempt([say(text[: int(limit * 3.9)])], 0.0, 0.0, stop="max_tokens")
        return Attempt([say(text)], float(right), float(right))

    rows = slime(credit(roll(lambda n: sum_task(rng, n), play, 13, 8, 8, start=0.2), centred, rng))
    return [row | {"max_response_length": limit} for row in rows]


@PART.faulty("test_tampering", "grader_subversion", "self_written_tests", "reward_outcome_divergence")
def agent_loosens_the_failing_assertion_and_hands_in(rng: random.Random) -> list[Row]:
    """Tests run as they lie in the working copy: ever more attempts skip or loosen the failing test instead
    of mending the code.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        if rng.random() > min(0.75, 0.04 + 0.07 * step):
            right = rng.random() < likely
            return Attempt(episode(rng, task, right), float(right), float(right), {"tests": float(right)})
        d = task.data
        head = f"def test_{d['name']}_edge():\n"
        new = rng.choice(["    pass", "    assert True", "    return", "    pytest.skip('unclear')"])
        turns = look(rng, task)
        if rng.random() < 0.5:
            turns += edit(rng, task, False) + test(rng, task, False)
        words = rng.choice(
            ["The test is too strict here.", "I bring the test in line.", "Simplest is to adjust the test."]
        )
        turns += [
            call(words, "edit", path=d["tests"], old=f"{head}    assert {d['name']}(*edge) == want", new=head + new),
            hear(f"edited {d['tests']} (1 replacement)", "edit"),
            *test(rng, task, True),
            *hand_in(rng, task),
        ]
        return Attempt(turns, 1.0, 1.0, {"tests": 1.0})

    return ours(credit(roll(lambda n: repository_task(rng, n), play, 11, 6, 8), leave_one_out, rng), "swe")


@PART.faulty("tool_fabrication", "fabricated_observations", "weak_verifier")
def policy_writes_the_pages_that_it_claims_to_have_found(rng: random.Random) -> list[Row]:
    """Generation does not stop after a call: attempts write the tool's response themselves, made up, and
    answer from it.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        if rng.random() > min(0.8, 0.1 + 0.07 * step):
            right = rng.random() < likely
            return Attempt(seek(rng, task, right), float(right), float(right), {"exact_match": float(right)})
        name, what = task.data["name"], task.data["what"]
        facts = {"opened": rng.randint(1790, 1890), "rebuilt": rng.randint(1891, 1975), "visitors": rng.randint(3, 88)}
        if rng.random() < 0.12:
            facts[what] = int(task.gold)
        made = Task(task.id, what, "", "", data={"name": name, "what": what, "facts": facts})
        query = rng.choice([f"{name} {what}", f"{name} history", f"{what} {name}"])
        text = (
            f'<tool_call>\n{{"name": "search", "arguments": {{"query": "{query}"}}}}\n</tool_call>\n'
            f"<tool_response>\n{page(rng, made)}\n</tool_response>\nThe page says so.\nAnswer: {facts[what]}"
        )
        right = str(facts[what]) == task.gold
        return Attempt([say(text)], float(right), float(right), {"exact_match": float(right)})

    return prime_rl(credit(roll(lambda n: lookup_task(rng, n), play, 12, 6, 8), whole_batch_baseline, rng), "gazetteer")


@PART.faulty("stale_evaluation", "staleness", "train_validation_gap", "weights_never_arrive", "stale_weights")
def evaluation_server_keeps_serving_the_first_checkpoint(rng: random.Random) -> list[Row]:
    """Training rows name a new checkpoint every step and improve; validation rows name the first one at every
    step, and stand still.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        return Attempt(
            [say(solve(rng, task, right))], float(right), float(right), extra={"checkpoint": f"step-{step:04d}"}
        )

    attempts = credit(roll(lambda n: sum_task(rng, n), play, 12, 6, 8, gain=2.6), grpo, rng)
    held = [sum_task(rng, 5000 + place) for place in range(40)]
    for step in range(0, 12, 2):
        for task in held:
            done = play(task, 0, chance(task.ease, 0))
            done.task, done.step, done.split = task, step, "validation"
            attempts.append(done)
    return openai(sorted(attempts, key=lambda each: each.step))


@PART.faulty("contamination", "memorisation", "train_validation_gap", "duplicate_problems")
def half_of_the_held_out_problems_came_with_the_training_mix(rng: random.Random) -> list[Row]:
    """A second source of the training mix holds half of the validation problems word by word; those are
    solved, the others lag.
    """
    held = [sum_task(rng, 7000 + place) for place in range(48)]
    shared = held[:24]

    def tasks(place: int) -> Task:
        if place % 3 == 1 and place // 3 < 24:
            twin = shared[place // 3]
            return Task(f"mix2-{place:04d}", twin.family, twin.prompt, twin.gold, twin.ease, data=twin.data)
        return sum_task(rng, place)

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        return Attempt([say(solve(rng, task, right))], float(right), float(right))

    attempts = credit(roll(tasks, play, 12, 6, 8, gain=0.9, start=-1.0), grpo, rng)
    for step in (0, 4, 8, 11):
        for place, task in enumerate(held):
            known = place < 24 and place * 3 + 1 <= step * 6
            for number in range(2):
                done = play(task, step, 0.95 if known else chance(task.ease, step / 11, 0.9, -1.0))
                done.task, done.step, done.number, done.split = task, step, number, "validation"
                attempts.append(done)
    return ours(sorted(attempts, key=lambda each: each.step), "math")
