"""Rows in the forms in which trainers write rollouts."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fourteenth.course import Episode


def _prompt(e: Episode) -> list[dict]:
    system = [{"role": "system", "content": e.task.system}] if e.task.system else []
    return [*system, {"role": "user", "content": e.task.prompt}]


def _likely(rng: Random, e: Episode) -> list[dict]:
    """Messages of the reply with token counts and likelihoods where the policy wrote."""
    turns = []
    for turn in e.reply.turns:
        turn = dict(turn)
        if turn["role"] == "assistant":
            size = len(turn["content"]) + len(str(turn.get("tool_calls", "")))
            turn["num_tokens"] = max(1, round(size / 3.6))
            level = -0.47 + 0.16 * e.progress - (0.05 if not e.right else 0.0)
            turn.setdefault("mean_logprob", round(level + rng.gauss(0, 0.05), 4))
        turns.append(turn)
    return turns


def own(rng: Random, episodes: list[Episode], domain: str, **constant: object) -> list[Row]:
    """The columns of an in-house trainer."""
    rows = []
    for e in episodes:
        turns = _likely(rng, e)
        rows.append(
            {
                "trajectory_id": f"{domain}-{e.split[:2]}-{e.step:03d}-{e.group:03d}-{e.attempt}",
                "split": e.split,
                "step": e.step,
                "domain": domain,
                "problem_id": e.task.ident,
                "group_id": f"{e.split[:2]}{e.step}:{e.group}",
                "attempt": e.attempt,
                "messages": [*_prompt(e), *turns],
                "reward": e.reward,
                "reward_terms": e.terms or ({} if e.reward is None else {"outcome": e.reward}),
                "correct": None if e.error else float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss if e.in_loss is not None else e.split == "train",
                "stop_reason": "max_tokens" if e.stop == "length" else e.stop,
                "error": e.error,
                "num_turns": sum(t["role"] == "assistant" for t in turns),
                "num_tokens": e.tokens,
                "is_truncated": e.stop == "length",
                "extra": {
                    "family": e.task.family,
                    "answer": e.reply.answer,
                    "ground_truth": e.task.gold,
                    **constant,
                    **e.task.facts,
                    **e.reply.facts,
                    **e.columns,
                },
            }
        )
    return rows


def chatml(messages: list[dict]) -> str:
    """Messages as Qwen's template writes them."""
    body = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in messages)
    return body + "<|im_start|>assistant\n"


def verl(episodes: list[Episode]) -> list[Row]:
    """What verl writes to its folder of rollouts, one step after the other."""
    return [
        {
            "input": chatml(_prompt(e)),
            "output": e.text + ("" if e.stop == "length" else "<|im_end|>"),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step,
            "acc": float(e.right),
            "uid": f"{e.task.ident}@{e.step}.{e.group}",
            "data_source": e.task.family,
            **({"advantage": e.advantage} if e.advantage is not None else {}),
            **e.terms,
            **e.task.facts,
            **e.reply.facts,
            **e.columns,
        }
        for e in episodes
    ]


def trl(episodes: list[Episode]) -> list[Row]:
    """Logged completions of TRL, a column for each reward function."""
    return [
        {
            "step": e.step + 1,
            "prompt": _prompt(e),
            "completion": [{"role": t["role"], "content": t["content"]} for t in e.reply.turns],
            **(e.terms or {"accuracy_reward": e.reward}),
            "advantage": e.advantage,
            "solution": e.task.gold,
            **e.task.facts,
            **e.reply.facts,
            **e.columns,
        }
        for e in episodes
    ]


def openai(episodes: list[Episode]) -> list[Row]:
    """Lines of chat messages with what was graded beside."""
    return [
        {
            "id": f"roll-{e.step:04d}{e.group:03d}{e.attempt:02d}",
            "messages": [*_prompt(e), *e.reply.turns],
            "reward": e.reward,
            "correct": int(e.right),
            "step": e.step,
            "problem_id": e.task.ident,
            "split": e.split,
            "category": e.task.family,
            "finish_reason": e.stop,
            "advantage": e.advantage,
            "ground_truth": e.task.gold,
            **e.terms,
            **e.task.facts,
            **e.reply.facts,
            **e.columns,
        }
        for e in episodes
    ]


def prime_rl(episodes: list[Episode], env: str) -> list[Row]:
    """Saved rollouts of prime-rl, flat."""
    return [
        {
            "example_id": e.task.ident,
            "env_name": env,
            "task": e.task.family,
            "step": e.step,
            "prompt": _prompt(e),
            "completion": e.reply.turns,
            "answer": e.task.gold,
            "reward": e.reward,
            "metrics": {"correct_answer": float(e.right), **e.terms},
            "advantage": e.advantage,
            "is_truncated": e.stop == "length",
            **e.task.facts,
            **e.reply.facts,
            **e.columns,
        }
        for e in episodes
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Batch inference with a reward, as OpenRLHF wrote it."""
    return [
        {
            "input": "\n".join(m["content"] for m in _prompt(e)),
            "output": e.text,
            "reward": e.reward,
            "step": e.step,
            "label": e.task.gold,
            **e.terms,
            **e.columns,
        }
        for e in episodes
    ]
