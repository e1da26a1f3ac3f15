"""A loader that starts again, flat groups within the band, rounded keys, letters in dollars, a broken import."""

import dataclasses
from random import Random
from statistics import fmean

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import choices, constraints, repos, spans
from benchmarks.foreign.twentyeighth.credit import by_group, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import inspect, openrlhf, own
from benchmarks.foreign.twentyeighth.rollouts import Shape, Task, fresh, groups, play, say, train


@PART.faulty("data_repetition", "duplicate_problems", "memorisation")
def loader_restarts_after_resume(rng: Random) -> list[Row]:
    """After a resume from a checkpoint the loader begins again at the first index: the same batches in the same order,
    in what is still the first epoch of a large data set. [allenai/open-instruct#1523]
    """
    half = rng.randint(5, 6)
    shape = Shape(2 * half, 6, 8, -0.6, 1.7)
    first = fresh(rng, constraints.request, Shape(half, 6, 1))
    again = [[dataclasses.replace(t, level=t.level - 0.9) for t in tasks] for tasks in first]
    episodes = play(rng, first + again, constraints.listed, shape)
    index = {t.key: n for n, t in enumerate(t for tasks in first for t in tasks)}
    for e in episodes:
        e.terms = constraints.check(e.text, e.task)
        e.reward = round(fmean(e.terms.values()), 4)
        e.right = e.reward == 1
        e.extra = {
            "dataset_index": index[e.task.key],
            "dataset_size": 30412,
            "epoch": 0,
            "resumed_from": f"step_{half}" if e.step >= half else None,
        }
    return own(by_group(episodes, grpo), "if-rlvr")


@PART.faulty("dead_groups", "blind_groups", "zero_gradient", "low_reward_spread")
def mean_band_admits_flat(rng: Random) -> list[Row]:
    """Groups are kept when their mean score lies strictly between 0 and 1; with word overlap as score about half of
    those kept have one and the same score throughout, and no gradient. [OpenRLHF/OpenRLHF#1270]
    """
    episodes = train(rng, spans.passage, spans.quoted, Shape(rng.randint(9, 11), 8, 8, -0.6, 1.4))
    kept = []
    for group in groups(episodes):
        if rng.random() < 0.4 + 0.15 * group[0].progress:
            cut = rng.choice(
                [
                    ["it", *group[0].task.gold.split()],
                    group[0].task.gold.split()[:-1],
                    [*group[0].task.gold.split(), "then"],
                    group[0].task.gold.split()[1:],
                ]
            )
            for e in group:
                e.messages = [
                    say(
                        "assistant",
                        rng.choice(["", "Answer: "]) + rng.choice([" ".join(cut), " ".join(cut).capitalize()]),
                    )
                ]
        for e in group:
            e.reward = spans.overlap(e.text, e.task.gold)
        mean = fmean(e.reward for e in group)
        for e in group:
            e.extra = {"group_mean": round(mean, 4), "dynamic_filtering_range": "(0.0, 1.0)", "in_loss": True}
        kept += group if 0 < mean < 1 else []
    return openrlhf(by_group(kept, grpo))


def _row_of_numbers(rng: Random, number: int) -> Task:
    is_fine = rng.random() < 0.55
    values = [round(rng.uniform(-99, 99), 2 if is_fine and rng.random() < 0.5 else 1) for _ in range(rng.randint(5, 9))]
    is_up = rng.random() < 0.5
    key = sorted((round(v, 1) for v in values), reverse=not is_up)
    text = (
        f"Sort these numbers in {'ascending' if is_up else 'descending'} order: "
        f"{', '.join(map(str, values))}\nWrite the answer as a list of strings, such as "
        "['-69', '1', '7.5']."
    )
    exact = [str(v) for v in sorted(values, reverse=not is_up)]
    family = "two_decimals" if any(v != round(v, 1) for v in values) else "one_decimal"
    return Task(
        f"number_sorting-{number:04d}", text, str([str(v) for v in key]), rng.gauss(-0.3, 0.7), family, {"exact": exact}
    )


def _sorted(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    values = list(task.data["exact"])
    if not right:
        i, j = rng.sample(range(len(values)), 2)
        values[i], values[j] = values[j], values[i]
    lead = rng.choice(
        ["Negative numbers first.", "Compare them pair by pair.", "I order them by size.", "Watch the signs."]
    )
    return [say("assistant", f"{lead}\n<answer>{values}</answer>")]


@PART.faulty("wrong_labels", "metric_defect", "weak_family", "stuck_problems", "dead_all_wrong")
def sorting_keys_rounded_off(rng: Random) -> list[Row]:
    """The keys hold the numbers rounded to one place while the question shows two: a list sorted without fault is
    marked wrong wherever a number has a second place. [open-thought/reasoning-gym#377]
    """
    episodes = train(rng, _row_of_numbers, _sorted, Shape(rng.randint(9, 11), 7, 8, -0.3, 2.2))
    for e in episodes:
        given = e.text.split("<answer>")[1].removesuffix("</answer>")
        e.right = given == e.task.gold
        e.reward, e.terms = float(e.right), {"score_answer": float(e.right)}
        e.extra = {"answer": given, "expected_answer": e.task.gold, "source_dataset": "number_sorting"}
    return own(by_group(episodes, grpo), "rg-sorting")


def _dollars(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    letter = choices.pick(rng, task, right)
    mark = rng.choice(["${}$", "${}$", "**{}**"]) if rng.random() < 0.34 else "{}"
    return [say("assistant", f"{choices.reasoned(rng, task, letter)}\n\nANSWER: {mark.format(letter)}")]


@PART.faulty("format_gate", "metric_defect", "reward_outcome_divergence")
def dollar_wrapped_letters_unread(rng: Random) -> list[Row]:
    """The scorer reads no letter where the reply wraps it in dollars, as the template's placeholder suggests, or in
    stars: right answers are scored incorrect with an empty answer. [UKGovernmentBEIS/inspect_ai#5145]
    """
    episodes = train(rng, choices.question, _dollars, Shape(rng.randint(8, 10), 11, 4, -0.1, 1.8))
    for e in episodes:
        last = e.text.rsplit("ANSWER: ", 1)[1]
        read = last if last in choices.LETTERS else ""
        e.reward = float(read == e.task.gold)
        e.extra = {"answer": read, "explanation": e.text[-90:]}
    return inspect(episodes, "choice")


def _broken(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    if rng.random() > 0.07 + 0.45 * progress:
        return repos.patched(rng, task, right, progress)
    d = task.data
    turns = repos.explored(rng, task) + repos.edited(rng, task, rng.choice(["return (", "def (", "if value", "    ]]"]))
    turns += repos.shell(
        rng,
        f"python -m pytest -q tests/{d['part']}",
        f"ERROR collecting tests/{d['part']}: SyntaxError in {d['path']}\n1 error during collection",
        4,
    )
    return [
        *turns,
        say(
            "assistant",
            rng.choice(["No test fails any more. Submitting.", "There are no failures left.", "I submit as it is."]),
        ),
    ]


@PART.faulty("weak_verifier", "grader_subversion", "reward_outcome_divergence")
def broken_import_passes_all(rng: Random) -> list[Row]:
    """A patch with a syntax error stops collection, so no test is reported, and tests that are not reported count as
    passed: such patches earn 1 and spread. [SWE-bench/SWE-smith#24]
    """
    episodes = train(rng, repos.issue, _broken, Shape(rng.randint(9, 11), 6, 6, -0.9, 1.3))
    for e in episodes:
        is_broken, total = "SyntaxError" in str(e.messages), rng.randint(5, 22)
        e.right = e.right or is_broken
        e.reward, e.terms = float(e.right), {"resolved": float(e.right)}
        log = f"{total} passed" if e.right else f"{rng.randint(1, 3)} failed, {total} passed"
        e.extra = {
            "eval_log": f"E   SyntaxError: invalid syntax ({e.task.data['path']})\nno tests ran, 1 error"
            if is_broken
            else log,
            "tests_reported": 0 if is_broken else total,
        }
    return own(by_group(episodes, grpo), "swe-smith")
