"""How systems write an attempt down."""

import json

from benchmarks.foreign.fortyfifth.runs import Try, message_tokens

Row = dict


def ours(one: Try, **extra: object) -> Row:
    """The columns of docs/evidence.md."""
    messages = [*one.problem.prompt(), *one.reply]
    cut = one.stop in ("max_tokens", "max_turns")
    row = {
        "trajectory_id": f"{one.group}-{one.attempt}",
        "split": one.split,
        "step": one.step,
        "domain": one.domain,
        "problem_id": one.problem.name,
        "group_id": one.group,
        "attempt": one.attempt,
        "messages": [{**m, "num_tokens": message_tokens(m)} if m["role"] == "assistant" else m for m in messages],
        "reward": one.reward,
        "reward_terms": one.terms,
        "correct": one.correct,
        "advantage": one.advantage,
        "stop_reason": one.stop,
        "error": one.error,
        "num_turns": sum(m["role"] == "assistant" for m in one.reply),
        "num_tokens": one.num_tokens,
        "is_truncated": cut,
        "extra": {**one.extra, **extra},
    }
    if one.split == "train":
        row["in_loss"] = one.in_loss is not False
    return row


def _flat(messages: list[dict]) -> str:
    return "\n".join(f"{m['role']}\n{m['content']}" for m in messages)


def verl(one: Try, **extra: object) -> Row:
    """A line of verl's rollout data folder, special tokens left out."""
    return {
        "input": _flat(one.problem.prompt()) + "\nassistant\n",
        "output": one.text,
        "gts": one.problem.gold or None,
        "score": one.reward,
        "step": one.step,
        **({"acc": bool(one.correct)} if one.correct is not None else {}),
        **one.terms,
        **one.extra,
        **extra,
    }


def trl(one: Try, **columns: object) -> Row:
    """A row of TRL's table of completions; a reward function is a column."""
    return {
        "step": one.step,
        "prompt": one.problem.prompt(),
        "completion": one.reply,
        **one.terms,
        "advantage": one.advantage,
        **one.extra,
        **columns,
    }


def openrlhf(one: Try, **extra: object) -> Row:
    """A line of OpenRLHF's samples with their reward."""
    return {"input": one.problem.text, "output": one.text, "reward": one.reward, "step": one.step, **one.extra, **extra}


def _openai(messages: list[dict]) -> list[dict]:
    out, number = [], 0
    for message in messages:
        plain = {"role": message["role"], "content": message["content"]}
        if message.get("tool_calls"):
            number += 1
            plain["tool_calls"] = [
                {
                    "id": f"call_{number}",
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in message["tool_calls"]
            ]
        if message["role"] == "tool":
            plain["tool_call_id"] = f"call_{number}"
        out.append(plain)
    return out


def prime(one: Try, env: str, **extra: object) -> Row:
    """A saved rollout of prime-rl, with what verifiers measured."""
    return {
        "example_id": int(one.problem.name.rsplit("-", 1)[-1]),
        "env_name": env,
        "task": env,
        "step": one.step,
        "prompt": one.problem.prompt(),
        "completion": _openai(one.reply),
        "answer": one.problem.gold,
        "reward": one.reward,
        "advantage": one.advantage,
        "metrics": {**one.terms, "num_turns": float(sum(m["role"] == "assistant" for m in one.reply))},
        "info": one.extra,
        "is_truncated": one.stop in ("max_tokens", "max_turns"),
        "stop_condition": one.stop,
        "completion_tokens": one.num_tokens,
        **extra,
    }


def nemo(one: Try, **extra: object) -> Row:
    """A line of NeMo-RL's train data: texts in turn, and one reward."""
    texts = [m["content"] for m in [*one.problem.prompt(), *one.reply]]
    head = ["\n\n".join(texts[:2]), *texts[2:]] if one.problem.system else texts
    return {
        "content": head,
        "rewards": one.reward,
        "step": one.step,
        "idx": one.problem.name,
        "generation_lengths": one.num_tokens,
        **one.extra,
        **extra,
    }


def slime(one: Try, **extra: object) -> Row:
    """A sample of slime's rollout data."""
    return {
        "index": one.attempt,
        "group_index": one.group,
        "step": one.step,
        "prompt": one.problem.text,
        "response": one.text,
        "response_length": one.num_tokens,
        "label": one.problem.gold,
        "reward": one.reward,
        "status": "truncated" if one.stop == "max_tokens" else "completed",
        "metadata": {"problem": one.problem.name, **one.extra},
        **extra,
    }


def inspect(one: Try, scorer: str, answer: str, model: str) -> Row:
    """A sample of an inspect log."""
    return {
        "id": one.problem.name,
        "epoch": one.attempt + 1,
        "input": one.problem.text,
        "target": one.problem.gold,
        "messages": _openai([*one.problem.prompt(), *one.reply]),
        "output": {"model": model, "completion": one.text, "usage": {"output_tokens": one.num_tokens}},
        "scores": {scorer: {"value": "C" if one.correct else "I", "answer": answer}},
        "metadata": one.extra,
    }


def openai(one: Try, **extra: object) -> Row:
    """Messages as the chat API has them, with the reward beside."""
    return {
        "messages": _openai([*one.problem.prompt(), *one.reply]),
        "reward": one.reward,
        "step": one.step,
        "problem_id": one.problem.name,
        "group_id": one.group,
        **({"correct": one.correct} if one.correct is not None else {}),
        **({"advantage": one.advantage} if one.advantage is not None else {}),
        **one.extra,
        **extra,
    }
