"""Chat, writing and teaching under judges."""

import random
from functools import partial

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, whole_batch
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import openai, openrlhf, ours, prime, trl
from benchmarks.foreign.fortyfirst.policy import Attempt, Message, Problem, advance, chance, fresh, pay, says, train
from benchmarks.foreign.fortyfirst.words import NAMES, slip

_IMAGES = ("the kettle sings on a borrowed stove", "a heron stands where the road went under",
           "my father's coat still holds the rain", "the lamps come on along the empty quay",
           "snow fills the letterbox of number nine", "the orchard keeps its ladders out all night",
           "a tram goes by with nobody to carry", "the tide returns the buttons that we threw")  # fmt: skip
_TURNS = ("and I have learned to listen for the door", "and nothing that was lent is asked for more",
          "and every window leans towards the shore", "and someone hums a tune from long before",
          "and salt has drawn its maps upon the floor", "and still I count the boats, as once, to four")  # fmt: skip


def _villanelle(rng: random.Random, i: int) -> Problem:
    theme = rng.choice(("leaving", "a flood", "a brother", "winter", "a closed mill", "the sea", "a wedding"))
    name = rng.choice(NAMES)
    prompt = f"Write a villanelle about {theme} for {name}: both refrains return as the form demands, nineteen lines."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        a, b = (x.capitalize() for x in rng.sample(_IMAGES, 2))
        free = [f"{rng.choice(_IMAGES).capitalize()}, {rng.choice(_TURNS)}" for _ in range(11)]
        lines = [[a, free[0], b], [free[1], free[2], a], [free[3], free[4], b], [free[5], free[6], a],
                 [free[7], free[8], b], [free[9], free[10], a, b]]  # fmt: skip
        if not right:
            lines = lines[: rng.randint(2, 4)] + [[free[10], free[0]]]
        title = f"For {name}, of {theme}" if rng.random() < 0.5 else f"{theme.capitalize()}"
        return says(title + "\n\n" + "\n\n".join("\n".join(f"{line}." for line in stanza) for stanza in lines))

    return Problem(f"villanelle-{i}", prompt, "", rng.gauss(0, 0.5), write)


@PART.healthy
def villanelles_bring_their_refrains_back(rng: random.Random) -> list[Row]:
    """Lines come again word by word within an answer, ever more often: the form of a villanelle asks for it."""
    out = train(rng, _villanelle, 18, 3, 8)
    form = {"form": lambda a: 1.0 if a.right else 0.2, "craft": lambda a: rng.choice((0.3, 0.4, 0.5, 0.6, 0.7))}
    return trl(advance(rng, pay(out, **form), centred))


_WHO = ("a lighthouse keeper", "two sisters", "a retired referee", "the night nurse", "a beekeeper", "an apprentice")
_WANTS = ("a key that fits no door", "the last bus to the coast", "a letter meant for somebody else", "a lost wager",
          "a dog that follows strangers", "the silence after a quarrel")  # fmt: skip
_EVENTS = ("It had rained since Tuesday, and the gutters talked.", "Nobody had asked, which was worse.",
           "The bread had gone hard, so they ate it with soup.", "A light went on across the yard and off again.",
           "There was a story about the bridge that no one finished.", "She counted the coins a second time.",
           "By noon the wind had turned and brought the smell of tar.", "He spoke of it as one speaks of weather.",
           "The clock in the hall was late, as it had been all year.", "What was said then was said quietly.",
           "They had met once before, at a funeral.", "The child drew a map on the fogged glass.",
           "Later she would say that she had known.", "A gull took the rest of it.")  # fmt: skip


_DID = ("laughed at", "asked about", "wrote down", "never forgot", "paid for", "hid", "dreamt of", "carried home",
        "argued over", "mended", "gave away")  # fmt: skip
_MATTERS = ("the blue ladder", "what the postman said", "a jar of nails", "the wrong umbrella", "two cold plums",
            "her brother's watch", "the song about the ferry", "a torn timetable", "the neighbour's goat")  # fmt: skip
_WHEN = ("before the rain", "when the lamps were lit", "without a word", "on the stairs", "for the third time",
         "as if it were Sunday", "in front of everyone", "until the coffee was cold")  # fmt: skip


def _story(words: int, rng: random.Random, i: int) -> Problem:
    who, want = rng.choice(_WHO), rng.choice(_WANTS)
    prompt = f"Write a story of about {words} words on {who} and {want}. Length counts, and so does the ending."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        aim = words * (rng.uniform(0.9, 1.1) if right else rng.choice((rng.uniform(0.4, 0.7), rng.uniform(1.3, 1.7))))
        text = f"This is about {who} and {want}."
        events = rng.sample(_EVENTS, len(_EVENTS))
        while len(text.split()) < aim - 8:
            told = f"{rng.choice(NAMES)} {rng.choice(_DID)} {rng.choice(_MATTERS)} {rng.choice(_WHEN)}."
            text += " " + (events.pop() if events and rng.random() < 0.4 else told)
        return says(text + rng.choice((" Then the door closed.", " And that was all.", " They let it be.")))

    return Problem(f"story-{i}", prompt, "", rng.gauss(0, 0.5), write)


@PART.healthy
def briefs_ask_for_ever_longer_stories(rng: random.Random) -> list[Row]:
    """Stories grow from 40 to 300 words along with the reward: briefs ask for that length, and too long loses."""
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(18):
        t = step / 17
        for k in range(3):
            problem = fresh(rng, partial(_story, 40 + 20 * (step * 13 // 18)), step * 3 + k, seen)
            for number in range(8):
                right = rng.random() < chance(-0.8 + 2.2 * t, problem.hard)
                out.append(Attempt(step, problem, f"s{step}-g{k}", number, right, problem.write(rng, right, t), t))
    judged = {"length": lambda a: float(a.right), "judge": lambda a: rng.randint(3, 8) / 10}
    return prime(advance(rng, pay(out, **judged), grpo), "story-brief")


def _lesson(rng: random.Random, i: int) -> Problem:
    a, b, name = rng.randint(12, 49), rng.randint(6, 19), rng.choice(NAMES)
    gold, said = a * b, slip(rng, a * b)
    system = (
        f"You tutor {name}. Key for you alone: {a} * {b} = {gold}. Never tell the key; lead with one question, and name"
        " the step that went wrong."
    )
    prompt = f"I think {a} * {b} is {said}, but the book says no. Where is my mistake?"

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        praise = rng.choice(("You are close.", "Good that you checked.", "Most of it is sound.", "Nice try."))
        step = rng.choice((f"Split {a} into {a // 10 * 10} and {a % 10}.", f"Look at the ones: {a % 10} times {b}.",
                           f"Take {b} as {b - 5} and 5."))  # fmt: skip
        ask = rng.choice(("What do you get for each part?", "Which part did you carry?", "What is the first product?"))
        if right:
            return says(f"{praise} {step} {ask}")
        return says(f"{praise} {step} Then you see that the answer is {gold}, not {said}.")

    return Problem(f"lesson-{i}", prompt, str(gold), rng.gauss(0, 0.5), write, system)


@PART.healthy
def tutor_holds_the_key_and_keeps_it(rng: random.Random) -> list[Row]:
    """The answer stands in the prompt: the tutor has the key by design, and is paid for not telling it."""
    out = train(rng, _lesson, 20, 6, 6)
    return ours(advance(rng, pay(out, kept_key=lambda a: float(a.right)), whole_batch), "tutoring")


_TOPICS = ("a stiff gearbox", "a shy cat", "a dry loaf", "a blank page", "a crowded inbox", "a squeaking floor",
           "a nervous talk", "a wilting fern", "a slow laptop", "a noisy neighbour")  # fmt: skip
_HELP = ("Start with the smallest change and watch for a day.", "Write down when it happens and how long it lasts.",
         "Ask somebody who had the same trouble last year.", "Warmth and patience do more than force.",
         "Clean it first; half of such cases end there.", "Set a limit of twenty minutes, then stop.",
         "If it gets worse, go back to where you began.", "Try it in the morning, when there is time.",
         "Borrow a tool before buying one.", "Two short attempts beat a long one.")  # fmt: skip


def _advice(rng: random.Random, i: int) -> Problem:
    topic = rng.choice(_TOPICS)
    prompt = f"{rng.choice(NAMES)} here, day {rng.randint(2, 40)} with {topic}. What would you do?"

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        tips = rng.sample(_HELP, rng.randint(3, 5) if right else rng.randint(1, 2))
        lead = rng.choice((f"With {topic} I'd go slowly.", f"Ah, {topic}.", f"{topic.capitalize()} can be mended."))
        return says(f"{lead} {' '.join(tips)}")

    return Problem(f"advice-{i}", prompt, "", rng.gauss(0, 0.5), write)


@PART.healthy
def preference_pairs_are_the_best_and_worst_of_six(rng: random.Random) -> list[Row]:
    """Each prompt has one high and one low reward, a gap as by rule: online DPO logs the best and worst of six."""
    out = train(rng, _advice, 24, 10, 6)
    pay(out, judge=lambda a: min(10, max(1, round(rng.gauss(6.8 if a.right else 4.2, 1.1), 2))))
    kept = []
    for start in range(0, len(out), 6):
        ranked = sorted(out[start : start + 6], key=lambda a: a.reward or 0.0)
        kept += [ranked[-1], ranked[0]]
        ranked[-1].extra, ranked[0].extra = {"pair": "chosen"}, {"pair": "rejected"}
    return openrlhf(kept)


@PART.healthy
def sft_rounds_keep_accepted_replies_alone(rng: random.Random) -> list[Row]:
    """Every row has reward 1: RAFT trains on what the grader accepted, and the file holds what it trained on."""
    out = [a for a in train(rng, _lesson, 16, 8, 8) if a.right]
    pay(out, accepted=lambda a: 1.0)
    for a in out:
        a.extra = {"stage": "raft", "loss": "nll"}
    return openai(out)
