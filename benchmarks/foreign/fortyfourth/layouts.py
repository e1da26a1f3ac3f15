"""How systems write attempts down."""

import json

from benchmarks.foreign.fortyfourth.policy import Sample

Row = dict


def _prompt(sample: Sample) -> list[dict]:
    head = [{"role": "system", "content": sample.problem.system}] if sample.problem.system else []
    return [*head, {"role": "user", "content": sample.problem.prompt}]


def _chatml(messages: list[dict]) -> str:
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def _openai(messages: list[dict]) -> list[dict]:
    out: list[dict] = []
    pending: list[str] = []
    number = 0
    for message in messages:
        if message.get("tool_calls"):
            calls = []
            for call in message["tool_calls"]:
                number += 1
                arguments = call["arguments"]
                text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
                calls.append(
                    {"id": f"call_{number}", "type": "function", "function": {"name": call["name"], "arguments": text}}
                )
                pending.append(f"call_{number}")
            out.append({"role": "assistant", "content": message.get("content") or "", "tool_calls": calls})
        elif message["role"] == "tool":
            out.append({**_plain_tool(message), "tool_call_id": pending.pop(0) if pending else f"call_{number}"})
        else:
            out.append(dict(message))
    return out


def _plain_tool(message: dict) -> dict:
    return {k: v for k, v in message.items() if k in ("role", "content", "loss_mask")}


def ours(samples: list[Sample]) -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for s in samples:
        rows.append(
            {
                "trajectory_id": f"{s.split}-{s.step:03d}-{s.problem.id}-{s.attempt}",
                "split": s.split,
                "step": s.step,
                "problem_id": s.problem.id,
                "group_id": f"{s.split}-{s.step:03d}-{s.problem.id}",
                "attempt": s.attempt,
                "seed": s.seed,
                "messages": [*_prompt(s), *s.messages],
                "reward": s.reward,
                "reward_terms": s.terms,
                "advantage": s.advantage,
                "stop_reason": "max_tokens" if s.stop == "length" else s.stop,
                "is_truncated": s.stop == "length",
                "num_turns": sum(m["role"] == "assistant" for m in s.messages),
                "num_tokens": s.tokens,
                **s.extra,
            }
        )
    return rows


def verl(samples: list[Sample]) -> list[Row]:
    """Rows of `rollout_data_dir`: decoded prompt and answer."""
    return [
        {
            "input": _chatml(_prompt(s)) + "<|im_start|>assistant\n",
            "output": s.text,
            "gts": s.problem.gold,
            "score": s.reward,
            "step": s.step + 1,
            **s.extra,
        }
        for s in samples
    ]


def trl(samples: list[Sample]) -> list[Row]:
    """Rows of `log_completions`; the terms are the columns of reward functions."""
    return [
        {
            "step": s.step + 1,
            "prompt": _prompt(s),
            "completion": s.messages,
            **{f"{name}_reward": value for name, value in s.terms.items()},
            "advantage": s.advantage,
            **s.extra,
        }
        for s in samples
    ]


def openrlhf(samples: list[Sample]) -> list[Row]:
    """Rows of batch inference with a reward."""
    return [{"input": s.problem.prompt, "output": s.text, "reward": s.reward, **s.extra} for s in samples]


def prime(samples: list[Sample], task: str) -> list[Row]:
    """Saved rollouts of prime-rl over an environment of verifiers."""
    numbers = {name: i for i, name in enumerate(sorted({s.problem.id for s in samples}))}
    return [
        {
            "example_id": numbers[s.problem.id],
            "task": task,
            "env_name": task,
            "step": s.step,
            "prompt": _openai(_prompt(s)),
            "completion": _openai(s.messages),
            "answer": s.problem.gold,
            "reward": s.reward,
            "advantage": s.advantage,
            "metrics": s.terms,
            "info": {"source": s.problem.family, "problem": s.problem.id},
            "is_truncated": s.stop == "length",
            **s.extra,
        }
        for s in samples
    ]


def nemo(samples: list[Sample]) -> list[Row]:
    """Rows of NeMo-RL's `log_data`, with the step beside."""
    rows = []
    for s in samples:
        texts = [m["content"] for m in _prompt(s)] + [m["content"] for m in s.messages]
        if s.problem.system:
            texts = [f"{texts[0]}\n\n{texts[1]}", *texts[2:]]
        rows.append(
            {
                "content": texts,
                "rewards": s.reward,
                "step": s.step,
                "idx": s.problem.id,
                "input_lengths": sum(len(t) // 4 for t in texts),
                **s.extra,
            }
        )
    return rows


def slime(samples: list[Sample]) -> list[Row]:
    """Samples of slime's rollout dump."""
    numbers = {group: i for i, group in enumerate(dict.fromkeys(s.group for s in samples))}
    return [
        {
            "index": i,
            "group_index": numbers[s.group],
            "rollout_id": s.step,
            "step": s.step,
            "problem_id": s.problem.id,
            "messages": _openai([*_prompt(s), *s.messages]),
            "label": s.problem.gold,
            "response_length": s.tokens,
            "reward": s.reward,
            "status": "truncated" if s.stop == "length" else "completed",
            **s.extra,
        }
        for i, s in enumerate(samples)
    ]


def openai(samples: list[Sample]) -> list[Row]:
    """One JSON object a line: messages of a chat with a reward beside."""
    return [
        {
            "id": f"{s.problem.id}.{s.step}.{s.attempt}",
            "problem_id": s.problem.id,
            "step": s.step,
            "messages": _openai([*_prompt(s), *s.messages]),
            "reward": s.reward,
            "finish_reason": s.stop,
            **s.extra,
        }
        for s in samples
    ]


def inspect(samples: list[Sample], scorer: str) -> list[Row]:
    """Samples of an inspect log; epochs are attempts."""
    return [
        {
            "id": s.problem.id,
            "epoch": s.attempt + 1,
            "input": s.problem.prompt,
            "target": s.problem.gold,
            "messages": _openai([*_prompt(s), *s.messages]),
            "output": {
                "model": s.extra.get("model", "vllm/local"),
                "choices": [{"message": {"role": "assistant", "content": s.text}, "stop_reason": s.stop}],
                "completion": s.text,
            },
            "scores": {scorer: {"value": "C" if s.reward == 1 else "I", "answer": s.answer}},
            "metadata": {"family": s.problem.family},
        }
        for s in samples
    ]
