"""Rows of episodes as trainers of others write them."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.formats import chat_text, openai_messages, opening, reply_text, sampled, turns
from benchmarks.foreign.seventh.rollouts import Episode


def verl(episodes: list[Episode]) -> list[Row]:
    """Return rows of verl's rollout dump."""
    return [
        {
            "input": chat_text(e),
            "output": reply_text(e),
            "gts": e.task.gold,
            "score": e.reward,
            "step": e.step,
            "acc": float(e.right),
            "pred": e.reply.answer,
            **e.task.extra,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def trl(episodes: list[Episode]) -> list[Row]:
    """Return rows of TRL's log of completions."""
    return [
        {
            "step": e.step,
            "prompt": opening(e),
            "completion": openai_messages(e.reply.messages),
            **{f"{name}_reward": value for name, value in e.terms.items()},
            "advantage": e.advantage,
            **e.extra,
        }
        for e in episodes
    ]


def verifiers(episodes: list[Episode], env: str) -> list[Row]:
    """Return rows of verifiers' results."""
    return [
        {
            "example_id": int(e.task.problem_id[-4:]),
            "prompt": opening(e),
            "completion": openai_messages(e.reply.messages),
            "task": env,
            "reward": e.reward,
            "answer": e.task.gold,
            "num_turns": float(turns(e)),
            "stop_condition": e.stop,
            **e.terms,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def prime_rl(episodes: list[Episode]) -> list[Row]:
    """Return rows of prime-rl's saved rollouts."""
    return [
        {
            "example_id": e.task.problem_id,
            "env_name": e.task.domain,
            "step": e.step,
            "prompt": opening(e),
            "completion": openai_messages(e.reply.messages),
            "reward": e.reward,
            "advantage": e.advantage,
            "is_truncated": e.stop == "length",
            "metrics": e.terms,
            "answer": e.task.gold,
            **e.reply.extra,
            **e.extra,
        }
        for e in episodes
    ]


def nemo_rl(episodes: list[Episode]) -> list[Row]:
    """Return rows of NeMo-RL's training data."""
    return [
        {
            "content": [m["content"] for m in (*opening(e), *e.reply.messages)],
            "rewards": e.reward,
            "input_lengths": sampled(e) + len(e.task.prompt) // 4,
            "idx": number,
            "step": e.step,
            **({"advantage": e.advantage} if e.advantage is not None else {}),
            **e.reply.extra,
            **e.extra,
        }
        for number, e in enumerate(episodes)
    ]


def openrlhf(episodes: list[Episode]) -> list[Row]:
    """Return rows of OpenRLHF's batch inference, with a reward."""
    return [
        {"input": chat_text(e), "output": reply_text(e), "reward": e.reward, "step": e.step, **e.reply.extra, **e.extra}
        for e in episodes
    ]


def inspect(episodes: list[Episode], scorer: str) -> list[Row]:
    """Return samples of a log of inspect."""
    return [
        {
            "id": e.task.problem_id,
            "epoch": e.attempt + 1,
            "input": e.task.prompt,
            "target": e.task.gold,
            "messages": openai_messages([*opening(e), *e.reply.messages]),
            "output": {
                "model": "openai/qwen3-8b-rl",
                "choices": [
                    {
                        "message": {"role": "assistant", "content": e.reply.messages[-1]["content"]},
                        "stop_reason": e.stop,
                    }
                ],
                "usage": {"output_tokens": sampled(e)},
            },
            "scores": {
                scorer: {
                    "value": "C" if e.reward else "I",
                    "answer": e.reply.answer,
                    "explanation": e.extra.get("explanation", ""),
                }
            },
            "metadata": {"family": e.task.family, **e.task.extra},
        }
        for e in episodes
    ]
