"""How trainers and evaluators write an attempt down."""

import json
from collections.abc import Callable

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortysixth.policy import Attempt, count_tokens

Layout = Callable[[Attempt], Row]


def asked(attempt: Attempt) -> list[dict]:
    """Messages of the prompt."""
    system = attempt.problem.data.get("system")
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": attempt.problem.text}]


def marked(messages: list[dict]) -> str:
    """Messages in the marks of ChatML."""
    return "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)


def own(domain: str) -> Layout:
    """Rows with the columns of docs/evidence.md."""

    def write(a: Attempt) -> Row:
        return {
            "trajectory_id": f"{a.group}-{a.number}",
            "split": a.split,
            "step": a.step,
            "domain": domain,
            "problem_id": a.problem.id,
            "group_id": a.group,
            "attempt": a.number,
            "seed": a.seed,
            "messages": asked(a) + a.turns,
            "reward": None if a.error else a.reward,
            "reward_terms": dict(a.terms),
            "correct": None if a.error else a.correct,
            "advantage": a.advantage,
            "in_loss": a.in_loss if a.split == "train" else None,
            "stop_reason": a.stop,
            "error": a.error,
            "num_turns": sum(t["role"] == "assistant" for t in a.turns),
            "num_tokens": a.tokens,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "extra": {"family": a.problem.family, **a.extra},
        }

    return write


def verl(a: Attempt) -> Row:
    """A row of `trainer.rollout_data_dir`."""
    prompt = marked(asked(a)) + "<|im_start|>assistant\n"
    row = {"input": prompt, "output": a.reply, "gts": a.problem.gold, "score": a.reward, "step": a.step}
    return {**row, **a.terms, **a.extra}


def trl(a: Attempt) -> Row:
    """A row of `log_completions`."""
    rewards = a.terms or {"accuracy_reward": a.reward}
    row = {"step": a.step, "prompt": asked(a), "completion": [say_only(t) for t in a.turns]}
    return {**row, **rewards, "advantage": a.advantage, **a.extra}


def say_only(turn: dict) -> dict:
    """Role and content alone."""
    return {"role": turn["role"], "content": turn["content"]}


def openrlhf(a: Attempt) -> Row:
    """A row of batch inference with a reward."""
    return {"input": a.problem.text, "output": a.reply, "reward": a.reward, "step": a.step, **a.extra}


def prime_rl(env: str, run: str) -> Layout:
    """Rows that prime-rl saves of a verifiers environment."""

    def write(a: Attempt) -> Row:
        return {
            "example_id": a.problem.id,
            "task": env,
            "env_name": env,
            "run": run,
            "step": a.step,
            "prompt": asked(a),
            "completion": [openai_turn(t) for t in a.turns],
            "answer": a.problem.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": dict(a.terms),
            "info": dict(a.extra),
            "is_truncated": a.stop == "max_tokens",
            "stop_condition": a.stop,
        }

    return write


def verifiers(env: str) -> Layout:
    """Rows of a verifiers `results.jsonl`."""

    def write(a: Attempt) -> Row:
        return {
            "example_id": a.problem.id,
            "prompt": asked(a),
            "completion": [openai_turn(t) for t in a.turns],
            "answer": a.problem.gold,
            "task": env,
            "reward": a.reward,
            "step": a.step,
            "info": dict(a.extra),
            **a.terms,
        }

    return write


def nemo_rl(a: Attempt) -> Row:
    """A row of NeMo-RL's `train_data_step*.jsonl`; the step stands beside."""
    return {
        "step": a.step,
        "content": [a.problem.text, *[t["content"] for t in a.turns]],
        "rewards": a.reward,
        "advantages": a.advantage,
        "input_lengths": a.tokens + count_tokens(a.problem.text),
        **a.extra,
    }


def slime(a: Attempt) -> Row:
    """A row of slime's debug rollout data."""
    return {
        "rollout_id": a.step,
        "step": a.step,
        "index": a.number,
        "prompt": a.problem.text,
        "response": a.reply,
        "response_length": a.tokens,
        "label": a.problem.gold,
        "reward": a.reward,
        "advantage": a.advantage,
        "status": "truncated" if a.stop == "max_tokens" else "completed",
        **a.extra,
    }


def openai_turn(turn: dict) -> dict:
    """A message whose tool calls have OpenAI's form."""
    out = {k: v for k, v in turn.items() if k not in ("tool_calls", "ok")}
    if turn.get("tool_calls"):
        out["tool_calls"] = [
            {
                "id": f"call_{i}",
                "type": "function",
                "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
            }
            for i, c in enumerate(turn["tool_calls"])
        ]
    return out


def openai(a: Attempt) -> Row:
    """Messages of OpenAI's form with the reward beside."""
    return {
        "id": f"{a.group}-{a.number}",
        "step": a.step,
        "problem_id": a.problem.id,
        "messages": [openai_turn(t) for t in asked(a) + a.turns],
        "reward": a.reward,
        "advantage": a.advantage,
        "finish_reason": a.stop,
        **a.terms,
        **a.extra,
    }


def inspect(a: Attempt) -> Row:
    """A sample of an inspect log."""
    return {
        "id": a.problem.id,
        "epoch": a.number + 1,
        "input": a.problem.text,
        "target": a.problem.gold,
        "messages": asked(a) + a.turns,
        "output": {"completion": a.turns[-1]["content"], "stop_reason": a.stop},
        "scores": {"choice": {"value": "C" if a.correct else "I", "answer": a.answer}},
        "metadata": {"subject": a.problem.family},
    }


def rows(attempts: list[Attempt], layout: Layout) -> list[Row]:
    """All attempts in one layout."""
    return [layout(attempt) for attempt in attempts]
