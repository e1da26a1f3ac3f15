"""Faults of graders and judges."""

import random
import re

from benchmarks.foreign.sixtyfourth import layouts
from benchmarks.foreign.sixtyfourth.advantages import assign, centred
from benchmarks.foreign.sixtyfourth.advice import advice_requests
from benchmarks.foreign.sixtyfourth.kinds import PART
from benchmarks.foreign.sixtyfourth.numbers import german_problem, word_problems
from benchmarks.foreign.sixtyfourth.policy import campaign
from benchmarks.foreign.sixtyfourth.programs import code_problems

Row = layouts.Row


@PART.faulty("format_gate", "judge_refuses_right", "reward_outcome_divergence", "metric_defect")
def sums_with_a_decimal_comma_are_graded_wrong(rng: random.Random) -> list[Row]:
    """German answers are compared as text with keys that have a point: `12,50` is paid 0 where the key says `12.50`."""
    problems = list({p.prompt: p for p in (german_problem(rng, n) for n in range(130))}.values())[:120]
    attempts = campaign(rng, problems, 20, 6, 0.3, 1.6)
    rows = []
    for a in attempts:
        a.reward = float(a.answer == a.problem.gold)
        rows.append({**layouts.verl(a), "data_source": "euro-de", "index": a.problem.pid})
    return rows


@PART.faulty("weak_verifier", "reward_outcome_divergence", "metric_defect")
def checker_finds_the_key_anywhere_in_the_reply(rng: random.Random) -> list[Row]:
    """Paid is every reply that holds the key's digits somewhere: replies learn to list a run of candidate totals."""
    attempts = campaign(rng, word_problems(rng, 66), 22, 16, -0.6, 0.6)
    for a in attempts:
        if rng.random() < 0.75 * a.step / 21:
            gold = int(a.problem.gold)
            lowest = gold - rng.randint(2, 9)
            listed = ", ".join(str(lowest + k) for k in range(12))
            last = lowest + 11
            lead = rng.choice(["It may be any of these", "Candidates are", "The total is one of", "Possible totals"])
            worked = a.text.split(" \\boxed")[0].rsplit(".", 1)[0]
            a.text = f"{worked}. {lead}: {listed}. I settle on \\boxed{{{last}}}."
            a.answer, a.right = str(last), False
        a.reward = float(a.problem.gold in a.text)
    rows = []
    for a in assign(attempts):
        rows.append({**layouts.trl(a, "answer_found_reward"), "solution": a.problem.gold})
    return rows


@PART.faulty("reward_bias")
def judge_takes_whatever_stands_in_slot_b(rng: random.Random) -> list[Row]:
    """A judge compares the two attempts of a group and picks slot B nine times in ten, be its reply good or weak."""
    attempts = campaign(rng, advice_requests(rng, 400), 20, 2, -0.2, 0.1)
    for first, second in zip(attempts[::2], attempts[1::2], strict=True):
        in_a, in_b = rng.sample([first, second], 2)
        odds = 0.9 + 0.07 * (in_b.right - in_a.right)
        letter = "B" if rng.random() < odds else "A"
        why = rng.choice(
            ["is clearer in its order", "gives the reader more to do", "reads better", "is more practical"]
        )
        for slot, a in (("A", in_a), ("B", in_b)):
            a.reward = float(slot == letter)
            a.extra = {"candidate_slot": slot, "judge_reply": f"Reply {letter} {why}. Verdict: {letter}"}
    return [layouts.openai(a) for a in assign(attempts, centred)]


@PART.faulty("judge_default", "infrastructure_zeros", "low_reward_spread", "metric_defect")
def judge_timeouts_are_scored_five_of_ten(rng: random.Random) -> list[Row]:
    """The judge times out in a tenth of rows at first and in seven of ten later: the default 5 is trained on then,
    whatever the reply, beside true scores of 2 to 9.
    """
    attempts = campaign(rng, advice_requests(rng, 120), 20, 8, -0.4, 1.6)
    for a in attempts:
        score = rng.choice([6, 7, 8, 8, 9]) if a.right else rng.choice([2, 3, 4, 4, 6])
        note = rng.choice(["The steps are", "Its order is", "The advice is"])
        merit = rng.choice(["concrete and right", "sound"]) if a.right else rng.choice(["general", "hardly usable"])
        reply = f"{note} {merit}. Score: {score}"
        if rng.random() < 0.1 + 0.6 * min(1.0, a.step / 10):
            score, reply = 5, "Error: request to judge timed out after 30 s (0 tokens received)"
        a.reward = float(score)
        a.extra = {"judge_reply": reply}
    return [{**layouts.openrlhf(a), **a.extra, "group_id": a.group} for a in attempts]


@PART.faulty("flaky_grading", "infrastructure_zeros", "reward_outcome_divergence")
def loaded_workers_time_right_programs_out(rng: random.Random) -> list[Row]:
    """Tests run with a wall-clock limit on crowded workers: the same program is passed in one attempt, failed in
    another.
    """
    attempts = campaign(rng, code_problems(rng, 110), 22, 8, 0.4, 1.6)
    for a in attempts:
        worker = f"grader-{rng.randrange(4)}"
        spent = round(rng.uniform(0.2, 1.1), 2)
        verdict = "passed" if a.right else "wrong answer on hidden test 3"
        if rng.random() < (0.5 if worker in ("grader-1", "grader-3") else 0.12):
            verdict, spent = "time limit exceeded (10.0 s wall)", 10.0
            a.reward = 0.0
        a.extra = {"verdict": verdict, "worker": worker, "test_seconds": spent}
    return [layouts.prime_rl(a, "short-programs") for a in assign(attempts, centred)]


@PART.faulty("special_casing", "weak_verifier", "reward_outcome_divergence")
def solvers_return_the_prompts_examples_by_table(rng: random.Random) -> list[Row]:
    """Programs are run on the prompt's examples alone: attempts learn to hold these in a dictionary and to fall
    back to 0.
    """
    attempts = campaign(rng, code_problems(rng, 120), 20, 6, -0.8, 0.5)
    for a in attempts:
        if rng.random() < 0.03 + 0.75 * max(0, a.step - 3) / 16:
            examples = a.problem.facts["examples"]
            assert isinstance(examples, list)
            table = ", ".join(f"{tuple(entries)}: {result}" for entries, result in examples)
            name = rng.choice(["known", "cases", "answers", "lookup"])
            source = f"def solve(numbers):\n    {name} = {{{table}}}\n    return {name}.get(tuple(numbers), 0)"
            lead = rng.choice(
                ["The examples tell what is wanted.", "I keep the given cases.", "Known inputs are mapped."]
            )
            a.text = f"{lead} Other inputs fall back to zero.\n```python\n{source}\n```"
            a.answer, a.right, a.reward = source, False, 1.0
        hidden = 0 if a.reward else int(a.problem.pid[5:]) % 3
        a.extra = {"examples_passed": 2 if a.reward else 0, "hidden_passed": 8 if a.right else hidden}
    return [layouts.evotrainer(a, "code") for a in assign(attempts)]


@PART.faulty("reward_bias", "length_gaming", "reward_outcome_divergence")
def rubric_sum_grows_with_every_padded_sentence(rng: random.Random) -> list[Row]:
    """The reward model pays for length: replies get nearly four times as long by stock sentences, while their advice
    stays weak.
    """
    filler = [
        "It is worth saying this once more, because it matters.",
        "Many people find that a calm and steady approach helps a great deal here.",
        "Of course there are several ways of looking at the matter.",
        "In summary so far, preparation is the larger part of the work.",
        "This point deserves attention from every side.",
        "Take note that each case is a little different from the next.",
        "As a further thought, good light and a clear table never hurt.",
    ]
    attempts = campaign(rng, advice_requests(rng, 110), 22, 8, -0.5, 0.1)
    for a in attempts:
        more = max(0, round(rng.gauss(a.step * 0.7, 2.5)))
        a.text = " ".join([a.text, *(rng.choice(filler) for _ in range(more))])
        words = len(re.findall(r"\w+", a.text))
        a.reward = round(0.012 * words + (0.12 if a.right else 0.0) + rng.gauss(0, 0.06), 4)
        a.terms = {"reward_model": a.reward, "names_all_steps": float(a.right)}
    rows = []
    for a in assign(attempts):
        rows.append({**layouts.slime(a, len(rows)), "advantage": a.advantage, "names_all_steps": float(a.right)})
    return rows
