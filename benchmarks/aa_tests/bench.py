"""`python -m benchmarks aa-tests`: A/A campaigns in this process, without Prefect or DVC, over stored pools.

    out/<kind>/setting.json   what the pool is made with; other settings need another folder
    out/policy/attempts/      attempts of the base policy: dealt to campaigns of one policy, each attempt once
    out/recipe/replicates/    trainings of one recipe with their evaluation rows: divided by campaigns of one recipe
    out/<kind>/campaigns.jsonl   every campaign under every rule, held anew by each run

Pools are filled as far as campaigns need them, one piece at a time, and are kept: the same command goes on where it was
interrupted, and one that asks for more campaigns adds to what is there. One process runs at a time.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.aa_tests import policies, recipes
from benchmarks.aa_tests.outcomes import AACampaign
from benchmarks.aa_tests.pool import AttemptPool, read_rows, store_rows
from conf.compose import compose_campaign
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config, config_to_dict, content_hash
from evotrainer.config.factors import RECIPE_GROUPS
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import create_rollout_engine, policy_path
from evotrainer.errors import ConfigError, InfrastructureError, PolicyError
from evotrainer.promotion.gates.recipe import design_recipe
from evotrainer.promotion.statistics import noise_floor
from evotrainer.records import Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import SAMPLED_STEP, choose_problems, sample_attempts, score_table
from evotrainer.training import train
from evotrainer.training.base import TrainingRun

KINDS = ("policy", "recipe")
CAMPAIGN, PURPOSE = "null", "null campaigns"
SAMPLED_BY = ("attempts", "max_response_tokens", "max_turns", "temperature", "max_redraws")
SEEDS = 6
"""Fresh seeds of a version where evaluate.recipe_seeds asks for none."""
BLOCK_ATTEMPTS = 64
"""Attempts a problem that are sampled and stored at a time."""


@dataclass(frozen=True)
class AASetting:
    """What all A/A campaigns share."""

    main: Path
    config: Config
    policy: Path
    out: Path

    def problems(self, split: str) -> list[Problem]:
        """Return the named problems of validation, all of another split."""
        found = load_problems(self.main, self.config.domain, split)
        if split != "validation":
            return found
        return choose_problems(found, self.config.evaluate.max_problems, self.config.seed)


def open_setting(main: Path, overrides: Sequence[str], out: Path) -> AASetting:
    """Return the setting of `out`; raises where its pools were made with another one, or there is no base policy."""
    config = compose_campaign(overrides)
    policy = policy_path(CampaignFiles(main), config, BASE_VERSION)
    if not policy.is_dir():
        raise PolicyError(f"{policy} is no policy: build the base policies with `dvc repro`")
    found = AASetting(main, config, policy, out)
    _check_same(found)
    return found


def run_aa_tests(main: Path, kind: str, overrides: Sequence[str], campaigns: int, replicates: int, out: Path) -> None:
    """Hold the A/A campaigns of one kind and store them; pools are filled as far as they need them."""
    if kind not in KINDS:
        raise ConfigError(f"unknown A/A test '{kind}': choose from {', '.join(KINDS)}")
    setting = open_setting(main, overrides, out / kind)
    held = (
        policy_campaigns(setting, campaigns) if kind == "policy" else recipe_campaigns(setting, campaigns, replicates)
    )
    lines: list[str] = []
    for number, rules in enumerate(held):
        print(f"{kind} {number}: {', '.join(f'{found.rule} {found.promotions}' for found in rules)}", flush=True)
        lines += [found.model_dump_json() for found in rules]
    (setting.out / "campaigns.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_aa_tests(out: Path) -> list[AACampaign]:
    """Return the campaigns that were last stored, of both kinds."""
    paths = [path for kind in KINDS if (path := out / kind / "campaigns.jsonl").is_file()]
    return [AACampaign.model_validate_json(line) for path in paths for line in path.read_text("utf-8").splitlines()]


def policy_campaigns(setting: AASetting, campaigns: int) -> Iterator[list[AACampaign]]:
    """Yield A/A campaigns of the base policy, each under every rule; attempts are sampled as they are needed."""
    engine = create_rollout_engine(setting.config, setting.policy)
    problems = setting.problems("validation")

    def sample(block: int) -> list[Trajectory]:
        identity = EpisodeIdentity(CAMPAIGN, BASE_VERSION, PURPOSE, setting.config.seed, block)
        return sample_attempts(engine, problems, BLOCK_ATTEMPTS, setting.config, identity)

    pool = AttemptPool(setting.out / "attempts", sample)
    for number in range(campaigns):
        yield policies.hold_campaign(pool.deal, setting.config, number)


def recipe_campaigns(setting: AASetting, campaigns: int, replicates: int) -> Iterator[list[AACampaign]]:
    """Yield A/A campaigns of the campaign's own recipe over `replicates` trainings of it."""
    config = setting.config
    share = config.evaluate.error_budget / config.num_versions
    design = design_recipe(config.evaluate.recipe_seeds or SEEDS, share, 0.0, is_pooled=True)
    recipes.require_replicates(replicates, config.num_versions, design)  # said before any of them is trained
    trained = [_replicate(setting, number) for number in range(replicates)]
    design = design.model_copy(update={"min_difference": noise_floor(score_table(trained[0].rows)) or 0.0})
    for number in range(campaigns):
        yield recipes.hold_campaign(trained, config, number, design)


def _replicate(setting: AASetting, number: int) -> recipes.Replicate:
    path = setting.out / "replicates" / f"replicate-{number:04d}.parquet"
    if not path.is_file():
        print(f"training replicate {number}", flush=True)
        store_rows(path, _train(setting, number))
    rows = read_rows(path)
    return recipes.Replicate(rows, score_table(rows).score)


def _train(setting: AASetting, number: int) -> list[Trajectory]:
    """Train the recipe under a seed of its own and evaluate it on draws of its own; the policy is not kept."""
    config, work = setting.config, setting.out / "work"
    shutil.rmtree(work, ignore_errors=True)
    result = train(
        TrainingRun(
            config,
            setting.policy,
            setting.problems("train"),
            work,
            campaign=CAMPAIGN,
            version=BASE_VERSION,
            seed=derive_seed(config.seed, "training", replicate=number),
            pass_rates={},
            scratch=work / "state",
        )
    )
    if result.label:
        raise InfrastructureError(
            f"replicate {number} broke off ({result.label}): run it on a quieter machine, or "
            "raise budget.max_train_seconds"
        )
    engine = create_rollout_engine(config, result.model_path)
    identity = EpisodeIdentity(CAMPAIGN, BASE_VERSION, "replicates", config.seed, SAMPLED_STEP, number)
    rows = sample_attempts(engine, setting.problems("validation"), config.evaluate.attempts, config, identity)
    if ungraded := score_table(rows).ungraded:
        raise InfrastructureError(f"replicate {number} lost all attempts at '{ungraded[0]}': run it again")
    shutil.rmtree(work)
    return rows


def _check_same(setting: AASetting) -> None:
    """Note what the pools are made with; raises ConfigError where they were made with something else."""
    path, values = setting.out / "setting.json", config_to_dict(setting.config)
    problems = [problem.model_dump() for split in ("train", "validation") for problem in setting.problems(split)]
    own = {
        "policy": create_rollout_engine(setting.config, setting.policy).policy_id,
        "problems": content_hash(problems),
        "block_attempts": BLOCK_ATTEMPTS,
        "evaluate": {name: values["evaluate"][name] for name in SAMPLED_BY},
        **{group: values[group] for group in (*RECIPE_GROUPS, "budget", "seed")},
    }
    if path.is_file() and json.loads(path.read_bytes()) != own:
        raise ConfigError(f"{setting.out} holds pools of other settings, problems or policy: name another with --out")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(own, indent=1) + "\n", encoding="utf-8")
