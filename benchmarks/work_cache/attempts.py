"""Attempts that are kept: the same policy at the same problems under the same limits and seeds plays once.

The version is a name only, and an attempt's draws are named by campaign seed, purpose, problem and number, so arms of
a bench meet the same attempts. Rows that infrastructure lost are not kept, nor what a judge scored.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.work_cache.store import WorkCost, active_store
from evotrainer.campaign.costs import cpu_seconds
from evotrainer.config import content_hash
from evotrainer.engines.base import RolloutEngine
from evotrainer.evidence import read_rows, read_tokens, write_rows
from evotrainer.evidence.relabel import Label, renamed_id
from evotrainer.records import Problem, TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts

KIND = "attempts"
LABEL = "label.json"


def play_shared(
    engine: RolloutEngine, attempts: Sequence[tuple[Problem, int]], rules: EpisodeRules, identity: EpisodeIdentity
) -> tuple[list[Trajectory], list[TokenTurn]]:
    """Play these attempts as `play_attempts` does, or read them where work is shared and they were played before."""
    store, label = active_store(), Label(identity.campaign, identity.version)
    if store is None or rules.judge is not None:
        return play_attempts(engine, attempts, rules, identity)
    key = attempts_key(engine.policy_id, attempts, rules, identity)
    kept = store.find(KIND, key)
    if kept is not None:
        return _read(kept, label)
    before = cpu_seconds()
    rows, turns = play_attempts(engine, attempts, rules, identity)
    if all(row.error is None for row in rows):
        cost = WorkCost(sum(row.num_tokens for row in rows), round(cpu_seconds() - before, 3))
        store.keep(KIND, key, cost, lambda folder: _fill(folder, rows, turns, label))
    return rows, turns


def attempts_key(
    policy_id: str, attempts: Sequence[tuple[Problem, int]], rules: EpisodeRules, identity: EpisodeIdentity
) -> str:
    """Return the hash of whatever decides these rows, names left out."""
    domain = {name: value for name, value in asdict(rules.domain).items() if name != "data_path"}
    played = {problem.problem_id: problem.model_dump() for problem, _ in attempts}
    numbers = [(problem.problem_id, number) for problem, number in attempts]
    draws = [identity.purpose, identity.campaign_seed, identity.step, identity.replicate]
    limits = [asdict(rules.sampling), rules.max_turns, asdict(rules.reward)]
    return content_hash([policy_id, domain, played, numbers, draws, limits])


def _fill(folder: Path, rows: Sequence[Trajectory], turns: Sequence[TokenTurn], label: Label) -> None:
    write_rows(folder, 0, rows, turns)
    (folder / LABEL).write_text(json.dumps(asdict(label)) + "\n")


def _read(kept: Path, new: Label) -> tuple[list[Trajectory], list[TokenTurn]]:
    old = Label(**json.loads((kept / LABEL).read_bytes()))
    rows = [
        row.model_copy(
            update={
                "campaign": new.campaign,
                "version": new.version,
                "trajectory_id": renamed_id(row.trajectory_id, old, new),
                "group_id": renamed_id(row.group_id, old, new),
            }
        )
        for row in read_rows(kept)
    ]
    turns = [
        turn.model_copy(update={"trajectory_id": renamed_id(turn.trajectory_id, old, new)})
        for turn in read_tokens(kept)
    ]
    return rows, turns
