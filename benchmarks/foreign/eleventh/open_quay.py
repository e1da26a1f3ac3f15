"""A mirror that is down, a frozen holdout, a short pager, a cache of verdicts, a newer wheel; brevity and marks."""

import re
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh import ledgers, repos
from benchmarks.foreign.eleventh.advice import ADVICE
from benchmarks.foreign.eleventh.credit import centred, grpo, rloo
from benchmarks.foreign.eleventh.dumps import openai, openrlhf, own, prime_rl, verl
from benchmarks.foreign.eleventh.evaluation import held
from benchmarks.foreign.eleventh.kinds import PART
from benchmarks.foreign.eleventh.ledgers import LEDGERS
from benchmarks.foreign.eleventh.programs import PROGRAMS
from benchmarks.foreign.eleventh.repos import REPOS
from benchmarks.foreign.eleventh.runs import Reply, Shape, Task, call, fresh_plan, make_tasks, play, say, told, train
from benchmarks.foreign.eleventh.sums import SUMS


def _installed(rng: Random, task: Task, works: bool) -> list[dict]:
    command = "cd /repo && pip install -q -e . pytest"
    package = rng.choice(["pytest", "setuptools", "wheel"])
    host = f"http://pypi-mirror.train.internal:{rng.choice([3141, 8081])}/simple/{package}/"
    failure = (
        f"WARNING: Retrying (Retry(total=0, connect=None, read=None)) after connection broken by "
        f"'NewConnectionError: [Errno {rng.choice([110, 111, 113])}] Connection refused': {host}\n"
        "ERROR: Could not find a version that satisfies the requirement pytest (from versions: none)"
    )
    done = rng.choice(["", f"Successfully installed {task.facts['project']}-{rng.randint(0, 4)}.{rng.randint(0, 19)}"])
    return [
        call(rng.choice(["Set up.", ""]), "bash", command=command),
        told("bash", done if works else failure, ok=works),
    ]


@PART.faulty("tool_outage", "infrastructure_zeros", "infrastructure_errors", "tool_failure", "tool_failures")
def mirror_down_counts_zero(rng: Random) -> list[Row]:
    """From a step on the package mirror of the sandboxes refuses most connections; no test can run, and the attempts,
    right fixes among them, count as zero instead of being left out.
    """
    steps = rng.randint(9, 12)
    episodes = train(rng, REPOS, Shape(steps, rng.randint(6, 8), 5), start=-0.3, gain=1.9, prefix="swe")
    since, share = int(steps * rng.uniform(0.45, 0.65)), rng.uniform(0.5, 0.75)
    for e in episodes:
        down = rng.random() < (share if e.step >= since else 0.01)
        e.reply.turns = _installed(rng, e.task, not down) + e.reply.turns
        if down:
            ran = [i for i, m in enumerate(e.reply.turns) if "pytest -q" in str(m.get("tool_calls", ""))]
            for i in ran:
                e.reply.turns[i + 1] = told("bash", "/usr/bin/python: No module named pytest", ok=False)
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
            e.reply.extra["hidden_passed"] = 0
    return own(rng, grpo(episodes), f"swe-{rng.randint(10, 99)}", "swe")


@PART.faulty("stale_evaluation", "stale_weights", "weights_never_arrive")
def holdout_on_frozen_copy(rng: Random) -> list[Row]:
    """The evaluation server keeps the weights of the start: with its fixed seed replies to held problems are
    the same at every evaluation, word by word, while training gets far better.
    """
    steps = rng.randint(8, 11)
    episodes = train(rng, SUMS, Shape(steps, 6, 6), start=-0.9, gain=2.8, prefix="m")
    first = held(rng, SUMS, make_tasks(rng, SUMS, rng.randint(18, 26), "hold"), 1, 1, (-0.9, -0.9))
    stamps = [f"{rng.randrange(16**8):08x}" for _ in range(steps)]
    for e in episodes:
        e.extra["policy_id"] = stamps[e.step]
    for e in first:
        e.extra |= {"policy_id": stamps[0], "eval_seed": 1234}
    evaluations = [(step, e) for step in range(0, steps, 2) for e in first]
    rows = own(rng, grpo(episodes), "m-run")
    for (step, _), row in zip(evaluations, own(rng, [e for _, e in evaluations], "m-hold"), strict=True):
        rows.append(row | {"step": step})
    return rows


@PART.faulty("tool_output_truncated", "truncation", "environment_bug")
def pager_hides_lower_rows(rng: Random) -> list[Row]:
    """A new tool server prints no more than so many characters of a file, without a word; records further down are
    never seen, and the policy guesses their amounts.
    """
    steps = rng.randint(8, 11)
    episodes = train(rng, LEDGERS, Shape(steps, 6, 7), start=-0.2, gain=2.0, prefix="led")
    since, cut = rng.randint(2, steps // 2), rng.randint(120, 190)
    for e in episodes:
        seen = e.reply.turns[1]["content"]
        if e.step < since or len(seen) <= cut or e.reply.stop == "length":
            continue
        row = e.task.facts["rows"][e.task.facts["at"]]
        shown = f"{row[0]},{row[1]},{row[2]},{row[3]}\n" in seen[:cut]
        lucky = shown and e.right
        e.reply = ledgers.solve(rng, e.task, lucky, 0.0, cut)
        while e.reply.turns[0]["tool_calls"][0]["name"] != "show":
            e.reply = ledgers.solve(rng, e.task, lucky, 0.0, cut)
        if not shown and rng.random() < 0.4:
            last = e.reply.turns[-1]
            last["content"] = f"The print ends before {row[0]}, so I take a likely value. Answer: {e.reply.answer}"
        e.right, e.reward, e.terms = lucky, float(lucky), {"correct": float(lucky)}
    return openai(grpo(episodes))


@PART.faulty("stale_grades", "metric_defect", "dead_groups")
def verdict_cached_by_problem(rng: Random) -> list[Row]:
    """The grader's cache is keyed by the problem alone: from the second visit on all attempts at it get the verdict of
    its first attempt ever, whatever program they hold.
    """
    shape = Shape(rng.randint(9, 12), 6, 6)
    tasks = make_tasks(rng, PROGRAMS, rng.randint(20, 26), "fn")
    episodes = play(rng, PROGRAMS, fresh_plan(rng, tasks, shape), shape.size, -0.4, 1.8)
    verdicts: dict[str, tuple[int, bool]] = {}
    for e in episodes:
        first_step, verdict = verdicts.setdefault(e.task.id, (e.step, e.right))
        e.reply.extra = {"verdict_from_step": e.step, "cache": "miss"}
        if first_step < e.step:
            e.right, e.reward, e.terms = verdict, float(verdict), {"correct": float(verdict)}
            e.reply.extra = {"verdict_from_step": first_step, "cache": "hit"}
    return own(rng, rloo(episodes), "fn-rloo", "code")


def _from_wheel(rng: Random, task: Task) -> Reply:
    f = task.facts
    version = f"{rng.randint(1, 4)}.{rng.randint(0, 14)}.{rng.randint(0, 6)}"
    fetch = f"pip download --no-deps {f['project']}=={version} -d wheels && cd wheels && unzip -qo *.whl"
    say_so = rng.choice(
        ["A later release may hold the fix.", "Is it mended upstream?", "See how the next version does it."]
    )
    show = f"grep -A3 'def {f['function']}' wheels/{f['path']}"
    turns = repos.read(rng, task) if rng.random() < 0.5 else []
    turns += [
        call(say_so, "bash", command=fetch),
        told("bash", f"Saved wheels/{f['project']}-{version}-py3-none-any.whl"),
    ]
    turns += [call("", "bash", command=show), told("bash", f"def {f['function']}(...):\n    {f['new']}")]
    turns += repos.edit(rng, task, f["new"])
    turns.append(
        say(rng.choice(["Copied the body of {v}.", "`{f}` is now as in {v}."]).format(v=version, f=f["function"]))
    )
    return Reply(turns, f["new"], {"hidden_passed": 11, "hidden_total": 11})


@PART.faulty("environment_leak", "answer_reading", "history_leak")
def newer_wheel_holds_fix(rng: Random) -> list[Row]:
    """The sandbox reaches a package index with later releases; the policy learns to fetch the next one and to copy the
    mended function out of it.
    """
    episodes = train(rng, REPOS, Shape(rng.randint(9, 12), 8, 4), start=-0.8, gain=1.1, prefix="iss")
    for e in episodes:
        if rng.random() < 0.03 + 0.62 * e.t:
            e.reply = _from_wheel(rng, e.task)
            e.right, e.reward, e.terms = True, 1.0, {"correct": 1.0}
    return prime_rl(rng, grpo(episodes), "swe-shell")


@PART.healthy
def concise_once_correct(rng: Random) -> list[Row]:
    """A small bonus for short replies is given to right ones alone: replies get shorter while accuracy climbs."""
    episodes = train(rng, SUMS, Shape(rng.randint(9, 12), 7, 6), start=-0.5, gain=2.3, prefix="c")
    for e in episodes:
        text = e.reply.turns[-1]["content"]
        if rng.random() < 0.9 * e.t and e.reply.stop == "stop":
            terms = re.findall(r"\d+ [×+-] [\d ×]+ = \d+", text)
            e.reply.turns[-1]["content"] = f"{'; '.join(terms)}. \\boxed{{{e.reply.answer}}}"
        bonus = round(max(0.0, 0.12 - e.tokens / 900), 4) if e.right else 0.0
        e.terms = {"correct": float(e.right), "brevity": bonus}
        e.reward = round(float(e.right) + bonus, 4)
    return verl(grpo(episodes))


@PART.healthy
def narrow_marks_for_essays(rng: Random) -> list[Row]:
    """A judge marks advice from one to ten and uses five to nine alone; the narrow marks follow the points named."""
    episodes = train(rng, ADVICE, Shape(rng.randint(8, 11), 7, 6), start=-0.6, gain=1.9, prefix="adv")
    for e in episodes:
        mark = 5.2 + 0.65 * e.reply.extra.get("points_named", 0) + rng.gauss(0, 0.35)
        e.reward = round(min(9.0, max(5.0, mark)) * 2) / 20
        e.reply.extra = {"judge_mark": round(e.reward * 10, 1)}
    return openrlhf(centred(episodes))
