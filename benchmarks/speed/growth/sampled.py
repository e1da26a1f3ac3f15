"""The rollout stage of a math version: a policy of random weights is sampled, its attempts graded and stored.

The policy has the shape of the math demo's, and no skill: attempts are four fifths of the longest allowed,
and hardly one has an answer to grade. No campaign is needed: the stage finds the few files that it reads.
"""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed.growth.apart import Cost, apart, growth_of, metered
from benchmarks.speed.growth.record import Growth
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.repository import StoredVersion, save_config
from evotrainer.config import Config, EmbeddedPolicyConfig
from evotrainer.domains.math.domain import MATH
from evotrainer.domains.problem_sets.base import ALPHABET
from evotrainer.engines.tiny.creation import create_policy
from evotrainer.records import VersionSpec
from tasks.rollout import stage

VERSION = "v001"
GROUP = 8


def measure_sampled(sizes: Sequence[int]) -> Growth:
    """Return the growth of a rollout of so many attempts."""
    costs = {}
    for size in sizes:
        with TemporaryDirectory() as folder:
            costs[size] = apart(roll_out, Path(folder), size)
    return growth_of("rollout of math, graded and stored", "attempts", costs)


def roll_out(root: Path, count: int) -> Cost:
    """Sample, grade and store so many attempts, rounded down to whole groups of eight, as a version's rollout."""
    with TemporaryDirectory() as folder:
        few = _prepare(Path(folder), GROUP)
        stage.run(few, VERSION)
    files = _prepare(root, count)
    return metered(lambda: stage.run(files, VERSION))


def _prepare(root: Path, count: int) -> CampaignFiles:
    """Write what the stage reads: settings, problems, the version's plan and the base policy."""
    files, config = CampaignFiles(root), Config()
    config.sampling.group_size = GROUP
    config.budget.rollout_problems, config.budget.probe_problems = count // GROUP, 0
    save_config(files.config, config)
    _write_problems(files, "train", count // GROUP)
    _write_problems(files, "probe", 1)
    spec = VersionSpec(
        campaign="speed",
        version=VERSION,
        generation=1,
        slot=0,
        kind="baseline",
        parents=[BASE_VERSION],
        incumbent=BASE_VERSION,
        campaign_seed=0,
    )
    StoredVersion(files.version(VERSION)).spec.write(spec)
    create_policy(files.policy(config.policy.name), EmbeddedPolicyConfig(), ALPHABET, 0, MATH.pieces())
    return files


def _write_problems(files: CampaignFiles, split: str, count: int) -> None:
    rows = list(islice((row for name, row in MATH.problem_rows() if name == split), count))
    if len(rows) < count:
        raise ValueError(f"{count} {split} problems were asked for, and math has {len(rows)}")
    path = files.data / MATH.name / f"{split}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
