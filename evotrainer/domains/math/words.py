"""Word problems of one and two steps, made by a generator: problems of the size of a language model of 0.1B weights.

    evotrainer data export evotrainer.domains.math.words:WORDS problems/words

One whole example, with its worked answer (`solution`, which `evotrainer policy sft` shows to a policy):

    user       Mia buys 4 packs of 6 pens and gives away 5 pens. How many pens are left?
    assistant  4 * 6 = 24, 24 - 5 = 19 <answer>19</answer>

Train and probe problems share wordings, but neither names nor numbers. Those of validation and test are wordings that
nothing is trained on, so that a gain on them is no gain in a pattern of words. Equal code gives equal rows.
"""

import operator
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from evotrainer.domains.math.domain import MATH

SIZES = {"probe": 200, "train": 2000, "validation": 400, "test": 400}
"""Problems of each split."""
_THINGS = ("apples", "books", "marbles", "pens", "shells", "stamps", "cards", "coins", "balloons", "stickers")
_NAMES = ("Mia", "Tom", "Anna", "Ben", "Lily", "Sam", "Nora", "Max", "Ella", "Jack", "Ruth", "Omar")
_PROBE_NAMES = ("Clara", "Hugo", "Ines", "Paul")
_FAMILIES = {"+": "add", "-": "subtract", "*": "multiply", "/": "divide"}
_SIGNS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.floordiv}

Wording = tuple[str, str]
"""Steps, each of a number, a sign and a number (`r`: the result so far), and the text with names and numbers open."""
_TRAINED: tuple[Wording, ...] = (
    ("a+b", "{n} has {a} {t}. {m} gives {n} {b} more. How many {t} does {n} have now?"),
    ("a+b", "There are {a} {t} on the table and {b} {t} in the box. How many {t} does {n} see in total?"),
    ("a+b", "{n} read {a} pages on Monday and {b} pages on Tuesday. How many pages did {n} read on both days?"),
    ("a+b", "{n} made {a} rolls in the morning and {b} rolls in the afternoon. How many rolls did {n} make?"),
    ("a-b", "{n} had {a} {t} and gave {b} of them to {m}. How many {t} does {n} have left?"),
    ("a-b", "{n} drives a bus with {a} passengers. Then {b} get off. How many passengers are still on the bus?"),
    ("a-b", "{n} wants a game for {a} dollars and has saved {b} dollars. How many more dollars does {n} need?"),
    ("a-b", "{n} has {a} {t} and {m} has {b}. How many more {t} does {n} have than {m}?"),
    ("a*b", "{n} buys {a} boxes with {b} {t} in each box. How many {t} does {n} buy?"),
    ("a*b", "{n} gives {b} {t} to each of {a} children. How many {t} does {n} give?"),
    ("a*b", "A ticket costs {b} dollars, and {n} buys {a} tickets. How many dollars does {n} pay?"),
    ("a*b", "{n} runs {b} kilometres every day. How many kilometres does {n} run in {a} days?"),
    ("a/b", "{n} shares {a} {t} equally among {b} friends. How many {t} does each friend get?"),
    ("a/b", "{n} packs {a} {t} into bags of {b}. How many bags does {n} fill?"),
    ("a/b", "{n} pays {a} dollars for {b} tickets of the same price. How many dollars does one ticket cost?"),
    ("a/b", "{n} cuts a rope of {a} metres into {b} equal pieces. How many metres long is each piece?"),
    ("a*b r-c", "{n} buys {a} packs of {b} {t} and gives away {c} {t}. How many {t} are left?"),
    ("a+b r-c", "{n} has {a} {t} and finds {b} more. Then {n} loses {c}. How many {t} does {n} have now?"),
    ("a-b r+c", "{n} has {a} {t}, gives {b} to {m} and gets {c} from a neighbour. How many {t} does {n} have?"),
    ("a/b r+c", "{n} puts {a} {t} into {b} equal rows and adds {c} to each row. How many {t} are in one row?"),
    ("a+b", "{n} walks {a} metres to the shop and {b} metres on to school. How many metres does {n} walk?"),
    ("a+b", "A shop sold {a} {t} in the morning and {b} in the evening. How many {t} did {n} see sold?"),
    ("a+b", "{n} scored {a} points in the first game and {b} in the second. How many points did {n} score in all?"),
    ("a+b", "The bill of {n} lists a meal for {a} dollars and a drink for {b} dollars. What does {n} pay in all?"),
    ("a+b", "{m} is {b} years older than {n}, who is {a}. How old is {m}?"),
    ("a+b", "A tank holds {a} litres. {n} pours in {b} litres more. How many litres are in it now?"),
    ("a+b", "{n} grew {a} tomatoes and {m} grew {b}. How many tomatoes did they grow together?"),
    ("a+b", "After {n} took {b} {t} from a bowl, {a} were still in it. How many {t} were there at first?"),
    ("a-b", "A ribbon is {a} metres long. {n} cuts off {b} metres. How many metres are left?"),
    ("a-b", "{n} needs {a} points to win and has {b}. How many points are missing?"),
    ("a-b", "Of {a} pupils in the class of {n}, {b} are at home today. How many pupils came?"),
    ("a-b", "{n} had {a} dollars and paid {b} dollars for a book. How many dollars are left?"),
    ("a-b", "{m} is {a} years old and {n} is {b} years younger. How old is {n}?"),
    ("a-b", "{n} and {m} have {a} {t} together. {b} of them are from {n}. How many are from {m}?"),
    ("a-b", "A bottle held {a} glasses of juice, and the friends of {n} drank {b}. How many glasses are left?"),
    ("a-b", "A ladder has {a} steps. {n} stands on step {b}. How many steps are above {n}?"),
    ("a*b", "There are {a} rows of {b} seats in the theatre of {n}. How many seats are there?"),
    ("a*b", "{n} reads {b} pages an evening. How many pages does {n} read in {a} evenings?"),
    ("a*b", "Each of the {a} friends of {n} brings {b} {t}. How many {t} do they bring?"),
    ("a*b", "A box of eggs holds {b} eggs. {n} carries {a} boxes. How many eggs does {n} carry?"),
    ("a*b", "{n} earns {b} dollars an hour and works {a} hours. How many dollars does {n} earn?"),
    ("a*b", "{a} cars are parked, and {n} counts {b} people in each. How many people are in the cars?"),
    ("a*b", "{n} plants {b} bulbs in each of {a} pots. How many bulbs does {n} plant?"),
    ("a*b", "A bus makes {a} trips and takes {b} people each time. How many people does {n} see travel?"),
    ("a/b", "{n} deals {a} cards to {b} players, the same number to each. How many cards has each player?"),
    ("a/b", "{a} {t} lie in {b} equal heaps. How many {t} does {n} count in one heap?"),
    ("a/b", "{n} walks {a} kilometres in {b} days, the same way each day. How many kilometres is that a day?"),
    ("a/b", "{n} has {a} flowers and puts {b} in each vase. How many vases does {n} need?"),
    ("a/b", "A film of {a} minutes is cut into parts of {b} minutes. How many parts does {n} get?"),
    ("a/b", "{b} boxes weigh {a} kilograms in all, and {n} says they are alike. How many kilograms does one weigh?"),
    ("a/b", "{n} spends {a} dollars on notebooks of {b} dollars each. How many notebooks does {n} get?"),
    ("a/b", "The {a} children of the camp sleep in tents of {b}. How many tents does {n} put up?"),
    ("a+b r-c", "{n} picked {a} plums and {m} picked {b}. They ate {c} of them. How many plums are left?"),
    ("a-b r+c", "A bus with {a} people stops. {b} get off and {c} get on. How many people are on the bus of {n} now?"),
    ("a*b r-c", "{n} bakes {a} trays of {b} rolls and sells {c} rolls. How many rolls remain?"),
    ("a*b r+c", "{n} has {a} albums with {b} {t} each and {c} loose {t}. How many {t} does {n} have?"),
    ("a/b r+c", "{n} splits {a} {t} evenly with a group of {b} and then finds {c} more. How many has {n} now?"),
    ("a/b r-c", "{n} gets an equal share of {a} {t} among {b} and gives {c} away. How many {t} does {n} keep?"),
)
_VALIDATION: tuple[Wording, ...] = (
    ("a+b", "In the garden {n} counted {a} red flowers and {b} yellow ones. How many flowers did {n} count?"),
    ("a+b", "{n} is {a} years old. How old will {n} be in {b} years?"),
    ("a-b", "{n} baked {a} cookies, and the guests of {m} ate {b}. How many cookies remain?"),
    ("a-b", "A book has {a} pages, and {n} has read {b} of them. How many pages are still to be read?"),
    ("a*b", "In the room of {n} there are {a} shelves, and each holds {b} {t}. How many {t} are on the shelves?"),
    ("a*b", "The car of {n} uses {b} litres of fuel an hour. How many litres does it use in {a} hours?"),
    ("a/b", "The {a} pupils of {n} form teams of {b}. How many teams are there?"),
    ("a/b", "{n} earned {a} dollars in {b} hours. How many dollars did {n} earn an hour?"),
    ("a*b r-c", "{n} saves {b} dollars a week for {a} weeks and spends {c} dollars. How many dollars are left?"),
    ("a-b r+c", "The shop of {n} had {a} {t}, sold {b} and received {c} new ones. How many {t} are there now?"),
)
_TEST: tuple[Wording, ...] = (
    ("a+b", "On the train {n} met {a} adults and {b} children. How many people did {n} meet?"),
    ("a+b", "{n} planted {a} trees last year and {b} trees this year. How many trees has {n} planted?"),
    ("a-b", "Of the {a} {t} in the basket of {n} {b} are broken. How many {t} are whole?"),
    ("a-b", "The sea is {a} kilometres away, and {n} has driven {b} so far. How many kilometres remain?"),
    ("a*b", "{n} sets up {a} rows of {b} chairs. How many chairs are in the hall?"),
    ("a*b", "{n} drops {b} {t} into each of {a} bags. How many {t} does {n} use?"),
    ("a/b", "The {a} eggs of {n} fill boxes that hold {b} eggs each. How many boxes are full?"),
    ("a/b", "{n} reads {a} pages in {b} days, the same number each day. How many pages does {n} read a day?"),
    ("a*b r-c", "{n} picks {a} baskets of {b} pears and eats {c} pears. How many pears are left?"),
    ("a+b r-c", "{n} owned {a} {t}, got {b} from {m} and sold {c}. How many {t} does {n} own today?"),
)
_WORDINGS = {"train": _TRAINED, "probe": _TRAINED, "validation": _VALIDATION, "test": _TEST}


def word_problems() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every problem; the wordings of a split take turns."""
    probed = set[tuple[Wording, str]]()
    for split, size in SIZES.items():
        rng, seen = Random(f"word problems, {split}"), set[str]()
        while len(seen) < size:
            wording = _WORDINGS[split][len(seen) % len(_WORDINGS[split])]
            row = _row(rng, wording, _PROBE_NAMES if split == "probe" else _NAMES)
            numbers = wording, row["solution"]
            if row["problem"] in seen or (split == "train" and numbers in probed):
                continue
            seen.add(row["problem"])
            if split == "probe":
                probed.add(numbers)
            yield split, row


def _row(rng: Random, wording: Wording, names: tuple[str, ...]) -> dict[str, Any]:
    steps, text = wording[0].split(), wording[1]
    numbers = _numbers(rng, steps[0][1])
    lines: list[str] = []
    for left, sign, right in steps:
        if right == "c":
            numbers["c"] = rng.randint(2, 20) if sign == "+" else rng.randint(1, min(20, numbers["r"] - 1))
        first, second = numbers[left], numbers[right]
        numbers["r"] = _SIGNS[sign](first, second)
        lines.append(f"{first} {sign} {second} = {numbers['r']}")
    person, other = rng.sample(names, 2)
    return {
        "problem": text.format(n=person, m=other, t=rng.choice(_THINGS), **numbers),
        "answer": str(numbers["r"]),
        "solution": f"{', '.join(lines)} <answer>{numbers['r']}</answer>",
        "family": _FAMILIES[steps[0][1]] if len(steps) == 1 else "two_steps",
        "difficulty": 0.5 * (len(steps) - 1),
    }


def _numbers(rng: Random, sign: str) -> dict[str, int]:
    """Return two numbers whose result is a whole number of at least 2."""
    if sign in "*/":
        left, right = rng.randint(2, 12), rng.randint(2, 9)
        return {"a": left * right if sign == "/" else left, "b": right}
    left = rng.randint(12, 80)
    return {"a": left, "b": rng.randint(3, 50) if sign == "+" else rng.randint(3, left - 3)}


WORDS = replace(MATH, problem_rows=word_problems)
"""The math domain with these problems in place of the built-in ones."""
