"""How systems write an attempt down."""

import json

from benchmarks.foreign.fortyninth.attempts import Attempt, tokens_of


def asked(a: Attempt) -> list[dict]:
    """Messages that the policy was given."""
    head = [{"role": "system", "content": a.task.system}] if a.task.system else []
    return [*head, {"role": "user", "content": a.task.prompt}]


def chat_ml(messages: list[dict]) -> str:
    """Messages as one text of turns, with the opening of the next one."""
    turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)
    return turns + "<|im_start|>assistant\n"


def open_ai(messages: list[dict]) -> list[dict]:
    """Messages in the form of the chat API."""
    out, ids = [], 0
    for message in messages:
        if message["role"] == "tool":
            out.append({"role": "tool", "tool_call_id": f"call_{ids}", "content": message["content"]})
            continue
        copy = {k: v for k, v in message.items() if k != "tool_calls"}
        for call in message.get("tool_calls", []):
            ids += 1
            function = {"name": call["name"], "arguments": json.dumps(call["arguments"])}
            copy.setdefault("tool_calls", []).append({"id": f"call_{ids}", "type": "function", "function": function})
        out.append(copy)
    return out


def ours(a: Attempt, **extra: object) -> dict:
    """The columns of docs/evidence.md."""
    return {
        "trajectory_id": f"{a.group}-a{a.place}",
        "split": a.task.split,
        "step": a.step,
        "domain": a.task.domain,
        "problem_id": a.task.uid,
        "group_id": a.group,
        "attempt": a.place,
        "messages": asked(a) + a.messages,
        "reward": a.reward,
        "reward_terms": a.terms,
        "correct": float(a.right),
        "advantage": a.advantage,
        "stop_reason": a.stop,
        "num_turns": sum(m["role"] == "assistant" for m in a.messages),
        "num_tokens": a.tokens,
        "is_truncated": a.stop == "max_tokens",
        "extra": {"family": a.task.family, **a.extra, **extra},
    }


def verl(a: Attempt, **extra: object) -> dict:
    """A line of verl's rollout_data_dir."""
    row = {"input": chat_ml(asked(a)), "output": a.text, "gts": a.task.gold, "score": a.reward, "step": a.step}
    return {**row, "uid": a.group, "data_source": f"{a.task.domain}/{a.task.family}", **a.extra, **extra}


def trl(a: Attempt, **extra: object) -> dict:
    """A line of TRL's log of completions: a column a reward function."""
    terms = {f"{name}_reward": value for name, value in a.terms.items()}
    row = {"step": a.step, "prompt": asked(a), "completion": [{"role": "assistant", "content": a.text}]}
    return {**row, **terms, "advantage": a.advantage, **a.extra, **extra}


def one_prompt(a: Attempt) -> str:
    """The prompt as one text, the system's words first."""
    return f"{a.task.system}\n\n{a.task.prompt}" if a.task.system else a.task.prompt


def open_rlhf(a: Attempt, **extra: object) -> dict:
    """A line of OpenRLHF's samples with a reward."""
    row = {"input": one_prompt(a), "output": a.text, "reward": a.reward, "label": a.task.gold}
    return {**row, "step": a.step, "response_length": a.tokens, **a.extra, **extra}


def prime(a: Attempt, **extra: object) -> dict:
    """A saved rollout of prime-rl, in the columns of verifiers."""
    return {
        "example_id": a.task.uid,
        "task": f"{a.task.domain}-{a.task.family}",
        "env_name": a.task.domain,
        "step": a.step,
        "prompt": asked(a),
        "completion": open_ai(a.messages),
        "answer": a.task.gold,
        "reward": a.reward,
        "advantage": a.advantage,
        "info": {"family": a.task.family, **a.extra},
        "metrics": {**a.terms, "num_turns": float(sum(m["role"] == "assistant" for m in a.messages))},
        "is_truncated": a.stop == "max_tokens",
        "stop_condition": a.stop,
        **extra,
    }


def nemo(a: Attempt, **extra: object) -> dict:
    """A line of NeMo-RL's train data."""
    lengths = {"input_lengths": tokens_of(one_prompt(a)) + a.tokens, "generation_lengths": a.tokens}
    row = {"idx": a.place, "content": [one_prompt(a), a.text], "rewards": a.reward, "step": a.step, **lengths}
    return {**row, "advantages": a.advantage, "ground_truth": a.task.gold, **a.extra, **extra}


def slime(a: Attempt, **extra: object) -> dict:
    """A sample of slime's debug dump."""
    return {
        "rollout_id": a.step,
        "step": a.step,
        "group_index": a.group,
        "index": a.place,
        "prompt": one_prompt(a),
        "response": a.text,
        "response_length": a.tokens,
        "label": a.task.gold,
        "reward": a.reward,
        "status": "truncated" if a.stop == "max_tokens" else "completed",
        "metadata": {"domain": a.task.domain, "family": a.task.family},
        **a.extra,
        **extra,
    }


def chat_lines(a: Attempt, **extra: object) -> dict:
    """Messages in OpenAI's form with the reward beside."""
    row = {"messages": asked(a) + open_ai(a.messages), "reward": a.reward, "step": a.step, "group": a.group}
    return {**row, "env": a.task.domain, "advantage": a.advantage, "finish_reason": a.stop, **a.extra, **extra}
