"""How systems write attempts down: ours, verl, TRL, OpenRLHF, prime-rl, verifiers, NeMo-RL, slime, inspect, OpenAI."""

import json

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtysixth.attempts import Attempt, Message, count, said


def _prompt(attempt: Attempt) -> list[Message]:
    first = next(i for i, message in enumerate(attempt.messages) if message["role"] == "assistant")
    return attempt.messages[:first]


def _completion(attempt: Attempt) -> list[Message]:
    return attempt.messages[len(_prompt(attempt)) :]


def _text(messages: list[Message]) -> str:
    return "\n".join(said(message).strip() for message in messages)


def _chatml(messages: list[Message]) -> str:
    return "".join(f"<|im_start|>{message['role']}\n{said(message).strip()}<|im_end|>\n" for message in messages)


def _opened(messages: list[Message]) -> list[Message]:
    """Calls in OpenAI's form, with ids and arguments as JSON text."""
    out: list[Message] = []
    waiting = ""
    for i, message in enumerate(messages):
        turn = {"role": message["role"], "content": message.get("content") or ""}
        if message.get("tool_calls"):
            waiting = f"call_{i}"
            turn["tool_calls"] = [
                {
                    "id": waiting,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"], ensure_ascii=False)},
                }
                for c in message["tool_calls"]
            ]
        if message["role"] == "tool":
            turn["tool_call_id"] = waiting
        out.append(turn)
    return out


def ours(attempts: list[Attempt], domain: str) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for i, a in enumerate(attempts):
        row = {
            "trajectory_id": f"t{i:05d}",
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.problem.id,
            "group_id": a.group,
            "attempt": a.number,
            "messages": a.messages,
            "reward": a.reward,
            "reward_terms": a.terms,
            "correct": a.correct,
            "advantage": a.advantage,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(m["role"] == "assistant" for m in a.messages),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in {"max_tokens", "max_turns"},
            "extra": {"family": a.problem.family, **a.extra},
        }
        rows.append(row)
    return rows


def verl(attempts: list[Attempt], gold: bool = True) -> list[Row]:
    """What verl's `rollout_data_dir` holds: decoded text, score, step, and what the reward function returned beside."""
    return [
        {
            "input": _chatml(_prompt(a)) + "<|im_start|>assistant\n",
            "output": _text(_completion(a)),
            **({"gts": a.problem.gold} if gold else {}),
            "score": a.reward,
            "step": a.step + 1,
            **({"acc": a.correct} if a.correct is not None else {}),
            **a.terms,
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt]) -> list[Row]:
    """What TRL's `log_completions` holds: a column for each reward function, and the advantage."""
    return [
        {
            "step": a.step + 1,
            "prompt": _prompt(a),
            "completion": _completion(a),
            **a.terms,
            "advantage": a.advantage,
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF: input, output, reward, with what the run's own hook added."""
    return [
        {"input": _text(_prompt(a)), "output": _text(_completion(a)), "reward": a.reward, "step": a.step, **a.extra}
        for a in attempts
    ]


def prime(attempts: list[Attempt], env: str) -> list[Row]:
    """prime-rl over verifiers: messages, reward, metrics, advantage."""
    return [
        {
            "example_id": a.problem.id,
            "env_name": env,
            "task": a.problem.family,
            "step": a.step,
            "prompt": _opened(_prompt(a)),
            "completion": _opened(_completion(a)),
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": a.terms,
            "info": a.extra,
            "stop_condition": a.stop,
            "completion_len": a.tokens,
        }
        for a in attempts
    ]


def verifiers(attempts: list[Attempt]) -> list[Row]:
    """Rows of verifiers' `results.jsonl`, one file a step."""
    return [
        {
            "example_id": a.problem.id,
            "step": a.step,
            "prompt": _opened(_prompt(a)),
            "completion": _opened(_completion(a)),
            "answer": a.problem.gold,
            "task": a.problem.family,
            "info": a.extra,
            "reward": a.reward,
            **a.terms,
        }
        for a in attempts
    ]


def nemo_rl(attempts: list[Attempt]) -> list[Row]:
    """NeMo-RL's `train_data_step12.jsonl`: contents and rewards."""
    places: dict[int, int] = {}
    rows = []
    for a in attempts:
        places[a.step] = places.get(a.step, -1) + 1
        rows.append(
            {
                "idx": places[a.step],
                "step": a.step,
                "content": [_text(_prompt(a)), _text(_completion(a))],
                "rewards": a.reward,
                "input_lengths": count(_text(_prompt(a))) + a.tokens,
                **a.extra,
            }
        )
    return rows


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime's debug dump."""
    groups: dict[str, int] = {}
    status = {"max_tokens": "truncated", "stop": "completed", "error": "aborted"}
    return [
        {
            "rollout_id": a.step,
            "group_index": groups.setdefault(a.group, len(groups)),
            "index": i,
            "prompt": _text(_prompt(a)),
            "response": _text(_completion(a)),
            "response_length": a.tokens,
            "label": a.problem.gold,
            "reward": a.reward,
            "status": status.get(a.stop, a.stop),
            "step": a.step,
            "metadata": {"source": a.problem.family, **a.terms},
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def openai(attempts: list[Attempt]) -> list[Row]:
    """Messages in OpenAI's form, with the reward beside."""
    return [
        {
            "id": f"ep-{i:05d}",
            "problem_id": a.problem.id,
            "step": a.step,
            "messages": _opened(a.messages),
            "reward": a.reward,
            **({"correct": a.correct} if a.correct is not None else {}),
            **({"advantage": a.advantage} if a.advantage is not None else {}),
            **a.terms,
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def inspect(attempts: list[Attempt]) -> list[Row]:
    """Samples of inspect logs, one log a checkpoint."""
    return [
        {
            "id": a.problem.id,
            "epoch": a.number + 1,
            "step": a.step,
            "input": _text(_prompt(a)),
            "target": a.problem.gold,
            "messages": [{"role": m["role"], "content": m.get("content") or ""} for m in a.messages],
            "output": {"completion": _text(_completion(a)), "stop_reason": a.stop},
            "scores": {"match": {"value": "C" if a.correct else "I", "answer": a.extra.get("answer", "")}},
            "metadata": {"family": a.problem.family},
        }
        for a in attempts
    ]
