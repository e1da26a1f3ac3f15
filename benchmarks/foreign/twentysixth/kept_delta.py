"""Kinds that are entered here.

Reads log for house style; validator serves first checkpoint; silent passages answered so; single letter replies.
"""

from copy import deepcopy
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysixth import choices, dates, papers, repo
from benchmarks.foreign.twentysixth.attempts import Plan, Reply, distinct, evaluate, play, wear
from benchmarks.foreign.twentysixth.credit import grpo
from benchmarks.foreign.twentysixth.dumps import openai, own, verl
from benchmarks.foreign.twentysixth.kinds import PART
from benchmarks.foreign.twentysixth.more_dumps import prime
from benchmarks.foreign.twentysixth.turns import call, pick, say, tool


@PART.healthy
def reads_log_for_house_style(rng: Random) -> list[Row]:
    """The agent runs git status, git diff and a short git log of subjects before it commits, to write its message in
    the style of the house; nothing of the solution is there.
    """
    attempts = wear(rng, play(rng, repo.WORLD, Plan(10, 7, 5, -0.6, 2.0), prefix="iss"), cut=0.0)
    subjects = (
        "docs: mend a link",
        "ci: newer runner",
        "chore: sort imports",
        "release 1.{n}.0",
        "tests: faster",
        "deps: bump",
    )
    for a in attempts:
        if a.stop != "stop" or rng.random() < 0.35:
            continue
        t, head, tail = a.task, a.reply.messages[:-3], a.reply.messages[-3:]
        fixed = Random(t.id)
        shown = [f"{fixed.randrange(16**7):07x} {s.format(n=fixed.randint(2, 40))}" for s in fixed.sample(subjects, 4)]
        command = pick(rng, "git status --short", "git diff --stat")
        shown_change = f" M {t.extra['path']}" if "status" in command else f" {t.extra['path']} | 2 +-"
        git = [call(pick(rng, "", "What changed?"), "bash", command=command), tool("bash", shown_change)]
        count = pick(rng, "-4", "-n 4", "--max-count=4")
        git += [call("How are messages written here?", "bash", command=f"git log --oneline {count}")]
        git += [tool("bash", "\n".join(shown))]
        message = f"{t.extra['function']}: mend issue {t.extra['issue']}"
        git += [call("", "bash", command=f"git commit -qam '{message}'"), tool("bash", "")]
        a.reply.messages = head + git + tail
    return openai(rng, grpo(attempts))


@PART.faulty("stale_evaluation", "weights_never_arrive", "stale_weights")
def validator_serves_first_checkpoint(rng: Random) -> list[Row]:
    """Each evaluation is run with the weights of the start: its greedy replies are the same letter for letter at every
    step, while training goes from a third to nearly all right.
    """
    plan = Plan(11, 6, 6, -0.8, 2.6)
    tasks = distinct(rng, dates.task, 110, "day")
    attempts = wear(rng, play(rng, dates.WORLD, plan, tasks[:66]))
    for a in attempts:
        a.extra |= {"checkpoint": f"global_step_{a.step - 1}", "decoding": "sampled"}
    once = evaluate(rng, dates.WORLD, tasks[66:], [1], plan)
    for step in (1, 4, 7, 10):
        for a in deepcopy(once):
            a.step = step
            a.extra |= {"checkpoint": "global_step_0", "decoding": "greedy", "evaluated_as": f"global_step_{step - 1}"}
            attempts.append(a)
    return own(rng, grpo(attempts), "calendar")


@PART.healthy
def silent_passages_answered_so(rng: Random) -> list[Row]:
    """A third of the passages do not hold what is asked, and "not stated" is the right answer there; the policy learns
    to say so, and not to say it elsewhere.
    """
    tasks = distinct(rng, papers.task, 80, "rc")
    for t in rng.sample(tasks, 27):
        other = rng.choice([x for x in papers.TOWNS if x not in t.prompt])
        question = t.extra["question"].split(" of ")[0] + f" of {other}" + pick(rng, "?", " in the first place?")
        t.prompt = t.prompt.replace(t.extra["question"], question)
        t.family, t.extra["instead"], t.gold = "silent", t.gold, "not stated"
    for t in tasks:
        t.prompt = t.prompt.replace("only.", "only; if it does not say, answer 'not stated'.")
    attempts = wear(rng, play(rng, papers.WORLD, Plan(10, 8, 5, -0.4, 2.1), tasks))
    for a in attempts:
        if a.task.family != "silent" or a.stop != "stop":
            continue
        answer = "not stated" if a.right else papers.guess(rng, a.task.extra["instead"])
        text = pick(
            rng,
            f"The passage is about the {a.task.extra['thing']} alone.",
            "I find no word of it.",
            "This is not told there.",
            f"It speaks of the {a.task.extra['thing']}, not of what is asked.",
            "Another town is described.",
        )
        if not a.right:
            text = pick(rng, f"The passage says: {answer}.", f"According to the text it is {answer}.")
        a.reply = Reply([say(f"{text}\nAnswer: {answer}")], answer)
    return prime(grpo(attempts), "reading-unanswerable")


@PART.healthy
def single_letter_replies(rng: Random) -> list[Row]:
    """The prompts ask for a letter alone, so replies are one token long and most of a group are the same; groups still
    disagree where the question is hard.
    """
    attempts = play(rng, choices.BARE, Plan(10, 7, 8, -0.3, 1.6), prefix="abc")
    for a in attempts:
        t = a.task
        t.prompt = t.prompt.rsplit("\n", 1)[0] + "\nReply with the letter alone."
        a.extra["max_response_length"] = 4
    return verl(grpo(attempts))
