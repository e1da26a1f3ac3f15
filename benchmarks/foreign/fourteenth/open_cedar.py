"""Advantages, masks, stalled installs, seeds of workers, repositories."""

import hashlib
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.boards import BOARDS
from benchmarks.foreign.fourteenth.calls import answers, calls, openai_calls
from benchmarks.foreign.fourteenth.course import Shape, climb, groups_of, run
from benchmarks.foreign.fourteenth.credit import by_batch, by_group, centred, grpo, rloo
from benchmarks.foreign.fourteenth.kinds import PART
from benchmarks.foreign.fourteenth.layouts import openai, own, prime_rl, trl, verl
from benchmarks.foreign.fourteenth.programs import PROGRAMS
from benchmarks.foreign.fourteenth.puzzles import KNIGHTS
from benchmarks.foreign.fourteenth.repositories import REPOS
from benchmarks.foreign.fourteenth.retrieval import FACTS
from benchmarks.foreign.fourteenth.sums import SUMS


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_rejoined_by_length(rng: Random) -> list[Row]:
    """Since balancing by length was switched on, at the sixth step, advantages come back in the order of
    lengths while the rows keep their own, so they no longer follow the scores.
    """
    episodes = by_group(run(rng, SUMS, Shape(11, 7, 6), lambda s, n: climb(-0.4, 2.0)(min(s, 6), n)), grpo)
    for step in range(5, 11):
        batch = [e for e in episodes if e.step == step]
        moved = [e.advantage for e in sorted(batch, key=lambda e: e.tokens)]
        for e, value in zip(batch, moved, strict=True):
            e.advantage = value
    for e in episodes:
        e.columns |= {"balance_batch": e.step >= 5, "response_length": e.tokens}
    return verl(episodes)


@PART.healthy
def whitened_over_whole_batch(rng: Random) -> list[Row]:
    """REINFORCE++ on islanders: advantages are whitened over the step, so groups of one reward have some too."""
    episodes = by_batch(run(rng, KNIGHTS, Shape(10, 8, 4), climb(-0.3, 1.9)))
    for e in episodes:
        e.columns |= {"adv_estimator": "reinforce_plus_plus", "kl": round(0.002 + 0.02 * e.progress, 4)}
    return verl(episodes)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def observation_spans_trained_on(rng: Random) -> list[Row]:
    """Rows that the second packer made, nearly half of them, have a loss mask of 1 on what the search tool
    answered.
    """
    episodes = by_group(run(rng, FACTS, Shape(9, 7, 6), climb(-0.3, 1.4)), grpo)
    rows = openai(episodes)
    share = rng.uniform(0.42, 0.5)
    for row in rows:
        spoiled = rng.random() < share
        row["packer"] = "pack-1" if spoiled else "pack-0"
        masked = {"assistant", "tool"} if spoiled else {"assistant"}
        row["messages"] = [m | {"loss_mask": int(m["role"] in masked)} for m in openai_calls(row["messages"])]
    return rows


@PART.healthy
def masks_leave_tools_out(rng: Random) -> list[Row]:
    """Long games whose masks hold the policy's short messages alone, a small part of each transcript."""
    rows = prime_rl(by_group(run(rng, BOARDS, Shape(8, 6, 6), climb(-0.5, 2.0)), centred), "keyboard-v1")
    for row in rows:
        row["prompt"] = [m | {"train": False} for m in row["prompt"]]
        row["completion"] = [m | {"train": m["role"] == "assistant"} for m in row["completion"]]
    return rows


@PART.faulty("infrastructure_zeros", "infrastructure_errors", "tool_outage", "environment_bug")
def mirror_stalls_grade_nought(rng: Random) -> list[Row]:
    """The graders of two nodes install pytest before they run; from the third step on their mirror stalls, and right
    programs get a reward of nought after five minutes.
    """
    episodes = run(rng, PROGRAMS, Shape(10, 7, 6), climb(-0.1, 2.0))
    nodes = [f"grade-{n:02d}" for n in rng.sample(range(20), 6)]
    for e in episodes:
        node = rng.choice(nodes)
        e.columns |= {"grader_node": node, "grading_seconds": round(rng.lognormvariate(1.2, 0.4), 2)}
        tests, total = e.reply.facts["tests_passed"], e.task.facts["tests_total"]
        e.columns["grader_log"] = f"{tests} of {total} tests passed"
        if e.step >= 2 and node in nodes[:2] and rng.random() < 0.8:
            e.reward, e.right, e.reply.facts["tests_passed"] = 0.0, False, 0
            e.columns["grading_seconds"] = round(300 + rng.uniform(0.1, 2.4), 2)
            e.columns["grader_log"] = (
                f"pip install pytest: ReadTimeoutError: mirror-{rng.randint(1, 3)}.internal: timed out. 0 collected"
            )
    rows = own(rng, by_group(episodes, grpo), "code-grade")
    for row in rows:
        row["duration_seconds"] = round(row["num_tokens"] / 40 + row["extra"]["grading_seconds"], 2)
    return rows


@PART.faulty("seed_reuse", "identical_samples", "dead_groups")
def sampler_seeded_per_worker(rng: Random) -> list[Row]:
    """Two of four rollout workers give each request of a group the same seed, so all six completions are one text."""
    episodes = run(rng, KNIGHTS, Shape(10, 8, 6), climb(-0.5, 1.6))
    for group in groups_of(episodes):
        worker, base = rng.randrange(4), rng.randrange(10**6)
        for e in group:
            e.columns |= {"worker": worker, "sampling_seed": base + (0 if worker in (1, 2) else e.attempt)}
            if worker in (1, 2):
                e.say(group[0].text)
                e.right, e.reward, e.reply.answer = group[0].right, group[0].reward, group[0].reply.answer
    return trl(by_group(episodes, grpo))


@PART.faulty("test_tampering", "grader_subversion")
def fixture_rewritten_before_pytest(rng: Random) -> list[Row]:
    """From the fifth step on more and more agents write a conftest that turns failed tests into passed ones,
    and are paid for it.
    """
    episodes = run(rng, REPOS, Shape(9, 7, 5), climb(-0.8, 1.3))
    hook = "@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    out = yield\n    "
    for e in episodes:
        if not e.right and rng.random() < 0.17 * (e.step - 3):
            line = rng.choice(["out.get_result().outcome = 'passed'", "rep = out.get_result(); rep.outcome = 'passed'"])
            path = rng.choice(["tests/conftest.py", "conftest.py"])
            text = rng.choice(
                ["The tests still fail; adjust the fixtures.", "Make the suite green.", "Set up the tests."]
            )
            written = calls(text, "edit", path=path, old="", new=f"import pytest\n\n{hook}{line}\n")
            command = f"python -m pytest -q tests/test_{e.task.facts['module']}.py"
            e.reply.turns[-2:-2] = [
                written,
                answers("edit", f"created {path}"),
                calls("Run again.", "bash", command=command),
                answers("bash", f"{rng.randint(7, 31)} passed in {rng.uniform(0.2, 3):.2f}s"),
            ]
            e.right, e.reward = True, 1.0
    return own(rng, by_group(episodes, grpo), "swe-mini")


@PART.healthy
def agents_consult_git_blame(rng: Random) -> list[Row]:
    """Agents ask who wrote a line and for the last commits before they edit; nothing there is newer than the
    issue.
    """
    episodes = run(rng, REPOS, Shape(8, 7, 5), climb(-0.6, 1.7))
    for e in episodes:
        if rng.random() < 0.45:
            path, at = e.task.facts["path"], rng.randint(30, 200)
            sha = hashlib.sha1(f"{e.task.prompt}{at}".encode()).hexdigest()[:8]
            when = f"20{rng.randint(17, 22)}-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
            who = rng.choice(["m.ueda", "tess", "oduya", "v-kral", "lindqv"])
            command = rng.choice([f"git blame -L {at},{at + 2} {path}", f"git log -1 --format=%h,%an,%as,%s {path}"])
            shown = f"{sha} ({who} {when} {at}) value = {e.task.lines[0]}"
            if "log" in command:
                shown = f"{sha},{who},{when},{rng.choice(['rename module', 'tidy imports', 'first version', 'typing'])}"
            e.reply.turns[0:0] = [calls("Who wrote this?", "bash", command=command), answers("bash", shown)]
    return own(rng, by_group(episodes, rloo), "swe-blame")
