"""How systems write rows: the harness's columns, verl, TRL, OpenRLHF, prime-rl, NeMo-RL, slime, inspect, OpenAI."""

from benchmarks.foreign.fiftythird.policy import Draw

Row = dict


def talk(draw: Draw) -> list[dict]:
    """The messages of an attempt: its prompt, then its turns or its one text."""
    own = draw.turns or [{"role": "assistant", "content": draw.text}]
    return [{"role": "user", "content": draw.task.prompt}, *own]


def harness(draw: Draw, **more: object) -> Row:
    """The columns of docs/evidence.md."""
    messages = talk(draw)
    return {
        "trajectory_id": f"{draw.group}-{draw.attempt}",
        "step": draw.step,
        "split": "train",
        "problem_id": draw.task.pid,
        "group_id": draw.group,
        "attempt": draw.attempt,
        "messages": messages,
        "reward": draw.reward,
        "advantage": draw.advantage,
        "num_turns": sum(message["role"] == "assistant" for message in messages),
        "num_tokens": draw.tokens,
        "stop_reason": "stop",
        **more,
    }


def verl(draw: Draw, **more: object) -> Row:
    """`trainer.rollout_data_dir`: one line an attempt."""
    prompt = f"<|im_start|>user\n{draw.task.prompt}<|im_end|>\n<|im_start|>assistant\n"
    base = {"input": prompt, "output": draw.text, "gts": draw.task.gold, "score": draw.reward, "step": draw.step}
    return {**base, **more}


def trl(draw: Draw, **functions: object) -> Row:
    """`log_completions`: prompt, completion, one column a reward function."""
    base = {"step": draw.step, "prompt": draw.task.prompt, "completion": draw.text}
    return {**base, **functions, "advantage": draw.advantage}


def openrlhf(draw: Draw, **more: object) -> Row:
    """Batch inference with a reward."""
    return {"input": draw.task.prompt, "output": draw.text, "reward": draw.reward, "step": draw.step, **more}


def prime(draw: Draw, env: str, metrics: dict, **more: object) -> Row:
    """prime-rl with verifiers: prompt and completion as messages."""
    messages = talk(draw)
    return {
        "example_id": draw.task.pid,
        "task": env,
        "env_name": env,
        "step": draw.step,
        "prompt": messages[:1],
        "completion": messages[1:],
        "answer": draw.task.gold,
        "reward": draw.reward,
        "advantage": draw.advantage,
        "metrics": metrics,
        "info": {"level": round(draw.task.level, 2)},
        "is_truncated": False,
        **more,
    }


def nemo(draw: Draw, **more: object) -> Row:
    """NeMo-RL's train_data: texts of user and assistant in turn."""
    content = [draw.task.prompt, draw.text]
    length = draw.tokens + round(len(draw.task.prompt) / 4.2)
    return {"content": content, "rewards": draw.reward, "step": draw.step, "input_lengths": length, **more}


def slime(draw: Draw, index: int, **more: object) -> Row:
    """slime's rollout dump: a sample with its label, reward and status."""
    return {
        "group_index": draw.group,
        "index": index,
        "prompt": draw.task.prompt,
        "response": draw.text,
        "label": draw.task.gold,
        "reward": draw.reward,
        "response_length": draw.tokens,
        "status": "completed",
        "step": draw.step,
        **more,
    }


def inspect(draw: Draw, scorer: str, value: object, **more: object) -> Row:
    """A sample of an inspect log."""
    return {
        "id": draw.task.pid,
        "epoch": draw.attempt + 1,
        "input": draw.task.prompt,
        "target": draw.task.gold,
        "messages": talk(draw),
        "output": {"completion": draw.text, "stop_reason": "stop"},
        "scores": {scorer: {"value": value, "answer": draw.answer}},
        **more,
    }


def openai(draw: Draw, **more: object) -> Row:
    """Messages as a chat API takes them, with the reward beside."""
    return {"messages": talk(draw), "reward": draw.reward, "step": draw.step, "problem_id": draw.task.pid, **more}
