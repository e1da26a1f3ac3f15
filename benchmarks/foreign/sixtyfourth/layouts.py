"""How systems write an attempt down."""

import json

from benchmarks.foreign.sixtyfourth.policy import Attempt, Message

Row = dict[str, object]


def _user(a: Attempt) -> Message:
    return {"role": "user", "content": a.problem.prompt}


def _openai(messages: list[Message]) -> list[Message]:
    out: list[Message] = []
    pending, number = "", 0
    for message in messages:
        message = dict(message)
        calls = message.get("tool_calls")
        if isinstance(calls, list):
            pending, number = f"call_{number}", number + 1
            message["tool_calls"] = [
                {
                    "id": pending,
                    "type": "function",
                    "function": {"name": call["name"], "arguments": json.dumps(call["arguments"])},
                }
                for call in calls
            ]
        if message["role"] == "tool":
            name = message.pop("tool_name", "")
            message.pop("ok", None)
            message |= {"tool_call_id": pending, "name": name}
        out.append(message)
    return out


def evotrainer(a: Attempt, domain: str = "math", split: str = "train") -> Row:
    """The columns of docs/evidence.md."""
    training = a.advantage is not None
    return {
        "trajectory_id": f"{split}-{a.group}-{a.index}",
        "split": split,
        "step": a.step,
        "domain": domain,
        "problem_id": a.problem.pid,
        "group_id": a.group,
        "attempt": a.index,
        "seed": a.seed,
        "messages": [_user(a), *a.messages],
        "reward": a.reward,
        "reward_terms": a.terms or {"outcome": a.reward},
        "correct": float(a.right),
        "advantage": a.advantage,
        "in_loss": True if training else None,
        "stop_reason": a.stop,
        "num_turns": sum(m["role"] == "assistant" for m in a.messages),
        "num_tokens": a.tokens,
        "is_truncated": a.stop in ("max_tokens", "max_turns"),
        "extra": {"family": a.problem.family, "answer": a.answer, "gold": a.problem.gold, **a.extra},
    }


def verl(a: Attempt) -> Row:
    """A row of trainer.rollout_data_dir."""
    chat = f"<|im_start|>user\n{a.problem.prompt}<|im_end|>\n<|im_start|>assistant\n"
    end = "" if a.stop in ("length", "max_tokens") else "<|im_end|>"
    return {
        "input": chat,
        "output": a.text + end,
        "gts": a.problem.gold,
        "score": a.reward,
        "step": a.step + 1,
        "pred": a.answer,
        **a.extra,
    }


def trl(a: Attempt, name: str = "accuracy_reward") -> Row:
    """A row of TRL's log of completions."""
    terms = a.terms or {name: a.reward}
    return {"step": a.step + 1, "prompt": a.problem.prompt, "completion": a.text, **terms, "advantage": a.advantage}


def openrlhf(a: Attempt) -> Row:
    """JSONL of OpenRLHF: input, output and reward, with what the agent function adds."""
    return {"input": a.problem.prompt, "output": a.text, "reward": a.reward, "label": a.problem.gold, "step": a.step}


def prime_rl(a: Attempt, env: str) -> Row:
    """A saved rollout of prime-rl."""
    return {
        "example_id": a.problem.pid,
        "task": env,
        "env_name": env,
        "prompt": [_user(a)],
        "completion": _openai(a.messages),
        "answer": a.problem.gold,
        "reward": a.reward,
        "advantage": a.advantage,
        "step": a.step,
        "is_truncated": a.stop == "max_tokens",
        "metrics": a.terms or {"correct_answer": a.reward},
        "info": {"family": a.problem.family, **a.extra},
    }


def nemo_rl(a: Attempt, place: int) -> Row:
    """A row of NeMo-RL's train_data files, put together with their steps."""
    return {
        "idx": place,
        "content": [a.problem.prompt, *[str(m["content"]) for m in a.messages]],
        "rewards": a.reward,
        "step": a.step,
        "group_id": a.group,
        "input_lengths": len(a.problem.prompt) // 4 + a.tokens,
        **a.extra,
    }


def slime(a: Attempt, place: int) -> Row:
    """A sample of slime's dumped rollouts."""
    return {
        "rollout_id": a.step,
        "step": a.step,
        "index": place,
        "group_id": a.group,
        "prompt": a.problem.prompt,
        "response": a.text,
        "label": a.problem.gold,
        "reward": a.reward,
        "response_length": a.tokens,
        "status": "truncated" if a.stop == "max_tokens" else "completed",
        **a.extra,
    }


def inspect(a: Attempt, scorer: str, explanation: str) -> Row:
    """A sample of an inspect log, with the step of the checkpoint it was run on."""
    return {
        "id": a.problem.pid,
        "epoch": a.index + 1,
        "step": a.step,
        "input": a.problem.prompt,
        "target": a.problem.gold,
        "messages": [_user(a), *_openai(a.messages)],
        "output": {"completion": a.text, "stop_reason": a.stop},
        "scores": {scorer: {"value": a.reward, "answer": a.answer, "explanation": explanation}},
        "metadata": dict(a.extra),
    }


def openai(a: Attempt) -> Row:
    """OpenAI's messages with the reward beside."""
    return {
        "problem_id": a.problem.pid,
        "group_id": a.group,
        "step": a.step,
        "messages": [_user(a), *_openai(a.messages)],
        "reward": a.reward,
        "advantage": a.advantage,
        "finish_reason": a.stop,
        **a.extra,
    }
