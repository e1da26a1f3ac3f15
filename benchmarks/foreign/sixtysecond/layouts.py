"""How systems write attempts down."""

from benchmarks.foreign.sixtysecond.policy import Try, count


def _said(t: Try) -> list[dict]:
    return t.messages or [{"role": "user", "content": t.task.prompt}, {"role": "assistant", "content": t.text}]


def ours(tries: list[Try], domain: str, split: str = "train") -> list[dict]:
    """The columns of the evidence of campaigns."""
    rows: list[dict] = []
    for t in tries:
        extra = dict(t.extra)
        columns = {
            k: extra.pop(k)
            for k in ("stop_reason", "error", "is_truncated", "duration_seconds", "started_at")
            if k in extra
        }
        row = {
            "trajectory_id": f"{split}-{t.step}-{t.task.task_id}-{t.attempt}",
            "split": split,
            "step": t.step,
            "domain": domain,
            "problem_id": t.task.task_id,
            "group_id": t.group,
            "attempt": t.attempt,
            "messages": _said(t),
            "reward": t.reward,
            "correct": float(t.right),
            "advantage": t.advantage if split == "train" else None,
            "stop_reason": "stop",
            "num_turns": sum(m["role"] == "assistant" for m in _said(t)),
            "num_tokens": t.tokens,
            "is_truncated": False,
            "extra": {"family": t.task.family, "answer": t.answer, **extra},
        }
        rows.append({**row, **columns})
    return rows


def verl(tries: list[Try]) -> list[dict]:
    """A dump of verl's rollouts, special tokens left out."""
    return [
        {
            "input": f"user\n{t.task.prompt}\nassistant\n",
            "output": t.text,
            "gts": t.task.gold,
            "score": t.reward,
            "step": t.step,
            "uid": t.group,
            **t.extra,
        }
        for t in tries
    ]


def trl(tries: list[Try], **functions: str) -> list[dict]:
    """Completions of TRL; functions name the columns, and the keys of what they hold."""
    return [
        {
            "step": t.step,
            "prompt": t.task.prompt,
            "completion": t.text,
            **({name: t.extra.get(key, t.reward) for name, key in functions.items()} or {"accuracy_reward": t.reward}),
            "advantage": t.advantage,
        }
        for t in tries
    ]


def openrlhf(tries: list[Try]) -> list[dict]:
    """Rows of OpenRLHF with what its experience maker adds."""
    return [
        {
            "input": t.task.prompt,
            "output": t.text,
            "reward": t.reward,
            "label": t.task.gold,
            "global_step": t.step,
            "step": t.step,
            "response_length": t.tokens,
            **t.extra,
        }
        for t in tries
    ]


def prime(tries: list[Try], env: str) -> list[dict]:
    """Rollouts of prime-rl, with the keys of verifiers."""
    return [
        {
            "example_id": t.task.task_id,
            "task": env,
            "prompt": _said(t)[:1],
            "completion": _said(t)[1:],
            "answer": t.task.gold,
            "reward": t.reward,
            "advantage": t.advantage,
            "step": t.step,
            "info": {"family": t.task.family},
            "metrics": {"num_turns": sum(m["role"] == "assistant" for m in _said(t))},
            "completion_len": t.tokens,
            **t.extra,
        }
        for t in tries
    ]


def nemo(tries: list[Try]) -> list[dict]:
    """Train data of NeMo-RL."""
    return [
        {
            "idx": i,
            "step": t.step,
            "content": [t.task.prompt, t.text],
            "rewards": t.reward,
            "input_lengths": count(t.task.prompt) + t.tokens,
            **t.extra,
        }
        for i, t in enumerate(tries)
    ]


def slime(tries: list[Try]) -> list[dict]:
    """Samples of slime, dumped by rollout."""
    return [
        {
            "rollout_id": t.step,
            "step": t.step,
            "group_index": t.group,
            "index": i,
            "prompt": t.task.prompt,
            "response": t.text,
            "response_length": t.tokens,
            "label": t.task.gold,
            "reward": t.reward,
            "status": "completed",
            **t.extra,
        }
        for i, t in enumerate(tries)
    ]


def openai(tries: list[Try]) -> list[dict]:
    """Messages with what a script of one's own writes beside."""
    return [
        {
            "messages": _said(t),
            "reward": t.reward,
            "step": t.step,
            "problem_id": t.task.task_id,
            "sample": t.attempt,
            "advantage": t.advantage,
            **t.extra,
        }
        for t in tries
    ]


def inspect(tries: list[Try], scorer: str, gold: bool = True) -> list[dict]:
    """Samples of inspect: one evaluation by step, kept as metadata."""
    return [
        {
            "id": t.task.task_id,
            "epoch": t.attempt + 1,
            "input": t.task.prompt,
            "target": t.task.gold if gold else "",
            "messages": _said(t),
            "output": {"model": "policy", "completion": t.text},
            "scores": {scorer: {"value": t.reward, "answer": t.answer}},
            "metadata": {"step": t.step, **t.extra},
        }
        for t in tries
    ]
