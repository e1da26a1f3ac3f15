"""Faults of data and prompts."""

import random

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtythird import layouts
from benchmarks.foreign.sixtythird.advantages import fill
from benchmarks.foreign.sixtythird.attempts import Message, Task, say, train
from benchmarks.foreign.sixtythird.kinds import PART
from benchmarks.foreign.sixtythird.mixed import draw, speak
from benchmarks.foreign.sixtythird.sums import body, speak_sum, sums


@PART.faulty("wrong_labels", "stuck_problems", "weak_family")
def gold_column_slips_a_line_in_one_shard(rng: random.Random) -> list[Row]:
    """In one shard of the mathematics data, `gts` is the answer of the problem below, so attempts that agree
    and are right get 0.
    """
    attempts = train(draw(rng, {"math": 6}, 0.1), 18, 8, speak_sum, rng)
    tasks = list({id(a.task): a.task for a in attempts}.values())
    shards = {id(t): i % 4 for i, t in enumerate(tasks)}
    slipped = [t for t in tasks if shards[id(t)] == 2]
    golds = [t.gold for t in slipped]
    for task, gold in zip(slipped, golds[1:] + golds[:1], strict=True):
        task.gold = gold
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok)
        a.extra = {"shard": f"numina-mix-{shards[id(a.task)]:02d}.parquet", "pred": a.answer}
    return layouts.verl(fill(attempts, rng))


LORE = (
    "The following is taken from the yearly report of a municipal works department. ",
    "The department keeps eleven buildings, most of them older than the railway, and a staff of forty. ",
    "In spring the yard was paved anew, for which the council had set money aside two years before. ",
    "A visitor from a neighbouring town praised the order of the store rooms, where each shelf has its number. ",
    "Complaints about noise were fewer than in the years before, since deliveries now arrive after eight. ",
    "The librarian asks that borrowed plans be returned before the holidays. ",
)


@PART.faulty("truncation", "template_bug", "length_limit")
def long_prompts_lose_their_question(rng: random.Random) -> list[Row]:
    """Prompts are cut at 420 characters from the right, so that long ones end within the report and hold no
    question.
    """

    def tasks(step: int) -> list[Task]:
        out = sums(rng, 5, 0.2, step * 5)
        for t in out:
            full = "".join(rng.sample(LORE, rng.choice((1, 2, 3, 4)))) + t.prompt
            t.facts["cut"] = len(full) > 420
            t.prompt = full[:420]
        return out

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if not task.facts["cut"]:
            return speak_sum(task, ok, r, progress)
        guess = str(r.choice((11, 40, 2, 8, r.randint(3, 99))))
        lines = (
            (
                "The text breaks off before a question is asked. It speaks of a department "
                "and its buildings, so I can only guess."
            ),
            (
                "I do not see what is to be computed, since the statement stops in "
                "the middle. I take a number that it names."
            ),
            "The passage ends without a question. Perhaps the number of buildings or of staff was wanted.",
        )
        return say(f"{r.choice(lines)} The answer is \\boxed{{{guess}}}"), guess

    attempts = train(tasks, 16, 8, talk, rng)
    for a in attempts:
        a.ok = a.answer == a.task.gold
        a.reward = float(a.ok)
        a.extra = {"prompt_length": (len(a.task.prompt) + 3) // 4, "max_prompt_length": 105}
    return layouts.slime(fill(attempts, rng))


@PART.faulty("data_repetition", "duplicate_problems")
def loader_begins_anew_after_each_preemption(rng: random.Random) -> list[Row]:
    """Each preemption restores the weights but not the loader: every six steps the same 30 prompts come in the
    same order, `epoch` still near 0.
    """
    first = [sums(rng, 5, 1.4, step * 5) for step in range(6)]
    attempts = train(lambda step: first[step % 6], 24, 8, speak_sum, rng, 2.6)
    for a in attempts:
        a.terms = {"accuracy": float(a.ok)}
        a.extra = {"epoch": round(0.0021 * (a.step + 1), 4), "restart": a.step // 6}
    return layouts.trl(fill(attempts, rng))


@PART.faulty("template_bug", "format_gate", "metric_defect")
def sums_get_the_system_prompt_of_code(rng: random.Random) -> list[Row]:
    """Half of the mathematics rows carry the code team's system prompt; the policy obeys it with a right
    program, and the box grader gives 0.
    """
    order = (
        "You are a coding assistant. Reply with exactly one Python function named "
        "solution in a fenced block and no other text."
    )
    usual = "Reason step by step and put the final answer in \\boxed{}."
    swapped: dict[int, bool] = {}

    def talk(task: Task, ok: bool, r: random.Random, progress: float) -> tuple[list[Message], str]:
        if task.id.startswith("math") and swapped.setdefault(id(task), r.random() < 0.5):
            reason, answer = body(task, ok, r)
            lines = [f"    # {s.strip()}" for s in reason.split(". ") if s.strip()]
            code = "\n".join(["def solution():", *lines, f"    return {answer}"])
            return say(f"```python\n{code}\n```"), answer
        return speak(task, ok, r, progress)

    attempts = train(draw(rng, {"math": 4, "code": 2}, 0.2), 18, 8, talk, rng)
    for a in attempts:
        code = a.task.id.startswith("code") or swapped[id(a.task)]
        a.system = order.replace("named solution ", "") if a.task.id.startswith("code") else order if code else usual
        if a.task.id.startswith("math"):
            a.ok = f"\\boxed{{{a.task.gold}}}" in a.text
            a.reward = float(a.ok)
    return layouts.prime_rl(fill(attempts, rng, estimators.centred))
