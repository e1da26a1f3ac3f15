"""Decimal commas, hanging programs, a loader that rewinds; narrow rewards, rollouts that lag."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.nineteenth.credit import credit, grpo, rloo
from benchmarks.foreign.nineteenth.dumps import openrlhf, prime
from benchmarks.foreign.nineteenth.formats import own, verl
from benchmarks.foreign.nineteenth.invoices import invoice_task
from benchmarks.foreign.nineteenth.kinds import PART
from benchmarks.foreign.nineteenth.portuguese import portuguese_problem
from benchmarks.foreign.nineteenth.programs import code_task, run_tests
from benchmarks.foreign.nineteenth.queries import query_task
from benchmarks.foreign.nineteenth.run import Shape, climb, deal, judged, late, play, pool, roughen, train
from benchmarks.foreign.nineteenth.verses import overlap, verse_task

HANGS = (
    "    while True:\n        pass",
    "    i = 0\n    while i >= 0:\n        i += 1",
    "    import time\n    time.sleep(10**6)",
    "    n = len(xs)\n    while n == len(xs):\n        continue",
)


@PART.faulty("weak_family", "format_gate", "metric_defect", "dead_all_wrong", "stuck_problems")
def comma_decimals_never_match(rng: Random) -> list[Row]:
    """The references have a decimal point and the answers, in Portuguese, a comma: equal values are marked wrong."""
    tries = train(rng, portuguese_problem, Shape(10, 7, 6), start=-0.4, gain=2.2, prefix="pt-")
    for t in tries:
        if "," in t.answer and not t.error:
            if rng.random() < 0.04:
                t.messages[-1]["content"] = t.messages[-1]["content"].replace(t.answer, t.answer.replace(",", "."))
                t.answer = t.answer.replace(",", ".")
            else:
                judged(t, False)
    for task in {id(t.task): t.task for t in tries}.values():
        task.gold = task.gold.replace(",", ".")
    return verl(credit(tries, grpo))


@PART.faulty("weak_verifier", "grader_subversion", "metric_defect", "reward_outcome_divergence")
def timeout_taken_for_pass(rng: Random) -> list[Row]:
    """A program that never ends is counted as passed, and ever more programs hang."""
    tries = run_tests(rng, train(rng, code_task, Shape(11, 7, 6), start=-0.8, gain=0.9, prefix="fn"))
    for t in tries:
        t.extra["exec_status"] = "ok" if t.right else rng.choice(("failed", "failed", "failed", "exception"))
    for t in late(tries, 0.0):
        if rng.random() < 0.03 + 0.52 * t.skill**1.3:
            head, code = t.messages[0]["content"].split("def ", 1) if "_digits" not in t.text else ("", "")
            if not code:
                continue
            line = code.split("\n", 1)[0]
            t.messages[0]["content"] = f"{head}def {line}\n{rng.choice(HANGS)}\n    return None\n```"
            t.extra |= {"exec_status": "timeout", "tests_passed": 0, "test_seconds": round(rng.uniform(10.0, 10.3), 2)}
            judged(t, True)
    return verl(credit(tries, grpo, whole_batch=True))


@PART.faulty("duplicate_problems", "data_repetition")
def loader_rewinds_every_restart(rng: Random) -> list[Row]:
    """Every third step the job restarts and its loader begins at row 0 again: of 18,000 invoices it sees two dozen."""
    shape = Shape(12, 8, 6)
    tasks = pool(rng, invoice_task, 24, "inv_")
    for row, task in enumerate(tasks):
        task.extra |= {"dataset_row": row, "dataset_size": 18000}
    first = deal(rng, tasks, Shape(3, 8, 6))
    tries = roughen(rng, play(rng, first * 4, shape, climb(rng, shape.steps, -0.7, 3.0)))
    for t in tries:
        t.extra["restarts"] = (t.step - 1) // 3
    return prime(credit(tries, grpo), "invoice-json")


@PART.healthy
def narrow_chrf_translation_rewards(rng: Random) -> list[Row]:
    """Translations are paid by overlap with the reference: rewards lie close together and seldom at 1, yet
    they rise.
    """
    tries = train(rng, verse_task, Shape(9, 8, 6, first=5, stride=5), start=-1.0, gain=2.3, prefix="it")
    for t in tries:
        if t.reward is not None:
            t.reward = overlap(t.task.gold, t.text)
    rows = openrlhf(credit(tries, rloo))
    for row in rows:
        del row["correct"]
    return rows


@PART.healthy
def async_lag_of_two(rng: Random) -> list[Row]:
    """Rollouts are up to two versions old, as configured; the importance ratios stay near one and the score rises."""
    tries = train(rng, query_task, Shape(12, 6, 6), start=-0.8, gain=2.2, prefix="ask")
    lags = {group: rng.choice((0, 1, 1, 2)) for group in sorted({t.group for t in tries})}
    rows = []
    for t in tries:
        lag = min(lags[t.group], t.step - 1)
        t.extra |= {"policy_lag": lag, "is_ratio_mean": round(1 + rng.gauss(0, 0.006 + 0.006 * lag), 4)}
    for t, row in zip(tries, own(rng, credit(tries, grpo), "sql-async"), strict=True):
        rows.append({**row, "policy_id": f"w{t.step - t.extra['policy_lag']:04d}"})
    return rows
