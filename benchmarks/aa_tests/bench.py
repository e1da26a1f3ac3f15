"""`python -m benchmarks aa-tests`: A/A campaigns in this process, without Prefect or DVC, over stored attempts.

    out/setting.json      what the attempts are made with; other settings need another folder
    out/attempts/         attempts of the base policy, each dealt to one campaign
    out/campaigns.jsonl   every campaign under every rule, held anew by each run

Attempts are sampled as far as campaigns need them and are kept: the same command goes on where it was interrupted, and
one that asks for more campaigns adds to what is there. One process runs at a time.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.aa_tests.outcomes import AACampaign
from benchmarks.aa_tests.policies import hold_campaign
from benchmarks.aa_tests.pool import AttemptPool
from conf.compose import compose_campaign
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.config import Config, config_to_dict, content_hash
from evotrainer.domains.problem_sets.loading import load_problems
from evotrainer.engines import create_rollout_engine, policy_path
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.records import Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity
from evotrainer.rollouts.evaluation import choose_problems, sample_attempts

CAMPAIGN, PURPOSE = "null", "null campaigns"
SAMPLED_BY = ("attempts", "max_response_tokens", "max_turns", "temperature")
BLOCK_ATTEMPTS = 64
"""Attempts a problem that are sampled and stored at a time."""


@dataclass(frozen=True)
class AASetting:
    """What all A/A campaigns share."""

    main: Path
    config: Config
    policy: Path
    out: Path

    def problems(self) -> list[Problem]:
        """Return the problems of validation that campaigns evaluate on."""
        found = load_problems(self.main, self.config.domain, "validation")
        return choose_problems(found, self.config.evaluate.max_problems, self.config.seed)


def open_setting(main: Path, overrides: Sequence[str], out: Path) -> AASetting:
    """Return the setting of `out`; raises where its pools were made with another one, or there is no base policy."""
    config = compose_campaign(overrides)
    policy = policy_path(CampaignFiles(main), config, BASE_VERSION)
    if not policy.is_dir():
        raise PolicyError(f"{policy} is no policy: run `evotrainer data build`")
    found = AASetting(main, config, policy, out)
    _check_same(found)
    return found


def run_aa_tests(main: Path, overrides: Sequence[str], campaigns: int, out: Path) -> list[AACampaign]:
    """Hold A/A campaigns of the base policy, each under every rule, and store them."""
    setting = open_setting(main, overrides, out)
    engine = create_rollout_engine(setting.config, setting.policy)
    problems = setting.problems()

    def sample(block: int) -> list[Trajectory]:
        identity = EpisodeIdentity(CAMPAIGN, BASE_VERSION, PURPOSE, setting.config.seed, block)
        return sample_attempts(engine, problems, BLOCK_ATTEMPTS, setting.config, identity)

    pool = AttemptPool(out / "attempts", sample)
    held = []
    for number in range(campaigns):
        rules = hold_campaign(pool.deal, setting.config, number)
        print(f"{number}: {', '.join(f'{found.rule} {found.promotions}' for found in rules)}", flush=True)
        held += rules
    (out / "campaigns.jsonl").write_text("".join(f"{one.model_dump_json()}\n" for one in held), encoding="utf-8")
    return held


def _check_same(setting: AASetting) -> None:
    """Note what the pools are made with; raises ConfigError where they were made with something else."""
    path, values = setting.out / "setting.json", config_to_dict(setting.config)
    own = {
        "policy": create_rollout_engine(setting.config, setting.policy).policy_id,
        "problems": content_hash([problem.model_dump() for problem in setting.problems()]),
        "block_attempts": BLOCK_ATTEMPTS,
        "evaluate": {name: values["evaluate"][name] for name in SAMPLED_BY},
        "domain": values["domain"],
        "seed": values["seed"],
    }
    if path.is_file() and json.loads(path.read_bytes()) != own:
        raise ConfigError(f"{setting.out} holds pools of other settings, problems or policy: name another with --out")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(own, indent=1) + "\n", encoding="utf-8")
