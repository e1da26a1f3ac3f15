"""Sample groups of attempts from the incumbent policy: the evidence that diagnosis, proposals and backtests stand on.

Problems and seeds are named by the campaign's seed and not by the version, so that the candidates of a generation see
the same attempts, and generations the same problems. Families take turns. A slot that shares the rollout of another one
(search.share_rollout) copies its rows under its own name: byte for byte what it would have sampled.
"""

import time
from collections.abc import Sequence

from evotrainer.actions import action_classifier
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.leak_response import in_force
from evotrainer.campaign.ledger import write_tokens
from evotrainer.campaign.repository import recorded_policy_hash
from evotrainer.campaign.running import Pace, say
from evotrainer.config import Config, load_config
from evotrainer.domains.judge import Judge, open_judge
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import policy_path
from evotrainer.engines.base import RolloutEngine, SamplingParams
from evotrainer.evidence.store import Label, copy_evidence, write_rows
from evotrainer.records import Problem, TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.rollouts.evaluation import choose_problems, open_policy

PURPOSE = "rollout"
PROGRESS_SECONDS = 2.0


def run(files: CampaignFiles, version: str) -> None:
    """Write rollout/ of the version: rows of the train and the probe split."""
    own = files.version(version)
    spec = own.spec.read()
    if source := spec.shares.get("rollout"):
        old, new = Label(spec.campaign, source), Label(spec.campaign, version)
        copy_evidence(files.version(source).rollout, own.rollout, old, new)
        write_tokens(own, "rollout", 0)
        return
    config = in_force(load_config(files.config), spec)
    train, probe = (load_problems(files.root, config.domain, split) for split in ("train", "probe"))
    problems = [
        *choose_problems(train, config.budget.rollout_problems, spec.campaign_seed),
        *choose_problems(probe, config.budget.probe_problems, spec.campaign_seed),
    ]
    policy, policy_hash = policy_path(files, config, spec.incumbent), recorded_policy_hash(files, spec.incumbent)
    engine = open_policy(config, policy, policy_hash)
    identity = EpisodeIdentity(spec.campaign, version, PURPOSE, spec.campaign_seed)
    with open_judge(config.domain, own.judge / "rollout.jsonl") as judge:
        rows, turns = _sample(engine, problems, config, identity, judge)
    write_rows(own.rollout, 0, rows, turns, action_classifier(config.harness.actions))
    write_tokens(own, "rollout", sum(row.num_tokens for row in rows))


def _sample(
    engine: RolloutEngine, problems: Sequence[Problem], config: Config, identity: EpisodeIdentity, judge: Judge | None
) -> tuple[list[Trajectory], list[TokenTurn]]:
    sampling = config.sampling
    limits = SamplingParams(sampling.max_response_tokens, sampling.temperature, sampling.top_p)
    rules = EpisodeRules(config.domain, limits, sampling.max_turns, config.reward, judge)
    at_once = max(1, config.engine.batch_trajectories // sampling.group_size)
    rows: list[Trajectory] = []
    turns: list[TokenTurn] = []
    started = reported = time.monotonic()
    pace = Pace()
    for start in range(0, len(problems), at_once):
        chosen = problems[start : start + at_once]
        attempts = [(problem, attempt) for problem in chosen for attempt in range(sampling.group_size)]
        new_rows, new_turns = play_attempts(engine, attempts, rules, identity)
        rows, turns = rows + new_rows, turns + new_turns
        pace.step(len(chosen))
        if time.monotonic() - reported >= PROGRESS_SECONDS:
            reported = time.monotonic()
            speed, done = (
                sum(row.num_tokens for row in rows) / (reported - started),
                min(start + at_once, len(problems)),
            )
            line = f"rollout {done}/{len(problems)}  {speed:.0f} tokens/s  {pace.left(len(problems) - done)}"
            say(line)
    return rows, turns
