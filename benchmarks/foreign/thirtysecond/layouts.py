"""How systems write rows down: one function each, from an attempt to a row."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtysecond.policy import Try, count

SYSTEM = "You are a careful assistant. Think first, then give the answer."


def ours(t: Try, **extra: object) -> Row:
    """The columns of docs/evidence.md."""
    messages = t.messages or [{"role": "user", "content": t.task.question}, {"role": "assistant", "content": t.text}]
    return {
        "problem_id": t.task.id,
        "group_id": t.group,
        "attempt": t.number,
        "step": t.step,
        "messages": messages,
        "reward": t.reward,
        "num_tokens": t.tokens,
        "num_turns": sum(m["role"] == "assistant" for m in messages),
        **extra,
    }


def verl(t: Try, **extra: object) -> Row:
    """What verl dumps from its rollouts: decoded text and score."""
    prompt = f"<|im_start|>system\n{SYSTEM}<|im_end|>\n<|im_start|>user\n{t.task.question}<|im_end|>\n"
    return {
        "input": prompt + "<|im_start|>assistant\n",
        "output": t.text,
        "gts": t.task.gold,
        "score": t.reward,
        "step": t.step,
        **extra,
    }


def trl(t: Try, rewards: dict[str, float], **extra: object) -> Row:
    """A line of TRL's table of completions: a column for each reward function."""
    return {
        "step": t.step,
        "prompt": t.task.question,
        "completion": t.text,
        **rewards,
        "advantage": t.advantage,
        **extra,
    }


def openrlhf(t: Try, **extra: object) -> Row:
    """A line of OpenRLHF's batch inference with a reward."""
    return {"input": t.task.question, "output": t.text, "reward": t.reward, **extra}


def prime(t: Try, env: str, metrics: dict[str, float], info: dict | None = None, **extra: object) -> Row:
    """A rollout as prime-rl and verifiers save it."""
    messages = t.messages or [{"role": "user", "content": t.task.question}, {"role": "assistant", "content": t.text}]
    first = next(i for i, m in enumerate(messages) if m["role"] == "assistant")
    return {
        "example_id": t.task.id,
        "task": env,
        "env_name": env,
        "prompt": messages[:first],
        "completion": messages[first:],
        "answer": t.task.gold,
        "reward": t.reward,
        "advantage": t.advantage,
        "metrics": metrics,
        "info": info or {},
        "step": t.step,
        **extra,
    }


def nemo(t: Try, **extra: object) -> Row:
    """A line of NeMo-RL's training log: texts in turn, and their reward."""
    return {
        "idx": t.number,
        "content": [t.task.question, t.text],
        "rewards": t.reward,
        "input_lengths": count(t.task.question) + t.tokens,
        **extra,
    }


def slime(t: Try, index: int, **extra: object) -> Row:
    """A sample as slime dumps it."""
    return {
        "rollout_id": t.step,
        "step": t.step,
        "group_index": t.group,
        "index": index,
        "prompt": t.task.question,
        "response": t.text,
        "label": t.task.gold,
        "reward": t.reward,
        "response_length": t.tokens,
        "status": "completed",
        **extra,
    }


def inspect(t: Try, scorer: str, value: float, explanation: str = "", **metadata: object) -> Row:
    """A sample of an inspect log."""
    return {
        "id": t.task.id,
        "epoch": t.number + 1,
        "input": t.task.question,
        "target": t.task.gold,
        "messages": [{"role": "user", "content": t.task.question}, {"role": "assistant", "content": t.text}],
        "output": {"model": "policy", "completion": t.text, "stop_reason": "stop"},
        "scores": {scorer: {"value": value, "answer": t.answer, "explanation": explanation or t.text[-80:]}},
        "metadata": metadata,
    }


def chat(t: Try, **extra: object) -> Row:
    """OpenAI messages with a reward beside."""
    messages = t.messages or [{"role": "user", "content": t.task.question}, {"role": "assistant", "content": t.text}]
    return {"messages": messages, "reward": t.reward, "step": t.step, "group_id": t.group, **extra}


def call(name: str, said: str, /, **arguments: object) -> dict:
    """A message of the policy with one tool call."""
    return {"role": "assistant", "content": said, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}
