"""The bench: a campaign a seed, then all candidates of its pools; what is finished is read, what is missing is run.

seed ─► campaign ─► a pool a generation ─► every candidate trained and scored ─► run.json ─► table, figure

<out>/foundation/              data, policies and diagnostics, as they were when the bench began
<out>/shared/                  trainings and completions: what a campaign trained is not trained again for its pool
<out>/seed-0/                  a campaign, laid out as its worktree would be; run.json when all pools are measured
<out>/seed-0/pools/v002.json   one pool, by the first version that had it
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks.coevolution.bench import FOUNDATION, lay_ground, run_once
from benchmarks.coevolution.driver import lay_out
from benchmarks.coevolution.worlds import ALWAYS, HONEST_PROBLEMS, SCALES, SHARED_SCALE
from benchmarks.regret.measured.pools import stored_pools
from benchmarks.regret.measured.records import MeasuredCampaign, TrainedPool
from benchmarks.regret.measured.training import PoolTrainer
from benchmarks.work_cache.store import WorkStore
from conf.compose import compose_campaign
from evotrainer.campaign.atomic import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.memory import Memory
from evotrainer.campaign.memory.distil import remember
from evotrainer.campaign.repository import read_records
from evotrainer.config import Config

SCALE = "quick"
DOMAINS = tuple(SCALES[SCALE])


@dataclass(frozen=True)
class RegretPlan:
    """What is to be measured, and where it lies."""

    out: Path
    domain: str
    seeds: tuple[int, ...]
    num_versions: int
    overrides: tuple[str, ...] = ()
    """A person's own settings of all campaigns."""

    def settings(self, seed: int) -> list[str]:
        """Return the settings of one campaign: the quick scale of the co-evolution bench, with more versions."""
        arm = ("search=evotrainer", "trainer=rules", *ALWAYS)
        sized = [*SHARED_SCALE, *SCALES[SCALE][self.domain], f"num_versions={self.num_versions}", f"seed={seed}"]
        return [f"domain={self.domain}", *arm, *sized, *self.overrides]


def run_regret(main: Path, plan: RegretPlan) -> Iterator[MeasuredCampaign]:
    """Yield every campaign as its pools are measured, seed by seed; raises LineageError where the code has changed."""
    foundation = CampaignFiles(plan.out / FOUNDATION)
    own_code = ("benchmarks/regret/measured",)
    lay_ground(main, foundation, [compose_campaign(plan.settings(seed)) for seed in plan.seeds[:1]], own_code)
    for seed in plan.seeds:
        files, settings = CampaignFiles(plan.out / f"seed-{seed}"), plan.settings(seed)
        lay_out(files, foundation.root, settings)
        honest = compose_campaign(settings)
        honest.evaluate.max_problems = HONEST_PROBLEMS[SCALE]
        yield run_once(files, plan.out / "shared", MeasuredCampaign, partial(_measured, files, honest))


def _measured(files: CampaignFiles, honest: Config, store: WorkStore) -> MeasuredCampaign:
    records = read_records(files)
    name = f"{honest.domain.name}-{honest.seed}"
    return MeasuredCampaign(
        domain=honest.domain.name,
        seed=honest.seed,
        pools=[_measured_once(PoolTrainer(files, honest, pool)) for pool in stored_pools(files)],
        cases=remember(Memory(), name, honest.domain.name, records, {}, []).cases,
    )


def _measured_once(trainer: PoolTrainer) -> TrainedPool:
    path = trainer.files.root / "pools" / f"{trainer.pool.spec.version}.json"
    if not path.is_file():
        write_atomic(path, trainer.trained().model_dump_json(indent=1) + "\n")
    return TrainedPool.model_validate_json(path.read_bytes())
