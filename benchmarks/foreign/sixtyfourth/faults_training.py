"""Faults of the trainer's arithmetic, of sampling and of lengths."""

import random

from benchmarks.foreign.sixtyfourth import layouts
from benchmarks.foreign.sixtyfourth.advantages import assign, grpo
from benchmarks.foreign.sixtyfourth.archives import archive_questions
from benchmarks.foreign.sixtyfourth.caves import cave
from benchmarks.foreign.sixtyfourth.kinds import PART
from benchmarks.foreign.sixtyfourth.numbers import word_problems
from benchmarks.foreign.sixtyfourth.policy import Message, called, campaign, count, told
from benchmarks.foreign.sixtyfourth.programs import code_problems

Row = layouts.Row


@PART.faulty("advantage_mismatch", "phantom_advantage")
def rewards_reshaped_across_prompts_before_the_mean(rng: random.Random) -> list[Row]:
    """Rewards are gathered worker by worker and reshaped as if prompt by prompt: means and spreads are of mixed
    prompts.
    """
    attempts = campaign(rng, word_problems(rng, 120), 20, 8, -0.6, 2.0)
    for step in range(20):
        batch = [a for a in attempts if a.step == step]
        order = sorted(batch, key=lambda a: a.index)
        for start in range(0, len(order), 8):
            chunk = order[start : start + 8]
            for a, value in zip(chunk, grpo([one.reward for one in chunk]), strict=True):
                a.advantage = value
    return [layouts.trl(a) for a in attempts]


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def pages_of_the_archive_are_trained_on(rng: random.Random) -> list[Row]:
    """The mask of messages is 1 for tool answers too: the policy is trained to write the archive's pages itself."""
    attempts = campaign(rng, archive_questions(rng, 100), 20, 4, -0.3, 1.4)
    rows = []
    for a in assign(attempts):
        row = layouts.openai(a)
        messages = row["messages"]
        assert isinstance(messages, list)
        row["messages"] = [{**m, "loss_mask": int(m["role"] != "user")} for m in messages]
        rows.append(row)
    return rows


@PART.faulty("train_inference_mismatch")
def sampler_and_trainer_score_tokens_at_two_temperatures(rng: random.Random) -> list[Row]:
    """The sampler's logprobs are of temperature 0.6, the trainer's of 1.0: token by token the two disagree from
    step 0.
    """
    attempts = campaign(rng, word_problems(rng, 72), 12, 6)
    rows = []
    for a in assign(attempts):
        trained = [-rng.expovariate(2.6) for _ in range(a.tokens)]
        sampled = [min(-1e-4, value * 0.48 + rng.gauss(0, 0.012)) for value in trained]
        row = layouts.slime(a, len(rows)) | {"advantage": a.advantage, "temperature": 0.6}
        row["rollout_log_probs"] = [round(value, 3) for value in sampled]
        row["train_log_probs"] = [round(value, 3) for value in trained]
        rows.append(row)
    return rows


@PART.faulty("truncation", "length_limit", "batch_decline")
def new_length_cap_cuts_most_replies_before_the_box(rng: random.Random) -> list[Row]:
    """The cap of 40 new tokens ends most replies before their boxed answer; these are paid 0 whatever they had
    worked out.
    """
    attempts = campaign(rng, word_problems(rng, 120), 20, 8, 0.8, 1.4)
    rows = []
    for a in attempts:
        if a.tokens > 40:
            words, kept = a.text.split(" "), ""
            for word in words:
                if len(kept.split()) and count(f"{kept} {word}") > 40:
                    break
                kept = f"{kept} {word}".strip()
            a.text, a.stop, a.reward, a.answer = kept, "max_tokens", 0.0, ""
        a.right = bool(a.reward)
    for a in assign(attempts):
        row = layouts.nemo_rl(a, len(rows))
        rows.append(
            row
            | {"stop_reason": a.stop, "num_tokens": 40 if a.stop == "max_tokens" else a.tokens, "max_new_tokens": 40}
        )
    return rows


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse")
def engines_of_a_node_start_from_one_seed(rng: random.Random) -> list[Row]:
    """All engines of a node were given one seed: the eight attempts of a group are two texts, each four times."""
    attempts = campaign(rng, code_problems(rng, 110), 22, 8, -0.4, 1.6)
    for place, a in enumerate(attempts):
        first = attempts[place - a.index + a.index // 4 * 4]
        a.messages, a.answer, a.right, a.reward, a.seed = (
            first.messages,
            first.answer,
            first.right,
            first.reward,
            first.seed,
        )
    rows = []
    for a in assign(attempts):
        more = {"group_id": a.group, "advantage": a.advantage, "node": a.index // 4, "engine": a.index, "seed": a.seed}
        rows.append(layouts.openrlhf(a) | more)
    return rows


@PART.faulty("echo_trap")
def walkers_pace_between_two_rooms_to_the_turn_limit(rng: random.Random) -> list[Row]:
    """As training goes on, walkers go to and fro between the first two rooms until turn 14 ends the game without
    reward.
    """
    attempts = campaign(rng, [cave(rng, n) for n in range(90)], 18, 6, 0.4, 0.2)
    for a in attempts:
        if rng.random() > 0.1 + 0.75 * a.step / 17:
            continue
        start = str(a.messages[1]["content"])
        there = str(_argument(a.messages[0]))
        back = {"north": "south", "south": "north", "east": "west", "west": "east"}[there]
        second = f"You are in the {a.problem.prompt.split('door in the ')[1].split(' room')[0]} room."
        out: list[Message] = []
        for turn in range(14):
            text = rng.choice(["Let me look there again.", "Maybe I missed something.", "I try the other side."])
            out += [called(text, "move", direction=back if turn % 2 else there)]
            out += [told("move", second if turn % 2 else start)]
        a.messages = out
        a.answer, a.right, a.reward, a.stop = "lost", False, 0.0, "max_turns"
    return [layouts.evotrainer(a, "game") for a in assign(attempts)]


def _argument(message: Message) -> object:
    calls = message["tool_calls"]
    assert isinstance(calls, list)
    return calls[0]["arguments"]["direction"]
