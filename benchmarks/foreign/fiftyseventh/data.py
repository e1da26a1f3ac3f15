"""Faults of data and prompts."""

import random
from dataclasses import replace

from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.fiftyseventh.advantages import put
from benchmarks.foreign.fiftyseventh.endings import boxed, lettered
from benchmarks.foreign.fiftyseventh.kinds import PART
from benchmarks.foreign.fiftyseventh.knowledge import TOWNS, draw_choice
from benchmarks.foreign.fiftyseventh.layouts import Row, openrlhf, plain, trl, verl
from benchmarks.foreign.fiftyseventh.policy import Draw, Plan, attempts, fresh, group_of
from benchmarks.foreign.fiftyseventh.sums import Sum, draw_sum


def _before_rebate(rng: random.Random) -> Sum:
    task = draw_sum(rng, rng.choice(("ledger", "ledger", "shop", "dose", "fleet", "tiles")))
    return replace(task, answer=str(task.values()[-2])) if task.family == "ledger" else task


@PART.faulty("wrong_labels", "stuck_problems", "weak_family")
def key_holds_the_gross_sum_of_invoices(rng: random.Random) -> list[Row]:
    """The key of invoice problems is the sum before the rebate that the question subtracts: `gts` is wrong, right
    work gets 0.
    """
    rows = []
    for draw in attempts(rng, Plan(steps=12, problems=8, group=8, start=0.0, rate=0.14), _before_rebate):
        number = boxed(draw, rng)
        draw.reward = float(number == draw.task.answer)
        draw.beside = {"data_source": draw.task.family, "acc": draw.reward, "pred": number}
        rows.append(verl(draw, "Reason step by step and put the final number in a box."))
    return rows


@PART.faulty("data_repetition", "duplicate_problems")
def loader_begins_again_after_each_restart(rng: random.Random) -> list[Row]:
    """The job was preempted at steps 5 and 10 and the sampler's state was lost: steps 6-10 and 11-15 draw the first
    five's prompts.
    """
    plan = Plan(steps=15, problems=8, group=8, start=-0.4, rate=0.12)
    seen: set[str] = set()
    first = [[fresh(rng, draw_sum, seen) for _ in range(plan.problems)] for _ in range(5)]
    rows = []
    for step in range(1, 16):
        for place, task in enumerate(first[(step - 1) % 5]):
            for draw in group_of(rng, plan, task, step, f"{step}-{place}"):
                draw.reward = float(boxed(draw, rng) == task.answer)
                draw.beside = {"epoch": 0, "job": f"slurm-{48113 + (step - 1) // 5 * 27}"}
                rows.append(openrlhf(draw))
    return rows


CLAUSES = (
    (
        "Clause {n}. The supplier of {t} shall deliver within {a} days of a "
        "written order, failing which {b} percent may be withheld."
    ),
    "Clause {n}. Notices are served in writing at the seat in {t} and count as received after {a} days.",
    "Clause {n}. Liability is limited to {b} percent of the yearly fee, save for intent and gross negligence.",
    "Clause {n}. Either side may end this agreement with {a} days' notice to the end of a quarter.",
    "Clause {n}. The buyer in {t} inspects goods within {a} days and reports defects without delay.",
    "Clause {n}. Interest of {b} percent a year runs from day {a} after an invoice falls due.",
)
GUESSES = (
    (
        "The text ends within clause {n}, and I see no question after it. I can "
        "only sum up: notice periods and liability are set. {e}"
    ),
    "No question follows the clauses. If it is about the period in clause {n}, I would say {d} days. {e}",
    "What is to be answered? The agreement of {t} breaks off at clause {n}. My guess is {d}. {e}",
)
READS = (
    (
        "The question is about clause {n}, so the other clauses do not "
        "matter. It is set out there for {t}. I read {d}. {e}"
    ),
    "I look up clause {n} of the agreement. There the number stands in words that leave no doubt: {d}. {e}",
    "Only clause {n} bears on it; the parties in {t} agreed on {d}. Other clauses have other numbers. {e}",
)


MUSINGS = (
    "The agreement is from {t} and has the usual parts.",
    "Notice periods, liability and delivery are what I find in it.",
    "Some clauses name days and others percent, which must not be mixed.",
    "I read every clause once from the top.",
    "Interest and withheld sums are stated in percent.",
    "Nothing refers to a law outside of {t}.",
)


def _contract(rng: random.Random) -> tuple[str, str, str, str]:
    town = rng.choice(TOWNS)
    terms = [(rng.randint(5, 90), rng.randint(2, 25)) for _ in range(rng.randint(5, 22))]
    said = [rng.choice(CLAUSES).format(n=n + 1, t=town, a=a, b=b) for n, (a, b) in enumerate(terms)]
    asked = rng.randrange(len(terms))
    text, (a, b) = said[asked], terms[asked]
    days = f" {a} days" in text or f"day {a} " in text
    ask = f"How many {'days' if days else 'percent'} does clause {asked + 1} name? End with <answer>number</answer>."
    return f"Agreement of {town}, file {rng.randint(100, 999)}.\n" + "\n".join(said), ask, str(a if days else b), town


@PART.faulty("truncation", "length_limit", "template_bug")
def contracts_lose_their_question(rng: random.Random) -> list[Row]:
    """Prompts over 1,400 signs are cut at their end, where the question stands: long contracts come without it and
    score 0.
    """
    draws = []
    for step in range(1, 13):
        for place in range(8):
            text, ask, answer, town = _contract(rng)
            whole = f"{text}\n\nQuestion: {ask}"
            task = Sum(f"c{step}-{place}", "contract", whole[:1400], answer, rng.gauss(-0.4, 0.8), (), (), {})
            for draw in group_of(rng, Plan(start=0.0, rate=0.12, group=8), task, step, f"{step}-{place}"):
                draw.right = draw.right and len(whole) <= 1400
                guess = answer if draw.right else str(int(answer) + rng.choice((-3, -1, 2, 5, 7)))
                slots = {"n": whole[:1400].count("Clause "), "d": guess, "t": town, "e": f"<answer>{guess}</answer>"}
                if len(whole) <= 1400:
                    slots["n"] = ask.split("clause ")[1].split()[0]
                lead = " ".join(rng.sample(MUSINGS, rng.randint(1, 3)))
                last = rng.choice(READS if len(whole) <= 1400 else GUESSES)
                draw.text = f"{lead} {last}".format(**slots)
                draw.reward = float(draw.right)
                draw.terms = {"accuracy_reward": draw.reward, "format_reward": 0.0 if rng.random() < 0.04 else 1.0}
                if not draw.terms["format_reward"]:
                    draw.text = draw.text.replace("</answer>", "")
                    draw.terms["accuracy_reward"] = 0.0
                draw.reward = sum(draw.terms.values())
                draws.append(draw)
    return [trl(d) for d in put(draws, grpo)]


@PART.faulty("contamination", "memorisation", "duplicate_problems", "train_validation_gap")
def validation_set_sits_in_the_training_mix(rng: random.Random) -> list[Row]:
    """The 24 validation questions of medicine are, word for word, among the training prompts again and again;
    validation soars.
    """
    seen: set[str] = set()
    held = [fresh(rng, lambda r: draw_choice(r, "medicine"), seen) for _ in range(24)]
    plan = Plan(start=-0.5, rate=0.05, group=6)
    rows: list[Row] = []

    def write(draw: Draw, split: str) -> None:
        letter = lettered(draw, rng)
        draw.reward = float(letter == draw.task.answer)
        draw.beside = {"split": split, "answer": draw.task.answer, "correct": draw.reward}
        rows.append(plain(draw))

    for step in range(1, 13):
        for place in range(9):
            known = place < 3
            task = rng.choice(held) if known else fresh(rng, draw_choice, seen)
            pace = Plan(start=-0.5, rate=0.3, group=6) if known else plan
            for draw in group_of(rng, pace, task, step, f"{step}-{place}"):
                write(draw, "train")
        if step % 3 == 0:
            for task in held:
                for draw in group_of(rng, Plan(start=-0.5, rate=0.3, group=1), task, step, f"v{step}-{task.uid}"):
                    write(draw, "validation")
    return rows
