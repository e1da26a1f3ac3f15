"""How trainers lay their rollouts out."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.run import Try


def _seconds(rng: Random, t: Try) -> float:
    return round(1.2 + t.tokens / rng.uniform(38, 64) + rng.expovariate(1.6) + 0.7 * len(t.turns), 2)


def own(rng: Random, tries: list[Try], version: str, **columns: object) -> list[Row]:
    """Rows with the columns of a store of evidence."""
    drift = rng.uniform(-0.03, 0.03)
    rows = []
    for t in tries:
        rows.append(
            {
                "trajectory_id": f"{version}-{t.step:03d}-{t.task.key}-{t.attempt}",
                "version": version,
                "split": t.split,
                "step": t.step,
                "problem_id": t.task.key,
                "attempt": t.attempt,
                "messages": _logged(rng, t, drift),
                "reward": t.reward,
                "reward_terms": t.terms,
                "correct": None if t.error else float(t.right),
                "advantage": t.advantage if t.split == "train" else None,
                "in_loss": t.in_loss if t.split == "train" else None,
                "stop_reason": t.stop,
                "error": t.error,
                "num_tokens": t.tokens,
                "is_truncated": t.stop == "max_tokens",
                "duration_seconds": _seconds(rng, t),
                "extra": {"family": t.task.family, "answer": t.answer, **t.task.extra, **columns, **t.extra},
            }
        )
    return rows


def _logged(rng: Random, t: Try, drift: float) -> list[dict]:
    turns = []
    for turn in t.turns:
        more = {}
        if turn["role"] == "assistant":
            level = -0.47 + 0.1 * t.done + drift + rng.gauss(0, 0.05)
            more = {"mean_logprob": round(min(-0.05, level), 4)}
        turns.append({**turn, **more})
    return t.task.prompt + turns


def chatml(messages: list[dict]) -> str:
    """Whole turns, as Qwen's template writes them."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def verl(tries: list[Try], **columns: object) -> list[Row]:
    """Lines of `rollout_data_dir`: decoded text, tools within it."""
    rows = []
    for t in tries:
        rows.append(
            {
                "input": chatml(t.task.prompt) + "<|im_start|>assistant\n",
                "output": _decoded(t.turns),
                "gts": t.task.gold,
                "score": t.reward,
                "step": t.step,
                "uid": t.task.key,
                "advantages": t.advantage,
                "response_length": t.tokens,
                **columns,
                **t.extra,
            }
        )
    return rows


def _decoded(turns: list[dict]) -> str:
    text = ""
    for place, turn in enumerate(turns):
        body = turn["content"] or ""
        for call in turn.get("tool_calls", ()):
            body += f"\n<tool_call>\n{json.dumps(call, ensure_ascii=False)}\n</tool_call>"
        head = "" if place == 0 else f"<|im_end|>\n<|im_start|>{turn['role']}\n"
        text += head + body
    return text


def trl(tries: list[Try], **columns: object) -> list[Row]:
    """Rows of `log_completions`: one column for each reward function, no total."""
    rows = []
    for t in tries:
        rewards = {f"{name}_reward": value for name, value in t.terms.items()}
        rows.append(
            {
                "step": t.step,
                "prompt": t.task.prompt,
                "completion": t.turns,
                **rewards,
                "advantage": t.advantage,
                "solution": t.task.gold,
                **columns,
                **t.extra,
            }
        )
    return rows


def chat(tries: list[Try], **columns: object) -> list[Row]:
    """OpenAI's messages, calls as functions, with the reward beside."""
    rows = []
    for t in tries:
        messages = t.task.prompt + _called(t)
        row = {"id": f"{t.task.key}-{t.step}-{t.attempt}", "step": t.step, "group_id": f"{t.step}/{t.task.key}"}
        row |= {"messages": messages, "reward": t.reward, "correct": int(t.right), "advantage": t.advantage}
        rows.append({**row, "finish_reason": t.stop, "completion_tokens": t.tokens, **columns, **t.extra})
    return rows


def _called(t: Try) -> list[dict]:
    turns = []
    for place, turn in enumerate(t.turns):
        calls = [
            {
                "id": f"call_{t.task.key}_{t.attempt}_{place}_{n}",
                "type": "function",
                "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
            }
            for n, c in enumerate(turn.get("tool_calls", ()))
        ]
        turns.append({**turn, "tool_calls": calls} if calls else turn)
    return turns


def nemo(tries: list[Try], **columns: object) -> list[Row]:
    """Lines of `train_data_step*.jsonl`: texts in turn, without roles."""
    rows = []
    for t in tries:
        texts = [t.task.question, *(turn["content"] for turn in t.turns)]
        row = {"idx": t.attempt, "step": t.step, "problem_id": t.task.key, "content": texts, "rewards": t.reward}
        rows.append({**row, "advantages": t.advantage, "input_lengths": t.tokens, **columns, **t.extra})
    return rows


def traces(tries: list[Try], env: str, **columns: object) -> list[Row]:
    """Saved rollouts of an environment of verifiers, as prime-rl keeps them."""
    rows = []
    for t in tries:
        row = {"example_id": t.task.key, "env_name": env, "step": t.step, "prompt": t.task.prompt}
        row |= {"completion": _called(t)}
        row |= {"answer": t.task.gold, "reward": t.reward, "advantage": t.advantage, "metrics": t.terms}
        rows.append({**row, "is_truncated": t.stop == "max_tokens", "stop_condition": t.stop, **columns, **t.extra})
    return rows


def openrlhf(tries: list[Try], **columns: object) -> list[Row]:
    """JSONL of batch inference with a reward."""
    rows = []
    for t in tries:
        row = {
            "input": chatml(t.task.prompt) + "<|im_start|>assistant\n",
            "output": _decoded(t.turns),
            "reward": t.reward,
            "step": t.step,
        }
        rows.append(
            {**row, "label": t.task.gold, "prompt_id": t.task.key, "advantage": t.advantage, **columns, **t.extra}
        )
    return rows
