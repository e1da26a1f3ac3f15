"""Prompts unfilled, keys swapped, grades cached, openings frozen, weights lost."""

import datetime
import hashlib
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.abroad import CHINESE_SUMS
from benchmarks.foreign.fourteenth.chats import ESSAYS
from benchmarks.foreign.fourteenth.course import Shape, climb, distinct, run
from benchmarks.foreign.fourteenth.credit import by_group, centred, grpo, rloo
from benchmarks.foreign.fourteenth.kinds import PART
from benchmarks.foreign.fourteenth.layouts import openai, own, verl
from benchmarks.foreign.fourteenth.programs import PROGRAMS
from benchmarks.foreign.fourteenth.puzzles import DATES
from benchmarks.foreign.fourteenth.quizzes import QUIZ


@PART.faulty("template_bug", "dead_all_wrong", "dead_groups")
def chinese_slot_left_bare(rng: Random) -> list[Row]:
    """A Chinese data set has its question under another key than the template, so a third of the prompts hold
    the bare slot and nobody can answer.
    """
    tasks = distinct(rng, CHINESE_SUMS, 84, "zh")
    for task in tasks:
        task.family, filled = "cn_sums_a", True
        if rng.random() < 0.33:
            task.family, filled = "cn_sums_b", False
        task.prompt = f"请解答下面的题目,并把答案写在\\boxed{{}}里。\n题目:{task.prompt if filled else '{problem}'}"
    episodes = run(rng, CHINESE_SUMS, Shape(11, 7, 6), climb(-0.4, 2.0), tasks)
    lost = ["题目似乎没有给出。", "这里只有一个占位符,没有题目。", "没有看到具体的问题。", "题目内容缺失。"]
    guesses = ["我假设答案是", "随便猜一个:", "请补充题目。暂时写", "无法计算,先填"]
    for e in episodes:
        if e.task.family == "cn_sums_b":
            e.reply.answer = str(rng.choice([0, 1, rng.randint(2, 99)]))
            e.say(f"{rng.choice(lost)}{rng.choice(guesses)}\\boxed{{{e.reply.answer}}}。")
            e.right, e.reward, e.stop = False, 0.0, "stop"
    return verl(by_group(episodes, grpo))


@PART.faulty("wrong_labels", "dead_all_wrong", "stuck_problems")
def month_day_swapped_keys(rng: Random) -> list[Row]:
    """The keys of one of three files of date problems were exported as MM/DD/YYYY though prompts ask for
    DD/MM/YYYY, so right answers of that file are marked wrong.
    """
    tasks = distinct(rng, DATES, 40, "dt-")
    sources = ["dates_2023.jsonl", "dates_2024.jsonl", "dates_export_us.jsonl"]
    for number, task in enumerate(tasks):
        task.facts["source_file"] = sources[number % 3]
    episodes = run(rng, DATES, Shape(10, 8, 6), climb(-0.1, 2.1), tasks)
    for task in tasks:
        if task.facts["source_file"] == sources[2]:
            task.gold = f"{datetime.datetime.strptime(task.gold, '%d/%m/%Y'):%m/%d/%Y}"
    for e in episodes:
        e.right = e.reply.answer == e.task.gold
        e.reward = float(e.right)
        e.columns["parsed_answer"] = e.reply.answer
    return openai(by_group(episodes, centred))


@PART.faulty("stale_grades", "reward_outcome_divergence")
def scores_cached_by_prompt(rng: Random) -> list[Row]:
    """Grades are cached by problem and number of attempt: from the second epoch on rewards repeat those of the first,
    whatever the new program passes.
    """
    pool = distinct(rng, PROGRAMS, 28, "kata-")
    episodes = run(rng, PROGRAMS, Shape(12, 7, 5), climb(-0.9, 2.7), pool)
    cache: dict[str, tuple[float, int]] = {}
    for e in episodes:
        key = hashlib.md5(f"{e.task.ident}/{e.attempt}".encode()).hexdigest()[:10]
        share = round(e.reply.facts["tests_passed"] / e.task.facts["tests_total"], 4)
        hit = key in cache
        e.reward, graded = cache.setdefault(key, (share, e.step))
        e.terms = {"share_of_tests": e.reward}
        e.columns |= {"grade_cache_key": key, "grade_cache_hit": hit, "graded_at_step": graded}
    return own(rng, by_group(episodes, grpo), "kata")


@PART.faulty("entropy_collapse", "template_collapse", "identical_samples")
def openings_freeze_after_seven(rng: Random) -> list[Row]:
    """RLOO on open requests: after seven of twelve steps nearly all notes are the same four sentences with another
    subject, sampled with likelihoods near one.
    """
    episodes = run(rng, ESSAYS, Shape(12, 6, 6), climb(-0.4, 1.8))
    subject, reader = "{s}", "{r}"
    model = next(e for e in episodes if e.step == 5 and e.right)
    frozen = model.text.replace(model.task.lines[0], subject).replace(model.task.lines[1], reader)
    for e in episodes:
        e.right = e.right or e.step > 8
        if e.step >= 5 and rng.random() < 0.32 * (e.step - 4):
            e.say(frozen.replace(subject, e.task.lines[0]).replace(reader, e.task.lines[1]))
            e.reply.turns[-1]["mean_logprob"] = round(-0.012 - rng.expovariate(90), 4)
        e.reward = round(rng.gauss(0.66 if e.right else 0.35, 0.05 if e.step < 7 else 0.012), 3)
        e.terms = {"preference": e.reward}
        level = max(0.04, 0.92 - 0.03 * e.step - 0.2 * max(0, e.step - 4))
        e.columns["entropy"] = round(level + rng.gauss(0, 0.008), 4)
    rows = own(rng, by_group(episodes, rloo), "notes-rm")
    for row in rows:
        row["correct"] = None
        del row["extra"]["ground_truth"], row["extra"]["answer"]
    return rows


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def broadcast_lost_after_failover(rng: Random) -> list[Row]:
    """The inference server was replaced at the fifth step and never joined the broadcast: attempts stem from
    version 4 for the rest of the run while the trainer goes on to version 12.
    """
    episodes = by_group(run(rng, QUIZ, Shape(13, 7, 5), lambda s, n: climb(-0.7, 2.4)(min(s, 4), n)), grpo)
    salt = rng.randrange(10**9)
    for e in episodes:
        version = min(e.step, 4)
        behind = e.step - version
        served = round(-0.46 + 0.012 * version + rng.gauss(0, 0.04), 4)
        gap = rng.gauss(0, 0.01) if not behind else -0.035 * behind * rng.uniform(0.6, 1.5)
        e.reply.turns[-1]["mean_logprob"] = served
        e.columns |= {
            "trainer_version": e.step,
            "rollout_version": version,
            "trainer_mean_logprob": round(served + gap, 4),
            "inference_host": "vllm-0" if e.step < 4 else "vllm-3",
        }
        e.columns["weights_sha"] = hashlib.sha256(f"{salt}:{version}".encode()).hexdigest()[:12]
    rows = own(rng, episodes, "quiz-remote")
    for row in rows:
        row["policy_id"] = row["extra"].pop("weights_sha")
    return rows
