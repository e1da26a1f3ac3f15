"""Small stages whose versions leave evidence: v003 and v004 score low, and do something that no diagnostic reads.

They take the place of the stages in tasks/ beside small_stages.py; the evolve stage is the real one.
"""

import json
from random import Random

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.evidence.store import write_rows
from evotrainer.records import Comparison, Gap, HarnessReport, Message, Trajectory
from tasks import small_stages

BAD = ("v003", "v004")
NUM_GROUPS, GROUP_SIZE = 12, 8


def rollout(files: CampaignFiles, version: str) -> None:
    small_stages.rollout(files, version)
    write_rows(files.version(version).rollout, 0, _rows(version, "train", is_bad=False))


def train(files: CampaignFiles, version: str) -> None:
    small_stages.train(files, version)
    write_rows(files.version(version).training, 0, _rows(version, "train", version in BAD))


def evaluate(files: CampaignFiles, version: str) -> None:
    small_stages.evaluate(files, version)
    own = files.version(version)
    spec = own.spec.read()
    write_rows(own.validation, 0, _rows(version, "validation", version in BAD))
    gaps = [Gap(version=version, message="the score fell")] if version in BAD else []
    own.audit.write(HarnessReport(version=version, harness_version="small", gaps=gaps))
    verdict = own.verdict.read()
    score = 0.2 if spec.kind == "base" else 0.1 if version in BAD else 0.5
    changed = {"score": score, "comparisons": [_comparison("v000", score - 0.2)] if spec.kind != "base" else []}
    own.verdict.write(verdict.model_copy(update=changed))
    own.metrics.write_text(json.dumps({"score": score}))


def _comparison(against: str, difference: float) -> Comparison:
    return Comparison(
        against=against,
        metric="score",
        num_problems=60,
        attempts=8,
        score=0.2 + difference,
        other_score=0.2,
        difference=difference,
        low=difference - 0.02,
        high=difference + 0.02,
        wilcoxon_p=0.01,
    )


def _rows(version: str, split: str, is_bad: bool) -> list[Trajectory]:
    rng = Random(f"{version}.{split}")
    places = [(group, attempt) for group in range(NUM_GROUPS) for attempt in range(GROUP_SIZE)]
    return [_row(rng, version, split, group, attempt, is_bad) for group, attempt in places]


def _row(rng: Random, version: str, split: str, group: int, attempt: int, is_bad: bool) -> Trajectory:
    correct = float(rng.random() < 0.5)
    hedges = sum(rng.random() < (0.7 if is_bad else 0.3) for _ in range(10))
    return Trajectory(
        trajectory_id=f"{version}.{split}.{group}.{attempt}",
        campaign="c",
        version=version,
        split=split,
        step=0,
        domain="math",
        problem_id=f"{split}{group}",
        group_id=f"{version}.{split}.{group}",
        attempt=attempt,
        seed=attempt,
        policy_id="p",
        messages=[
            Message(role="user", content=f"{group}+1=?"),
            Message(
                role="assistant",
                content=f"<answer>{rng.randrange(90)}</answer>",
                num_tokens=8,
                mean_logprob=-0.3 - 0.1 * rng.random(),
            ),
        ],
        reward=correct,
        reward_terms={"correct": correct},
        correct=correct,
        stop_reason="stop",
        num_turns=1,
        num_tokens=8,
        is_truncated=False,
        format_ok=True,
        advantage=correct - 0.5,
        in_loss=True,
        extra={"family": "add", "checks": {"num_hedges": float(hedges)}},
    )
