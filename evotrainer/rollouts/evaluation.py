"""How a policy is scored: the same problems, limits and draws for every version, sampled and greedy.

The draws are named by the campaign's seed, split, problem and attempt and not by the version (common random numbers),
and limits come from the campaign's `evaluate` section, which no recipe reaches. Sampled attempts are step 0 of the
evidence, the greedy attempt step 1; `extra.decoding` of each row says which it is.

An attempt that infrastructure lost is drawn again under the next replicate, at most MAX_REDRAWS times, and
every loss stays counted: `extra.lost` of the row that took its place lists them. Drawing again would hide losses that
depend on the answer, which is why what is limited is the share of *draws* lost, not of attempts still missing.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from evotrainer.actions import action_classifier
from evotrainer.campaign.kept_batches import kept_batches
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.ledger import usage
from evotrainer.campaign.repository import recorded_policy_hash
from evotrainer.campaign.running import Pace, say
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine, policy_path
from evotrainer.engines.base import RolloutEngine, SamplingParams
from evotrainer.errors import EvidenceError, InfrastructureError, PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import GREEDY_STEP, SAMPLED_STEP, ScoreTable, lost_share, tabulate
from evotrainer.evidence.store import write_rows
from evotrainer.records import Message, Problem, Trajectory, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts

PROGRESS_SECONDS = 2.0
MAX_REDRAWS = 2


def open_policy(config: Config, path: Path, recorded: str | None) -> RolloutEngine:
    """Return an engine with the policy at `path`; raises PolicyError if it is not the one that training recorded."""
    engine = create_rollout_engine(config, path)
    if recorded is not None and engine.policy_id != recorded:
        raise PolicyError(
            f"{path} is not the policy that was trained: its hash is {engine.policy_id}, training "
            f"recorded {recorded}; restore it with `dvc checkout` or train again"
        )
    return engine


def open_version(files: CampaignFiles, config: Config, version: str) -> RolloutEngine:
    """Return an engine with a version's policy; raises PolicyError if it is not the one that training recorded."""
    return open_policy(config, policy_path(files, config, version), recorded_policy_hash(files, version))


def answers(engine: RolloutEngine, prompt: str, num_sampled: int, max_tokens: int) -> list[str]:
    """Return the greedy answer to a prompt, then sampled ones; raises DataError where the policy cannot read it."""
    ids = engine.codec.encode([Message(role="user", content=prompt)])
    seeds = [derive_seed(0, "prompt", prompt, place) for place in range(num_sampled)]
    drawn = [
        *engine.generate([ids], SamplingParams(max_tokens, temperature=0), [0]),
        *engine.generate([ids] * num_sampled, SamplingParams(max_tokens), seeds),
    ]
    return [engine.codec.decode(one.token_ids).content + ("" if one.stop_reason == "stop" else " ...") for one in drawn]


def choose_problems(problems: Sequence[Problem], max_problems: int, campaign_seed: int) -> list[Problem]:
    """Return at most `max_problems`, families taking turns, in an order that the campaign's seed fixes."""
    families: dict[str, list[Problem]] = {}
    for problem in sorted(problems, key=lambda p: derive_seed(campaign_seed, "order of problems", p.problem_id)):
        families.setdefault(problem.family, []).append(problem)
    turns = sorted((place, name) for name, members in families.items() for place in range(len(members)))
    return [families[name][place] for place, name in turns[:max_problems]]


def evaluate_policy(
    engine: RolloutEngine, problems: Sequence[Problem], config: Config, spec: VersionSpec, split: str
) -> list[Trajectory]:
    """Return the rows of all attempts of one version at the problems of `split`, sampled ones first."""
    identity = EpisodeIdentity(spec.campaign, spec.version, split, spec.campaign_seed, SAMPLED_STEP)
    greedy = EpisodeIdentity(spec.campaign, spec.version, split, spec.campaign_seed, GREEDY_STEP)
    return [
        *sample_attempts(engine, problems, config.evaluate.attempts, config, identity),
        *sample_attempts(engine, problems, 1, config, greedy, is_greedy=True),
    ]


def sample_attempts(
    engine: RolloutEngine,
    problems: Sequence[Problem],
    attempts: int,
    config: Config,
    identity: EpisodeIdentity,
    *,
    is_greedy: bool = False,
) -> list[Trajectory]:
    """Return the rows of attempts under the campaign's limits, by batches, with draws of their own purpose.

    Batches that an earlier process of this stage finished are kept.
    """
    limits, rows = config.evaluate, list[Trajectory]()
    params = SamplingParams(limits.max_response_tokens, 0.0 if is_greedy else limits.temperature)
    rules = EpisodeRules(config.domain, params, limits.max_turns, config.reward)
    for asked in in_batches(problems, attempts, config, f"{identity.purpose} of {identity.version}"):
        follows_from = (engine.policy_id, identity, rules, config.engine, asked)
        rows += kept_batches().rows(follows_from, partial(_play, engine, asked, rules, identity))
    return rows


def graded_table(rows: Sequence[Trajectory], config: Config, whose: str) -> ScoreTable:
    """Return the table of sampled attempts; raises InfrastructureError where too many were lost to carry a score.

    A policy that loses what it would have got wrong scores higher, so the share of lost draws is limited everywhere.
    """
    table, lost = tabulate(rows), lost_share(rows)
    if table.ungraded or lost > config.evaluate.max_error_share:
        raise InfrastructureError(
            f"{lost:.1%} of the attempts of {whose} were lost, {len(table.ungraded)} problem(s) "
            "with all of theirs: nothing is concluded, try again"
        )
    return table


def sampled(rows: Sequence[Trajectory]) -> list[Trajectory]:
    """Return the sampled attempts of an evaluation, without the greedy ones."""
    return [row for row in rows if row.step == SAMPLED_STEP]


def write_evaluation(directory: Path, rows: Sequence[Trajectory], config: Config) -> None:
    """Store the rows of one evaluation as evidence."""
    classifier = action_classifier(config.harness.actions)
    for step in (SAMPLED_STEP, GREEDY_STEP):
        write_rows(directory, step, [row for row in rows if row.step == step], classifier=classifier)


def read_evaluation(directory: Path) -> list[Trajectory]:
    """Return the rows of a stored evaluation; raises EvidenceError where there are none."""
    rows = list(Rows.read(directory))
    if not rows:
        raise EvidenceError(f"{directory} holds no evaluation: run the evaluate stage of that version first")
    return rows


def score_table(rows: Sequence[Trajectory], step: int = SAMPLED_STEP) -> ScoreTable:
    """Return the table of the sampled attempts, or of the greedy ones."""
    return tabulate([row for row in rows if row.step == step])


def in_batches(
    problems: Sequence[Problem], attempts: int, config: Config, what: str
) -> Iterator[list[tuple[Problem, int]]]:
    """Yield numbered attempts, as many at a time as the engine takes, and say in between how far that is."""
    at_once = max(1, config.engine.batch_trajectories // attempts)
    first, pace = usage().tokens, Pace()
    started = reported = time.monotonic()
    for start in range(0, len(problems), at_once):
        chosen, before = problems[start : start + at_once], usage().tokens
        yield [(problem, attempt) for problem in chosen for attempt in range(attempts)]
        pace.step(len(chosen) if usage().tokens > before else 0)
        now, done = time.monotonic(), min(start + at_once, len(problems))
        if now - reported >= PROGRESS_SECONDS:
            reported, speed = now, (usage().tokens - first) / (now - started)
            say(f"{what} {done}/{len(problems)}  {speed:.0f} tokens/s  {pace.left(len(problems) - done)}")


def _play(
    engine: RolloutEngine, attempts: Sequence[tuple[Problem, int]], rules: EpisodeRules, identity: EpisodeIdentity
) -> list[Trajectory]:
    """Return one row an attempt; what was lost is drawn again, with the types of its losses in `extra.lost`."""
    rows = play_attempts(engine, attempts, rules, identity)[0]
    for replicate in range(1, MAX_REDRAWS + 1):
        places = [place for place, row in enumerate(rows) if row.error is not None]
        if not places:
            break
        again = replace(identity, replicate=identity.replicate + replicate)
        drawn, _ = play_attempts(engine, [attempts[place] for place in places], rules, again)
        for place, row in zip(places, drawn, strict=True):
            lost = [*rows[place].extra.get("lost", []), rows[place].error]
            rows[place] = row.model_copy(update={"extra": {**row.extra, "lost": lost}})
    return rows
