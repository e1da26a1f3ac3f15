"""Evidence of one step, group and attempt, as plain values for a page: curve → step → group → trajectory.

Statements stand here in full and take their values as parameters. What a person types goes through evidence/query.py.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.views import connect_evidence, evidence_paths

Row = dict[str, Any]

STEPS = """
SELECT stage, step, count(*) AS attempts, count(DISTINCT group_id) AS groups, avg(reward) AS reward,
       avg(correct) AS correct, avg(num_tokens) AS tokens
FROM all_trajectories WHERE version = ? GROUP BY ALL ORDER BY stage, step
"""
GROUPS = """
SELECT group_id, any_value(problem_id) AS problem_id, any_value(family) AS family, count(*) AS attempts,
       avg(reward) AS reward, stddev_pop(reward) AS spread, avg(correct) AS correct
FROM all_trajectories WHERE version = ? AND stage = ? AND step = ? GROUP BY group_id ORDER BY group_id
"""
ATTEMPTS = """
SELECT trajectory_id, attempt, reward, correct, advantage, num_turns, num_tokens, stop_reason, error
FROM all_trajectories WHERE version = ? AND stage = ? AND step = ? AND group_id = ? ORDER BY attempt, trajectory_id
"""
TRAJECTORY = "SELECT * FROM all_trajectories WHERE trajectory_id = ? AND version = ? ORDER BY stage LIMIT 1"
FEATURES = "SELECT * FROM features WHERE trajectory_id = ? LIMIT 1"
TOKENS = "SELECT turn, token_ids, logprobs, in_loss FROM tokens WHERE trajectory_id = ? ORDER BY turn"
MAX_TOKENS = 4000
"""Of one attempt that a page draws."""


def steps(files: CampaignFiles, version: str) -> list[Row]:
    """Return the steps of a version's stored rows, by stage."""
    return _ask(files, version, STEPS, [version])


def groups(files: CampaignFiles, version: str, stage: str, step: int) -> list[Row]:
    """Return the groups of one step."""
    return _ask(files, version, GROUPS, [version, stage, step])


def attempts(files: CampaignFiles, version: str, stage: str, step: int, group: str) -> list[Row]:
    """Return the attempts of one group."""
    return _ask(files, version, ATTEMPTS, [version, stage, step, group])


def trajectory(files: CampaignFiles, version: str, trajectory_id: str) -> Row | None:
    """Return one attempt with its features and sampled tokens; None where the version has none of that name."""
    found = _ask(files, version, TRAJECTORY, [trajectory_id, version])
    if not found:
        return None
    features = _ask(files, version, FEATURES, [trajectory_id])
    turns = _ask(files, version, TOKENS, [trajectory_id])
    return found[0] | {"features": features[0] if features else {}, "turns": [_turn(turn) for turn in turns]}


def further_terms(attempt: Row) -> dict[str, float]:
    """Return the reward terms of an attempt that no column of it says already."""
    return {name: value for name, value in attempt["reward_terms"].items() if attempt.get(name) != value}


def _turn(turn: Mapping[str, Any]) -> Row:
    """Return one turn's tokens, each with its log-probability and how surprising it was, 0 (expected) to 4."""
    pairs = list(zip(turn["token_ids"], turn["logprobs"], strict=True))
    shown = [{"id": token, "logprob": value, "level": _level(value)} for token, value in pairs[:MAX_TOKENS]]
    return {"turn": turn["turn"], "in_loss": turn["in_loss"], "tokens": shown, "left_out": len(pairs) - len(shown)}


def _level(logprob: float) -> int:
    """Return how surprising a token was: probability above .9, .5, .1, .01, or below."""
    limits = (-0.105, -0.693, -2.303, -4.605)
    return sum(logprob < limit for limit in limits)


def _ask(files: CampaignFiles, version: str, sql: str, values: Sequence[Any]) -> list[Row]:
    connection = connect_evidence(files, evidence_paths(files, sql, versions=[version]), versions=[version], sql=sql)
    cursor = connection.execute(sql, list(values))
    columns = [column[0] for column in cursor.description or []]
    return [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
