"""How systems write attempts down: one function a system, samples in, rows out."""

import json
from collections.abc import Callable

from benchmarks.foreign.fiftieth.episodes import Task
from benchmarks.foreign.fiftieth.learning import Sample

Also = Callable[[Sample], dict]


def _nothing(sample: Sample) -> dict:
    return {}


def opening(task: Task) -> list[dict]:
    """The messages that the policy is shown first."""
    return [{"role": "system", "content": task.system}, {"role": "user", "content": task.prompt}]


def in_openai_form(turns: list[dict]) -> list[dict]:
    """Messages with calls as functions, and answers that name their call."""
    out, number = [], 0
    for turn in turns:
        if turn.get("tool_calls"):
            number += 1
            call = turn["tool_calls"][0]
            function = {"name": call["name"], "arguments": json.dumps(call["arguments"], ensure_ascii=False)}
            calls = [{"id": f"call_{number}", "type": "function", "function": function}]
            out.append({"role": "assistant", "content": turn["content"], "tool_calls": calls})
        elif turn["role"] == "tool":
            out.append({"role": "tool", "tool_call_id": f"call_{number}", "content": turn["content"]})
        else:
            out.append({"role": turn["role"], "content": turn["content"]})
    return out


def as_text(turns: list[dict]) -> str:
    """Turns in ChatML, with calls and their answers in tags."""
    parts = []
    for turn in turns:
        role, text = turn["role"], turn["content"]
        if turn.get("tool_calls"):
            text += f"\n<tool_call>\n{json.dumps(turn['tool_calls'][0], ensure_ascii=False)}\n</tool_call>"
        if role == "tool":
            role, text = "user", f"<tool_response>\n{text}\n</tool_response>"
        parts.append(f"<|im_start|>{role}\n{text}<|im_end|>\n")
    return "".join(parts)


def _completion_text(turns: list[dict]) -> str:
    return as_text(turns).removeprefix("<|im_start|>assistant\n")


def evidence(samples: list[Sample], domain: str, also: Also = _nothing) -> list[dict]:
    """The columns of docs/evidence.md."""
    rows = []
    for s in samples:
        row = {
            "trajectory_id": f"{s.split[0]}{s.step:03d}-{s.group:05d}-{s.attempt}",
            "step": s.step,
            "split": s.split,
            "domain": domain,
            "problem_id": s.task.key,
            "group_id": f"g{s.group:05d}",
            "attempt": s.attempt,
            "seed": s.seed,
            "messages": opening(s.task) + s.episode.turns,
            "reward": s.reward,
            "advantage": s.advantage,
            "stop_reason": s.episode.stop,
            "num_turns": sum(turn["role"] == "assistant" for turn in s.episode.turns),
            "num_tokens": s.tokens,
            "is_truncated": s.episode.stop in ("max_turns", "max_tokens"),
        }
        if s.terms:
            row["reward_terms"] = s.terms
        rows.append(row | s.more | also(s))
    return rows


def verl(samples: list[Sample], also: Also = _nothing) -> list[dict]:
    """`trainer.rollout_data_dir` of verl."""
    return [
        {
            "input": as_text(opening(s.task)) + "<|im_start|>assistant\n",
            "output": _completion_text(s.episode.turns),
            "gts": s.task.gold,
            "score": s.reward,
            "step": s.step + 1,
        }
        | s.more
        | also(s)
        for s in samples
    ]


def trl(samples: list[Sample], also: Also = _nothing) -> list[dict]:
    """Completions that TRL logs; the columns of reward functions are the sample's terms."""
    return [
        {"step": s.step + 1, "prompt": opening(s.task), "completion": in_openai_form(s.episode.turns)}
        | s.terms
        | {"advantage": s.advantage}
        | s.more
        | also(s)
        for s in samples
    ]


def openrlhf(samples: list[Sample], also: Also = _nothing) -> list[dict]:
    """Rows of OpenRLHF: texts, label and reward."""
    return [
        {
            "input": as_text(opening(s.task)) + "<|im_start|>assistant\n",
            "output": _completion_text(s.episode.turns),
            "label": s.task.gold,
            "reward": s.reward,
            "step": s.step,
        }
        | s.more
        | also(s)
        for s in samples
    ]


def prime_rl(samples: list[Sample], environment: str, also: Also = _nothing) -> list[dict]:
    """Saved rollouts of prime-rl over an environment of verifiers."""
    return [
        {
            "example_id": s.task.key,
            "env_name": environment,
            "task": environment,
            "step": s.step,
            "prompt": opening(s.task),
            "completion": in_openai_form(s.episode.turns),
            "answer": s.task.gold,
            "reward": s.reward,
            "advantage": s.advantage,
            "metrics": s.terms,
            "info": {},
            "is_truncated": s.episode.stop in ("max_turns", "max_tokens"),
            "stop_condition": s.episode.stop,
        }
        | s.more
        | also(s)
        for s in samples
    ]


def slime(samples: list[Sample], also: Also = _nothing) -> list[dict]:
    """Dumped samples of slime, with its group index and status."""
    status = {"max_turns": "truncated", "max_tokens": "truncated"}
    return [
        {
            "rollout_id": s.step,
            "group_index": s.group,
            "index": number,
            "prompt": as_text(opening(s.task)) + "<|im_start|>assistant\n",
            "response": _completion_text(s.episode.turns),
            "response_length": s.tokens,
            "label": s.task.gold,
            "reward": s.reward,
            "status": status.get(s.episode.stop, "completed"),
            "step": s.step,
        }
        | s.more
        | also(s)
        for number, s in enumerate(samples)
    ]


def openai(samples: list[Sample], also: Also = _nothing) -> list[dict]:
    """Messages as an API takes them, with the reward beside."""
    return [
        {
            "id": f"run-{s.step}-{s.group}-{s.attempt}",
            "step": s.step,
            "problem_id": s.task.key,
            "group_id": str(s.group),
            "messages": in_openai_form(opening(s.task) + s.episode.turns),
            "reward": s.reward,
            "advantage": s.advantage,
            "finish_reason": s.episode.stop,
        }
        | s.more
        | also(s)
        for s in samples
    ]
