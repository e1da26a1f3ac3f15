"""Law and medicine as questions with options, and contracts to be read."""

import random
from dataclasses import dataclass

CLAIMS = (
    ("breach of a written contract", 6, "the breach"),
    ("personal injury", 3, "the accident"),
    ("defamation", 1, "the publication"),
    ("damage to land", 4, "the damage"),
    ("professional negligence", 5, "the advice"),
    ("recovery of rent", 2, "the due date"),
    ("enforcement of a deed", 12, "the default"),
)
NAMES = ("Adeyemi", "Brandt", "Castillo", "Dorsey", "Eklund", "Farouk", "Grewal", "Hartono", "Ivanova", "Jansen")


@dataclass(frozen=True)
class Choice:
    """A question with four options."""

    text: str
    letter: str
    options: tuple[int, ...]
    year: int
    period: int
    pause: int
    claim: str
    begins: str

    @property
    def answer(self) -> str:
        """The right letter."""
        return self.letter


def limitation(rng: random.Random) -> Choice:
    """In which year a claim is barred."""
    claim, period, begins = rng.choice(CLAIMS)
    year, pause = rng.randint(1994, 2021), rng.choice([0, 0, 1, 2])
    right = year + period + pause
    options = {right}
    while len(options) < 4:
        options.add(right + rng.choice([-3, -2, -1, 1, 2, 3, 4]))
    order = rng.sample(sorted(options), 4)
    name, month = rng.choice(NAMES), rng.choice(["March", "May", "June", "August", "October"])
    tolled = f" Time did not run for {pause} year{'s' * (pause > 1)} of negotiation." if pause else ""
    listed = "\n".join(f"{letter}) {value}" for letter, value in zip("ABCD", order, strict=True))
    text = (
        f"{name} has a claim for {claim}. The period is {period} year{'s' * (period > 1)} and runs from {begins}, "
        f"which was in {month} {year}.{tolled} In which year does the claim become barred?\n{listed}"
    )
    return Choice(text, "ABCD"[order.index(right)], tuple(order), year, period, pause, claim, begins)


def argue(rng: random.Random, problem: Choice, is_right: bool, is_marked: bool = True) -> tuple[str, str]:
    """Reasoning about a claim, and the letter it ends with."""
    letter = problem.letter if is_right else rng.choice([x for x in "ABCD" if x != problem.letter])
    year = problem.options["ABCD".index(letter)]
    parts = [
        rng.choice(
            [
                f"A claim for {problem.claim} has its own period, here {problem.period}.",
                f"What matters is when time begins: {problem.begins}, in {problem.year}.",
                f"We must count from {problem.year}.",
            ]
        )
    ]
    shown = year - problem.year
    if problem.pause:
        parts.append(
            rng.choice(
                [
                    "The negotiation suspends the period, so it is added at the end.",
                    f"Tolling matters too; the statement gives {problem.pause}.",
                    "While they negotiated the clock stood still.",
                ]
            )
        )
    parts.append(
        rng.choice(
            [
                f"Counting {shown} from {problem.year} leads to {year}.",
                f"{problem.year} plus {shown} is {year}.",
                f"That carries the end of the period to {year}.",
            ]
        )
    )
    parts.append(rng.choice(["The other options miscount.", f"Hence {letter} fits.", "No other rule is mentioned."]))
    end = f"<answer>{letter}</answer>" if is_marked else f"I would go with option {letter}."
    return " ".join(parts) + "\n" + end, letter


TOPICS = (
    ("deposit", "The tenant pays a deposit of {n} euros before the keys are handed over", "euros is the deposit"),
    ("notice", "Either side may end the agreement with {n} days of notice in writing", "days of notice are needed"),
    (
        "parking",
        "The yard offers {n} places, which are given out by the office each year",
        "places does the yard offer",
    ),
    ("quiet", "The quiet room seats {n} people and may not be used for calls", "people does the quiet room seat"),
    ("late fee", "Whoever pays late owes {n} euros for every week that has begun", "euros a week does lateness cost"),
    ("insurance", "The insurer covers water damage up to {n} thousand euros a case", "thousand euros are covered"),
    (
        "visits",
        "The owner may enter on {n} occasions a year after telling the tenant",
        "occasions a year may the owner enter",
    ),
    (
        "repairs",
        "Repairs below {n} euros are borne by the tenant without a claim",
        "euros is the limit of small repairs",
    ),
)
FILLERS = (
    "This clause binds heirs and later owners in the same way, and it cannot be waived by conduct alone.",
    "Where the parties disagree about it they shall first meet and keep a written note of what was said.",
    "The wording was settled after the meeting of both boards and replaces all that was agreed by word of mouth.",
    "If a court should hold part of this clause void, what remains is to be read so that its purpose is kept.",
    "Both sides have had the time to take advice on this point and confirm that by their initials at the margin.",
)


@dataclass(frozen=True)
class Passage:
    """A contract with a question behind it."""

    text: str
    body: str
    question: str
    answer: str
    topic: str
    sentence: str
    others: tuple[tuple[str, str, str], ...]


def contract(rng: random.Random) -> Passage:
    """A contract of some clauses and one question about it."""
    chosen = rng.sample(TOPICS, rng.randint(4, 8))
    clauses, facts = [], []
    for number, (topic, sentence, asked) in enumerate(chosen, 1):
        value = rng.randint(3, 95) * (10 if "euros" in asked and "thousand" not in asked else 1)
        fact = sentence.format(n=value)
        facts.append((topic, asked, value, fact))
        tail = " ".join(rng.sample(FILLERS, rng.randint(0, 2)))
        clauses.append(f"{number}. ({topic}) {fact}. {tail}".strip())
    topic, asked, value, fact = rng.choice(facts)
    parties = " and ".join(rng.sample(NAMES, 2))
    body = f"Agreement between {parties}.\n" + "\n".join(clauses)
    question = f"Question: how many {asked}? Quote the clause, then give the number as Answer: N."
    others = tuple((t, f, str(v)) for t, _, v, f in facts if t != topic)
    return Passage(f"{body}\n\n{question}", body, question, str(value), topic, fact, others)
