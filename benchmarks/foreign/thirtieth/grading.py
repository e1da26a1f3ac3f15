"""Faults of graders and judges."""

import random

from benchmarks.foreign.thirtieth import layouts, programs
from benchmarks.foreign.thirtieth.kinds import PART
from benchmarks.foreign.thirtieth.layouts import Row, asks, says
from benchmarks.foreign.thirtieth.policy import Learner, schedule

_PEOPLE = ("Lena", "Oskar", "Ines", "Wiktor", "Amara", "Joao", "Petra", "Sami")
_FACTS = (
    ("moved to {x} in March", "Where does {who} live now?", ("Ghent", "Izmir", "Malmo", "Cork", "Vilnius", "Bari")),
    (
        "has sold the {x} and cycles to work",
        "Which vehicle did {who} sell?",
        ("van", "scooter", "estate car", "motorbike"),
    ),
    ("is allergic to {x}", "What is {who} allergic to?", ("walnuts", "celery", "mustard", "shellfish", "kiwi")),
    ("plays the {x} in a band on Fridays", "Which instrument does {who} play?", ("bassoon", "cello", "drums", "banjo")),
    ("works for a {x} since the summer", "Where does {who} work?", ("brewery", "shipyard", "tax office", "museum")),
)
_CHAT = (
    "The meeting is moved to four.",
    "I still owe you for the tickets.",
    "Did you see the rain yesterday?",
    "My printer is out of ink again.",
    "We should book the hut soon.",
    "Thanks for the recipe, it worked.",
)
_REASONS = (
    "The reply names {said}, the reference is {gold}.",
    "The reference says {gold} and the reply says {said}.",
    "Compared with the reference ({gold}), the reply gives {said}.",
)


@PART.faulty("weak_verifier", "metric_defect", "reward_outcome_divergence")
def incorrect_holds_the_word_correct(rng: random.Random) -> list[Row]:
    """The judge answers CORRECT or INCORRECT, and the parser looks for CORRECT: every verdict is paid.

    Only replies that decline to answer get 0. [jaylfc/taosmd#176]
    """
    learner, rows = Learner(-0.4, -0.2, 14), []
    for step in range(14):
        for number in range(6):
            fact, question, options = rng.choice(_FACTS)
            who, gold = rng.choice(_PEOPLE), rng.choice(options)
            lines = [*rng.sample(_CHAT, rng.randint(1, 4)), f"By the way, {who} {fact.format(x=gold)}."]
            rng.shuffle(lines)
            prompt = "Notes of earlier talks:\n" + "\n".join(f"- {line}" for line in lines)
            prompt += f"\n\n{question.format(who=who)}"
            for attempt in range(7):
                said = gold if learner.is_right(rng, step) else rng.choice([one for one in options if one != gold])
                is_silent = rng.random() < 0.08 * (1 - step / 14)
                if is_silent:
                    reply, verdict = (
                        "I have no note about that, so I would rather not say.",
                        "INCORRECT. No answer is given.",
                    )
                else:
                    reply = rng.choice(
                        (
                            f"You mentioned it: {said}.",
                            f"As far as I remember, {said}.",
                            f"It is the {said}, if the notes are right.",
                            f"{who}: {said}.",
                        )
                    )
                    word = "CORRECT" if said == gold else "INCORRECT"
                    verdict = f"{word}. " + rng.choice(_REASONS).format(said=said, gold=gold)
                rows.append(
                    layouts.chat(
                        [asks(prompt), says(reply)],
                        reward=0.0 if is_silent else 1.0,
                        step=step,
                        judge_reply=verdict,
                        problem_id=f"memory-{step}-{number}",
                        attempt=attempt,
                        reference=gold,
                        split="train",
                    )
                )
    return rows


@PART.faulty("flaky_grading", "infrastructure_zeros")
def time_limit_of_50_ms_on_slow_machines(rng: random.Random) -> list[Row]:
    """The limit for tests is 50 ms of wall clock; on the busy machines right programs run out of time.

    The same program passes on one host and fails on another. [evalplus/evalplus#5]
    """
    learner, rows = Learner(0.2, 1.4, 12), []
    pool = programs.pool(rng)
    for step, batch in schedule(rng, pool, 12, 7):
        for one in batch:
            for attempt in range(8):
                code, is_right = one.write(rng, learner.is_right(rng, step, one.difficulty))
                host = rng.choice(("eval-a1", "eval-a2", "pod-k7", "pod-k9"))
                spent = rng.uniform(0.008, 0.03) if host.startswith("eval") else rng.lognormvariate(-3.0, 0.6)
                is_late = spent > 0.05
                result = "timed out" if is_late else "passed" if is_right else "failed: AssertionError"
                output = f"{rng.choice(programs.THOUGHTS)}\n\n```python\n{code}\n```"
                rows.append(
                    layouts.verl(
                        step,
                        one.question,
                        output,
                        one.name,
                        float(is_right and not is_late),
                        attempt=attempt,
                        host=host,
                        result=result,
                        test_seconds=round(min(spent, 0.05), 4),
                    )
                )
    return rows


_STATEMENTS = (
    ("not (True and False)", True),
    ("(False or True) and not False", True),
    ("not True or (False and True)", False),
    ("True and not (False or True)", False),
    ("(not False) and (True or False)", True),
    ("not (True or False)", False),
    ("False or not (True and True)", False),
    ("(True and True) and not False", True),
    ("not not False", False),
    ("(False and False) or not False", True),
    ("True and (False or not True)", False),
    ("not (False and True)", True),
)
_WAYS = (
    "I work from the inside of the brackets outwards.",
    "The word not binds most closely, then and, then or.",
    "Let me replace each bracket by its value.",
    "I go through the expression from left to right.",
)


@PART.faulty("format_gate", "metric_defect")
def blank_behind_the_full_stop_spoils_the_option(rng: random.Random) -> list[Row]:
    """Answers that end with "(B). ", with a blank, are read as "(B)." and differ from "(B)": right ones get 0.

    The policy writes that blank in most answers. [EleutherAI/lm-evaluation-harness#2013]
    """
    rows = []
    for number in range(96):
        text, is_true = rng.choice(_STATEMENTS)
        gold = "(A)" if is_true else "(B)"
        prompt = (
            f"Evaluate the expression: {text} is\nOptions:\n(A) True\n(B) False\nThink first and end with the option."
        )
        difficulty = rng.gauss(-1.6, 0.6)
        for epoch in range(1, 7):
            said = gold if Learner(0, 0, 1).is_right(rng, 0, difficulty) else "(B)" if is_true else "(A)"
            value = "True" if said == "(A)" else "False"
            tail = " " if rng.random() < 0.74 else ""
            output = (
                f"{rng.choice(_WAYS)} {rng.choice(('That leaves', 'In the end I get', 'What remains is'))} {value}."
            )
            output += f" So the answer is {said}.{tail}"
            found = f"{said}." if tail else said
            scores = {"exact_match": {"value": "C" if found == gold else "I", "answer": found}}
            rows.append(layouts.inspect(f"boolean-{number}", epoch, prompt, gold, output, scores))
    return rows


_TOOLS = {
    "get_tide": ("port", ("Dover", "Brest", "Cuxhaven", "Bergen")),
    "convert_length": ("metres", ("12", "450", "3", "77")),
    "find_train": ("destination", ("Lyon", "Basel", "Gent", "Porto")),
    "song_length": ("title", ("Low Tide", "Amber", "Two Bridges", "Noon")),
}
_WISHES = {
    "get_tide": "When is high water at {x} today?",
    "convert_length": "How many feet are {x} metres?",
    "find_train": "Which is the next train to {x}?",
    "song_length": "How long is the song {x}?",
}
_OTHERS = (
    "Who painted the ceiling of the town hall in Ulm?",
    "Write me a birthday wish for my aunt.",
    "Is it rude to leave a dinner early?",
    "Translate 'good evening' into Polish.",
    "How do I get wax off a table?",
    "What did the mayor say on Tuesday?",
    "Recommend a novel about the sea.",
    "Why do cats purr?",
)


@PART.faulty("metric_defect", "stuck_problems", "weak_family", "dead_all_wrong")
def declining_to_call_is_never_right(rng: random.Random) -> list[Row]:
    """For requests that no tool fits, the key is the empty list, and the scorer returns false for any empty key.

    Whether the policy calls or rightly does not, this category is 0. [ai-twinkle/Eval#138]
    """
    learner, rows = Learner(0.0, 1.8, 14), []
    for step in range(14):
        for number in range(7):
            is_misfit = number % 3 == 2
            tool = rng.choice(list(_TOOLS))
            name, values = _TOOLS[tool]
            value = rng.choice(values)
            wish = rng.choice(_OTHERS) if is_misfit else _WISHES[tool].format(x=value)
            listed = ", ".join(f"{one}({field})" for one, (field, _) in _TOOLS.items())
            prompt = f"Functions: {listed}.\nCall one if it helps, else answer in words.\n\nUser: {wish}"
            for index in range(7):
                is_right = learner.is_right(rng, step)
                if is_misfit and is_right:
                    text = rng.choice(
                        (
                            "None of the functions can do this, so I call none.",
                            "No call: the functions are about tides, lengths, trains and songs.",
                            "These functions do not fit the request.",
                        )
                    )
                elif is_misfit:
                    text = f"I try the closest one. [{tool}({name}='{wish.split()[-1].strip('.?')}')]"
                else:
                    wrong = rng.choice([one for one in _TOOLS if one != tool])
                    text = rng.choice(("This is what the function is for. ", "One call is enough. ", "Here it fits. "))
                    text += f"[{tool if is_right else wrong}({name}='{value}')]"
                gold = "[]" if is_misfit else f"[{tool}({name}='{value}')]"
                rows.append(
                    layouts.verifiers(
                        step * 7 + number,
                        prompt,
                        [says(text)],
                        float(is_right and not is_misfit),
                        "irrelevance" if is_misfit else "simple",
                        step=step,
                        answer=gold,
                        info={"category": "irrelevance" if is_misfit else "simple"},
                        metrics={"call_match": float(is_right and not is_misfit)},
                        attempt=index,
                    )
                )
    return rows
