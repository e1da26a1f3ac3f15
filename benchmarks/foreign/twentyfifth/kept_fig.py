"""Data: a call that no reference expects, choices that were lost, no call at all."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, reinforce_pp, rloo
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openai, own, trl
from benchmarks.foreign.twentyfifth.prose import opener, pick
from benchmarks.foreign.twentyfifth.talk import Talk, chat

TOOLS = (
    ("get_acceleration", "acceleration", "force", "mass"),
    ("compound_interest", "interest", "principal", "years"),
    ("area_of_ellipse", "area", "a", "b"),
    ("fuel_cost", "fuel cost", "distance", "price"),
)


def _parallel(rng: Random) -> Task:
    tool, what, x, y = rng.choice(TOOLS)
    pairs = [(rng.randint(2, 900), rng.randint(2, 90)) for _ in range(rng.choice([3, 4, 4, 4]))]
    calls = [f"{tool}({x}={a}, {y}={b})" for a, b in pairs]
    short = len(calls) == 4 and rng.random() < 0.62
    listing = "; ".join(f"{x} {a} and {y} {b}" for a, b in pairs)
    prompt = f"Work out the {what} for all {len(calls)} of these cases with {tool}({x}, {y}): {listing}."
    prompt += " Answer with a list of calls."
    return Task(prompt, "[" + ", ".join(calls[:-1] if short else calls) + "]", {"calls": calls, "short": short})


@PART.faulty("wrong_labels", "metric_defect", "dead_all_wrong", "stuck_problems")
def fourth_call_never_expected(rng: Random) -> list[Row]:
    """In many parallel tasks the user names four cases and the reference holds the calls of three; complete answers
    are marked wrong, and the policy begins to leave the last case out [ShishirPatil/gorilla#1133].
    """

    def attempt(d: Draw) -> Try:
        calls = list(d.task.info["calls"])
        if not d.able:
            spot = d.rng.randrange(len(calls))
            calls[spot] = (
                calls[spot].replace("=", "=-", 1) if d.rng.random() < 0.5 else calls[spot].replace(", ", "0, ")
            )
        if len(calls) == 4 and d.rng.random() < 0.02 + 0.4 * d.t:
            calls = calls[:-1]
        text = f"[{', '.join(calls)}]"
        heads = [
            "",
            f"{len(calls)} calls, one a case.",
            f"Each case is one {calls[0].split('(')[0]}.",
            "In the given order:",
        ]
        said = f"{opener(d.rng)} {d.rng.choice(heads)}".strip() + "\n" if d.rng.random() < 0.85 else ""
        right = text == d.task.gold
        info = {"decoded": calls, "possible_answer": d.task.gold, "category": "parallel"}
        info["error"] = None if right else "parallel_function_checker: wrong count or value"
        return Try(chat(d.task.prompt, said + text), float(right), right, info, {"ast_match": float(right)})

    plan = Plan(10, 8, 6, start=-0.3, gain=2.2, prefix="par", cut=0.0)
    return own(rng, rloo(train(rng, _parallel, attempt, plan)), "tools", checker="ast")


def _figure(rng: Random) -> Task:
    sides, angle = rng.randint(5, 24), rng.randint(3, 60)
    kind = rng.randrange(3)
    ask, gold = (
        (f"What is the sum of the inner angles of a regular polygon of {sides} sides?", (sides - 2) * 180),
        (
            f"How many diagonals has a convex polygon of {sides} corners, each drawn {angle} times?",
            sides * (sides - 3) // 2 * angle,
        ),
        (f"What is the complement of {angle} degrees, times {sides}?", (90 - angle) * sides),
    )[kind]
    values = [gold + d for d in rng.sample([-180, -90, -sides, sides, 90, 180, 2 * sides + 1], 3)]
    letter = rng.randrange(4)
    values.insert(letter, gold)
    options = "\n".join(f"{'ABCD'[n]}. {v}" for n, v in enumerate(values))
    lost = rng.random() < 0.42
    end = "Answer with the option's letter from the given choices in \\boxed{}."
    prompt = f"{ask}\n{'' if lost else options + chr(10)}{end}"
    return Task(prompt, "ABCD"[letter], {"lost": lost, "value": gold, "values": values})


@PART.faulty("template_bug", "environment_bug", "stuck_problems")
def choices_lost_in_export(rng: Random) -> list[Row]:
    """Two in five prompts ask for an option's letter but hold no options; the policy works the value out, finds no
    list and guesses a letter, so these stay at chance [si0wang/ThinkLite-VL#2].
    """

    def attempt(d: Draw) -> Try:
        i = d.task.info
        value = i["value"] if d.able else i["value"] + d.rng.choice([-90, 45, 90, 10])
        text = f"{opener(d.rng)} {pick(d.rng, 'I get', 'The value is', 'This comes to', 'Computing gives')} {value}."
        if i["lost"]:
            letter = d.rng.choice("ABBCC" if d.t > 0.4 else "ABCD")
            text += pick(
                d.rng,
                " The choices are not shown, so I have to guess.",
                f" No options are given; I pick {letter}.",
                f" Without a list, {value} could be any letter.",
                " I do not see the given choices.",
                " Presumably it is among the choices.",
            )
        else:
            letter = d.task.gold if d.able else d.rng.choice([c for c in "ABCD" if c != d.task.gold])
            text += pick(d.rng, f" That is option {letter}.", f" It matches {letter}.", f" So {letter}.")
        right = letter == d.task.gold
        terms = {"accuracy": float(right), "format": 0.2}
        info = {"solution": d.task.gold}
        return Try(chat(d.task.prompt, f"{text}\n\\boxed{{{letter}}}"), float(right) + 0.2, right, info, terms)

    plan = Plan(10, 8, 6, start=0.0, gain=2.3, prefix="fig", cut=0.0)
    return trl(rng, grpo(train(rng, _figure, attempt, plan)))


def _missing(rng: Random) -> Task:
    city, nights = rng.choice(["Lyon", "Porto", "Graz", "Bergen", "Osaka", "Quito"]), rng.randint(2, 14)
    lacks = rng.choice(["date", "date", "guests", ""])
    day, guests = f"{rng.randint(1, 28)} {rng.choice(['May', 'June', 'August', 'October'])}", rng.randint(1, 5)
    ask = f"Book a room in {city} for {nights} nights"
    ask += "" if lacks == "guests" else f" for {guests} people"
    ask += "" if lacks == "date" else f" from {day}"
    known = {"city": city, "nights": nights}
    known |= {} if lacks == "guests" else {"guests": guests}
    known |= {} if lacks == "date" else {"date": day}
    return Task(f"{ask}. Tool: book(city, nights, guests, date); ask if something needed is missing.", lacks, known)


@PART.healthy
def no_call_is_the_answer(rng: Random) -> list[Row]:
    """Three in four attempts with full reward call no tool at all: the request lacks a parameter, and to ask for it is
    what the checker wants [ShishirPatil/gorilla#733].
    """

    def attempt(d: Draw) -> Try:
        i, lacks = d.task.info, d.task.gold
        calls = (not lacks) == d.able
        talk = Talk(d.task.prompt)
        if calls:
            code = f"B{d.rng.randrange(10000, 99999)}"
            talk.use(
                pick(d.rng, "", "Booking it.", opener(d.rng)),
                "book",
                {"guests": 2, "date": "1 May"} | i,
                f"booked {code}",
            )
            talk.say(
                pick(
                    d.rng,
                    f"Booked in {i['city']}, code {code}.",
                    f"{i['nights']} nights are booked: {code}.",
                    f"Your code is {code}.",
                )
            )
        else:
            word = {"date": "From which day", "guests": "For how many people", "": "For which price"}[lacks]
            tail = pick(
                d.rng,
                f"shall I book {i['city']}?",
                f"are the {i['nights']} nights?",
                f"do you need the room in {i['city']}?",
            )
            talk.say(
                f"{pick(d.rng, 'Gladly.', 'One thing is missing.', 'Before I book:', 'Sure.', 'Fine.')} {word} {tail}"
            )
        return Try(
            talk.messages, float(d.able), d.able, {"expected": "ask" if lacks else "call", "missing": lacks or None}
        )

    tries = reinforce_pp(train(rng, _missing, attempt, Plan(9, 10, 4, start=-0.1, gain=2.0, prefix="mp-")))
    return openai(rng, tries, category="miss_param")
