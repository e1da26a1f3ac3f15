"""Faults of the trainer's arithmetic, and of sampling."""

import random

from benchmarks.foreign.estimators import leave_one_out
from benchmarks.foreign.sixtyfirst import layouts
from benchmarks.foreign.sixtyfirst.advantages import fill
from benchmarks.foreign.sixtyfirst.coding import CODING
from benchmarks.foreign.sixtyfirst.kinds import PART
from benchmarks.foreign.sixtyfirst.meetings import MEETINGS
from benchmarks.foreign.sixtyfirst.policy import run
from benchmarks.foreign.sixtyfirst.research import RESEARCH
from benchmarks.foreign.sixtyfirst.servers import SERVERS
from benchmarks.foreign.sixtyfirst.shop import SHOP
from benchmarks.foreign.sixtyfirst.tasks import Attempt, Message, says, tool


@PART.faulty("advantage_mismatch", "phantom_advantage")
def groups_of_repairs_are_sliced_half_a_group_late(rng: random.Random) -> list[dict]:
    """The trainer slices a batch into groups half a group off: each attempt is compared with attempts at two
    different tasks.
    """
    size = 8
    attempts = run(rng, CODING, size=size)
    for step in sorted({a.step for a in attempts}):
        ones = [a for a in attempts if a.step == step]
        moved = ones[size // 2 :] + ones[: size // 2]
        rewards = [a.reward or 0.0 for a in moved]
        for n, one in enumerate(moved):
            part = rewards[n // size * size : n // size * size + size]
            mean = sum(part) / size
            std = (sum((r - mean) ** 2 for r in part) / (size - 1)) ** 0.5
            one.advantage = round((rewards[n] - mean) / (std + 1e-4), 6)
    return layouts.skyrl(attempts, CODING)


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def shell_output_is_trained_on(rng: random.Random) -> list[dict]:
    """The mask of the loss holds what the shell answered beside what the policy wrote; the policy learns to foretell
    logs.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        for m in a.messages:
            m["loss_mask"] = 1
        shown = sum(len(m["content"]) // 4 for m in a.messages if m["role"] == "tool")
        a.extra["loss_tokens"] = a.tokens + shown

    return layouts.openai(run(rng, SERVERS, change=change, size=6, groups=9), SERVERS)


@PART.faulty("kl_drift", "score_decline", "template_collapse")
def divergence_runs_away_behind_step_seven(rng: random.Random) -> list[dict]:
    """Behind step 7 the KL to the reference grows tenfold and more, replies fall apart, and the reward goes down with
    them.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        over = max(0, a.step - 7)
        a.extra["kl"] = round(abs(rng.gauss(0.015, 0.004)) * 2.1**over + 0.002 * a.step, 4)
        a.extra["entropy"] = round(max(0.05, rng.gauss(0.62 + 0.16 * over, 0.05)), 3)
        if rng.random() < 0.13 * over:
            words = [w for m in a.messages if m["role"] == "assistant" for w in m["content"].split()]
            for m in a.messages:
                if m["role"] == "assistant":
                    kept = m["content"].split()[: rng.randrange(2, 7)]
                    m["content"] = " ".join(kept + rng.choices(words, k=rng.randrange(4, 16)))
            a.messages[-1] = says(a.messages[-1]["content"].replace("<answer>", "").replace("</answer>", ""))
            a.answer, a.right, a.reward = "", False, 0.0

    return layouts.openrlhf(
        run(rng, RESEARCH, steps=14, size=6, change=change, start=-0.2, estimator=leave_one_out), RESEARCH
    )


@PART.faulty("train_inference_mismatch")
def sampler_in_eight_bits_departs_from_the_trainer(rng: random.Random) -> list[dict]:
    """Log-probabilities of sampler and trainer for the same tokens of the same weights are far apart, at each step."""

    def change(rng: random.Random, a: Attempt) -> None:
        sampled = [-abs(rng.gauss(0.25, 0.22)) for _ in range(a.tokens)]
        again = [x - rng.gauss(0.16, 0.35) if rng.random() < 0.6 else x - abs(rng.gauss(0, 0.05)) for x in sampled]
        a.extra["rollout_log_probs"] = [round(x, 4) for x in sampled]
        a.extra["train_log_probs"] = [round(min(x, -1e-4), 4) for x in again]

    return layouts.slime(run(rng, SHOP, steps=10, change=change), SHOP)


@PART.faulty("length_limit", "truncation")
def turns_run_out_before_the_meeting_is_made(rng: random.Random) -> list[dict]:
    """The budget of turns is too small: most attempts with three calendars to read are cut before the event is made,
    and are paid 0.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        owners = a.task.facts["people"]
        again: list[Message] = []
        for m in a.messages:
            again.append(m)
            if m["role"] == "tool" and m["tool_name"] == "list_events" and rng.random() < 0.4:
                person = rng.choice(owners)
                again += [says(f"Does {person} have a room or a zone of their own?", "get_contact", person=person)]
                again += [tool("get_contact", f"{person}: office {rng.randrange(1, 5)}.{rng.randrange(10, 40)}, CET")]
        budget, turns, cut = 4, 0, len(again)
        for n, m in enumerate(again):
            turns += m["role"] == "assistant"
            if turns > budget:
                cut = n
                break
        a.messages = again[:cut]
        if cut < len(again):
            a.stop = "max_turns"
            made = any(m["role"] == "tool" and m["tool_name"] == "create_event" for m in a.messages)
            a.right = a.right and made
            a.reward = float(a.right)

    return layouts.prime_rl(run(rng, MEETINGS, start=1.0, change=change), MEETINGS)


@PART.faulty("echo_trap")
def shopper_opens_the_same_page_over_and_over(rng: random.Random) -> list[dict]:
    """More and more attempts open one page again and again, get the same answer each time, and run out of turns."""

    def change(rng: random.Random, a: Attempt) -> None:
        if rng.random() > min(0.65, 0.06 * a.step):
            return
        item = rng.choice(a.task.facts["items"])
        page = f"{item['brand']} {a.task.facts['noun']} | colour {item['colour']} | {item['rating']} stars | in stock"
        a.messages = a.messages[:2]
        for _ in range(rng.randrange(5, 10)):
            think = rng.choice(
                (
                    f"I open {item['id']} to check it.",
                    "Let me look at the page again.",
                    "I should check this item's page.",
                    f"Is {item['brand']} the right one? I open it.",
                )
            )
            a.messages += [says(think, "open_item", item=item["id"]), tool("open_item", page)]
        a.answer, a.right, a.reward, a.stop = "", False, 0.0, "max_turns"

    attempts = run(rng, SHOP, change=change, start=0.0, gain=0.4)
    fill(attempts, leave_one_out)
    return layouts.ours(attempts, SHOP)
