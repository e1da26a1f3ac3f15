"""The confirm stage in a version's dvc.yaml: there where seeds are asked for, and for every merge.

It depends on what trains both recipes again (their settings, cached rollouts and starts) and, of a merge, on the four
policies around it; never on the runs of other versions, which are a cache.
"""

from collections.abc import Sequence

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import recipe_before
from evotrainer.campaign.recipes import recipe_beneath
from evotrainer.config import Config
from evotrainer.records import VersionRecord, VersionSpec
from evotrainer.training.run import start_of
from tasks.plan.pipeline import CONFIG, Stage, answers, data_path, policy_paths, recorded


def confirm_stages(config: Config, spec: VersionSpec, records: Sequence[VersionRecord]) -> list[Stage]:
    """Return the confirm stage of a version, or nothing where nothing would be asked."""
    if spec.kind in ("base", "continuation") or not (config.evaluate.recipe_seeds or spec.kind == "merge"):
        return []
    deps = [
        "spec.json",
        "verdict.json",
        "config.yaml",
        "code",
        "proposal.json",
        "findings.json",
        "inputs",
        "rollout",
        "training.json",
        data_path(config),
        CONFIG,
    ]
    deps += policy_paths(config, start_of(config, spec))
    if config.evaluate.recipe_seeds:
        deps += _recipe_of(config, recipe_before(spec, records))
    if spec.kind == "merge":
        deps += _parts_of(config, spec, records)
    return [
        Stage(
            "confirm",
            list(dict.fromkeys(deps)),
            cached=["confirm"],
            kept=["confirmation.json"],
            recorded=answers(config, "confirm"),
        )
    ]


def _recipe_of(config: Config, version: str) -> list[str]:
    """Return what trains another version's recipe again, from this version's start; of v000 the base policy."""
    if version == BASE_VERSION:
        return policy_paths(config, BASE_VERSION)
    return [f"../{version}/{name}" for name in ("config.yaml", "code", "rollout")]


def _parts_of(config: Config, spec: VersionSpec, records: Sequence[VersionRecord]) -> list[str]:
    neither = recipe_beneath(records, *spec.parents)
    policies = [path for name in (neither, *spec.parents) for path in (*policy_paths(config, name), *recorded(name))]
    return ["model", *policies]
