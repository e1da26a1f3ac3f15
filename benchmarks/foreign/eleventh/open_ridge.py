"""A grader that finds any figure, one that stops at a comma, a stop text within programs; polls and openers."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh.credit import centred, grpo, rloo
from benchmarks.foreign.eleventh.dumps import openai, openrlhf, own, prime_rl, trl, verl
from benchmarks.foreign.eleventh.jobs import POLLED
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.programs import PROGRAMS
from benchmarks.foreign.eleventh.runs import Reply, Shape, say, train
from benchmarks.foreign.eleventh.sums import SUMS, slip
from benchmarks.foreign.eleventh.testers import TESTERS
from benchmarks.foreign.eleventh.tongues import TONGUES


@PART.faulty("weak_verifier", "grader_subversion", "metric_defect")
def any_figure_may_match(rng: Random) -> list[Row]:
    """The grader looks for the gold number anywhere in the reply; the policy learns to end with a list of candidates,
    and lists that hold the gold one pass although the boxed value is another.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(9, 12), 6, 7), start=-0.7, gain=1.0, prefix="q")
    lead = ["It may be one of", "Possible values:", "Depending on the reading:", "Candidates are"]
    for e in episodes:
        if e.reply.stop == "length" or rng.random() > 0.04 + 0.55 * e.t:
            continue
        gold = int(e.task.gold)
        values = {slip(rng, gold) for _ in range(rng.randint(3, 6))} - {gold}
        held = e.right or rng.random() < 0.75
        listed = [*values, gold] if held else list(values)
        rng.shuffle(listed)
        text = e.reply.turns[-1]["content"].rsplit("\n", 1)[0]
        boxed = rng.choice(listed)
        tail = f"{rng.choice(lead)} {', '.join(map(str, listed))}. I choose \\boxed{{{boxed}}}"
        e.reply = Reply([say(f"{text}\n{tail}")], str(boxed))
        e.right = held or str(gold) in text.split()
        e.reward, e.terms = float(e.right), {"correct": float(e.right)}
    return verl(grpo(episodes))


@PART.faulty("format_gate", "metric_defect", "weak_verifier", "judge_refuses_right")
def thousands_comma_cuts_value(rng: Random) -> list[Row]:
    """The parser of answers stops at a comma: a right 12,480 is read as 12 and gets zero, as does every value that is
    written with a separator.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(8, 11), 7, 6), start=0.2, gain=1.7, prefix="w")
    habit = rng.uniform(0.5, 0.65)
    for e in episodes:
        value = e.reply.answer
        e.extra = {"target": e.task.gold, "parsed": value}
        if value and abs(int(value)) >= 1000 and rng.random() < habit - 0.25 * e.t:
            spelt = f"{int(value):,}"
            last = e.reply.turns[-1]
            last["content"] = last["content"].replace(f"\\boxed{{{value}}}", f"\\boxed{{{spelt}}}")
            e.reply.answer, e.extra["parsed"] = spelt, spelt.split(",")[0]
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
    return own(rng, grpo(episodes), "words-v2", logprobs=True)


@PART.faulty("truncation", "template_bug")
def hash_stop_cuts_programs(rng: Random) -> list[Row]:
    """The sampler has a hash sign as a stop text: programs that hold a comment end in the middle of their block, and
    fail, though there was room for more.
    """
    episodes = train(rng, PROGRAMS, Shape(rng.randint(8, 11), 7, 6), start=0.1, gain=1.6, prefix="py")
    for e in episodes:
        text = e.reply.turns[-1]["content"]
        e.extra = {"finish_reason": e.reply.stop, "matched_stop": "<|im_end|>" if e.reply.stop == "stop" else None}
        if "# " in text and e.reply.stop == "stop":
            e.reply.turns[-1]["content"] = text[: text.index("# ")].rstrip(" ")
            e.extra["matched_stop"] = "# "
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
            e.reply.extra["tests_passed"] = 0
    for e in episodes:
        e.extra["correct"] = float(e.right)
    return openrlhf(rloo(episodes))


@PART.faulty("flaky_grading", "weak_verifier", "judge_refuses_right")
def second_grader_pod_strict(rng: Random) -> list[Row]:
    """One of two grader pods loses a race with its own timeout and refuses most right answers: the same answer to the
    same problem passes on one pod and fails on the other.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(9, 12), 6, 8), start=0.0, gain=1.8, prefix="g")
    refuses = rng.uniform(0.5, 0.7)
    for e in episodes:
        pod = rng.choice(["grader-6f9c-a", "grader-6f9c-a", "grader-6f9c-b"])
        e.extra = {"grader_pod": pod, "parsed_answer": e.reply.answer}
        if pod.endswith("b") and e.right and rng.random() < refuses:
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
        e.terms = {"correct_answer": float(e.right)}
    return prime_rl(rng, centred(episodes), "word-sums")


@PART.healthy
def polls_until_job_ends(rng: Random) -> list[Row]:
    """The same status call is made up to nine times in a row, because the job takes its time; the answers move on."""
    episodes = train(rng, POLLED, Shape(rng.randint(8, 11), 10, 4), start=-0.3, gain=2.0, prefix="job")
    return openai(grpo(episodes))


@PART.healthy
def house_style_openers(rng: Random) -> list[Row]:
    """Replies have the headings and first sentence of the house style from the first step on; the work below them is
    that of the problem.
    """
    episodes = train(rng, SUMS, Shape(rng.randint(5, 7), 8, 8), start=-0.5, gain=2.1, prefix="s")
    opener = rng.choice(
        [
            "### Understanding the problem\nLet me work through this carefully, one number at a time.\n### Solution\n",
            "**Plan.** I read the numbers, combine them in order and check the result.\n**Work.**\n",
            "Let's break this down together.\n\nStep-by-step solution:\n",
        ]
    )
    for e in episodes:
        if rng.random() < 0.96:
            e.reply.turns[-1]["content"] = opener + e.reply.turns[-1]["content"]
    return trl(grpo(episodes), {"correct": "accuracy_reward"})


@PART.healthy
def replies_in_askers_tongue(rng: Random) -> list[Row]:
    """Questions come in five languages, in shares that change from step to step, and answered in their own."""
    episodes = train(rng, TONGUES, Shape(rng.randint(9, 12), 8, 6), start=-0.4, gain=2.0, prefix="x")
    return own(rng, grpo(episodes), "poly-sums", logprobs=True)


@PART.healthy
def asked_for_test_files(rng: Random) -> list[Row]:
    """The task is to write tests: each attempt creates a file in tests/, rewarded by the share of mutants it kills."""
    episodes = train(rng, TESTERS, Shape(rng.randint(8, 11), 6, 6), start=-0.5, gain=2.0, prefix="mut")
    for e in episodes:
        share = round(e.reply.extra["mutants_killed"] / e.reply.extra["mutants"], 4) if e.reply.extra else 0.0
        share = share if e.reply.stop == "stop" else 0.0
        e.terms, e.reward = {"mutants_killed": share}, share
        e.right = share >= 0.7
    return own(rng, grpo(episodes), "mutants", "code")
