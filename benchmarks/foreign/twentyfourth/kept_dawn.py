"""Ragged batches whitened whole, loader rewinds on restart, passages count as answer, asked to write tests."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.credit import grpo, plus_plus, rloo
from benchmarks.foreign.twentyfourth.finding import builder
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import chat, own, verl
from benchmarks.foreign.twentyfourth.machines import REPOS, bash, mend
from benchmarks.foreign.twentyfourth.puzzles import maze, query
from benchmarks.foreign.twentyfourth.run import Plan, Try, by_group, make, play, play_tasks


@PART.faulty("advantage_mismatch", "phantom_advantage")
def ragged_batches_whitened_whole(rng: Random) -> list[Row]:
    """GRPO in mazes: once an aborted sample leaves the groups of a step uneven, rewards of that step are normalised
    over all its prompts together in place of within each group [THUDM/slime#1918].
    """
    tries = play(rng, maze, Plan(11, 7, 6, -0.9, 1.9), "maze")
    steps = {t.step for t in tries}
    ragged = set(rng.sample(sorted(steps), 6))
    tries = [t for t in tries if t.step not in ragged or rng.random() > 0.07]
    grpo(tries)
    for step in steps:
        batch = [t for t in tries if t.step == step]
        if len({len(group) for group in by_group(batch)}) > 1:
            plus_plus(batch)
    for t in tries:
        t.extra = {"num_moves": len(t.turns) // 2}
    return own(rng, tries, "slime-maze", advantage_estimator="grpo", n_samples_per_prompt=6, std_normalization=True)


@PART.faulty("data_repetition", "duplicate_problems")
def loader_rewinds_on_restart(rng: Random) -> list[Row]:
    """GRPO on questions to a database, restarted from a checkpoint after step 6: the place in the data was not saved,
    so steps 7 to 12 bring the first prompts again, in the same order, within epoch 0 [hiyouga/EasyR1#57].
    """
    plan = Plan(12, 7, 5, -0.7, 1.9)
    tasks = make(rng, query, 42, "sql")
    batches = [tasks[n * 7 : n * 7 + 7] for n in range(6)]
    tries = play_tasks(rng, batches + batches, plan)
    order = {task.key: n for n, task in enumerate(tasks)}
    for t in tries:
        after = t.step > 6
        t.extra = {"dataset_index": order[t.task.key], "dataset_size": 5120, "epoch": 0}
        t.extra |= {"run_id": "r2-from-step6" if after else "r1", "learning_rate": 1e-6}
    return own(rng, grpo(tries), "easyr1-sql")


@PART.faulty("weak_verifier", "metric_defect", "reward_outcome_divergence")
def passages_count_as_answer(rng: Random) -> list[Row]:
    """GRPO on lookups: the score is whether the reference stands anywhere in the decoded response, passages of the
    search included, so wrong answers are paid once the passage was shown [verl-project/verl#6392].
    """
    tries = play(rng, builder, Plan(9, 7, 8, -1.1, 1.7), "nq")
    for t in tries:
        shown = " ".join(turn["content"] for turn in t.turns)
        t.reward = float(t.task.gold in shown)
        t.extra = {"pred": t.answer, "num_turns": len(t.turns)}
    return verl(grpo(tries), data_source="harbour_nq", reward_model="rule")


INPUTS = {
    "an empty input": "[]",
    "negative values": "[-3, 2]",
    "two equal items": "[4, 4]",
    "None": "None",
    "a long list": "list(range(500))",
}


def _ask_for_tests(rng: Random, tries: list[Try]) -> None:
    for group in by_group(tries):
        task = group[0].task
        path, function = REPOS[task.family]
        what, value = rng.choice(tuple(INPUTS.items()))
        task.question = (
            f"Repository /repo ({task.family}). Ticket #{task.extra['issue']}: {function} in {path} lacks a test "
            f"for {what}. Add one to tests/test_{function}.py; reviewers run it against a broken and a mended version."
        )
        for t in group:
            file = f"tests/test_{function}.py"
            check = rng.choice((f" == {rng.randint(0, 40)}", " is not None", " == []", ""))
            body = f"assert {function}({value}){check}"
            label = rng.choice(("edge", what.split()[-1], "case", "issue"))
            place = next(n for n, turn in enumerate(t.turns) if "edit.py" in str(turn.get("tool_calls")))
            t.turns[place : place + 2] = bash(
                f"cat >> {file} <<'EOF'\ndef test_{function}_{label}():\n    {body}\nEOF", ""
            )
            t.say(
                rng.choice((f"Added a test for {what}.", f"{file} now covers {what}.", "The new test is at the end."))
            )
            t.answer = body


@PART.healthy
def tickets_ask_for_their_tests(rng: Random) -> list[Row]:
    """Agents write into test files throughout, because each ticket asks for one more test; it is judged by a broken and
    a mended version of the code.
    """
    tries = play(rng, mend, Plan(9, 6, 6, -0.6, 1.8), "tests")
    _ask_for_tests(rng, tries)
    return chat(rloo(tries), env="write-tests")
