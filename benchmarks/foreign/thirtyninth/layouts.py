"""How systems write attempts down: one function a system."""

import json
from collections.abc import Sequence

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyninth.policy import Try, count


def _prompt(one: Try) -> list[dict]:
    system = one.problem.parts.get("system")
    head = [{"role": "system", "content": system}] if system else []
    return [*head, {"role": "user", "content": one.problem.prompt}]


def _template(one: Try) -> str:
    return "".join(f"{turn['role']}\n{turn['content']}\n" for turn in _prompt(one)) + "assistant\n"


def own(tries: Sequence[Try], domain: str) -> list[Row]:
    """Rows in the columns of docs/evidence.md."""
    rows = []
    for one in tries:
        row = {
            "trajectory_id": f"{one.split}-{one.step:03d}-{one.group:04d}-{one.attempt:02d}",
            "step": one.step,
            "split": one.split,
            "domain": domain,
            "problem_id": one.problem.pid,
            "group_id": f"{one.split}-{one.group:04d}",
            "attempt": one.attempt,
            "messages": _prompt(one) + one.answer_turns,
            "reward": one.reward,
            "correct": one.correct,
            "advantage": one.advantage,
            "stop_reason": one.stop,
            "num_turns": sum(turn["role"] == "assistant" for turn in one.answer_turns),
            "num_tokens": one.tokens,
            "is_truncated": one.stop in ("length", "max_tokens", "max_turns"),
            "family": one.problem.family,
        }
        if one.terms:
            row["reward_terms"] = one.terms
        rows.append(row | one.columns)
    return rows


def verl(tries: Sequence[Try]) -> list[Row]:
    """Rows of verl's `rollout_data_dir`."""
    return [
        {
            "input": _template(one),
            "output": one.text,
            "gts": one.problem.gold,
            "score": one.reward,
            "step": one.step,
            **({"acc": one.correct} if one.correct is not None else {}),
            **one.terms,
            **one.columns,
        }
        for one in tries
    ]


def trl(tries: Sequence[Try], name: str = "accuracy_reward") -> list[Row]:
    """Rows of TRL's table of completions, with a column a reward function."""
    return [
        {
            "step": one.step,
            "prompt": one.problem.prompt,
            "completion": one.text,
            **(one.terms or {name: one.reward}),
            "advantage": one.advantage,
            **one.columns,
        }
        for one in tries
    ]


def openrlhf(tries: Sequence[Try]) -> list[Row]:
    """Rows of OpenRLHF: input, output, reward."""
    return [
        {
            "input": one.problem.prompt,
            "output": one.text,
            "reward": one.reward,
            "label": one.problem.gold,
            "step": one.step,
            "response_length": one.tokens,
            **one.columns,
        }
        for one in tries
    ]


def _openai_turn(turn: dict, number: int) -> dict:
    if turn["role"] == "tool":
        return {"role": "tool", "tool_call_id": f"call_{number - 1}", "content": turn["content"]}
    calls = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": made["name"], "arguments": json.dumps(made["arguments"])},
        }
        for made in turn.get("tool_calls", ())
    ]
    rest = {key: value for key, value in turn.items() if key != "tool_calls"}
    return rest | ({"tool_calls": calls} if calls else {})


def prime(tries: Sequence[Try], env: str) -> list[Row]:
    """Rows of prime-rl: rollouts of an environment of verifiers, with their advantage."""
    return [
        {
            "example_id": one.problem.pid,
            "env_name": env,
            "task": one.problem.family,
            "step": one.step,
            "prompt": _prompt(one),
            "completion": [_openai_turn(turn, n) for n, turn in enumerate(one.answer_turns)],
            "answer": one.problem.gold,
            "reward": one.reward,
            "advantage": one.advantage,
            "metrics": dict(one.terms),
            "info": one.columns.get("info", {}),
            "is_truncated": one.stop in ("length", "max_turns"),
            "completion_len": one.tokens,
            **{key: value for key, value in one.columns.items() if key != "info"},
        }
        for one in tries
    ]


def nemo(tries: Sequence[Try]) -> list[Row]:
    """Rows of NeMo-RL's training log; the step stands beside."""
    return [
        {
            "idx": number,
            "step": one.step,
            "content": [turn["content"] for turn in _prompt(one) + one.answer_turns],
            "rewards": one.reward,
            "advantages": one.advantage,
            "input_lengths": one.tokens + sum(count(turn["content"]) for turn in _prompt(one)),
            **one.columns,
        }
        for number, one in enumerate(tries)
    ]


def slime(tries: Sequence[Try]) -> list[Row]:
    """Samples of slime's buffer."""
    status = {"length": "truncated", "abort": "aborted"}
    return [
        {
            "rollout_id": one.step,
            "step": one.step,
            "group_index": one.group,
            "index": number,
            "prompt": one.problem.prompt,
            "response": one.text,
            "response_length": one.tokens,
            "label": one.problem.gold,
            "reward": one.reward,
            "status": status.get(one.stop, "completed"),
            **one.columns,
        }
        for number, one in enumerate(tries)
    ]


def inspect(tries: Sequence[Try], scorer: str) -> list[Row]:
    """Samples of logs of inspect, one evaluation a step."""
    return [
        {
            "id": one.problem.pid,
            "epoch": one.attempt + 1,
            "step": one.step,
            "input": one.problem.prompt,
            "target": one.problem.gold,
            "messages": [_openai_turn(turn, n) for n, turn in enumerate([*_prompt(one), *one.answer_turns])],
            "output": {"completion": one.answer_turns[-1]["content"], "stop_reason": one.stop},
            "scores": {
                scorer: {
                    "value": "C" if one.reward else "I",
                    "answer": one.columns.get("answer", ""),
                    "explanation": one.columns.get("explanation", ""),
                }
            },
            "metadata": {k: v for k, v in one.columns.items() if k not in ("answer", "explanation")},
        }
        for one in tries
    ]


def openai(tries: Sequence[Try]) -> list[Row]:
    """Lines of chats in OpenAI's form, with the reward beside."""
    return [
        {
            "messages": [_openai_turn(turn, n) for n, turn in enumerate(_prompt(one) + one.answer_turns)],
            "reward": one.reward,
            "step": one.step,
            "problem_id": one.problem.pid,
            "group_id": f"g{one.group}",
            "attempt": one.attempt,
            "advantage": one.advantage,
            "finish_reason": one.stop,
            "split": one.split,
            **one.columns,
        }
        for one in tries
    ]


def plain(tries: Sequence[Try]) -> list[Row]:
    """Lines of a script of one's own."""
    return [
        {
            "id": f"{one.step}/{one.group}/{one.attempt}",
            "step": one.step,
            "question": one.problem.prompt,
            "response": one.text,
            "reward": one.reward,
            "advantage": one.advantage,
            "reference": one.problem.gold,
            "n_tokens": one.tokens,
            **one.columns,
        }
        for one in tries
    ]
