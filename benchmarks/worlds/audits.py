"""What an audit finds before anything is trained: by its size, on attempts of the base policy.

    base policy ─► attempts at train problems ─► audits of 64, 256, 1,024 of them ─► a correction, or a reason
                └─► attempts at other train problems ─► correlation of reward and truth, without and with the correction

No campaign runs, so that many traps are cheap. What training makes of a correction is the question of `lopo`.
Problems that an audit saw are not among those that it is judged on.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean

import numpy as np

from benchmarks.markdown import markdown_table
from benchmarks.worlds.lopo import WORLDS, LopoWorld, foundation_of, prepare
from conf.compose import compose_campaign
from evotrainer.algorithm.code import RecipeCode
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.code import reference
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines.base import SamplingParams
from evotrainer.levers.audit import Audit, audit_rows
from evotrainer.levers.contrast import within
from evotrainer.levers.correction import find_correction
from evotrainer.levers.correction_file import write_correction
from evotrainer.records import Trajectory
from evotrainer.records.base import Record
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from evotrainer.rollouts.evaluation import choose_problems, open_policy

FRESH_PROBLEMS = 64


class AuditFound(Record):
    """One audit: what it found, and what that does to fresh attempts; correlations are within problems."""

    world: str
    seed: int
    audited: int
    false_passes: int
    is_found: bool
    reason: str
    columns: list[str]
    before: float
    after: float


@dataclass(frozen=True)
class BaseAttempts:
    """Attempts of the base policy with what is true of them."""

    audited: Audit
    fresh: Audit
    """At problems that no audit sees."""
    campaign: Config


def run_audits(
    main: Path, out: Path, names: Sequence[str], seeds: Sequence[int], sizes: Sequence[int]
) -> Iterator[AuditFound]:
    """Yield what each audit finds: seed by seed, worlds and sizes within; worlds without an audit are left out."""
    foundation = foundation_of(main, out, names, "quick")
    worlds = [WORLDS[name] for name in names if WORLDS[name].has_audit]
    for seed in seeds:
        for world in worlds:
            attempts = _attempts(foundation, world, seed, max(sizes))
            yield from (found_by(world.name, seed, attempts, size) for size in sizes)


def _attempts(files: CampaignFiles, world: LopoWorld, seed: int, most: int) -> BaseAttempts:
    campaign = compose_campaign(world.overrides("E", seed, "quick"))
    policy = files.policy(campaign.policy.name)
    prepare(world, files.root, policy, seed)
    sampling, count = campaign.sampling, most // campaign.sampling.group_size
    limits = SamplingParams(sampling.max_response_tokens, sampling.temperature, sampling.top_p)
    rules = EpisodeRules(campaign.domain, limits, sampling.max_turns, campaign.reward)
    problems = choose_problems(load_problems(files.root, campaign.domain, "train"), count + FRESH_PROBLEMS, seed)
    identity = EpisodeIdentity("lopo", "v001", "rollout", seed)
    rows = run_episodes(open_policy(campaign, policy, None), problems, sampling.group_size, rules, identity)[0]
    everything = replace(campaign, budget=replace(campaign.budget, audit_rows=len(rows)))
    audit, known = audit_rows(files.root, everything, rows), {problem.problem_id for problem in problems[:count]}
    return BaseAttempts(_part(audit, known, True), _part(audit, known, False), campaign)


def _part(audit: Audit, problems: set[str], is_in: bool) -> Audit:
    kept = [pair for pair in zip(audit.rows, audit.truth, strict=True) if (pair[0].problem_id in problems) == is_in]
    return Audit(tuple(row for row, _ in kept), tuple(true for _, true in kept))


def found_by(world: str, seed: int, attempts: BaseAttempts, size: int) -> AuditFound:
    """Return what an audit of the first attempts finds."""
    rows, truth = attempts.audited.rows[:size], attempts.audited.truth[:size]
    campaign, key = attempts.campaign, derive_seed(seed, "correction", 1)
    paid = [(row.reward or 0.0) > 0 and not true for row, true in zip(rows, truth, strict=True)]
    audit = Audit(rows, truth)
    searched = find_correction(audit, campaign.reward.correct, key)
    before = after = _agreement(attempts.fresh, attempts.fresh.rows)
    if searched.correction:
        after = _agreement(attempts.fresh, _corrected(attempts, write_correction(searched.correction)))
    return AuditFound(
        world=world,
        seed=seed,
        audited=len(rows),
        false_passes=sum(paid),
        is_found=searched.correction is not None,
        reason=searched.reason,
        columns=[column.title for column, _ in searched.correction.terms] if searched.correction else [],
        before=before,
        after=after,
    )


def _corrected(attempts: BaseAttempts, text: str) -> Sequence[Trajectory]:
    reward = replace(attempts.campaign.reward, correction=reference(text))
    return RecipeCode({reference(text): text}).rewarded(attempts.fresh.rows, reward)


def _agreement(audit: Audit, rows: Sequence[Trajectory]) -> float:
    """Return the correlation of reward and truth within problems."""
    problems_R = np.unique([row.problem_id for row in rows], return_inverse=True)[1]
    reward_R, truth_R = (
        within(np.array(values), problems_R) for values in ([row.reward or 0.0 for row in rows], audit.truth)
    )
    scale = float(np.sqrt((reward_R @ reward_R) * (truth_R @ truth_R)))
    return float(reward_R @ truth_R) / scale if scale > 0 else 0.0


def audits_report(found: Sequence[AuditFound]) -> str:
    """Return the Markdown: a summary by world and size, and every audit."""
    summary = []
    for world, size in dict.fromkeys((one.world, one.audited) for one in found):
        own = [one for one in found if (one.world, one.audited) == (world, size)]
        summary.append([
            world, str(size), f"{sum(one.is_found for one in own)} of {len(own)}",
            f"{fmean(one.false_passes for one in own):.0f}", f"{fmean(one.before for one in own):.2f}",
            f"{fmean(one.after for one in own):.2f}",
        ])  # fmt: skip
    single = [
        [one.world, str(one.seed), str(one.audited), str(one.false_passes), f"{one.before:.2f}", f"{one.after:.2f}",
         ", ".join(one.columns[:3]) or one.reason.partition(";")[0]]
        for one in found
    ]  # fmt: skip
    head = "world | audited | corrected | false passes | agreement before | after"
    each = markdown_table("world | seed | audited | false passes | before | after | first columns, or why none", single)
    return f"{markdown_table(head, summary)}\n{each}"
