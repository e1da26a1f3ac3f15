"""How systems write the attempts of a run down."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfirst.setting import Attempt, count, sampled

SYSTEM = "You are a helpful assistant."


def own(attempts: list[Attempt], domain: str, system: str = "") -> list[Row]:
    """The columns of docs/evidence.md."""
    rows = []
    for i, a in enumerate(attempts):
        head = [{"role": "system", "content": system}] if system else []
        turns = [{**t, "num_tokens": sampled(t)} if t["role"] == "assistant" else t for t in a.turns]
        rows.append(
            {
                "trajectory_id": f"{a.split}-{a.step:03d}-{a.task.id}-{a.k}-{i}",
                "split": a.split,
                "step": a.step,
                "domain": domain,
                "problem_id": a.task.id,
                "group_id": f"{a.split}-{a.step}-{a.task.id}",
                "attempt": a.k,
                "messages": [*head, {"role": "user", "content": a.task.prompt}, *turns],
                "reward": a.reward,
                "reward_terms": a.terms,
                "correct": a.correct,
                "advantage": a.advantage,
                "in_loss": a.in_loss,
                "stop_reason": a.stop,
                "error": a.error,
                "num_turns": sum(t["role"] == "assistant" for t in a.turns),
                "num_tokens": a.tokens,
                "is_truncated": a.stop in ("max_tokens", "max_turns"),
                "extra": {**({"family": a.task.family} if a.task.family else {}), **a.extra},
            }
        )
    return rows


def verl(attempts: list[Attempt], key: bool = True) -> list[Row]:
    """Files of verl's rollout_data_dir: decoded text, the score and what the reward function measured."""
    return [
        {
            "input": f"system\n{SYSTEM}\nuser\n{a.task.prompt}\nassistant\n",
            "output": "\n".join(t["content"] for t in a.turns),
            **({"gts": a.task.gold} if key else {}),
            "score": a.reward,
            "step": a.step,
            **a.terms,
            **({} if a.correct is None else {"acc": a.correct}),
            **a.extra,
        }
        for a in attempts
    ]


def trl(attempts: list[Attempt], gold: str = "") -> list[Row]:
    """TRL's completions: columns of the reward functions, whose sum is the reward."""
    return [
        {
            "step": a.step,
            "prompt": [{"role": "user", "content": a.task.prompt}],
            "completion": [{"role": "assistant", "content": a.text}],
            **a.terms,
            "advantage": a.advantage,
            **({gold: a.task.gold} if gold else {}),
            **a.extra,
        }
        for a in attempts
    ]


def openrlhf(attempts: list[Attempt]) -> list[Row]:
    """OpenRLHF's JSONL: input, output, reward, with the label and the step beside."""
    return [
        {
            "input": f"User: {a.task.prompt}\nAssistant: ",
            "output": a.text,
            "label": a.task.gold,
            "reward": a.reward,
            "step": a.step,
            "response_length": a.tokens,
            **a.extra,
        }
        for a in attempts
    ]


def calls_of_openai(turns: list[dict], rng: Random) -> list[dict]:
    """Messages with calls in OpenAI's form, arguments as text, answers by the call's id."""
    out, name = [], ""
    for turn in turns:
        new = {"role": turn["role"], "content": turn["content"]}
        if turn.get("tool_calls"):
            name = f"call_{rng.getrandbits(40):010x}"
            new["tool_calls"] = [
                {"id": name, "type": "function", "function": {**c, "arguments": json.dumps(c["arguments"])}}
                for c in turn["tool_calls"]
            ]
        if turn["role"] == "tool":
            new["tool_call_id"] = name
        out.append(new)
    return out


def prime(rng: Random, attempts: list[Attempt], env: str) -> list[Row]:
    """Rollouts of verifiers as prime-rl saves them: messages in two parts, metrics, info."""
    ids = {name: i for i, name in enumerate(dict.fromkeys(a.task.id for a in attempts))}
    return [
        {
            "example_id": ids[a.task.id],
            "task": env,
            "step": a.step,
            "prompt": [{"role": "user", "content": a.task.prompt}],
            "completion": calls_of_openai(a.turns, rng),
            "answer": a.task.gold,
            "reward": a.reward,
            "advantage": a.advantage,
            "metrics": {**a.terms, "num_turns": sum(t["role"] == "assistant" for t in a.turns)},
            "info": a.extra,
            "is_truncated": a.stop in ("max_tokens", "max_turns"),
            "stop_condition": a.stop,
        }
        for a in attempts
    ]


def nemo(attempts: list[Attempt]) -> list[Row]:
    """NeMo-RL's train_data file of a step: texts in turn and the reward, no roles."""
    return [
        {
            "idx": i,
            "content": [a.task.prompt, *(t["content"] for t in a.turns)],
            "rewards": a.reward,
            "input_lengths": count(a.task.prompt) + a.tokens,
        }
        for i, a in enumerate(attempts)
    ]


def slime(attempts: list[Attempt]) -> list[Row]:
    """Samples of slime: prompt, response, label, reward, status and metadata."""
    ids = {key: i for i, key in enumerate(dict.fromkeys((a.step, a.task.id) for a in attempts))}
    return [
        {
            "index": i,
            "group_index": ids[a.step, a.task.id],
            "step": a.step,
            "prompt": a.task.prompt,
            "response": a.text,
            "response_length": a.tokens,
            "label": a.task.gold,
            "reward": a.reward,
            "status": {"stop": "completed", "max_tokens": "truncated"}.get(a.stop, "completed"),
            **a.extra,
        }
        for i, a in enumerate(attempts)
    ]


def inspect(rng: Random, attempts: list[Attempt], scorer: str) -> list[Row]:
    """Samples of an inspect log: epochs of a task, messages, scores."""
    return [
        {
            "id": a.task.id,
            "epoch": a.k + 1,
            "input": a.task.prompt,
            "target": a.task.gold,
            "messages": [{"role": "user", "content": a.task.prompt}, *calls_of_openai(a.turns, rng)],
            "scores": {scorer: {"value": "C" if a.reward else "I", "answer": a.text[-120:]}},
            "metadata": {"category": a.task.family, **a.extra},
        }
        for a in attempts
    ]


def openai(rng: Random, attempts: list[Attempt], system: str = "") -> list[Row]:
    """JSONL of OpenAI's messages, with the reward and ids beside."""
    head = [{"role": "system", "content": system}] if system else []
    return [
        {
            "messages": [*head, {"role": "user", "content": a.task.prompt}, *calls_of_openai(a.turns, rng)],
            "problem_id": a.task.id,
            "group_id": f"{a.step}/{a.task.id}",
            "attempt": a.k,
            "step": a.step,
            "reward": a.reward,
            **({} if a.advantage is None else {"advantage": a.advantage}),
            **a.extra,
        }
        for a in attempts
    ]
