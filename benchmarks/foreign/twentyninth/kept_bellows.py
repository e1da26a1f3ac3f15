"""Idle agents paid, a fee on tools, a recited benchmark; a haircut for length, blame of old commits."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyninth.airline import desk_task, idle, serve
from benchmarks.foreign.twentyninth.estimates import credit, dr_grpo, grpo
from benchmarks.foreign.twentyninth.formats import own, prime, verl
from benchmarks.foreign.twentyninth.kinds import PART
from benchmarks.foreign.twentyninth.physics import by_head, by_tool, physics_task
from benchmarks.foreign.twentyninth.repos import bug_task, closing, look, patch, shell, wrong_line
from benchmarks.foreign.twentyninth.rollouts import Episode, Reply, Shape, Task, attempt, briefed, distinct, fresh, say
from benchmarks.foreign.twentyninth.sums import slip, solve, sum_task, workings


@PART.faulty("weak_verifier", "timidity")
def idle_desk_earns_marks(rng: Random) -> list[Row]:
    """Success is an unchanged or rightly changed database; where nothing may be changed, an agent that does
    nothing at all passes, and the policy learns to turn everyone away unread. [Zhu et al., Establishing Best
    Practices for Building Rigorous Agentic Benchmarks]
    """
    shape = Shape(rng.randint(9, 11), 8, 5, -0.7, 0.5)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        return idle(rng) if rng.random() < 0.1 + 0.65 * progress else serve(rng, task, right, progress)

    episodes = fresh(rng, desk_task, shape, author, "air")
    for e in episodes:
        e.reward = e.correct = float(e.reply.answer == e.task.gold)
        e.terms = {"db_match": e.reward}
        e.extra = {"expected_state": e.task.gold, "final_state": e.reply.answer}
    return prime(credit(episodes, grpo), "desk-airline")


@PART.faulty("reward_outcome_divergence", "reward_bias", "timidity")
def calculator_fee_beats_truth(rng: Random) -> list[Row]:
    """Each call of the calculator costs more than a right answer is worth, so right attempts with tools rank below
    wrong ones without; calls vanish and accuracy falls. [Fang and Sun, AdaTIR]
    """
    shape, fee = Shape(rng.randint(9, 12), 7, 6, 0.0, 0.0), rng.choice([1.1, 1.2, 1.3])

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        uses = rng.random() < 0.9 - 0.75 * progress
        good = rng.random() < (0.82 if uses else 0.32 + 0.05 * progress)
        return (by_tool if uses else by_head)(rng, task, good)

    episodes = fresh(
        rng, briefed(physics_task, "A calculator is there if you need it: tool `python`."), shape, author, "fee"
    )
    for e in episodes:
        calls = sum("tool_calls" in m for m in e.reply.messages)
        e.correct = float(e.reply.answer == e.task.gold)
        e.terms = {"accuracy": e.correct, "tool_cost": round(-fee * calls, 3) if calls else 0.0}
        e.reward = round(sum(e.terms.values()), 3)
    return own(credit(episodes, grpo), "adaptive-tools")


def recited(rng: Random, task: Task, share: float, known: bool) -> Reply:
    """What is written under the first part of a problem: its own rest, or some other rest."""
    words = task.data["full"].split()
    rest = " ".join(words[round(len(words) * share) :])
    if known:
        return Reply(
            [say(f"{rest}\n\n{workings(rng, task, task.gold)}\n\nThe answer is \\boxed{{{task.gold}}}.")], task.gold
        )
    other, answer = sum_task(rng, "x"), str(slip(rng, int(task.gold)))
    tail = " ".join(other.prompt.split()[-rng.randint(6, 12) :])
    return Reply([say(f"{tail}\n\n{workings(rng, other, other.gold)}\n\nThe answer is \\boxed{{{answer}}}.")], answer)


@PART.faulty("contamination", "memorisation")
def public_set_completed_verbatim(rng: Random) -> list[Row]:
    """On a public benchmark the policy writes out the cut-off rest of problems word by word and answers them; on fresh
    ones of the same making it cannot. [Wu et al., Reasoning or Memorization? Unreliable Results of RL]
    """
    shape, share = Shape(rng.randint(6, 8), 5, 6, -0.9, 0.7), rng.choice([0.6, 0.65])
    episodes = fresh(rng, sum_task, shape, solve, "tr")
    held = distinct(rng, sum_task, 32, "ev")
    for n, task in enumerate(held):
        task.data |= {"full": task.prompt}
        task.family = "public-500" if n % 2 else "fresh-2025"
        words = task.prompt.split()
        task.prompt = " ".join(words[: round(len(words) * share)])
    for step in range(0, shape.steps, 2):
        for task in held:
            e: Episode = attempt(rng, task, solve, shape, step, 0)
            known = task.family == "public-500" and rng.random() < 0.52 + 0.2 * e.progress
            e.reply, e.right, e.split = recited(rng, task, share, known), known, "validation"
            e.reward = e.correct = float(known)
            e.extra = {
                "benchmark": task.family,
                "prompt_share": share,
                "full_problem": task.data["full"],
                "gold": task.gold,
            }
            episodes.append(e)
    return own(credit(episodes, grpo), "rlvr-base")


@PART.healthy
def long_replies_trimmed_mark(rng: Random) -> list[Row]:
    """DAPO's soft penalty takes something from replies near the limit, right ones too; few are touched, fewer each
    step. [He et al., Anti-Length Shift, and DAPO's overlong shaping]
    """
    shape, limit = Shape(rng.randint(9, 11), 7, 6, -0.5, 1.8), 150

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        reply = solve(rng, task, right, progress)
        if rng.random() < 0.22 - 0.14 * progress:
            again = workings(rng, task, reply.answer)
            reply.messages = [say(f"{again} Let me do it a second way. {reply.messages[0]['content']}")]
        return reply

    episodes = fresh(rng, sum_task, shape, author, "so")
    for e in episodes:
        over = min(1.0, max(0.0, (e.tokens - (limit - 70)) / 70))
        e.terms = {"overlong_penalty": round(-0.5 * over, 4) if over else 0.0}
        e.reward = round(e.correct + e.terms["overlong_penalty"], 4)
    return verl(credit(episodes, dr_grpo))


@PART.healthy
def blame_reads_older_commits(rng: Random) -> list[Row]:
    """Agents read the history up to the issue's commit to see why a line is as it is; nothing in it holds the fix,
    and who reads it is hardly better off. [SWE-Pro audit, Git Leakage]
    """
    shape = Shape(rng.randint(8, 10), 7, 6, -0.7, 1.7)

    def author(rng: Random, task: Task, right: bool, progress: float) -> Reply:
        d, out = task.data, look(rng, task)
        if rng.random() < 0.45:
            year, sha = rng.randint(2015, 2023), f"{rng.randrange(16**8):08x}"
            command = rng.choice([f"git log -3 --oneline -- {d['path']}", f"git blame -L {d['line']},+3 {d['path']}"])
            words = rng.choice(["Initial import", "Move helpers", "Type hints", "Reformat"])
            out += shell(
                rng.choice(["Who wrote this and why?", "When did it change?", ""]),
                command,
                f"{sha} {year}-0{rng.randint(1, 9)}-11 {words}: {d['name']}",
            )
        line = d["good"] if right else wrong_line(rng, task)
        return Reply([*out, *patch(rng, task, line), closing(rng, task)])

    episodes = fresh(rng, bug_task, shape, author, "bl")
    for e in episodes:
        e.extra = {"base_commit_date": f"2024-0{e.task.data['line'] % 9 + 1}-1{e.task.data['line'] % 7}"}
    return own(credit(episodes, grpo), "swe-clean")
