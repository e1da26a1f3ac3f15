"""Rows of episodes in EvoTrainer's columns and in OpenAI's messages."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.rollouts import Episode, Message, tokens_of


def opening(episode: Episode) -> list[Message]:
    """Return the messages before the policy's first."""
    system = [{"role": "system", "content": episode.task.system}] if episode.task.system else []
    return [*system, {"role": "user", "content": episode.task.prompt}]


def sampled(episode: Episode) -> int:
    """Return about how many tokens the policy sampled."""
    return sum(tokens_of(m) for m in episode.reply.messages if m["role"] == "assistant")


def turns(episode: Episode) -> int:
    """Return how many messages the policy wrote."""
    return sum(m["role"] == "assistant" for m in episode.reply.messages)


def own(rng: Random, episodes: list[Episode], run: str) -> list[Row]:
    """Return rows in EvoTrainer's columns."""
    rows = []
    for number, e in enumerate(episodes):
        replies = []
        for message in e.reply.messages:
            shown = dict(message)
            if message["role"] == "assistant":
                shown |= {
                    "num_tokens": tokens_of(message),
                    "mean_logprob": round(-rng.betavariate(3, 7) * 1.1 - 0.02, 4),
                }
            replies.append(shown)
        failed = e.error is not None
        extra = {"family": e.task.family, "answer": e.reply.answer, "reference": e.task.gold}
        rows.append(
            {
                "trajectory_id": f"{run}-{number:05d}",
                "campaign": run,
                "version": run,
                "split": e.split,
                "step": e.step,
                "domain": e.task.domain,
                "problem_id": e.task.problem_id,
                "group_id": e.group,
                "attempt": e.attempt,
                "seed": rng.getrandbits(31),
                "policy_id": e.policy,
                "messages": [*opening(e), *replies],
                "reward": None if failed else e.reward,
                "reward_terms": {} if failed else e.terms,
                "correct": None if failed else float(e.right),
                "advantage": e.advantage,
                "in_loss": e.in_loss,
                "stop_reason": e.stop,
                "error": e.error,
                "num_turns": turns(e),
                "num_tokens": sampled(e),
                "is_truncated": e.stop in ("max_tokens", "max_turns"),
                "duration_seconds": round(rng.lognormvariate(0.4, 0.5) + sampled(e) / 60, 2),
                "extra": extra | e.reply.extra | e.task.extra | e.extra,
            }
        )
    return rows


def openai_messages(messages: list[Message]) -> list[Message]:
    """Return messages in OpenAI's form."""
    shown, last = [], ""
    for number, message in enumerate(messages):
        new = {"role": message["role"], "content": message["content"]}
        if message.get("tool_calls"):
            last = f"call_{number:02d}"
            new["tool_calls"] = [
                {
                    "id": last,
                    "type": "function",
                    "function": {"name": c["name"], "arguments": json.dumps(c["arguments"])},
                }
                for c in message["tool_calls"]
            ]
        if message["role"] == "tool":
            new |= {"tool_call_id": last, "name": message["tool_name"]}
        shown.append(new)
    return shown


def openai(episodes: list[Episode], reward: str = "reward", **stated: object) -> list[Row]:
    """Return rows of OpenAI's messages with a reward and what is stated beside."""
    return [
        {
            "id": f"ep-{number:05d}",
            "step": e.step,
            "split": e.split,
            "problem_id": e.task.problem_id,
            "messages": openai_messages([*opening(e), *e.reply.messages]),
            reward: e.reward,
            **({"advantage": e.advantage} if e.advantage is not None else {}),
            "finish_reason": e.stop,
            "completion_tokens": sampled(e),
            **stated,
            **e.task.extra,
            **e.reply.extra,
            **e.extra,
        }
        for number, e in enumerate(episodes)
    ]


def chat_text(episode: Episode) -> str:
    """Return the prompt as ChatML."""
    turns_text = "".join(f"<|im_start|>{m['role']}\n{m['content']}<|im_end|>\n" for m in opening(episode))
    return turns_text + "<|im_start|>assistant\n"


def reply_text(episode: Episode) -> str:
    """Return the policy's and the tools' messages as one text."""
    parts = []
    for m in episode.reply.messages:
        calls = "".join(f"\n<tool_call>\n{json.dumps(c)}\n</tool_call>" for c in m.get("tool_calls", ()))
        lead = "<|im_start|>assistant\n" if parts and m["role"] == "assistant" else ""
        tool = m["role"] == "tool"
        body = (
            f"<|im_start|>user\n<tool_response>\n{m['content']}\n</tool_response>"
            if tool
            else lead + m["content"] + calls
        )
        parts.append(body)
    return "<|im_end|>\n".join(parts)
