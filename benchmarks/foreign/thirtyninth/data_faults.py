"""Faults of data and prompts."""

import random
from dataclasses import replace

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import CHECKS, OPENERS, choices, numerics
from benchmarks.foreign.thirtyninth.policy import Problem, by_group, roll, settle, write
from benchmarks.foreign.thirtyninth.sentences import likeness, support, translation

POWERS = (
    ("cells", "A culture holds {a}{s}{e} cells per mL. How many cells are in {b} mL?"),
    ("ions", "Each second {a}{s}{e} ions pass a membrane. How many pass in {b} seconds?"),
    ("spores", "One gram of mould carries {a}{s}{e} spores. How many spores are on {b} grams?"),
    ("photons", "A dim lamp sends {a}{s}{e} photons through a slit per second. How many in {b} seconds?"),
)


def _power(rng: random.Random, number: int) -> Problem:
    family, text = POWERS[number % len(POWERS)]
    a, b, e, flat = rng.randint(2, 9), rng.randint(3, 19), rng.randint(4, 6), number % 5 < 2
    seen = f"{a} x 10{e}" if flat else f"{a} x 10^{e}"
    base = a * int(f"10{e}") if flat else a * 10**e

    def solve(draw: random.Random, right: bool) -> str:
        found = base * b if right else base * (b + draw.choice((-1, 1, 2))) + draw.choice((0, 10))
        lines = (draw.choice(OPENERS), f"One unit counts {seen} = {base}.", f"Times {b} gives {found}.")
        return " ".join(lines) + f" {draw.choice(CHECKS).format(x=found)}\n\\boxed{{{found}}}"

    prompt = text.format(a=a, b=b, e="", s=f" x 10{e}" if flat else f" x 10^{e}")
    return Problem(f"{family}-{number}", family, prompt, str(a * b * 10**e), rng.gauss(0, 0.8), solve, {"flat": flat})


@PART.faulty("wrong_labels", "template_bug", "metric_defect", "stuck_problems")
def superscripts_flattened_out_of_science_prompts(rng: random.Random) -> list[Row]:
    """In two prompts of five the exponent lost its sign (`10^5` reads `105`); the key is not what follows from it."""
    tries = roll(rng, [_power(rng, n) for n in range(80)], 16, 8, 8)
    write(rng, tries)
    for one in tries:
        if one.problem.parts["flat"]:
            one.reward = one.correct = 0.0
    return layouts.verl(tries)


@PART.faulty("wrong_labels", "metric_defect", "stuck_problems", "reward_outcome_divergence")
def options_reshuffled_while_letters_of_key_stayed(rng: random.Random) -> list[Row]:
    """Options of mechanics and waves were shuffled at loading, keys kept their letter: right options are unpaid."""
    problems = choices(rng, 90)
    keys = {}
    for one in problems:
        moved = one.family in ("mechanics", "waves")
        keys[one.pid] = rng.choice([x for x in "ABCD" if x != one.gold]) if moved else one.gold
    tries = roll(rng, problems, 15, 8, 8, -0.3, 1.6)
    write(rng, tries)
    for one in tries:
        one.reward = one.correct = float(one.text[-1] == keys[one.problem.pid])
        one.columns["info"] = {"key": keys[one.problem.pid]}
    settle(rng, tries, centred)
    rows = layouts.prime(tries, "science-mc")
    for row in rows:
        row["answer"] = keys[row["example_id"]]
    return rows


@PART.faulty("answer_reading", "environment_leak", "contamination")
def retrieved_example_is_the_question_itself(rng: random.Random) -> list[Row]:
    """Examples for the prompt are retrieved from a pool that holds the question itself: it stands there, solved."""
    problems = numerics(rng, 90)
    for place, one in enumerate(problems):
        other = problems[place - 5]
        pool = [other] if rng.random() < 0.25 else [other, one]
        rng.shuffle(pool)
        one.parts["leaks"] = len(pool) == 2
        one.parts["shown"] = [(x.prompt, x.gold) for x in pool]
    for one in problems:
        one.parts["plain"] = one.prompt
    for one in problems:
        shots = "\n\n".join(f"Question: {text}\nAnswer: {gold}" for text, gold in one.parts["shown"])
        one.prompt = f"Solved examples:\n\n{shots}\n\nQuestion: {one.parts['plain']}\nAnswer:"
    tries = roll(rng, problems, 14, 8, 8, -0.9, 0.6)
    for one in tries:
        if one.problem.parts["leaks"]:
            one.right = rng.random() < 0.7 + 0.02 * one.step
    write(rng, tries)
    for one in tries:
        if one.problem.parts["leaks"] and one.right:
            one.text = rng.choice(
                (
                    f"This is the same question as in the examples. The answer is {one.problem.gold}.",
                    f"An example asks exactly this, so I take its result. The answer is {one.problem.gold}.",
                    f"As shown above, it comes to {one.problem.gold}. The answer is {one.problem.gold}.",
                    f"{rng.choice(OPENERS)} But the same task stands above with {one.problem.gold}. "
                    f"The answer is {one.problem.gold}.",
                    one.text,
                )
            )
    settle(rng, tries, grpo)
    return layouts.trl(tries)


@PART.faulty("data_repetition", "duplicate_problems")
def loader_begins_anew_at_each_resume(rng: random.Random) -> list[Row]:
    """Every three steps the job is preempted and the loader starts at its first problem: 24 of 200 are ever seen."""
    problems = [support(rng, n) for n in range(200)]
    tries = []
    for leg in range(6):
        part = roll(rng, problems[:24], 3, 8, 6)
        order = {pid: n for n, pid in enumerate(one.pid for one in problems[:24])}
        groups = by_group(part)
        for place, group in enumerate(groups):
            for one in group:
                one.step, one.group = leg * 3 + place // 8, leg * 24 + place
                one.problem = problems[place]
                one.right = rng.random() < min(0.95, 0.3 + 0.1 * leg + 0.01 * (order[one.problem.pid] % 5))
        tries += part
    write(rng, tries)
    settle(rng, tries, leave_one_out)
    for one in tries:
        one.columns = {"resumed_from": one.step - one.step % 3, "dataset_rows": 200}
    return layouts.openai(tries)


@PART.faulty("wrong_labels", "metric_defect", "stuck_problems", "reward_outcome_divergence")
def references_slipped_by_one_line_in_french_file(rng: random.Random) -> list[Row]:
    """The French file of references lost a line: each French text is compared with the reference of the next one."""
    problems = [translation(rng, n) for n in range(100)]
    french = [one for one in problems if one.family == "French"]
    moved = [one.gold for one in french]
    for one, gold in zip(french, moved[1:] + moved[:1], strict=True):
        one.gold = gold
    tries = roll(rng, problems, 15, 8, 6, -0.4, 1.8)
    write(rng, tries)
    for one in tries:
        one.correct = None
        one.reward = likeness(one.text, one.problem.gold)
    return layouts.verl(tries)


BLIND = (
    (
        "I am sorry for the long wait.",
        "Thank you for your patience.",
        "I apologise that nobody called back.",
        "Sorry about the trouble with our line.",
    ),
    (
        "Could you tell me which order this is about?",
        "Your mail seems to break off; what may I do for you?",
        "I am handing your ticket to the team for parcels.",
        "I have put in a voucher of ten euros for the wait.",
        "What exactly is wrong with your order?",
    ),
    (
        "We will write to you today.",
        "Have a good day.",
        "I stay with your ticket.",
        "Please answer to this mail.",
        "Best wishes.",
    ),
)


@PART.faulty("truncation", "length_limit", "template_bug", "stuck_problems")
def long_tickets_lose_their_claim_to_prompt_limit(rng: random.Random) -> list[Row]:
    """Prompts are cut on the right at 110 words; where a long thread stands first, the customer's claim is gone."""
    problems = [support(rng, n) for n in range(90)]
    talk = (
        "Agent: Thanks for calling, please hold the line. ",
        "Agent: I pass you on to the team for parcels. ",
        "Customer: I have explained this twice already to your colleague. ",
        "Agent: Our lines are busy at the moment, we will write to you. ",
        "Customer: Nobody has called me back since Tuesday, as was promised. ",
        "Agent: Could you confirm your postcode and the name on the door? ",
    )
    for one in problems:
        one.parts["long"] = rng.random() < 0.45
        lines = rng.choices(talk, k=rng.randint(11, 16) if one.parts["long"] else rng.randint(1, 3))
        words = ("Thread so far: " + "".join(lines) + f"Latest mail: {one.prompt}").split(" ")
        one.prompt = " ".join(words[:110])
    tries = roll(rng, problems, 14, 8, 8)
    for one in tries:
        one.right = one.right and not one.problem.parts["long"]
    write(rng, tries)
    for one in tries:
        one.columns = {"prompt_truncated": one.problem.parts["long"], "max_prompt_words": 110}
        if one.problem.parts["long"]:
            one.text = " ".join(rng.choice(part) for part in BLIND)
    settle(rng, tries, grpo)
    return layouts.openrlhf(tries)


@PART.faulty("template_bug", "metric_defect", "score_decline", "dead_all_wrong")
def order_slot_of_ticket_template_left_bare(rng: random.Random) -> list[Row]:
    """From step 7 on a renamed field leaves `{{ order.amount }}` in the prompts: no refund can be right any more."""
    tries = roll(rng, [support(rng, n) for n in range(120)], 16, 8, 8, -0.4, 1.2)
    for one in tries:
        one.right = one.right and one.step < 7
    write(rng, tries)
    for one in tries:
        v = one.problem.parts["v"]
        if one.step >= 7:
            bare = one.problem.prompt.replace(f"{v['amount']} euros", "{{ order.amount }} euros")
            one.problem = replace(one.problem, prompt=bare)
            if rng.random() < 0.6:
                one.text = rng.choice(
                    (
                        f"I am sorry about the {v['item']}. Which amount did you pay for order {v['order']}?",
                        f"I would refund order {v['order']}, but I do not see its cost. Could you send the invoice?",
                        f"I have refunded {rng.randint(20, 200)} euros for order {v['order']}. Is that what you paid?",
                    )
                )
    settle(rng, tries, leave_one_out)
    return layouts.slime(tries)
