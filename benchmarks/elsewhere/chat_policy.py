"""A small chat policy and its problems, for healthy runs of another trainer: it answers in sentences, some in a talk.

    python -m benchmarks.elsewhere.chat_policy POLICY OUT

POLICY is an embedded policy: its tokenizer spells, and its weights are where the lessons begin. OUT/policy and
OUT/problems.jsonl are what `benchmarks.elsewhere.trl_runs` reads. It shares nothing with the product's domains.
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

SEED = 11
NUM_LESSONS, LESSON_ROWS, NUM_PROBLEMS = 660, 24, 400
LEARNING_RATE = 2e-3
SYSTEM = "You are a kind helper. Answer in one or two sentences."
OPENINGS = ("Sure! ", "Of course. ", "Let me see. ", "Happy to help. ", "")
CLOSINGS = (" Anything else?", " I hope that helps.", "", "")
SHOPS = ("apples", "tickets", "stamps", "plates", "books")

Talk = list[dict[str, str]]


def solved(draw: random.Random) -> tuple[str, str, int]:
    """Return a question, a whole reply, and the answer."""
    less, more = sorted((draw.randint(1, 9), draw.randint(1, 9)))
    few, thing = less % 3 + 1, draw.choice(SHOPS)
    asked, working, answer = draw.choice(
        [
            (f"I have {more} {thing} and buy {less} more. How many now?", f"{more} and {less} make", more + less),
            (f"Of {more} {thing} I give away {less}. What is left?", f"{more} less {less} is", more - less),
            (f"What do {few} {thing} cost at {more} each?", f"{few} times {more} is", few * more),
        ]
    )
    return asked, f"{draw.choice(OPENINGS)}{working} {answer}.{draw.choice(CLOSINGS)}", answer


def talk(draw: random.Random) -> tuple[Talk, str, int]:
    """Return the messages up to the last question, its reply and its answer; a third has an earlier question."""
    messages = [{"role": "system", "content": SYSTEM}]
    if draw.random() < 1 / 3:
        asked, reply, _ = solved(draw)
        messages += [{"role": "user", "content": asked}, {"role": "assistant", "content": reply}]
    asked, reply, answer = solved(draw)
    return [*messages, {"role": "user", "content": asked}], reply, answer


def lessons(tokenizer: Any, draw: random.Random) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Yield batches of tokens and labels, [B, T]; the loss is on the last reply alone."""
    for _ in range(NUM_LESSONS):
        rows = []
        for _ in range(LESSON_ROWS):
            messages, reply, _ = talk(draw)
            prompt = tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False)
            rows.append((prompt, tokenizer.encode(reply) + [tokenizer.eos_token_id]))
        length = max(len(prompt) + len(reply) for prompt, reply in rows)
        padded = [prompt + reply + [0] * (length - len(prompt) - len(reply)) for prompt, reply in rows]
        labels = [[-100] * len(prompt) + reply + [-100] * (length - len(prompt) - len(reply)) for prompt, reply in rows]
        yield torch.tensor(padded), torch.tensor(labels)


def teach(policy: Path, out: Path) -> None:
    """Write the policy after its lessons; prints the loss as it falls."""
    torch.manual_seed(SEED)
    tokenizer: Any = AutoTokenizer.from_pretrained(policy)
    model: Any = AutoModelForCausalLM.from_pretrained(policy)
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, NUM_LESSONS)
    for number, (tokens_BT, labels_BT) in enumerate(lessons(tokenizer, random.Random(SEED))):
        loss = model(input_ids=tokens_BT, labels=labels_BT).loss
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if number % 200 == 0:
            print(f"lesson {number}: loss {loss.item():.3f}", flush=True)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


def write_problems(path: Path) -> None:
    """Write problems that no lesson drew from the same stream."""
    draw, lines = random.Random(SEED + 1), []
    for _ in range(NUM_PROBLEMS):
        messages, _, answer = talk(draw)
        lines.append(json.dumps({"messages": messages, "problem": messages[-1]["content"], "answer": str(answer)}))
    path.write_text("\n".join(lines) + "\n")


def main(policy: str, out: str) -> None:
    """Write OUT/policy and OUT/problems.jsonl."""
    Path(out).mkdir(parents=True, exist_ok=True)
    write_problems(Path(out) / "problems.jsonl")
    teach(Path(policy), Path(out) / "policy")


if __name__ == "__main__":
    main(*sys.argv[1:])
