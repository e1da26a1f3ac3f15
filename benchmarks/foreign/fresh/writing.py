"""Samples as rows of several systems."""

from collections.abc import Sequence

from benchmarks.foreign.case import Row
from benchmarks.foreign.fresh.sampling import Sample


def as_own(samples: Sequence[Sample]) -> list[Row]:
    """In the columns of docs/evidence.md, as a person who read it would write them."""
    rows = []
    for number, s in enumerate(samples):
        row = {
            "trajectory_id": f"{s.split[:1]}{number:05d}",
            "split": s.split,
            "step": s.step,
            "problem_id": s.item.key,
            "group_id": s.group,
            "messages": [*s.ask, *s.said],
            "reward": s.reward,
            "correct": s.correct,
            "advantage": s.advantage,
            "stop_reason": s.stop,
            "is_truncated": s.stop == "length",
            "num_tokens": s.length,
            "error": s.error,
            "reward_terms": s.terms,
            **s.more,
        }
        rows.append({name: value for name, value in row.items() if value is not None and value != {}})
        if s.reward is None:
            rows[-1]["reward"] = None
    return rows


def as_trl(samples: Sequence[Sample]) -> list[Row]:
    """As the completions of TRL's GRPOTrainer: messages, a column for each reward function, the advantage."""
    return [
        {
            "step": s.step,
            "prompt": s.ask,
            "completion": s.said,
            **({f"{n}_func": v for n, v in s.terms.items()} or {"accuracy_reward": s.reward}),
            "advantage": s.advantage,
            **s.more,
        }
        for s in samples
    ]


def as_verl(samples: Sequence[Sample]) -> list[Row]:
    """As verl's rollout_data_dir: decoded text, the score, what the reward function returned beside it."""
    return [
        {
            "input": "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in s.ask)
            + "<|im_start|>assistant\n",
            "output": "".join(str(m["content"]) for m in s.said),
            "gts": s.item.truth,
            "score": s.reward,
            "step": s.step,
            **({} if s.correct is None else {"acc": bool(s.correct)}),
            **s.terms,
            **s.more,
        }
        for s in samples
    ]


def as_chat(samples: Sequence[Sample]) -> list[Row]:
    """As rows of messages with a reward and columns of a person's own."""
    return [
        {
            "messages": [*s.ask, *s.said],
            "reward": s.reward,
            "step": s.step,
            **({} if s.correct is None else {"passed": bool(s.correct)}),
            **({} if s.advantage is None else {"advantage": s.advantage}),
            **s.more,
        }
        for s in samples
    ]


def as_verifiers(samples: Sequence[Sample]) -> list[Row]:
    """As results.jsonl of an evaluation by verifiers."""
    return [
        {
            "example_id": s.item.key,
            "prompt": s.ask,
            "completion": s.said,
            "answer": s.item.truth,
            "reward": s.reward,
            "metrics": {**({} if s.correct is None else {"correct_answer": s.correct}), **s.terms},
            "is_truncated": s.stop == "length",
            "stop_condition": "no_tools_called",
            **s.more,
        }
        for s in samples
    ]


def as_inspect(samples: Sequence[Sample]) -> list[Row]:
    """As samples of an inspect log."""
    seen: dict[str, int] = {}
    rows = []
    for s in samples:
        seen[s.item.key] = seen.get(s.item.key, 0) + 1
        rows.append(
            {
                "id": s.item.key,
                "epoch": seen[s.item.key],
                "input": s.ask[-1]["content"],
                "target": s.item.truth,
                "messages": [*s.ask, *s.said],
                "output": {"choices": [{"stop_reason": s.stop}]},
                "scores": {"match": {"value": "C" if s.reward else "I", "answer": s.item.truth if s.reward else "?"}},
                "metadata": s.more,
            }
        )
    return rows
