"""How systems write an attempt down: our columns, verl, TRL, OpenRLHF, prime-rl, verifiers, NeMo-RL, slime, inspect."""

import json

from benchmarks.foreign.fortieth.policy import Attempt


def prompt_turns(a: Attempt, system: str = "") -> list[dict]:
    """Messages before the policy speaks."""
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": a.task.prompt}]


def reply_turns(a: Attempt) -> list[dict]:
    """Messages from the policy's first word on."""
    return a.messages or [{"role": "assistant", "content": a.text}]


def ours(a: Attempt, system: str = "", domain: str = "math", **extra: object) -> dict:
    """The columns of docs/evidence.md."""
    turns = [dict(m) for m in reply_turns(a)]
    spoken = [m for m in turns if m["role"] == "assistant"]
    if a.logprob is not None:
        for m in spoken:
            m["mean_logprob"] = a.logprob
    return {
        "trajectory_id": f"{a.group}-{a.number}",
        "split": a.split,
        "step": a.step,
        "domain": domain,
        "problem_id": a.task.pid,
        "group_id": a.group,
        "attempt": a.number,
        "messages": [*prompt_turns(a, system), *turns],
        "reward": a.reward,
        "reward_terms": dict(a.terms),
        "correct": None if a.reward is None else float(a.right),
        "advantage": a.advantage,
        "in_loss": a.in_loss if a.split == "train" else None,
        "stop_reason": a.stop,
        "num_turns": len(spoken),
        "num_tokens": a.tokens,
        "is_truncated": a.stop in ("max_tokens", "max_turns"),
        "extra": {"family": a.task.family, "answer": a.answer, **a.extra, **extra},
    }


def verl(a: Attempt, **extra: object) -> dict:
    """A line of verl's rollout folder, with the keys of its reward function."""
    return {
        "input": f"<|im_start|>user\n{a.task.prompt}<|im_end|>\n<|im_start|>assistant\n",
        "output": a.text,
        "gts": a.task.gold,
        "score": a.reward,
        "step": a.step,
        "acc": float(a.right),
        "pred": a.answer,
        **a.terms,
        **a.extra,
        **extra,
    }


def trl(a: Attempt, **extra: object) -> dict:
    """A row of TRL's completions: one column a reward function, named like it."""
    return {
        "step": a.step,
        "prompt": a.task.prompt,
        "completion": a.text,
        **a.terms,
        "advantage": a.advantage,
        **a.extra,
        **extra,
    }


def openrlhf(a: Attempt, **extra: object) -> dict:
    """A line of OpenRLHF's batch inference with a reward."""
    return {"input": a.task.prompt, "output": a.text, "reward": a.reward, "step": a.step, **a.extra, **extra}


def openai_turns(turns: list[dict], stem: str) -> list[dict]:
    """Messages with calls as OpenAI writes them."""
    out, count = [], 0
    for m in turns:
        m = {k: v for k, v in m.items() if k in ("role", "content", "tool_calls", "tool_name")}
        if m.get("tool_calls"):
            calls = []
            for call in m["tool_calls"]:
                count += 1
                body = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
                calls.append({"id": f"call_{stem}_{count}", "type": "function", "function": body})
            m["tool_calls"] = calls
        if m["role"] == "tool":
            m = {"role": "tool", "tool_call_id": f"call_{stem}_{count}", "content": m["content"]}
        out.append(m)
    return out


def verifiers(a: Attempt, example: int, task: str, **extra: object) -> dict:
    """A line of the results of verifiers."""
    return {
        "example_id": example,
        "prompt": prompt_turns(a),
        "completion": openai_turns(reply_turns(a), str(a.number)),
        "reward": a.reward,
        "answer": a.task.gold,
        "task": task,
        "metrics": {k: float(v) for k, v in a.terms.items()},
        "info": dict(a.extra),
        **extra,
    }


def prime_rl(a: Attempt, example: int, env: str, **extra: object) -> dict:
    """A rollout that prime-rl saved: a row of verifiers with what training made of it."""
    more = {"env_name": env, "advantage": a.advantage, "step": a.step, "is_truncated": a.stop == "max_tokens"}
    return verifiers(a, example, env, completion_len=a.tokens, **more, **extra)


def nemo_rl(a: Attempt, **extra: object) -> dict:
    """A line of NeMo-RL's train_data, with its step beside."""
    lengths = {"input_lengths": max(1, len(a.task.prompt) // 4) + a.tokens}
    return {"content": [a.task.prompt, a.text], "rewards": a.reward, **lengths, "step": a.step, **a.extra, **extra}


def slime(a: Attempt, index: int, **extra: object) -> dict:
    """A sample that slime dumped."""
    return {
        "index": index,
        "group_index": a.group,
        "prompt": a.task.prompt,
        "response": a.text,
        "response_length": a.tokens,
        "label": a.task.gold,
        "reward": a.reward,
        "status": "truncated" if a.stop == "max_tokens" else "completed",
        "step": a.step,
        **a.extra,
        **extra,
    }


def inspect_sample(a: Attempt, epoch: int, scorer: str, **extra: object) -> dict:
    """A sample of inspect's log."""
    score = {"value": "C" if a.right else "I", "answer": a.answer, "explanation": a.text}
    return {
        "id": a.task.pid,
        "epoch": epoch,
        "input": a.task.prompt,
        "target": a.task.gold,
        "messages": [*prompt_turns(a), *reply_turns(a)],
        "output": {"completion": a.text, "choices": [{"stop_reason": a.stop}]},
        "scores": {scorer: score},
        "metadata": {**a.extra, **extra},
    }


def openai(a: Attempt, **extra: object) -> dict:
    """Messages in OpenAI's form with a reward beside."""
    turns = openai_turns([*prompt_turns(a), *reply_turns(a)], str(a.number))
    return {"problem_id": a.task.pid, "messages": turns, "reward": a.reward, "step": a.step, **a.extra, **extra}


def numbered(attempts: list[Attempt]) -> dict[str, int]:
    """An integer for each problem, in order of appearance."""
    out: dict[str, int] = {}
    for a in attempts:
        out.setdefault(a.task.pid, len(out))
    return out
