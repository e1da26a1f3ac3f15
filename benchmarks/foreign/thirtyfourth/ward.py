"""Clinical vignettes with options, and passages with claims that they support or not."""

import random

from benchmarks.foreign.thirtyfourth.policy import Problem, speak

CASES = [
    ("iron deficiency", "a low ferritin and small pale cells", "tiredness and brittle nails"),
    ("hypothyroidism", "a high TSH", "weight gain and feeling cold"),
    ("gout", "needle crystals in the joint fluid", "a hot swollen big toe"),
    ("pulmonary embolism", "a filling defect on CT", "sudden breathlessness after a long flight"),
    ("appendicitis", "rebound tenderness on the right", "pain that moved from the navel"),
    ("diabetic ketoacidosis", "ketones and a low pH", "thirst and deep breathing"),
    ("otitis media", "a bulging red eardrum", "fever and a child pulling its ear"),
    ("migraine", "a normal scan", "one-sided throbbing and light hurting the eyes"),
    ("asthma", "wheeze that a bronchodilator relieves", "cough at night"),
    ("shingles", "blisters along one dermatome", "burning pain of the flank"),
]
PEOPLE = ["man", "woman", "teacher", "farmer", "student", "driver", "nurse", "retired baker", "swimmer"]


def options(rng: random.Random, count: int) -> list[Problem]:
    """Vignettes with four diagnoses to choose from."""
    out = []
    for i in range(count):
        name, sign, story = CASES[i % len(CASES)]
        others = rng.sample([c[0] for c in CASES if c[0] != name], 3)
        order = rng.sample([name, *others], 4)
        listing = " ".join(f"{letter}) {text}" for letter, text in zip("ABCD", order, strict=True))
        who = f"{rng.randint(19, 84)}-year-old {rng.choice(PEOPLE)}"
        prompt = f"A {who} reports {story}. Found: {sign}. Most likely? {listing} Think, then <answer>letter</answer>."
        data = {"order": order, "sign": sign, "story": story, "name": name}
        out.append(Problem(f"vignette-{i:02d}", prompt, "ABCD"[order.index(name)], name, rng.gauss(0, 0.7), data))
    return out


def choose(rng: random.Random, problem: Problem, right: bool) -> tuple[str, str]:
    """A letter and the thought that leads to it."""
    data = problem.data
    pick = data["name"] if right else rng.choice([o for o in data["order"] if o != data["name"]])
    rest = rng.choice([o for o in data["order"] if o != pick])
    thought = speak(
        rng,
        [
            f"The story is {data['story']}.",
            f"What stands out is {data['sign']}.",
            f"With {data['story']} I think wide.",
        ],
        [f"That points to {pick}.", f"{pick.capitalize()} explains both.", f"I weigh {pick} against {rest}."],
        [f"{rest.capitalize()} would look otherwise.", f"Against {rest} speaks {data['sign']}.", ""],
    )
    return "ABCD"[data["order"].index(pick)], thought


def claims(rng: random.Random, count: int) -> list[Problem]:
    """Questions on a passage: yes or no, with a claim that gives the reason."""
    drugs = ["metformin", "losartan", "sertraline", "warfarin", "prednisolone", "omeprazole", "salbutamol"]
    ends = ["readmission", "relapse", "infection", "stroke", "bleeding", "mortality"]
    out = []
    for i in range(count):
        drug, end, n = rng.choice(drugs), rng.choice(ends), rng.randint(60, 900)
        a, b = rng.sample(range(10, 60), 2)
        passage = f"In {n} patients, {end} was {a}% with {drug} and {b}% with placebo (p < 0.01)."
        prompt = (
            f"Passage: {passage}\nDid {drug} lower {end}? Give the reason in one claim and end with Answer: yes/no."
        )
        data = {"drug": drug, "end": end, "a": a, "b": b, "passage": passage}
        out.append(Problem(f"claim-{i:02d}", prompt, "yes" if a < b else "no", end, rng.gauss(0, 0.6), data))
    return out


def argue(rng: random.Random, problem: Problem, right: bool) -> str:
    """A claim and the answer that follows from it; a wrong attempt takes one arm for the other."""
    d = problem.data
    a, b = (d["a"], d["b"]) if right else (d["b"], d["a"])
    answer = "yes" if a < b else "no"
    claim = [
        f"{d['end'].capitalize()} was {a}% under {d['drug']} against {b}% under placebo.",
        f"The arm with {d['drug']} had {a}%, placebo {b}%.",
        f"Placebo came to {b}%, {d['drug']} to {a}%.",
    ]
    more = ["The difference is significant.", f"So {d['drug']} {'helped' if a < b else 'did not help'}.", ""]
    return speak(rng, ["Two arms are compared.", "I read the passage.", ""], claim, more, f"Answer: {answer}")
