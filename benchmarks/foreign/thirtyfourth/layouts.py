"""How systems write attempts down: our columns, verl, TRL, OpenRLHF, prime-rl, NeMo-RL, slime, inspect, OpenAI."""

import json

from benchmarks.foreign.thirtyfourth.policy import Attempt, said, tokens

Rows = list[dict]


def own(attempts: list[Attempt], domain: str, version: str = "run") -> Rows:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{version}-{a.step:03d}-{a.problem.id}-{a.number}-{a.split}",
            "version": version,
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.problem.id,
            "group_id": f"{a.split}-{a.step}-{a.problem.id}",
            "attempt": a.number,
            "messages": [{"role": "user", "content": a.problem.prompt}, *a.written],
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": a.right,
            "advantage": a.advantage,
            "in_loss": a.in_loss,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.written),
            "num_tokens": a.length,
            "is_truncated": a.stop in ("length", "max_tokens"),
            "extra": {"family": a.problem.family, **a.extra},
        }
        for a in attempts
    ]


def verl(attempts: list[Attempt]) -> Rows:
    """verl's rollout_data_dir: decoded text, the ground truth, the score."""
    return [
        {
            "input": f"<|im_start|>user\n{a.problem.prompt}<|im_end|>\n<|im_start|>assistant\n",
            "output": "\n".join(said(m) for m in a.written),
            "gts": a.problem.gold,
            "score": a.reward,
            "step": a.step,
            **({} if a.right is None else {"acc": a.right}),
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt], **names: str) -> Rows:
    """TRL's log of completions; the terms of the reward are columns."""
    return [
        {
            "step": a.step,
            "prompt": [{"role": "user", "content": a.problem.prompt}],
            "completion": a.written,
            **{names.get(key, f"{key}_reward"): value for key, value in a.terms.items()},
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> Rows:
    """OpenRLHF's JSONL of samples with a reward."""
    return [
        {
            "input": a.problem.prompt,
            "output": "\n".join(said(m) for m in a.written),
            "reward": a.reward,
            "step": a.step,
            "label": a.problem.gold,
            "response_length": a.length,
            **a.extra,
        }
        for a in attempts
    ]


def openai_calls(messages: list[dict]) -> list[dict]:
    """Messages with calls in OpenAI's form."""
    out, last = [], ""
    for place, message in enumerate(messages):
        new = {"role": message["role"], "content": message["content"]}
        new.update({k: v for k, v in message.items() if k in ("loss_mask", "weight")})
        if message.get("tool_calls"):
            last = f"call_{place}"
            new["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                }
                for c in message["tool_calls"]
            ]
        if message["role"] == "tool":
            new["tool_call_id"] = last
        out.append(new)
    return out


def prime_rl(attempts: list[Attempt], env: str) -> Rows:
    """Rollouts of prime-rl on an environment of verifiers."""
    return [
        {
            "example_id": a.problem.id,
            "env_name": env,
            "task": a.problem.family or env,
            "step": a.step,
            "prompt": [{"role": "user", "content": a.problem.prompt}],
            "completion": openai_calls(a.written),
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "info": a.extra,
            "is_truncated": a.stop == "length",
        }
        for a in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> Rows:
    """NeMo-RL's train data: texts of user and assistant in turn, no roles."""
    return [
        {
            "content": [a.problem.prompt, *(said(m) for m in a.written)],
            "rewards": a.reward,
            "advantages": a.advantage,
            "input_lengths": tokens(a.problem.prompt) + a.length,
            "sample_loss_mask": 1.0,
            "step": a.step,
            **a.extra,
        }
        for a in attempts
    ]


def slime(attempts: list[Attempt], size: int) -> Rows:
    """slime's samples as its debug dump has them."""
    return [
        {
            "rollout_id": a.step,
            "step": a.step,
            "group_index": place // size,
            "index": place,
            "prompt": a.problem.prompt,
            "response": "\n".join(said(m) for m in a.written),
            "label": a.problem.gold,
            "reward": a.reward,
            "response_length": a.length,
            "status": "truncated" if a.stop == "length" else "completed",
            "metadata": a.extra,
        }
        for place, a in enumerate(attempts)
    ]


def inspect_log(attempts: list[Attempt], scorer: str) -> Rows:
    """Samples of an inspect log."""
    return [
        {
            "id": a.problem.id,
            "epoch": a.number + 1,
            "input": a.problem.prompt,
            "target": a.problem.gold,
            "messages": [{"role": "user", "content": a.problem.prompt}, *openai_calls(a.written)],
            "output": {"completion": a.written[-1]["content"], "stop_reason": a.stop},
            "scores": {
                scorer: {"value": "C" if a.reward else "I", "explanation": a.extra.get("explanation", ""), **a.terms}
            },
            "metadata": {k: v for k, v in a.extra.items() if k != "explanation"},
        }
        for a in attempts
    ]


def openai(attempts: list[Attempt]) -> Rows:
    """Messages in OpenAI's form with what was measured beside."""
    return [
        {
            "problem_id": a.problem.id,
            "step": a.step,
            "attempt": a.number,
            "messages": openai_calls([{"role": "user", "content": a.problem.prompt}, *a.written]),
            "reward": a.reward,
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.extra,
        }
        for a in attempts
    ]
