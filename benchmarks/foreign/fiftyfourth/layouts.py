"""How systems write an attempt down."""

from benchmarks.foreign.fiftyfourth.attempts import Attempt, count


def ours(a: Attempt, **more: object) -> dict:
    """The columns of docs/evidence.md."""
    turns = [{**t, "num_tokens": count(t)} if t["role"] == "assistant" else dict(t) for t in a.turns]
    system = [{"role": "system", "content": a.system}] if a.system else []
    row = {
        "trajectory_id": f"{a.split}-{a.group}-{a.k}",
        "split": a.split,
        "step": a.step,
        "problem_id": a.pid,
        "group_id": a.group,
        "attempt": a.k,
        "messages": [*system, {"role": "user", "content": a.prompt}, *turns],
        "reward": a.reward,
        "correct": a.correct,
        "stop_reason": a.stop,
        "num_tokens": a.tokens,
        "num_turns": sum(t["role"] == "assistant" for t in a.turns),
        "is_truncated": a.stop == "max_tokens",
    }
    if a.advantage is not None:
        row |= {"advantage": a.advantage}
    if a.terms:
        row |= {"reward_terms": a.terms}
    return row | ({"extra": a.extra} if a.extra else {}) | more


def verl(a: Attempt, **more: object) -> dict:
    """A line of verl's rollout_data_dir; special tokens are left out."""
    system = f"system\n{a.system}\n" if a.system else ""
    return {
        "input": f"{system}user\n{a.prompt}\nassistant\n",
        "output": a.text,
        "gts": a.gold,
        "score": a.reward,
        "step": a.step,
        **a.terms,
        **a.extra,
        **more,
    }


def trl(a: Attempt, **more: object) -> dict:
    """A row of TRL's completions tables."""
    return {
        "step": a.step,
        "prompt": a.prompt,
        "completion": a.text,
        **a.terms,
        "advantage": a.advantage,
        **a.extra,
        **more,
    }


def prime(a: Attempt, env: str, **more: object) -> dict:
    """A saved rollout of prime-rl with a verifiers environment."""
    system = [{"role": "system", "content": a.system}] if a.system else []
    return {
        "example_id": a.pid,
        "env_name": env,
        "task": env,
        "step": a.step,
        "split": a.split,
        "prompt": [*system, {"role": "user", "content": a.prompt}],
        "completion": [_wire(t) for t in a.turns],
        "answer": a.gold,
        "reward": a.reward,
        "advantage": a.advantage,
        "metrics": a.terms,
        "info": a.extra,
        "is_truncated": a.stop == "max_tokens",
        **more,
    }


def _wire(turn: dict) -> dict:
    return {k: v for k, v in turn.items() if k in ("role", "content", "tool_calls", "tool_name")}


def openrlhf(a: Attempt, **more: object) -> dict:
    """A line of OpenRLHF's samples with rewards."""
    return {
        "input": a.prompt,
        "output": a.text,
        "reward": a.reward,
        "label": a.gold,
        "step": a.step,
        "response_length": a.tokens,
        "advantage": a.advantage,
        **a.terms,
        **a.extra,
        **more,
    }


def nemo(a: Attempt, idx: int, **more: object) -> dict:
    """A line of NeMo-RL's train_data_step files, the number of its file beside."""
    return {
        "content": [a.prompt, a.text],
        "rewards": a.reward,
        "idx": idx,
        "step": a.step,
        "input_lengths": a.tokens + round(len(a.prompt) / 3.9),
        **a.extra,
        **more,
    }


def slime(a: Attempt, index: int, **more: object) -> dict:
    """A sample of slime's rollout dumps."""
    return {
        "group_index": a.group,
        "index": index,
        "rollout_id": a.step,
        "step": a.step,
        "prompt": a.prompt,
        "response": a.text,
        "response_length": a.tokens,
        "label": a.gold,
        "reward": a.reward,
        "status": "truncated" if a.stop == "max_tokens" else "completed",
        "metadata": {"id": a.pid, **a.extra},
        **more,
    }


def openai(a: Attempt, **more: object) -> dict:
    """Messages JSONL of an own script."""
    system = [{"role": "system", "content": a.system}] if a.system else []
    return {
        "task_id": a.pid,
        "step": a.step,
        "sample": a.k,
        "messages": [*system, {"role": "user", "content": a.prompt}] + a.turns,
        "reward": a.reward,
        "advantage": a.advantage,
        "completion_tokens": a.tokens,
        "finish_reason": "length" if a.stop == "max_tokens" else "stop",
        **a.terms,
        **a.extra,
        **more,
    }


def plain(a: Attempt, **more: object) -> dict:
    """JSONL of a script that keeps question and response."""
    return {
        "qid": a.pid,
        "iteration": a.step,
        "step": a.step,
        "question": a.prompt,
        "response": a.text,
        "target": a.gold,
        "score": a.reward,
        "advantage": a.advantage,
        "n_tokens": a.tokens,
        **a.terms,
        **a.extra,
        **more,
    }
