"""One row for each turn of a trajectory."""

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth.rollouts import Episode, say


def turns(episodes: list[Episode], run: str, applied: dict[int, list[float]]) -> list[Row]:
    """Rows of step-wise training; `applied` holds the mean advantage over the sampled tokens of each turn."""
    rows = []
    for number, e in enumerate(episodes):
        places = [i for i, m in enumerate(e.messages) if m["role"] == "assistant"]
        for turn, place in enumerate(places):
            is_last = turn == len(places) - 1
            sampled = {**e.messages[place], "mean_logprob": e.logprob}
            rows.append(
                {
                    "trajectory_id": f"{run}-{number:05d}-{turn}",
                    "rollout": f"{run}-{number:05d}",
                    "step": e.step,
                    "problem_id": e.task.key,
                    "group_id": e.group,
                    "attempt": e.attempt,
                    "turn": turn,
                    "is_last_step": is_last,
                    "messages": [say("user", e.task.prompt), *e.messages[:place], sampled],
                    "reward": e.reward,
                    "correct": float(e.right),
                    "outcome_advantage": e.advantage,
                    "advantage": applied[number][turn],
                    "loss_tokens": max(
                        4, round((len(sampled["content"]) + len(str(sampled.get("tool_calls") or ""))) / 3.6)
                    ),
                    "stop_reason": "stop" if is_last else "tool_calls",
                    "ground_truth": e.task.gold,
                }
            )
    return rows


def count(e: Episode) -> int:
    """Turns of the policy."""
    return sum(m["role"] == "assistant" for m in e.messages)
