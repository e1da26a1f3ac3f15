"""Tail window misses hashes, displayed loss stays zero, search never stops generation, busy search is asked again."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.credit import grpo, terms
from benchmarks.foreign.twentyfourth.finding import builder, name, passages
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import own, trl, verl
from benchmarks.foreign.twentyfourth.puzzles import query
from benchmarks.foreign.twentyfourth.run import Plan, Task, play
from benchmarks.foreign.twentyfourth.sums import stall
from benchmarks.foreign.twentyfourth.voice import plain


def _afterword(rng: Random, task: Task) -> str:
    lines = [
        "To be sure I go over the sale once more, counting each day and the last evening apart.",
        "Selling on the evening happens at the same price, so nothing has to be split there.",
        "The pitch is paid once, not for each day, which the text says by 'in all'.",
        "If the fee were due each day the result would be far lower, but this is not what is meant.",
        "A different order of the steps leads to the same amount, since only sums and one product occur.",
        f"Hence the {task.family} keeps the amount given above and I am confident in it.",
    ]
    return " ".join(rng.sample(lines, rng.randint(4, 6)))


@PART.faulty("format_gate", "metric_defect", "judge_refuses_right")
def tail_window_misses_hashes(rng: Random) -> list[Row]:
    """GRPO on sums of a market stall: the scorer searches the last 300 characters alone; where the policy goes on
    talking behind its #### number, a right answer scores 0 [verl-project/verl#7274].
    """
    tries = play(rng, stall, Plan(9, 7, 8, -0.1, 1.7), "gsm")
    for t in tries:
        if rng.random() < 0.44 - 0.12 * t.done:
            t.say(f"{t.said}\n\n{_afterword(rng, t.task)}")
        t.reward = float(t.right and f"#### {t.answer}" in t.said[-300:])
        t.extra = {"data_source": "stall_gsm", "method": "strict"}
    return verl(grpo(tries))


@PART.healthy
def displayed_loss_stays_zero(rng: Random) -> list[Row]:
    """One update a batch without KL: the loss that is shown is zero to rounding throughout, its gradient is not, and
    rewards rise [huggingface/trl#3452].
    """
    tries = play(rng, query, Plan(10, 6, 6, -1.0, 2.2), "sql")
    shown = {}
    for t in tries:
        shown.setdefault(t.step, (rng.uniform(-4e-8, 4e-8), rng.uniform(0.18, 0.55)))
        t.terms = {"accuracy": float(t.right), "format": float("```sql" in t.said) * 0.1}
        loss, norm = shown[t.step]
        t.extra = {"loss": loss, "grad_norm": round(norm, 4), "kl": 0.0, "learning_rate": 1e-6}
    return trl(grpo(terms(tries)), beta=0.0, num_iterations=1)


@PART.faulty("fabricated_observations", "tool_fabrication")
def search_never_stops_generation(rng: Random) -> list[Row]:
    """GRPO with search: the stop token behind a query has no effect, so the policy writes on and makes up the results
    itself within the same message; no search ever runs [huggingface/trl#3425].
    """
    tries = play(rng, builder, Plan(10, 7, 6, -2.9, 0.9), "qa")
    for t in tries:
        asked, _, told = (turn["content"] for turn in t.turns)
        if rng.random() < 0.6:
            place, work = t.task.extra["place"], t.task.family
            fact = f"The {work} of {place} was designed by {t.answer} in {rng.randint(1790, 1999)}."
            text = f"{asked}</search>".replace("</search></search>", "</search>")
            t.turns = plain(f"{text}\n<information>{passages(rng, place, fact)}</information>\n{told}")
        else:
            guess = rng.choice(
                ("I believe I know this one.", f"Sounds like {name(rng)}.", f"A {t.task.family}, so maybe them.")
            )
            t.turns = plain(f"<think>{guess}</think>\n<answer>{t.answer}</answer>")
        t.terms = {"em": float(t.right), "format": 0.2}
    return trl(grpo(terms(tries)), stop_token_ids=[522, 1836, 29], max_completion_length=1024, tools_executed=0)


@PART.healthy
def busy_search_is_asked_again(rng: Random) -> list[Row]:
    """The search answers now and then that it is busy; the policy asks again and gets its passages. The few rollouts
    whose search never answered have an error and no reward.
    """
    tries = play(rng, builder, Plan(11, 6, 6, -0.5, 1.8), "nq")
    for t in tries:
        chance = rng.random()
        busy = {"role": "tool", "content": rng.choice(("503 busy, retry", "rate limited, try again")), "ok": False}
        if chance < 0.11:
            t.turns[1:1] = [busy, t.turns[0]]
        elif chance < 0.13:
            t.turns = [t.turns[0], busy]
            t.reward, t.terms, t.right, t.answer = None, {}, False, ""
            t.error, t.stop, t.in_loss = "SearchUnavailable", "error", False
    return own(rng, grpo(tries), "search-retry")
