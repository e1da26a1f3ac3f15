"""How systems write attempts down: one function a system, from attempts to rows."""

from collections.abc import Sequence

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh.attempts import Try


def own(tries: Sequence[Try], domain: str, campaign: str = "run") -> list[Row]:
    """The columns of docs/evidence.md."""
    return [
        {
            "trajectory_id": f"{one.group}-{one.attempt}-{place}",
            "campaign": campaign,
            "version": "v001",
            "split": one.split,
            "step": one.step,
            "domain": domain,
            "problem_id": one.item.key,
            "group_id": one.group,
            "attempt": one.attempt,
            "messages": [*one.prompt_messages, {"role": "assistant", "content": one.text, "num_tokens": one.tokens}],
            "reward": one.reward,
            "reward_terms": one.terms,
            "correct": one.right,
            "advantage": one.advantage,
            "in_loss": one.in_loss,
            "stop_reason": one.stop,
            "num_turns": 1 + sum(turn["role"] == "assistant" for turn in one.item.turns),
            "num_tokens": one.tokens,
            "is_truncated": one.stop == "max_tokens",
            "extra": {"family": one.item.family, **({"answer": one.answer} if one.answer else {}), **one.extra},
        }
        for place, one in enumerate(tries)
    ]


def verl(tries: Sequence[Try], accuracy: bool = True) -> list[Row]:
    """Rollouts of verl: decoded text with the marks of the chat."""
    rows = []
    for one in tries:
        turns = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in one.prompt_messages)
        row = {
            "input": turns + "<|im_start|>assistant\n",
            "output": one.text,
            "gts": one.item.gold,
            "score": one.reward,
            "step": one.step,
            **({"acc": one.right} if accuracy else {}),
        }
        rows.append({**row, **one.terms, **one.extra})
    return rows


def trl(tries: Sequence[Try], name: str = "accuracy_reward") -> list[Row]:
    """Completions of TRL: a column for each reward function."""
    rows = []
    for one in tries:
        terms = {f"{term}_reward": value for term, value in one.terms.items()} or {name: one.reward}
        prompt = "\n\n".join(message["content"] for message in one.prompt_messages)
        row = {"step": one.step, "prompt": prompt, "completion": one.text, **terms, "advantage": one.advantage}
        rows.append({**row, **one.extra})
    return rows


def openrlhf(tries: Sequence[Try]) -> list[Row]:
    """Batch inference of OpenRLHF with a reward."""
    return [
        {
            "input": "\n".join(message["content"] for message in one.prompt_messages),
            "output": one.text,
            "reward": one.reward,
            "label": one.item.gold,
            "step": one.step,
            **one.extra,
        }
        for one in tries
    ]


def prime_rl(tries: Sequence[Try], env: str) -> list[Row]:
    """Rollouts of prime-rl, in the older form of verifiers."""
    numbers = {key: number for number, key in enumerate(dict.fromkeys(one.item.key for one in tries))}
    return [
        {
            "example_id": numbers[one.item.key],
            "env_name": env,
            "task": one.item.family or env,
            "step": one.step,
            "prompt": one.prompt_messages,
            "completion": [{"role": "assistant", "content": one.text}],
            "answer": one.item.gold,
            "reward": one.reward,
            "advantage": one.advantage,
            "metrics": one.terms or {"correct_answer": one.right},
            "info": one.extra,
            "is_truncated": one.stop == "max_tokens",
        }
        for one in tries
    ]


def nemo_rl(tries: Sequence[Try]) -> list[Row]:
    """Training data of NeMo-RL: texts without roles."""
    return [
        {
            "idx": place,
            "content": ["\n".join(m["content"] for m in one.prompt_messages), one.text],
            "rewards": one.reward,
            "input_lengths": one.tokens + len(one.item.prompt) // 4,
            "step": one.step,
            **one.extra,
        }
        for place, one in enumerate(tries)
    ]


def slime(tries: Sequence[Try]) -> list[Row]:
    """Samples of slime as a script dumps them."""
    return [
        {
            "group_index": one.group,
            "index": place,
            "prompt": "\n".join(message["content"] for message in one.prompt_messages),
            "response": one.text,
            "response_length": one.tokens,
            "label": one.item.gold,
            "reward": one.reward,
            "status": "truncated" if one.stop == "max_tokens" else "completed",
            "rollout_id": one.step,
            "step": one.step,
            **one.extra,
        }
        for place, one in enumerate(tries)
    ]


def inspect(tries: Sequence[Try], scorer: str = "match") -> list[Row]:
    """Samples of an evaluation log of inspect."""
    return [
        {
            "id": one.item.key,
            "epoch": one.attempt + 1,
            "input": one.item.prompt,
            "target": one.item.gold,
            "messages": [*one.prompt_messages, {"role": "assistant", "content": one.text}],
            "output": {
                "model": "local/checkpoint",
                "completion": one.text,
                "choices": [{"message": {"role": "assistant", "content": one.text}, "stop_reason": one.stop}],
                "usage": {"output_tokens": one.tokens},
            },
            "scores": {scorer: {"value": "C" if one.right else "I", "answer": one.answer}},
            "metadata": {"subject": one.item.family, **one.extra},
        }
        for one in tries
    ]


def openai(tries: Sequence[Try], judged: bool = False) -> list[Row]:
    """Messages in OpenAI's form, with a reward beside."""
    return [
        {
            "messages": [*one.prompt_messages, {"role": "assistant", "content": one.text}],
            "reward": one.reward,
            **({} if judged else {"correct": one.right}),
            "step": one.step,
            "problem_id": one.item.key,
            "group_id": one.group,
            "advantage": one.advantage,
            **one.extra,
        }
        for one in tries
    ]
