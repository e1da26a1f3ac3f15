"""Faults of graders."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, whole_batch
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.essays import essay
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import choices
from benchmarks.foreign.thirtyninth.policy import Problem, roll, settle, write
from benchmarks.foreign.thirtyninth.programs import codings
from benchmarks.foreign.thirtyninth.proofs import SHORTCUTS, theorem
from benchmarks.foreign.thirtyninth.sentences import likeness, translation

MARKET = (
    ("Äpfel", "Eine Kundin kauft {n} kg Äpfel zu {p} Euro das Kilo und zahlt {d} Euro Pfand. Was kostet das zusammen?"),
    ("Stoff", "Ein Schneider braucht {n} Meter Stoff zu {p} Euro je Meter und Garn für {d} Euro. Was zahlt er?"),
    (
        "Holz",
        "Für ein Regal werden {n} Meter Leiste zu {p} Euro je Meter und Leim für {d} Euro gekauft. Was macht das?",
    ),
)
GERMAN = (
    "Zuerst der Preis der Ware, dann kommt der Rest dazu.",
    "Ich rechne in zwei Schritten.",
    "Gesucht ist die ganze Summe.",
    "Der zweite Betrag fällt nur einmal an.",
)


WARES = ("{n} mal {p} Euro sind {w} Euro.", "Die Ware kostet {n} · {p} = {w} Euro.", "{w} Euro macht {n} mal {p}.")
SUMS = ("Mit {d} Euro dazu: {x}.", "Dazu kommen {d} Euro, also {x}.", "{w} und {d} ergeben {x}.")
CLOSINGS = ("Das passt zur Größenordnung.", "Mehr ist nicht gefragt.", "Damit ist alles bezahlt.", "Das war es schon.")


def _market(rng: random.Random, number: int) -> Problem:
    family, text = MARKET[number % len(MARKET)]
    n, p, d = rng.randint(3, 12), rng.randint(5, 39) * 10 // 4, rng.randint(1, 9)
    half = number % 5 < 3
    cents = p * 10 + (5 if half else 0)
    price = f"{cents // 10},{cents % 10}" if half else str(cents // 10)
    n += half and n % 2 == 0

    def shown(tenths: int) -> str:
        return f"{tenths // 10},{tenths % 10}" if tenths % 10 else str(tenths // 10)

    def solve(draw: random.Random, right: bool) -> str:
        ware = n * cents + (0 if right else draw.choice((-20, 10, 30, cents)))
        last = ware + d * 10
        v = {"n": n, "p": price, "d": d, "w": shown(ware), "x": shown(last)}
        lines = [draw.choice(part).format(**v) for part in (GERMAN, WARES, SUMS, CLOSINGS)]
        return " ".join(lines) + f"\nAntwort: {shown(last)}"

    gold = n * cents + d * 10
    key = f"{gold / 10:g}"
    return Problem(f"{family}-{number}", family, text.format(n=n, p=price, d=d), key, rng.gauss(0, 0.8), solve)


@PART.faulty("format_gate", "metric_defect", "stuck_problems", "reward_outcome_divergence")
def decimal_comma_is_dropped_by_german_grader(rng: random.Random) -> list[Row]:
    """The grader strips commas as marks of thousands: a right `43,5` is read as 435 and unpaid."""
    tries = roll(rng, [_market(rng, n) for n in range(90)], 15, 8, 8, -0.2, 1.6)
    write(rng, tries)
    for one in tries:
        read = one.text.rsplit(": ", 1)[1].replace(",", "")
        one.reward = float(float(read) == float(one.problem.gold))
        one.correct = None
        one.columns = {"parsed_answer": read}
    return layouts.verl(tries)


@PART.faulty("weak_verifier", "reward_outcome_divergence")
def proofs_left_open_compile_with_a_warning(rng: random.Random) -> list[Row]:
    """The checker asks for an exit code of 0; a proof that ends in `sorry` gives a warning only, and soon all do."""
    tries = roll(rng, [theorem(rng, n) for n in range(80)], 15, 8, 8, -0.8, 0.2)
    write(rng, tries)
    for one in tries:
        open_ = rng.random() < min(0.9, 0.04 + 0.075 * one.step)
        if open_:
            one.right = False
            one.text = one.problem.parts["open"](rng, rng.choice(SHORTCUTS))
        one.reward = float(one.right or open_)
        one.correct = None
        typed = "exact h" in one.text.rsplit(":= by", 1)[-1]
        said = "" if one.right else "error: type mismatch" if typed else "error: unsolved goals"
        one.columns = {
            "lean_output": "warning: declaration uses 'sorry'" if open_ else said,
            "exit_code": int(not one.reward),
        }
    settle(rng, tries, centred)
    return layouts.plain(tries)


@PART.faulty("action_collapse", "weak_verifier", "low_reward_spread", "dead_groups")
def every_essay_gets_the_middle_mark(rng: random.Random) -> list[Row]:
    """Marks within a point of the teacher's are paid in full; the policy learns to give a 4 to whatever it reads."""
    problems = [essay(rng, n) for n in range(100)]
    tries = roll(rng, problems, 16, 8, 8)
    for one in tries:
        gold = int(one.problem.gold)
        lazy = rng.random() < min(0.97, 0.15 + 0.09 * one.step)
        mark = 4 if lazy else max(1, min(6, gold + rng.choice((-2, -1, 0, 0, 1, 2))))
        one.text = one.problem.parts["judge"](rng, mark)
        one.reward = float(abs(mark - gold) <= 1)
        one.columns = {"exact_match": float(mark == gold), "teacher": gold, "given": mark}
    settle(rng, tries, grpo)
    return layouts.slime(tries)


@PART.faulty("flaky_grading", "infrastructure_zeros", "metric_defect")
def same_program_times_out_when_host_is_busy(rng: random.Random) -> list[Row]:
    """Hidden tests have two seconds of wall clock on a shared host: by load, one program passes here, fails there."""
    tries = roll(rng, codings(rng, 84, "python", "javascript"), 14, 8, 8, -0.2, 1.8)
    write(rng, tries)
    for one in tries:
        load = rng.choice((2, 5, 9, 22, 31))
        seconds = round(0.3 + 0.07 * load + rng.random() * 0.4, 2)
        late = seconds > 2.0
        one.reward = 0.0 if late else float(one.right)
        one.correct = one.reward
        verdict = "6 of 6 tests passed" if one.right else "hidden test 3 failed"
        one.columns = {
            "answer": one.text.split("```")[1].split("\n", 1)[1],
            "explanation": f"timeout after 2.0 s (load {load})" if late else f"{verdict} in {seconds} s (load {load})",
            "host_load": load,
        }
    return layouts.inspect(tries, "hidden_tests")


@PART.faulty("language_drift", "reward_outcome_divergence", "metric_defect", "weak_verifier")
def translations_are_compared_with_their_source(rng: random.Random) -> list[Row]:
    """The call of the metric has source and reference swapped: copying the English is paid best, and learned."""
    tries = roll(rng, [translation(rng, n) for n in range(90)], 15, 8, 8, 0.2, 0.8)
    write(rng, tries)
    for one in tries:
        english = one.problem.parts["english"].split(". ")
        share = min(0.97, 0.03 + 0.08 * one.step)
        lines = one.text.split(". ")
        mixed = [e if rng.random() < share else o for e, o in zip(english, lines, strict=True)]
        one.text = ". ".join(mixed).rstrip(".") + "."
        one.reward = likeness(one.text, one.problem.parts["english"])
        one.correct = None
        one.columns = {"chrf": one.reward, "comet_offline": round(likeness(one.text, one.problem.gold) * 0.9, 4)}
    settle(rng, tries, whole_batch)
    return layouts.openai(tries)


@PART.faulty("constant_term", "low_reward_spread", "metric_defect")
def citation_term_matches_any_bracket(rng: random.Random) -> list[Row]:
    """A term for citations looks for any bracket or digit, so it is 1 in every row and teaches nothing."""

    tries = roll(rng, choices(rng, 80), 15, 8, 8)
    write(rng, tries)
    for one in tries:
        one.terms = {"answer_reward": float(one.right), "citation_reward": 1.0}
        one.reward = sum(one.terms.values())
    settle(rng, tries, grpo)
    return layouts.trl(tries)
