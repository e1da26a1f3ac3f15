"""How systems write attempts down."""

import json
import random

from benchmarks.foreign.thirtyeighth.core import Attempt, Message

Row = dict


def opening(a: Attempt) -> list[Message]:
    """The prompt as messages."""
    system = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*system, {"role": "user", "content": a.task.prompt}]


def openai_messages(messages: list[Message]) -> list[Message]:
    """Messages as OpenAI's interface has them."""
    out: list[Message] = []
    last = ""
    for n, m in enumerate(messages):
        new = {"role": m["role"], "content": m["content"]}
        if m.get("tool_calls"):
            last = f"call_{n}"
            new["tool_calls"] = [
                {
                    "id": last if i == 0 else f"{last}_{i}",
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for i, c in enumerate(m["tool_calls"])
            ]
        if m["role"] == "tool":
            new["tool_call_id"] = last
        out.append(new)
    return out


def _spoken(m: Message) -> str:
    calls = [f"<tool_call>\n{json.dumps(c, ensure_ascii=False)}\n</tool_call>" for c in m.get("tool_calls", ())]
    return "\n".join(part for part in (m["content"], *calls) if part)


def chatml(messages: list[Message], is_answer: bool = False) -> str:
    """Decoded text of whole turns; of an answer the first header belongs to the prompt."""
    text = "".join(f"<|im_start|>{m['role']}\n{_spoken(m)}<|im_end|>\n" for m in messages)
    if is_answer:
        return text.removeprefix("<|im_start|>assistant\n").rstrip("\n")
    return text + "<|im_start|>assistant\n"


def evidence(a: Attempt, domain: str, **more) -> Row:
    """Write the columns of docs/evidence.md."""
    row = {
        "trajectory_id": f"{a.split}-{a.group}-{a.place}",
        "split": a.split,
        "step": a.step,
        "domain": domain,
        "problem_id": a.task.id,
        "group_id": a.group,
        "attempt": a.place,
        "messages": opening(a) + a.talk,
        "reward": a.reward,
        "reward_terms": a.terms if a.reward is not None else {},
        "correct": None if a.error else float(a.right),
        "advantage": a.advantage,
        "in_loss": a.in_loss,
        "stop_reason": a.stop,
        "error": a.error,
        "num_turns": a.turns,
        "num_tokens": a.tokens,
        "is_truncated": a.stop in ("max_tokens", "max_turns"),
        "duration_seconds": a.seconds,
        "extra": {"answer": a.answer, **a.extra},
    }
    return {**row, **more}


def verl(a: Attempt, **more) -> Row:
    """Write as verl's rollout_data_dir."""
    return {
        "input": chatml(opening(a)),
        "output": chatml(a.talk, is_answer=True),
        "gts": a.task.gold,
        "score": a.reward,
        "step": a.step,
        "acc": float(a.right),
        **a.extra,
        **more,
    }


def trl(a: Attempt, **more) -> Row:
    """Write as TRL's log_completions: every term of the reward is a column."""
    terms = {f"{name}_reward": value for name, value in a.terms.items()}
    talk = openai_messages(a.talk)
    return {"step": a.step, "prompt": opening(a), "completion": talk, **terms, "advantage": a.advantage, **more}


def openrlhf(a: Attempt, **more) -> Row:
    """Write as OpenRLHF's batch inference."""
    return {"input": chatml(opening(a)), "output": chatml(a.talk, is_answer=True), "reward": a.reward, **more}


def prime_rl(a: Attempt, env: str, **more) -> Row:
    """Write as prime-rl saves rollouts."""
    return {
        "example_id": a.task.id,
        "env_name": env,
        "task": env,
        "step": a.step,
        "prompt": opening(a),
        "completion": openai_messages(a.talk),
        "answer": a.task.gold,
        "reward": a.reward,
        "advantage": a.advantage,
        "metrics": {"correct_answer": float(a.right), "num_turns": float(a.turns)},
        "info": a.extra,
        "is_truncated": a.stop in ("max_tokens", "max_turns"),
        **more,
    }


def verifiers(a: Attempt, env: str, **more) -> Row:
    """Write as results.jsonl of verifiers."""
    return {
        "example_id": a.task.id,
        "prompt": opening(a),
        "completion": openai_messages(a.talk),
        "task": env,
        "reward": a.reward,
        "answer": a.task.gold,
        "correct_answer": float(a.right),
        "info": a.extra,
        "generation_ms": round(a.seconds * 1000),
        **more,
    }


def nemo_rl(a: Attempt, **more) -> Row:
    """Write as NeMo-RL's log_data; texts of user and policy in turn."""
    texts = [m["content"] if m["role"] != "assistant" else _spoken(m) for m in opening(a)[-1:] + a.talk]
    return {"content": texts, "rewards": a.reward, "step": a.step, "input_lengths": a.tokens, **more}


def slime(a: Attempt, index: int, **more) -> Row:
    """Write as slime's dump of samples."""
    return {
        "rollout_id": a.step,
        "step": a.step,
        "group_index": a.group,
        "index": index,
        "prompt": chatml(opening(a)),
        "response": chatml(a.talk, is_answer=True),
        "response_length": a.tokens,
        "label": a.task.gold,
        "reward": a.reward,
        "status": "truncated" if a.stop in ("max_tokens", "max_turns") else "completed",
        "metadata": a.extra,
        **more,
    }


def inspect(a: Attempt, scorer: str = "match", **more) -> Row:
    """Write as a sample of an inspect log."""
    return {
        "id": a.task.id,
        "epoch": a.place + 1,
        "input": a.task.prompt,
        "target": a.task.gold,
        "messages": openai_messages(opening(a) + a.talk),
        "output": {"model": "mockllm/policy", "choices": [{"stop_reason": a.stop}]},
        "scores": {scorer: {"value": "C" if a.right == 1 else "I", "answer": a.answer}},
        "total_time": a.seconds,
        "metadata": a.extra,
        **more,
    }


def openai(a: Attempt, **more) -> Row:
    """Write messages with a reward beside."""
    return {
        "messages": openai_messages(opening(a) + a.talk),
        "reward": a.reward,
        "correct": float(a.right),
        "step": a.step,
        "problem_id": a.task.id,
        "group_id": a.group,
        "attempt": a.place,
        "advantage": a.advantage,
        "num_tokens": a.tokens,
        **more,
    }


def plain(a: Attempt, **more) -> Row:
    """Write as a script of one's own would."""
    return {
        "id": f"{a.group}-{a.place}",
        "question": a.task.prompt,
        "response": chatml(a.talk, is_answer=True) if len(a.talk) > 1 else a.talk[0]["content"],
        "reference": a.task.gold,
        "reward": a.reward,
        "correct": float(a.right),
        "step": a.step,
        **more,
    }


def shuffled(rng: random.Random, rows: list[Row]) -> list[Row]:
    """Rows of asynchronous workers: whichever is done is written."""
    return rng.sample(rows, len(rows))
