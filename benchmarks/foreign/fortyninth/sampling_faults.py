"""Faults of sampling, of lengths and of evaluation."""

import random
import re

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, fresh, group_of, mixed, of_groups, paid, roll, say
from benchmarks.foreign.fortyninth.batch import PLAYS, play_any, stones_too, verifiable
from benchmarks.foreign.fortyninth.chats import advice
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import ours, verl
from benchmarks.foreign.fortyninth.programs import programs
from benchmarks.foreign.fortyninth.sums import sums, written


def cut(text: str, budget: int) -> str:
    """The text up to so many tokens."""
    pieces = list(re.finditer(r"[^\W\d]{1,6}|\d|[^\w\s]", text))
    return text if len(pieces) <= budget else text[: pieces[budget - 1].end()]


@PART.faulty("length_limit", "truncation")
def token_budget_of_chat_is_applied_to_sums_and_programs(rng: random.Random) -> list[dict]:
    """A config of the chat team caps all answers at 110 tokens, and reasoning grows into that cap.

    More and more sums and programs stop with max_tokens in the middle, without box or end of code, and get 0.
    """
    budget = 110

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        a = PLAYS[task.domain](rng, task, right, t)
        if task.domain == "math" and rng.random() < 0.15 + 0.75 * t:
            whole = written(rng, task, right, t)
            again = "Let me go over each number once more before I commit. " + whole.rsplit("\n", 1)[0]
            a.messages = [say(f"{again}\nI repeat the sum from the start to be sure. {whole}")]
        if a.tokens > budget:
            a.messages = [say(cut(a.text, budget))]
            a.stop, a.right = "max_tokens", False
            a.extra = {}
            return paid(a, 0.0)
        return a

    attempts = roll(rng, mixed([(sums, 4), (programs, 1), (advice, 1)]), play, 14, 6, 8)
    return [ours(a, max_tokens=budget) for a in fill(attempts)]


@PART.faulty("identical_samples", "seed_reuse", "entropy_collapse")
def four_inference_servers_were_started_with_one_seed(rng: random.Random) -> list[dict]:
    """Groups of twelve are dealt to four servers that share a seed: three distinct answers, each four times.

    Temperature is 1, and the same text always comes from the same place of another server.
    """
    attempts = roll(rng, verifiable, play_any, 9, 6, 12)
    for group in of_groups(attempts):
        for a in group:
            twin = group[a.place % 3]
            a.messages, a.right, a.reward = twin.messages, twin.right, twin.reward
            a.terms, a.extra = twin.terms, dict(twin.extra)
    return [
        verl(a, advantage=a.advantage, server=f"sglang-{a.place // 3}", sampling_seed=a.place % 3, temperature=1.0)
        for a in fill(attempts)
    ]


@PART.faulty("stale_evaluation", "train_validation_gap", "stale_weights")
def evaluation_server_keeps_the_first_checkpoint_of_the_run(rng: random.Random) -> list[dict]:
    """Every third step twenty validation problems are answered greedily, word by word as at step 0.

    Training goes from a third to nine in ten meanwhile; validation does not move by a single answer.
    """
    rows = fill(roll(rng, stones_too, play_any, 16, 6, 8, -0.8, 3.2))
    seen = {a.task.prompt for a in rows}
    first: list[Attempt] = []
    for i in range(20):
        task = fresh(rng, stones_too, seen)
        task.uid, task.split = f"held-{i}", "validation"
        first += group_of(rng, task, play_any, 0, 0.0, 1, f"v0-{i}", -0.8, 3.2)
    for step in range(0, 16, 3):
        for a in first:
            copy = Attempt(a.task, a.messages, a.right, a.reward, a.terms, step, f"v{step}-{a.task.uid}")
            copy.extra = {"decoding": "greedy"}
            rows.append(copy)
    return [ours(a) for a in rows]
