"""How trainers and evaluators write a row down."""

from benchmarks.foreign.thirtieth.policy import tokens

Row = dict


def verl(step: int, prompt: str, output: str, gold: object, score: float, **more: object) -> Row:
    """A line of verl's rollout folder."""
    text = f"<|im_start|>user\n{prompt}<|im_end|>\n<|im_start|>assistant\n"
    return {"input": text, "output": output, "gts": gold, "score": score, "step": step, **more}


def trl(step: int, prompt: str | list[Row], completion: str | list[Row], **more: object) -> Row:
    """A row of TRL's completions; columns of reward functions and the advantage stand in `more`."""
    return {"step": step, "prompt": prompt, "completion": completion, **more}


def openrlhf(prompt: str, output: str, reward: float, **more: object) -> Row:
    """A line of OpenRLHF's batch inference."""
    return {"input": prompt, "output": output, "reward": reward, **more}


def verifiers(example: int, prompt: str, completion: list[Row], reward: float, task: str, **more: object) -> Row:
    """A saved rollout of prime-rl, in the older form of verifiers."""
    messages = [{"role": "user", "content": prompt}]
    return {"example_id": example, "prompt": messages, "completion": completion, "reward": reward, "task": task, **more}


def nemo(step: int, index: int, texts: list[str], reward: float, **more: object) -> Row:
    """A line of NeMo-RL's train_data."""
    return {
        "content": texts,
        "rewards": reward,
        "input_lengths": sum(map(tokens, texts)),
        "idx": index,
        "step": step,
        **more,
    }


def slime(step: int, group: int, index: int, prompt: str, response: str, reward: float, **more: object) -> Row:
    """A sample of slime's rollout dump."""
    return {
        "rollout_id": step,
        "step": step,
        "group_index": group,
        "index": index,
        "prompt": prompt,
        "response": response,
        "response_length": tokens(response),
        "reward": reward,
        "status": "completed",
        **more,
    }


def inspect(sample: object, epoch: int, prompt: str, target: str, output: str, scores: Row, **more: object) -> Row:
    """A sample of an inspect log."""
    messages = [{"role": "user", "content": prompt}, {"role": "assistant", "content": output}]
    return {
        "id": sample,
        "epoch": epoch,
        "input": prompt,
        "target": target,
        "messages": messages,
        "output": {"completion": output, "stop_reason": "stop"},
        "scores": scores,
        **more,
    }


def chat(messages: list[Row], **more: object) -> Row:
    """Messages in OpenAI's form, with a reward beside."""
    return {"messages": messages, **more}


def ours(step: int, problem: str, attempt: int, messages: list[Row], reward: float | None, **more: object) -> Row:
    """The columns of docs/evidence.md."""
    written = [one for one in messages if one["role"] == "assistant"]
    text = sum(tokens(one.get("content") or "") + 12 * len(one.get("tool_calls") or []) for one in written)
    return {
        "trajectory_id": f"{problem}/{step}/{attempt}",
        "split": "train",
        "step": step,
        "problem_id": problem,
        "group_id": f"{step}/{problem}",
        "attempt": attempt,
        "messages": messages,
        "reward": reward,
        "stop_reason": "stop",
        "num_turns": len(written),
        "num_tokens": text,
        **more,
    }


def call(tool: str, /, **arguments: object) -> Row:
    """An assistant's tool call in the plain form."""
    return {"name": tool, "arguments": arguments}


def says(content: str, *calls: Row) -> Row:
    """A message of the policy."""
    return (
        {"role": "assistant", "content": content, "tool_calls": list(calls)}
        if calls
        else {"role": "assistant", "content": content}
    )


def answers(name: str, content: str, is_ok: bool = True) -> Row:
    """A message of a tool."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": is_ok}


def asks(content: str) -> Row:
    """A message of the user."""
    return {"role": "user", "content": content}
