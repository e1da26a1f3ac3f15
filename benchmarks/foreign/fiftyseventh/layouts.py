"""How systems write rows down: verl, TRL, OpenRLHF, prime-rl, slime, inspect, messages, scripts and the columns
of the docs.
"""

from benchmarks.foreign.fiftyseventh.policy import Draw

Row = dict


def verl(draw: Draw, system: str = "You are a helpful assistant.") -> Row:
    """A line of `trainer.rollout_data_dir`."""
    return {
        "input": f"system\n{system}\nuser\n{draw.task.prompt}\nassistant\n",
        "output": draw.text,
        "gts": draw.task.answer,
        "score": draw.reward,
        "step": draw.step,
        **draw.beside,
    }


def trl(draw: Draw) -> Row:
    """A row of `log_completions`; the terms are the reward functions' columns."""
    row = {"step": draw.step, "prompt": draw.task.prompt, "completion": draw.text, **draw.terms}
    return {**row, "advantage": draw.advantage, **draw.beside}


def openrlhf(draw: Draw) -> Row:
    """A line with a reward, as OpenRLHF's scripts dump it."""
    row = {"input": draw.task.prompt, "output": draw.text, "reward": draw.reward, "label": draw.task.answer}
    return {**row, "step": draw.step, **draw.beside}


def prime(draw: Draw, env: str, measures: dict[str, float] | None = None) -> Row:
    """A saved rollout of prime-rl; messages of several turns stand in the completion."""
    return {
        "example_id": draw.task.uid,
        "env_name": env,
        "task": env,
        "step": draw.step,
        "prompt": [{"role": "user", "content": draw.task.prompt}],
        "completion": draw.messages or [{"role": "assistant", "content": draw.text}],
        "reward": draw.reward,
        "advantage": draw.advantage,
        "info": {"answer": draw.task.answer},
        "metrics": measures or {},
        "is_truncated": draw.stop == "length",
        **draw.beside,
    }


def slime(draw: Draw, index: int, group_index: int) -> Row:
    """A sample of slime's rollout dump."""
    return {
        "group_index": group_index,
        "index": index,
        "step": draw.step,
        "prompt": draw.task.prompt,
        "response": draw.text,
        "response_length": draw.tokens,
        "label": draw.task.answer,
        "reward": draw.reward,
        "status": "truncated" if draw.stop == "length" else "completed",
        **draw.beside,
    }


def slimes(draws: list[Draw]) -> list[Row]:
    """All samples, with the running numbers of groups and samples."""
    numbers: dict[str, int] = {}
    return [slime(d, n, numbers.setdefault(d.group, len(numbers))) for n, d in enumerate(draws)]


def inspect(draw: Draw, model: str, scorer: str, answer: str) -> Row:
    """A sample of an inspect log."""
    return {
        "id": draw.task.uid,
        "epoch": draw.attempt + 1,
        "input": draw.task.prompt,
        "target": draw.task.answer,
        "messages": [
            {"role": "user", "content": draw.task.prompt, "source": "input"},
            {"role": "assistant", "content": draw.text, "source": "generate", "model": model},
        ],
        "output": {
            "model": model,
            "choices": [{"message": {"role": "assistant", "content": draw.text}, "stop_reason": draw.stop}],
            "usage": {"output_tokens": draw.tokens},
        },
        "scores": {scorer: {"value": "C" if draw.reward > 0.5 else "I", "answer": answer}},
        **draw.beside,
    }


def openai(draw: Draw) -> Row:
    """A line of messages with the reward beside."""
    told = draw.messages or [{"role": "assistant", "content": draw.text}]
    return {
        "id": f"{draw.group}/{draw.attempt}",
        "problem_id": draw.task.uid,
        "group_id": draw.group,
        "step": draw.step,
        "messages": [{"role": "user", "content": draw.task.prompt}, *told],
        "reward": draw.reward,
        **draw.beside,
    }


def plain(draw: Draw) -> Row:
    """A line of one's own script."""
    row = {"iteration": draw.step, "step": draw.step, "question": draw.task.prompt, "response": draw.text}
    return {**row, "reward": draw.reward, "sample": draw.attempt, **draw.beside}


def ours(draw: Draw, domain: str) -> Row:
    """The columns of docs/evidence.md."""
    told = draw.messages or [{"role": "assistant", "content": draw.text}]
    return {
        "trajectory_id": f"{draw.group}-a{draw.attempt}",
        "split": "train",
        "step": draw.step,
        "domain": domain,
        "problem_id": draw.task.uid,
        "group_id": draw.group,
        "attempt": draw.attempt,
        "messages": [{"role": "user", "content": draw.task.prompt}, *told],
        "reward": draw.reward,
        "correct": draw.reward,
        "advantage": draw.advantage,
        "stop_reason": draw.stop,
        "num_turns": sum(m["role"] == "assistant" for m in told),
        "num_tokens": draw.tokens,
        "is_truncated": draw.stop in ("max_tokens", "max_turns"),
        **draw.beside,
    }
