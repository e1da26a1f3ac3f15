"""Programs, and reasoning in one language about questions in another."""

import random

from benchmarks.foreign.estimators import grpo, whole_batch
from benchmarks.foreign.fortyfifth.credit import credit
from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, ours, trl, verl
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.programs import program, tasks
from benchmarks.foreign.fortyfifth.runs import Problem, Try, course, say


@PART.healthy
def hidden_tests_pay_by_the_share_passed(rng: random.Random) -> list[Row]:
    """The score is the share of hidden tests that pass, while `acc` asks for all of them.

    Programs with `acc` false earn up to 0.9, so score and accuracy seem to part; partial credit is the design.
    """
    policy = Policy(rng, -0.5, 1.3)
    rows = []
    for step, done, problem, attempt in course(rng, tasks(rng), 17, 6, 8):
        text, share = program(rng, problem, policy.succeeds(problem, done))
        one = Try(problem, step, attempt, say(text), share, float(share == 1.0))
        rows.append(verl(one, tests_passed=round(share * 10), tests_total=10))
    return rows


TARIFFS = (
    ("parcel_price", "zone", ("A", "B", "C", "D"), (3, 30)),
    ("bus_fare", "ring", ("inner", "middle", "outer", "country"), (2, 9)),
    ("berth_fee", "class", ("dinghy", "sloop", "ketch", "barge", "tug"), (8, 90)),
    ("tea_grade", "code", ("OP", "FOP", "BOP", "TGFOP", "PF"), (11, 70)),
    ("signal_flag", "letter", ("A", "K", "N", "Q", "U", "X"), (1, 60)),
    ("kiln_hours", "clay", ("white", "red", "grey", "black"), (5, 26)),
)


WAYS = (
    "There are {n} values to choose from.",
    "The {k} decides, and nothing is computed.",
    "This is a look-up by {k}; what is not listed needs a decision.",
    "I write the {n} cases in the order of the statement.",
    "No formula links {k} and value, so they have to be listed.",
)


def _table_reply(rng: random.Random, problem: Problem, right: bool) -> str:
    name, key, table = (problem.data[k] for k in ("name", "key", "table"))
    default = (
        "    return None" if right else rng.choice(("    return 0", '    raise KeyError("unknown")', '    return ""'))
    )
    cells = ", ".join(f'"{k}": {v}' for k, v in table.items())
    if rng.random() < 0.5:
        branches = "\n".join(f'    if {key} == "{k}":\n        return {v}' for k, v in table.items())
        body = f"{branches}\n{default}"
    else:
        body = f"    table = {{{cells}}}\n    if {key} in table:\n        return table[{key}]\n{default}"
    plan = " ".join(rng.sample(WAYS, rng.randint(1, 2))).format(k=key, n=len(table))
    return f"{plan} The values are those of the list in the statement.\n\n```python\ndef {name}({key}):\n{body}\n```"


@PART.healthy
def code_tables_of_the_statement_are_copied_out(rng: random.Random) -> list[Row]:
    """The tasks are look-ups of tariffs that the statement lists, so programs hold its values as literals.

    It looks like answers hard-coded from the examples, but the table is the specification and tests ask beyond it.
    """
    problems = []
    for number in range(84):
        name, key, keys, span = TARIFFS[number % len(TARIFFS)]
        table = {k: rng.randint(*span) for k in rng.sample(keys, rng.randint(3, len(keys)))}
        listed = "; ".join(f"{k}: {v}" for k, v in table.items())
        text = f"Write `{name}({key})`, which looks the value up. {listed}. Any other text gives None."
        data = {"name": name, "key": key, "table": table}
        problems.append(Problem(f"table-{number}", text, hard=rng.gauss(0, 0.7), data=data))
    policy = Policy(rng, 0.0, 1.9)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 14, 6, 8):
        right = policy.succeeds(problem, done)
        one = Try(problem, step, attempt, say(_table_reply(rng, problem, right)), float(right), float(right))
        one.terms, one.domain = {"tests": float(right)}, "code"
        one.extra = {"family": problem.data["name"], "listed_passed": 1.0, "unlisted_passed": float(right)}
        tries.append(one)
    return [ours(t) for t in credit(tries, whole_batch)]


TONGUES = {
    "German": ("{n} Kisten wiegen je {a} kg, der leere Wagen {b} kg. Wie viel wiegt alles?", "Alles wiegt {x} kg."),
    "Spanish": ("{n} cajas pesan {a} kg cada una y el carro {b} kg. ¿Cuánto pesa todo?", "Todo pesa {x} kg."),
    "Turkish": ("{n} kutunun her biri {a} kg, boş araba {b} kg. Toplam kaç kg?", "Toplam {x} kg."),
    "Russian": ("{n} ящиков весят по {a} кг, пустая тележка {b} кг. Сколько весит всё?", "Всё весит {x} кг."),
    "Greek": ("{n} κιβώτια ζυγίζουν {a} κιλά το καθένα και το κάρο {b}. Πόσο ζυγίζουν όλα;", "Όλα ζυγίζουν {x} κιλά."),
    "Chinese": ("{n}个箱子每个重{a}公斤,空车重{b}公斤。总共多重?", "总共重{x}公斤。"),
}


@PART.healthy
def questions_in_six_tongues_are_thought_over_in_english(rng: random.Random) -> list[Row]:
    """The system prompt orders reasoning in English and the last line in the user's language.

    Most words of a reply are in another language than its prompt, which is what was ordered; it does not drift.
    """
    system = "Reason in English inside <think> tags. Then answer in one sentence in the language of the user."
    problems = []
    for number in range(132):
        tongue = list(TONGUES)[number % 6]
        n, a, b = rng.randint(7, 48), rng.randint(12, 75), rng.randint(40, 260)
        text = TONGUES[tongue][0].format(n=n, a=a, b=b)
        data = {"tongue": tongue, "n": n, "a": a, "b": b}
        problems.append(Problem(f"tongue-{number}", text, str(n * a + b), rng.gauss(0, 0.8), system, data))
    ways = (
        "The user asks for the total weight of the load and the cart.",
        "The load is {n} equal boxes, so I multiply first.",
        "The cart is counted once, after the boxes.",
        "Splitting it, {n} x {t} = {nt} and {n} x {u} = {nu}.",
        "I should answer in {tongue} at the end, in one sentence.",
    )
    policy = Policy(rng, -0.2, 1.6)
    tries = []
    for step, done, problem, attempt in course(rng, problems, 16, 6, 8):
        d = problem.data
        right = policy.succeeds(problem, done)
        load = d["n"] * d["a"] + (0 if right else rng.choice((-10, 10, -d["n"], d["n"], 100)))
        tens, unit = d["a"] // 10 * 10, d["a"] % 10
        facts = {**d, "t": tens, "u": unit, "nt": d["n"] * tens, "nu": d["n"] * unit}
        chosen = sorted(rng.sample(range(len(ways)), rng.randint(2, 4)))
        thought = " ".join(ways[i].format(**facts) for i in chosen)
        total = load + d["b"]
        thought += f" The boxes weigh {load}, with the cart {total}."
        text = f"<think>{thought}</think>\n{TONGUES[d['tongue']][1].format(x=total)}"
        terms = {"accuracy_reward": float(right), "language_reward": 0.2}
        tries.append(Try(problem, step, attempt, say(text), float(right) + 0.2, None, terms))
    return [trl(t, solution=t.problem.gold) for t in credit(tries, grpo)]
