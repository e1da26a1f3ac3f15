"""Rows as several trainers write them."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eleventh.runs import Episode

CLOCK = "2025-{:02d}-{:02d}T{:02d}:{:02d}:{:02d}Z"


def _prompt(e: Episode) -> list[dict]:
    system = [{"role": "system", "content": e.task.system}] if e.task.system else []
    return [*system, {"role": "user", "content": e.task.prompt}]


def _scored(rng: Random, e: Episode) -> list[dict]:
    """Turns with the mean logprob of each message of the policy, surer as training goes on."""
    level = -0.68 + 0.16 * e.t
    turns = []
    for m in e.reply.turns:
        mark = {"mean_logprob": round(min(-0.02, rng.gauss(level, 0.09)), 4)} if m["role"] == "assistant" else {}
        turns.append(m | mark)
    return turns


def own(rng: Random, episodes: list[Episode], run: str, domain: str = "math", logprobs: bool = False) -> list[Row]:
    """Our own columns; what an episode's `extra` holds of them stands on top."""
    month, day = rng.randint(1, 12), rng.randint(1, 27)
    rows = []
    for i, e in enumerate(episodes):
        graded = e.error is None
        extra = dict(e.extra)
        policy = {"policy_id": extra.pop("policy_id")} if "policy_id" in extra else {}
        rows.append(
            {
                "trajectory_id": f"{run}-{i:05d}",
                "campaign": run,
                "split": e.split,
                "step": e.step,
                "domain": domain,
                "problem_id": e.task.id,
                "attempt": e.attempt,
                "seed": rng.randrange(2**31),
                "messages": [*_prompt(e), *(_scored(rng, e) if logprobs else e.reply.turns)],
                "reward": e.reward if graded else None,
                "reward_terms": e.terms if graded else {},
                "correct": float(e.right) if graded else None,
                "advantage": e.advantage,
                "in_loss": e.in_loss,
                "stop_reason": "error" if e.error else {"length": "max_tokens"}.get(e.reply.stop, e.reply.stop),
                "error": e.error,
                "num_turns": sum(m["role"] == "assistant" for m in e.reply.turns),
                "num_tokens": e.tokens,
                "is_truncated": e.reply.stop == "length",
                "duration_seconds": round(2 + e.tokens * rng.uniform(0.018, 0.034), 2),
                "started_at": CLOCK.format(month, day, 6 + e.step % 16, i * 7 % 60, rng.randint(0, 59)),
                "extra": {"family": e.task.family, "answer": e.reply.answer, **e.task.extra, **e.reply.extra, **extra},
                **policy,
            }
        )
    return rows


def _chatml(turns: list[dict]) -> str:
    parts = []
    for m in turns:
        role = "user" if m["role"] == "tool" else m["role"]
        text = m["content"] or ""
        if m["role"] == "tool":
            text = f"<tool_response>\n{text}\n</tool_response>"
        for c in m.get("tool_calls", []):
            text += f"\n<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>"
        parts.append((role, text.strip()))
    return "".join(f"<|im_start|>{role}\n{text}<|im_end|>\n" for role, text in parts)


def verl(episodes: list[Episode]) -> list[Row]:
    """What `trainer.rollout_data_dir` holds."""
    rows = []
    for e in episodes:
        output = _chatml(e.reply.turns).removeprefix("<|im_start|>assistant\n").rstrip("\n")
        row = {
            "input": _chatml(_prompt(e)) + "<|im_start|>assistant\n",
            "output": output if e.reply.stop == "stop" else output.removesuffix("<|im_end|>"),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step + 1,
            "acc": float(e.right),
        }
        row |= {"split": e.split} if e.split != "train" else {}
        rows.append(row | {"uid": e.task.id, "data_source": e.task.family, **e.task.extra, **e.reply.extra, **e.extra})
    return rows


def trl(episodes: list[Episode], names: dict[str, str]) -> list[Row]:
    """What `log_completions` writes; names gives the reward function of each term."""
    rows = []
    for e in episodes:
        row = {"step": e.step + 1, "prompt": _prompt(e), "completion": e.reply.turns}
        row |= {names[term]: value for term, value in e.terms.items()}
        rows.append(row | {"advantage": e.advantage, "solution": e.task.gold, **e.task.extra, **e.extra})
    return rows


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Decoded text with a reward."""
    return [
        {
            "input": e.task.prompt,
            "output": e.text,
            "reward": e.reward,
            "step": e.step,
            "label": e.task.gold,
            "response_length": e.tokens,
            **e.task.extra,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def _openai(turns: list[dict]) -> list[dict]:
    messages, number = [], 0
    for m in turns:
        message = {"role": m["role"], "content": m["content"]}
        if "tool_calls" in m:
            number += 1
            calls = [
                {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)}
                for c in m["tool_calls"]
            ]
            message["tool_calls"] = [{"id": f"call_{number:03d}", "type": "function", "function": c} for c in calls]
        if m["role"] == "tool":
            message["tool_call_id"] = f"call_{number:03d}"
        messages.append(message)
    return messages


def openai(episodes: list[Episode]) -> list[Row]:
    """Chats in OpenAI's form with the reward beside."""
    return [
        {
            "messages": _openai([*_prompt(e), *e.reply.turns]),
            "reward": e.reward,
            "correct": float(e.right) if e.reward is not None else None,
            "step": e.step,
            "split": e.split,
            "task_id": e.task.id,
            "advantage": e.advantage,
            "finish_reason": e.reply.stop,
            "completion_tokens": e.tokens,
            **e.task.extra,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def prime_rl(rng: Random, episodes: list[Episode], env: str) -> list[Row]:
    """Saved rollouts of prime-rl."""
    numbers = {task: i for i, task in enumerate(dict.fromkeys(e.task.id for e in episodes))}
    return [
        {
            "example_id": numbers[e.task.id],
            "env_name": env,
            "task": e.task.family,
            "step": e.step,
            "prompt": _openai(_prompt(e)),
            "completion": _openai(e.reply.turns),
            "answer": e.task.gold,
            "reward": e.reward,
            "advantage": e.advantage,
            "metrics": {**e.terms, "num_turns": sum(m["role"] == "assistant" for m in e.reply.turns)},
            "is_truncated": e.reply.stop == "length",
            "stop_condition": {"length": "max_tokens_reached", "stop": "no_tools_called"}.get(
                e.reply.stop, e.reply.stop
            ),
            "timing": {"generation_ms": round(e.tokens * rng.uniform(14, 26), 1), "scoring_ms": rng.randint(2, 40)},
            "info": {**e.task.extra, **e.reply.extra, **e.extra},
        }
        for e in episodes
    ]
