"""The rows of a run in the forms of several trainers."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfifth.course import Try


def _told(done: Try) -> tuple[list[Row], list[Row]]:
    first = next(n for n, m in enumerate(done.messages) if m["role"] == "assistant")
    return done.messages[:first], done.messages[first:]


def _length(turns: list[Row]) -> int:
    signs = sum(len(m["content"]) + len(str(m.get("tool_calls", ""))) for m in turns if m["role"] == "assistant")
    return max(3, round(signs / 3.7))


def _flat(turns: list[Row]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in turns)


def own(rng: Random, tries: list[Try], domain: str = "math", **beside: object) -> list[Row]:
    """A trainer's own columns."""
    rows = []
    for number, done in enumerate(tries):
        _, written = _told(done)
        rows.append(
            {
                "trajectory_id": f"{domain}-{number:05d}",
                "split": done.split,
                "step": done.step,
                "domain": domain,
                "problem_id": done.task.id,
                "group_id": f"{done.split}-{done.step}-{done.task.id}",
                "attempt": done.slot,
                "messages": done.messages,
                "reward": round(done.reward, 4),
                "reward_terms": done.terms,
                "correct": float(done.right),
                "advantage": done.advantage,
                "num_tokens": _length(written),
                "num_turns": sum(m["role"] == "assistant" for m in written),
                "stop_reason": "max_tokens" if done.stop == "length" else done.stop,
                "is_truncated": done.stop == "length",
                "duration_seconds": round(_length(written) / rng.uniform(38, 70) + rng.uniform(0.2, 1.5), 2),
                "extra": {**beside, **done.info},
            }
        )
    return rows


def verl(rng: Random, tries: list[Try]) -> list[Row]:
    """Decoded text with a score, as verl dumps it."""
    rows = []
    for done in tries:
        asked, written = _told(done)
        texts = written[0]["content"] if len(written) == 1 else _flat(written).removeprefix("<|im_start|>assistant\n")
        row = {"input": _flat(asked) + "<|im_start|>assistant\n", "output": texts, "gts": done.task.gold}
        row |= {"score": round(done.reward, 4), "step": done.step, "acc": float(done.right)}
        rows.append(row | {"uid": f"{done.step}-{done.task.id}", "response_length": _length(written)} | done.info)
    return rows


def trl(rng: Random, tries: list[Try]) -> list[Row]:
    """Prompt, completion and a column a reward function, as TRL logs them."""
    rows = []
    for done in tries:
        asked, written = _told(done)
        row = {"step": done.step, "prompt": asked, "completion": written}
        row |= {name if name.endswith("reward") else f"{name}_reward": v for name, v in done.terms.items()}
        rows.append(row | {"advantage": done.advantage} | done.info)
    return rows


def openrlhf(rng: Random, tries: list[Try]) -> list[Row]:
    """Input, output and reward."""
    rows = []
    for done in tries:
        asked, written = _told(done)
        row = {"input": asked[-1]["content"], "output": written[-1]["content"], "reward": round(done.reward, 4)}
        rows.append(row | {"step": done.step, "label": done.task.gold, "advantage": done.advantage} | done.info)
    return rows


def openai(rng: Random, tries: list[Try], **beside: object) -> list[Row]:
    """Messages with a reward beside."""
    rows = []
    for done in tries:
        _, written = _told(done)
        row = {"task_id": done.task.id, "step": done.step, "sample": done.slot, "messages": done.messages}
        row |= {"reward": round(done.reward, 4), "advantage": done.advantage, "finish_reason": done.stop}
        row |= {"completion_tokens": _length(written), **beside}
        rows.append(row | done.info)
    return rows


def prime(rng: Random, tries: list[Try], env: str) -> list[Row]:
    """Saved rollouts of prime-rl with their metrics."""
    rows = []
    for done in tries:
        asked, written = _told(done)
        row = {"example_id": done.task.id, "env_name": env, "step": done.step, "prompt": asked, "completion": written}
        row |= {"answer": done.task.gold, "reward": round(done.reward, 4), "advantage": done.advantage}
        row |= {"metrics": done.terms, "is_truncated": done.stop == "length", "info": done.info}
        rows.append(row | {"off_policy_steps": rng.choice([0, 0, 1, 1, 1, 2])})
    return rows
