"""How systems write attempts down: one function a system, attempts in, rows out."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysecond.attempts import Try, spoken, tokens_of


def _prompt(one: Try) -> list[dict]:
    system = [{"role": "system", "content": one.system}] if one.system else []
    return [*system, {"role": "user", "content": one.task.prompt}]


def _openai(turns: list[dict]) -> list[dict]:
    out, last = [], ""
    for number, turn in enumerate(turns):
        kept = {k: v for k, v in turn.items() if k not in ("tool_calls", "tool_name", "ok")}
        if turn.get("tool_calls"):
            last = f"call_{number}"
            kept["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in turn["tool_calls"]
            ]
        if turn["role"] == "tool":
            kept["tool_call_id"] = last
        out.append(kept)
    return out


def ours(tries: list[Try], domain: str) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{t.split[:2]}{t.step:04d}-{number:05d}",
            "split": t.split,
            "step": t.step,
            "domain": domain,
            "problem_id": t.task.name,
            "group_id": t.group,
            "attempt": t.attempt,
            "messages": [*_prompt(t), *t.turns],
            "reward": t.reward,
            "reward_terms": t.terms or {"outcome": t.reward},
            "correct": float(t.right),
            "advantage": t.advantage,
            "in_loss": t.in_loss if t.split == "train" else None,
            "stop_reason": t.stop,
            "num_turns": sum(m["role"] == "assistant" for m in t.turns),
            "num_tokens": t.tokens,
            "is_truncated": t.stop == "max_tokens",
            "extra": {"family": t.task.family, "answer": t.task.answer, **t.more},
        }
        for number, t in enumerate(tries)
    ]


def verl(tries: list[Try]) -> list[Row]:
    """verl's rollout_data_dir with the measures of its reward function."""
    return [
        {
            "input": (f"system\n{t.system}\n" if t.system else "") + f"user\n{t.task.prompt}\nassistant\n",
            "output": t.text,
            "gts": t.task.answer,
            "score": t.reward,
            "step": t.step,
            **t.terms,
            **t.more,
        }
        for t in tries
    ]


def trl(tries: list[Try]) -> list[Row]:
    """TRL's log of completions: the terms are columns of reward functions."""
    return [
        {
            "step": t.step,
            "prompt": t.task.prompt,
            "completion": t.text,
            **(t.terms or {"outcome_reward": t.reward}),
            "advantage": t.advantage,
            **t.more,
        }
        for t in tries
    ]


def openrlhf(tries: list[Try]) -> list[Row]:
    """OpenRLHF's lines of input, output and reward, with the step beside."""
    return [
        {
            "input": t.task.prompt,
            "output": t.text,
            "reward": t.reward,
            "step": t.step,
            "response_length": t.tokens,
            **({"advantage": t.advantage} if t.advantage is not None else {}),
            **t.more,
        }
        for t in tries
    ]


def prime_rl(tries: list[Try], env: str) -> list[Row]:
    """prime-rl's saved rollouts of verifiers' environments."""
    return [
        {
            "example_id": t.task.name,
            "env_name": env,
            "task": t.task.family,
            "step": t.step,
            "prompt": _prompt(t),
            "completion": _openai(t.turns),
            "answer": t.task.answer,
            "reward": t.reward,
            "advantage": t.advantage,
            "info": {"split": t.split, **t.more},
            "metrics": t.terms or {"correct_answer": float(t.right)},
            "is_truncated": t.stop == "max_tokens",
            "stop_condition": t.stop,
            "num_output_tokens": t.tokens,
        }
        for t in tries
    ]


def nemo_rl(tries: list[Try]) -> list[Row]:
    """NeMo-RL's train_data_step files, with the step of the file's name."""
    return [
        {
            "content": [t.task.prompt, t.text],
            "rewards": t.reward,
            "input_lengths": tokens_of(t.task.prompt) + t.tokens,
            "advantages": t.advantage,
            "step": t.step,
            **t.more,
        }
        for t in tries
    ]


def slime(tries: list[Try]) -> list[Row]:
    """Samples of slime's debug dumps of rollouts."""
    numbers = {g: n for n, g in enumerate(dict.fromkeys(t.group for t in tries))}
    return [
        {
            "index": index,
            "group_index": numbers[t.group],
            "rollout_id": t.step,
            "step": t.step,
            "prompt": t.task.prompt,
            "response": t.text,
            "response_length": t.tokens,
            "label": t.task.answer,
            "reward": t.reward,
            "status": "truncated" if t.stop == "max_tokens" else "completed",
            "advantage": t.advantage,
            "metadata": {"source": t.task.family, **t.more},
        }
        for index, t in enumerate(tries)
    ]


def inspect(tries: list[Try], scorer: str) -> list[Row]:
    """Samples of inspect's logs, one epoch an attempt."""
    return [
        {
            "id": t.task.name,
            "epoch": t.attempt + 1,
            "step": t.step,
            "input": t.task.prompt,
            "target": t.task.answer,
            "messages": [*_prompt(t), *_openai(t.turns)],
            "output": {"completion": t.text, "stop_reason": t.stop},
            "scores": {scorer: {"value": "C" if t.reward >= 1 else "I", "answer": t.text[-60:]}},
            "metadata": {"family": t.task.family, "split": t.split, **t.more},
        }
        for t in tries
    ]


def chatml(tries: list[Try]) -> list[Row]:
    """OpenAI's messages in JSONL, reward beside."""
    return [
        {
            "messages": [*_prompt(t), *_openai(t.turns)],
            "reward": t.reward,
            "step": t.step,
            "group_id": t.group,
            "problem_id": t.task.name,
            "advantage": t.advantage,
            "completion_tokens": t.tokens,
            **({"reward_terms": t.terms} if t.terms else {}),
            **t.more,
        }
        for t in tries
    ]


def plain(tries: list[Try]) -> list[Row]:
    """Lines of a script of one's own."""
    return [
        {
            "step": t.step,
            "query_id": t.task.name,
            "query": t.task.prompt,
            "response": "\n".join(spoken(m).strip() for m in t.turns if m["role"] == "assistant"),
            "reward": t.reward,
            "advantage": t.advantage,
            "n_tokens": t.tokens,
            **t.terms,
            **t.more,
        }
        for t in tries
    ]
