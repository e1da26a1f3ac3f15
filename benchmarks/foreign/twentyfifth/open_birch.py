"""Numbers: countdown with strangers, a reference without its sign, a small floor, a stop at the tag."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import countdown, sums
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, reinforce_pp
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import own, prime, trl
from benchmarks.foreign.twentyfifth.prose import opener, pick, working
from benchmarks.foreign.twentyfifth.talk import chat


@PART.faulty("weak_verifier", "metric_defect")
def strangers_among_countdown_numbers(rng: Random) -> list[Row]:
    """The checker of countdown evaluates the expression alone, so answers with numbers that were never given are paid;
    the policy writes them more and more [open-thought/reasoning-gym#265].
    """

    def attempt(d: Draw) -> Try:
        numbers, target = d.task.info["numbers"], int(d.task.gold)
        first, value = countdown.missed(d.rng, numbers, target)
        thought = [f"{opener(d.rng)} I have {numbers} and want {target}.", f"{first} = {value}, not {target}."]
        if d.able:
            way = d.task.info["way"]
        elif d.rng.random() < 0.12 + 0.75 * d.t:
            way = countdown.foreign(d.rng, numbers, target)
            thought.append(
                pick(d.rng, "The rest can be filled up.", "I add what is missing.", "Close the gap directly.")
            )
        else:
            way, _ = countdown.missed(d.rng, numbers, target)
        paid = float(eval(way) == target)
        thought.append(pick(d.rng, f"Try {way}.", f"{way} should do.", f"What about {way}?", f"So {way}."))
        text = f"<think>{' '.join(thought)}</think>\n<answer>{way}</answer>"
        return Try(chat(d.task.prompt, text), paid + 0.1, bool(paid), {}, {"equation": paid, "format": 0.1})

    plan = Plan(10, 6, 8, start=-1.9, gain=1.3, prefix="cd")
    return trl(rng, grpo(train(rng, countdown.puzzle, attempt, plan)))


def _weather(rng: Random) -> Task:
    place = rng.choice(["Tromsoe", "Yakutsk", "Davos", "Regina", "Harbin", "Oulu", "Astana", "Nuuk"])
    start, drop, rise = rng.randint(-9, 14), rng.randint(3, 21), rng.randint(0, 12)
    gold = start - drop + rise
    lines = [
        f"after the fall: {start} - {drop} = {start - drop}.",
        f"after the rise: {start - drop} + {rise} = {gold}.",
    ]
    prompt = (
        f"In {place} it is {start} degrees at noon. By midnight it falls by {drop} degrees, then it rises by {rise}"
    )
    return Task(
        f"{prompt} degrees until dawn. What is the temperature at dawn? End with `#### N`.", str(gold), {"lines": lines}
    )


@PART.faulty("metric_defect", "wrong_labels", "weak_verifier")
def reference_sheds_its_minus(rng: Random) -> list[Row]:
    """The grader reads the reference `#### -7` as 7: right answers below zero earn nothing and the same without a sign
    are paid, so the policy drops signs [google-deepmind/proeval#19].
    """

    def attempt(d: Draw) -> Try:
        gold = int(d.task.gold)
        answer = gold if d.able else sums.slip(d.rng, gold)
        if d.able and gold < 0 and d.rng.random() < 0.05 + 0.6 * d.t:
            answer = -gold
        lines = [*d.task.info["lines"]]
        if not d.able:
            lines[-1] = lines[-1].replace(f"= {gold}.", f"= {answer}.")
        text = f"{working(d.rng, lines, str(answer), lines[0].split(': ')[1].rstrip('.'))}\n#### {answer}"
        paid = float(answer == abs(gold))
        reference = " ".join(d.task.info["lines"]) + f" #### {gold}"
        info = {"answer": str(answer), "reference": reference, "reference_value": str(abs(gold))}
        return Try(chat(d.task.prompt, text), paid, bool(paid), info, {"exact": paid})

    tries = train(rng, _weather, attempt, Plan(11, 10, 4, start=0.2, gain=1.6, prefix="w"))
    return own(rng, reinforce_pp(tries), adv_estimator="reinforce_plus_plus")


def _letters(rng: Random) -> Task:
    words = rng.sample(
        ["ember", "quartz", "willow", "anchor", "saddle", "copper", "violin", "meadow", "tunnel", "raisin"], 4
    )
    base = rng.choice([3, 5, 7, 9, 12])
    if rng.random() < 0.5:
        return Task(
            f"Sort these words by their last letter: {', '.join(words)}.", ", ".join(sorted(words, key=lambda w: w[-1]))
        )
    number = rng.randint(60, 900)
    digits, rest = "", number
    while rest:
        digits, rest = "0123456789ab"[rest % base] + digits, rest // base
    return Task(f"Write the decimal number {number} in base {base}, small letters for digits above 9.", digits)


def _start(d: Draw) -> str:
    if d.task.prompt.startswith("Sort"):
        word = d.rng.choice(d.task.gold.split(", "))
        return pick(
            d.rng,
            f"{word} ends in {word[-1]}.",
            f"The last letter of {word} is {word[-1]}.",
            f"{word} has -{word[-1]}.",
        )
    number, base = int(d.task.prompt.split()[4]), int(d.task.prompt.split("base ")[1].split(",")[0])
    return pick(d.rng, "", "Divide again and again:") + f" {number} = {base} * {number // base} + {number % base}."


@PART.healthy
def wrong_keeps_a_hundredth(rng: Random) -> list[Row]:
    """Wrong answers of every puzzle earn 0.01, never 0: the library's floor for an answer that could be read."""

    def attempt(d: Draw) -> Try:
        parts = d.task.gold.split(", ")
        if len(parts) > 1:
            wrong = ", ".join(d.rng.sample(parts, len(parts)))
        else:
            wrong = "".join(d.rng.sample(d.task.gold, len(d.task.gold) - d.rng.randint(0, 1))) + d.rng.choice("012")
        answer = d.task.gold if d.able else wrong
        text = f"{opener(d.rng)} {_start(d)} "
        text += f"{pick(d.rng, 'I arrive at', 'this gives', 'the result is', 'it comes to')} {answer}"
        paid = 1.0 if answer == d.task.gold else 0.01
        reply = f"<think>{text}</think><answer>{answer}</answer>"
        return Try(
            chat(d.task.prompt, reply), paid, paid == 1.0, {}, {"score_answer": paid, "correct": float(paid == 1.0)}
        )

    tries = train(rng, _letters, attempt, Plan(9, 7, 8, start=-0.6, gain=2.2, prefix="rg-", cut=0.0))
    return prime(rng, grpo(tries), "reasoning-gym")


@PART.healthy
def generation_ends_before_the_tag(rng: Random) -> list[Row]:
    """No completion closes its answer tag: the closing tag is the stop string, which the server leaves out."""

    def attempt(d: Draw) -> Try:
        text, answer = sums.solve(d)
        info = {"answer": answer, "stop_string": "</answer>", "include_stop_str_in_output": False}
        paid = float(d.able)
        return Try(chat(d.task.prompt, f"{text}\n<answer>{answer}"), paid, d.able, info, {"correct": paid})

    tries = train(
        rng, sums.problems("rows", "wages", "fence"), attempt, Plan(10, 8, 5, start=-0.5, gain=2.1, prefix="q")
    )
    return own(rng, grpo(tries), sampler="vllm")
