"""How systems write attempts down as rows."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.policy import Attempt


def _prompt(attempt: Attempt) -> list[dict]:
    system = [{"role": "system", "content": attempt.system}] if attempt.system else []
    return [*system, {"role": "user", "content": attempt.task.text}]


def _openai(turns: list[dict]) -> list[dict]:
    out, last = [], ""
    for place, turn in enumerate(turns):
        if turn["role"] == "tool":
            out.append({"role": "tool", "tool_call_id": last, "content": turn["content"]})
        elif turn.get("tool_calls"):
            last = f"call_{place}"
            calls = [
                {"id": last, "type": "function", "function": {"name": c["name"], "arguments": _json(c["arguments"])}}
                for c in turn["tool_calls"]
            ]
            out.append({"role": turn["role"], "content": turn["content"], "tool_calls": calls})
        else:
            out.append({"role": turn["role"], "content": turn["content"]})
    return out


def _json(value: dict) -> str:
    return json.dumps(value, ensure_ascii=False)


def own_columns(attempts: list[Attempt], domain: str) -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{a.split}-{a.step:03d}-{a.task.id}-{a.number}",
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.task.id,
            "group_id": f"{a.split}-{a.step:03d}-{a.task.id}",
            "attempt": a.number,
            "messages": [*_prompt(a), *a.turns],
            "reward": None if a.error else a.reward,
            "reward_terms": a.terms,
            "correct": None if a.error else a.correct,
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": len(a.own),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {"family": a.task.family, **a.extra},
        }
        for a in attempts
    ]


def verl(attempts: list[Attempt]) -> list[Row]:
    """verl's `rollout_data_dir`."""
    return [
        {
            "input": "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in _prompt(a))
            + "<|im_start|>assistant\n",
            "output": a.text,
            "gts": a.task.gold,
            "score": a.reward,
            "step": a.step,
            **({} if a.correct is None else {"acc": a.correct}),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """TRL's completions, with a column for each reward function."""
    return [
        {
            "step": a.step,
            "prompt": _prompt(a),
            "completion": _openai(a.turns),
            **(a.terms or {"accuracy_reward": a.reward}),
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF's rows of inputs, outputs and rewards."""
    return [
        {
            "input": f"Human: {a.task.text}\n\nAssistant:",
            "output": a.text,
            "reward": a.reward,
            "step": a.step,
            **a.extra,
        }
        for a in attempts
    ]


def prime_rl(attempts: list[Attempt], env: str) -> list[Row]:
    """prime-rl's saved rollouts of a verifiers environment."""
    ids = {task: number for number, task in enumerate(dict.fromkeys(a.task.id for a in attempts))}
    return [
        {
            "example_id": ids[a.task.id],
            "env_name": env,
            "task": env,
            "step": a.step,
            "prompt": _prompt(a),
            "completion": _openai(a.turns),
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": {"num_turns": len(a.own), **a.terms},
            "info": {"family": a.task.family, **a.extra},
            "stop_condition": a.stop,
        }
        for a in attempts
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """slime's dumped samples."""
    ids = {task: number for number, task in enumerate(dict.fromkeys((a.step, a.task.id) for a in attempts))}
    return [
        {
            "rollout_id": a.step,
            "step": a.step,
            "group_index": ids[a.step, a.task.id],
            "index": place,
            "prompt": a.task.text,
            "response": a.text,
            "response_length": a.tokens,
            "label": a.task.gold,
            "reward": a.reward,
            "status": "truncated" if a.stop == "max_tokens" else "completed",
            **a.extra,
        }
        for place, a in enumerate(attempts)
    ]


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages as OpenAI writes them, with what was measured beside."""
    return [
        {
            "id": f"{a.task.id}/{a.step}/{a.number}",
            "problem_id": a.task.id,
            "step": a.step,
            "messages": _openai([*_prompt(a), *a.turns]),
            "reward": a.reward,
            "finish_reason": a.stop,
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.extra,
        }
        for a in attempts
    ]


def inspect_log(attempts: list[Attempt], scorer: str) -> list[Row]:
    """Samples of inspect logs, one log a checkpoint."""
    return [
        {
            "id": a.task.id,
            "epoch": a.number + 1,
            "step": a.step,
            "input": a.task.text,
            "target": a.task.gold,
            "messages": _openai([*_prompt(a), *a.turns]),
            "scores": {scorer: {"value": a.reward, "answer": a.extra.get("answer"), "explanation": a.text[-200:]}},
            "metadata": {key: value for key, value in a.extra.items() if key != "answer"},
        }
        for a in attempts
    ]


def plain(attempts: list[Attempt]) -> list[Row]:
    """A script's own rows."""
    return [
        {
            "step": a.step,
            "problem_id": a.task.id,
            "prompt": a.task.text,
            "response": a.text,
            "score": a.reward,
            "num_tokens": a.tokens,
            "finish_reason": a.stop,
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.extra,
        }
        for a in attempts
    ]
