"""Grades and languages: a judge's bold answer, a letter read last, several tongues, an easy half."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth import notes, sums, tongues
from benchmarks.foreign.twentyfifth.course import Draw, Plan, Task, Try, train
from benchmarks.foreign.twentyfifth.credit import grpo, reinforce_pp
from benchmarks.foreign.twentyfifth.kinds import PART
from benchmarks.foreign.twentyfifth.layouts import openrlhf, own, prime
from benchmarks.foreign.twentyfifth.prose import pick
from benchmarks.foreign.twentyfifth.talk import chat

GERMAN = ("teilbar durch {n}", "durch {n} ohne Rest teilbar", "ein Vielfaches von {n}")


def _verdict(rng: Random, gold: str, right: bool, plain: bool) -> str:
    grade = "C" if right else "I"
    why = f"says the same as the reference ({gold})" if right else f"does not match the reference ({gold})"
    lead = pick(rng, "The submission", "Compared with the criterion, the answer", "This reply", "The answer given")
    end = (
        f"GRADE: {grade}"
        if plain
        else pick(rng, f"**Answer: {grade}**", f"GRID: {grade}", f"ANSWER: {grade}", f"**{grade}**")
    )
    return f"{lead} {why}.\n\n{end}"


@PART.faulty("judge_default", "metric_defect", "judge_refuses_right", "flaky_grading", "infrastructure_zeros")
def bold_answer_not_grade(rng: Random) -> list[Row]:
    """The judge, a small model, often ends with `**Answer: C**` or `GRID: C` where the pattern wants `GRADE: C`; such
    verdicts are not parsed and count as incorrect [UKGovernmentBEIS/inspect_ai#4026].
    """

    def attempt(d: Draw) -> Try:
        plain = d.rng.random() < 0.58
        words = _verdict(d.rng, d.task.gold, d.able, plain)
        paid = float(d.able and plain)
        info = {"judge_output": words, "judge_value": "C" if paid else "I", "target": d.task.gold}
        return Try(chat(d.task.prompt, notes.reply(d)), paid, bool(paid), info, {"model_graded_qa": paid})

    tries = train(rng, notes.notice, attempt, Plan(9, 8, 6, start=-0.1, gain=2.0, prefix="nq"))
    return own(rng, grpo(tries), "reading", judge_model="judge-3b-instruct")


def _choice(rng: Random) -> Task:
    n, letter = rng.randint(6, 19), rng.randrange(4)
    odd = [k * n + rng.randint(1, n - 1) for k in rng.sample(range(4, 40), 4)]
    odd[letter] = n * rng.randint(5, 41)
    options = "\n".join(f"({'ABCD'[i]}) {v}" for i, v in enumerate(odd))
    what = rng.choice(GERMAN).format(n=n)
    prompt = f"Welche der folgenden Zahlen ist {what}?\n{options}\nBegründe kurz und nenne den Buchstaben in Klammern."
    return Task(prompt, "ABCD"[letter], {"n": n, "odd": odd})


@PART.faulty("metric_defect", "format_gate")
def eliminated_letter_read_last(rng: Random) -> list[Row]:
    """The filter takes the last letter in brackets for the answer: replies that name their choice and then the
    excluded options are graded by an excluded one [EleutherAI/lm-evaluation-harness#3879].
    """

    def attempt(d: Draw) -> Try:
        n, odd, gold = d.task.info["n"], d.task.info["odd"], d.task.gold
        mine = gold if d.able else d.rng.choice([c for c in "ABCD" if c != gold])
        value = odd["ABCD".index(mine)]
        rest = [c for c in "ABCD" if c != mine]
        d.rng.shuffle(rest)
        start = pick(
            d.rng, f"Ich teile jede Zahl durch {n}.", f"Probe mit {n}:", f"Vielfache von {n} gesucht.", "Nachrechnen:"
        )
        shown = d.rng.choice(rest)
        other = odd["ABCD".index(shown)]
        work = (
            f" {other} : {n} lässt den Rest {other % n}. {value} : {n} = {value // n}{'' if d.able else ' (ungefähr)'}."
        )
        end = pick(
            d.rng,
            f" Antwort: ({mine}).",
            f" Also ({mine}).",
            f" Richtig ist ({mine}).",
            f" Die Lösung lautet ({mine}).",
        )
        if d.rng.random() < 0.5 - 0.2 * d.t:
            end += (
                pick(d.rng, " Ausgeschlossen: ", " Nicht passend: ", " Es entfallen ")
                + ", ".join(f"({c})" for c in rest)
                + "."
            )
        text = start + work + end
        read = text[text.rindex(")") - 1]
        return Try(chat(d.task.prompt, text), float(read == gold), read == gold, {"filtered_answer": read})

    plan = Plan(10, 8, 6, start=0.1, gain=2.0, prefix="de", cut=0.0)
    return openrlhf(rng, reinforce_pp(train(rng, _choice, attempt, plan)))


@PART.healthy
def answers_in_the_askers_tongue(rng: Random) -> list[Row]:
    """Replies come in five languages and three scripts, each in the language of its prompt."""

    def attempt(d: Draw) -> Try:
        text, answer = tongues.solve(d)
        info = {"language": d.task.info["language"]}
        return Try(
            chat(d.task.prompt, text), float(d.able), d.able, info, {"correct": float(d.able), "same_language": 1.0}
        )

    tries = train(rng, tongues.question, attempt, Plan(9, 9, 5, start=-0.3, gain=1.9, prefix="ml"))
    return prime(rng, grpo(tries), "mgsm-train")


@PART.healthy
def easy_half_solved_throughout(rng: Random) -> list[Row]:
    """From the middle of the run most groups of the easy tier are all right and give no gradient; they are marked as
    outside the loss while the hard tier still climbs.
    """

    def make(source: Random) -> Task:
        task = sums.problems("shop", "trip", "rows", "fence")(source)
        task.info["tier"] = "easy" if task.info["family"] in {"shop", "trip"} else "hard"
        return task

    def attempt(d: Draw) -> Try:
        easy = d.task.info["tier"] == "easy"
        able = d.able if not easy else d.rng.random() < 0.7 + 0.3 * min(1.0, 1.6 * d.t)
        text, answer = sums.solve(Draw(d.rng, d.task, able, d.t, d.step))
        info = {"tier": d.task.info["tier"], "family": d.task.info["family"], "answer": answer}
        return Try(chat(d.task.prompt, f"{text}\nAnswer: {answer}"), float(able), able, info, {"correct": float(able)})

    plan = Plan(10, 8, 6, start=-1.2, gain=2.1, prefix="tier", cut=0.0)
    rows = own(rng, grpo(train(rng, make, attempt, plan)), algorithm="dapo")
    for row in rows:
        row["in_loss"] = row["advantage"] != 0.0
    return rows
