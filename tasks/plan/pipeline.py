"""The dvc.yaml of a version: its stages, what each reads and what each writes.

    rollout ─► diagnose ─► propose ─► backtest ─► train ─► evaluate [─► confirm]      v000: evaluate alone
    certificate/dvc.yaml: certify        harness/r03/dvc.yaml: evolve

Code is a dependency like data: the nouns, and the stage's own in tasks/. A stage depends on frozen inputs
and on closed versions only, so that v003 stays up to date after v004. Evidence and models are cached by DVC; small
JSON and YAML files are kept in git, where a person can read them.

Confirm is there where seeds are asked for. It depends on what trains both recipes again (their settings, cached
rollouts and starts), never on runs of other versions.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles
from evotrainer.campaign.lineage import recipe_before
from evotrainer.config import EVOLVED, Config
from evotrainer.config.yaml_files import load_yaml
from evotrainer.records import WITHOUT_RECIPE, VersionRecord, VersionSpec
from evotrainer.training.replicates import start_of

TASKS = Path(__file__).parents[1]
HEADER = "# Written when the version was planned. Bring it up to date by hand: dvc repro {path}\n"


@dataclass(frozen=True)
class Stage:
    """One stage: paths relative to the folder of its dvc.yaml."""

    name: str
    deps: Sequence[str]
    cached: Sequence[str] = ()
    """Outputs in the DVC cache: evidence and models."""
    kept: Sequence[str] = ()
    """Outputs kept in git."""
    recorded: Sequence[str] = ()
    """Outputs kept in git that DVC leaves in place: answers that are replayed when the stage runs again."""
    is_persistent: bool = False
    """Whether DVC leaves earlier outputs in place when the stage runs again."""

    def as_dvc(self, subject: str, up: str) -> dict[str, Any]:
        """Return the stage as dvc.yaml has it; `up` leads from its folder to the campaign's root."""
        own = f"{self.name}.py" if (TASKS / f"{self.name}.py").is_file() else self.name
        code = [f"{up}/evotrainer", *(f"{up}/tasks/{name}" for name in ("__main__.py", "inputs.py", own))]
        stage: dict[str, Any] = {
            "cmd": f"sh {up}/tasks/stage.sh {self.name} {subject}",
            "deps": [*dict.fromkeys(self.deps), *code],
            "outs": [
                *(self._out(name) for name in self.cached),
                *(self._out(name, cache=False) for name in self.kept),
                *(self._out(name, cache=False, persist=True) for name in self.recorded),
            ],
        }
        return stage

    def _out(self, name: str, **settings: bool) -> str | dict[str, dict[str, bool]]:
        settings |= {"persist": True} if self.is_persistent else {}
        return {name: settings} if settings else name


def version_stages(
    files: CampaignFiles, config: Config, spec: VersionSpec, ancestors: Sequence[str], is_gated: bool = False
) -> list[Stage]:
    """Return the stages of a version; `ancestors` are the versions whose diffs its recipe stands on.

    The proposal of a version that waits for a person depends on what the person sent back.
    """
    if spec.kind == "base":
        return [_base_evaluate(config)]
    policy = policy_paths(config, spec.incumbent)
    start = policy_paths(config, spec.parents[0] if config.init == "parent" else BASE_VERSION)
    has_trained = spec.incumbent != BASE_VERSION
    hashes = recorded(spec.incumbent)
    trained = [f"../{spec.incumbent}/{name}" for name in ("training", "config.yaml")] if has_trained else []
    diffs = [f"../../conf/intervention/{name}.yaml" for name in ancestors]
    judged_against = _judged_against(spec)
    again = [path for name in spec.access.again for path in (*policy_paths(config, name), *recorded(name))]
    data, audited = data_path(config), audit_path(config)
    return [
        _rollout(config, spec, ["spec.json", CONFIG, data, *policy, *hashes]),
        Stage("diagnose", ["spec.json", "rollout", "inputs", CONFIG, *trained], kept=["findings.json"]),
        Stage(
            "propose",
            [
                *("spec.json", "findings.json", "rollout", "inputs", CONFIG, *policy, data, *audited),
                *diffs,
                *conf_sources(files),
                *([f"../{source}/proposal.json"] if (source := spec.shares.get("propose")) else []),
                *(["gates/revisions.json"] if is_gated else []),
            ],
            kept=["proposal.json", "config.yaml", "code", f"../../conf/intervention/{spec.version}.yaml"],
            recorded=["agent.jsonl"],
        ),
        Stage(
            "backtest",
            ["spec.json", "proposal.json", "config.yaml", "code", "rollout", "inputs", CONFIG, *policy, data, *audited],
            kept=["backtest.json"],
        ),
        Stage(
            "train",
            ["spec.json", "backtest.json", "config.yaml", "code", "rollout", data, *start],
            cached=["model", "training"],
            kept=["training.json", "curve.json"],
            recorded=answers(config, "train"),
        ),
        Stage(
            "evaluate",
            [
                *("spec.json", "model", "training", "training.json", "config.yaml", "findings.json", "inputs"),
                *("proposal.json", data, *audited, CONFIG, *judged_against, *policy, *hashes, *again),
            ],
            cached=["validation", "gate", *(["leak_response"] if spec.access.again else [])],
            kept=["audit.json", "verdict.json", "metrics.json"],
        ),
    ]


def _rollout(config: Config, spec: VersionSpec, deps: Sequence[str]) -> Stage:
    """Return the stage that samples the incumbent, or takes what another slot of the generation sampled of it."""
    if source := spec.shares.get("rollout"):
        return Stage("rollout", ["spec.json", CONFIG, f"../{source}/rollout"], cached=["rollout"])
    return Stage("rollout", deps, cached=["rollout"], recorded=answers(config, "rollout"))


def _judged_against(spec: VersionSpec) -> list[str]:
    """Return the rows of the peers, as scored under the same access; those scored by the version itself excepted."""
    places = {name: f"../{name}/validation" for name in dict.fromkeys([spec.incumbent, BASE_VERSION])}
    places |= {name: f"../{holder}/leak_response" for name, holder in spec.access.rows_in.items()}
    others = [path for name, path in places.items() if spec.access.rows_in.get(name) != spec.version]
    return [*others, f"../{BASE_VERSION}/validation"]


def answers(config: Config, stage: str) -> list[str]:
    """Return where a stage records what the rubric judge answered; nothing without a judge."""
    return [f"judge/{stage}.jsonl"] if config.domain.judge_url else []


def recorded(version: str) -> list[str]:
    """Return where training recorded the hash of a version's policy; nothing for the base policy."""
    return [] if version == BASE_VERSION else [f"../{version}/training.json"]


def certify_stage(config: Config, versions: Sequence[str], scored: Sequence[str]) -> Stage:
    """Return the stage that scores v000, the baseline and the final incumbent on the sealed split."""
    judged = dict.fromkeys(scored)
    models = [_from_certificate(path) for version in judged for path in policy_paths(config, version)]
    verdicts = [f"../versions/{version}/verdict.json" for version in versions]
    hashes = [f"../versions/{version}/training.json" for version in judged if version != BASE_VERSION]
    deps = ["../conf/campaign.yaml", _from_certificate(data_path(config)), *models, *hashes, *verdicts]
    # What was read of the sealed split stays, even when the stage is run again: it is read once.
    return Stage("certify", deps, cached=["test"], kept=["certificate.json"], is_persistent=True)


CONFIG = "../../conf/campaign.yaml"


def data_path(config: Config) -> str:
    """Return where the problems lie: the built-in sets as a whole (one DVC output), or a person's own file."""
    return "../../data" if config.domain.data_path.split("/")[0] == "data" else f"../../{config.domain.data_path}"


def audit_path(config: Config) -> list[str]:
    """Return where the audit's problems lie, seen from a version's folder; nothing without an audit."""
    given = config.domain.audit_path
    return [] if not given or given.split("/")[0] == "data" else [f"../../{given}"]


def base_policy(config: Config) -> str:
    """Return the path of the base policy, seen from a version's folder."""
    return f"../../{config.policy.path or f'policies/{config.policy.name}'}"


def policy_paths(config: Config, version: str) -> list[str]:
    """Return what a version's policy is read from, seen from another version's folder: an adapter needs its base."""
    if version == BASE_VERSION:
        return [base_policy(config)]
    return [f"../{version}/model", *([base_policy(config)] if config.engine.lora.rank else [])]


def conf_sources(files: CampaignFiles) -> list[str]:
    """Return what composing a recipe reads: the groups and the code in conf/, without any campaign's own files."""
    own = {files.config.name, "overrides.txt", "intervention", "__pycache__"}
    return [f"../../conf/{path.name}" for path in sorted(files.config.parent.iterdir()) if path.name not in own]


def write_pipeline(path: Path, stages: Sequence[Stage], subject: str, up: str, shown: str) -> None:
    """Write a dvc.yaml; `shown` is its path from the campaign's root."""
    content = {"stages": {stage.name: stage.as_dvc(subject, up) for stage in stages}}
    text = yaml.safe_dump(content, sort_keys=False, width=120)
    write_atomic(path, HEADER.format(path=shown) + text)
    ignore_outputs(path.parent)


def ignore_outputs(folder: Path) -> bool:
    """Name the outputs of a pipeline that DVC caches in the .gitignore beside it; return whether it lacked any.

    DVC would add a line when a stage has run, and leave half of it where it is killed.
    """
    stages = load_yaml((folder / "dvc.yaml").read_text(encoding="utf-8")).get("stages", {}).values()
    outs = [{out: {}} if isinstance(out, str) else out for stage in stages for out in stage.get("outs", [])]
    cached = [f"/{name}" for out in outs for name, settings in out.items() if settings.get("cache", True)]
    ignored = folder / ".gitignore"
    known = ignored.read_text(encoding="utf-8", errors="replace").splitlines() if ignored.is_file() else []
    if not set(cached) - set(known):
        return False
    write_atomic(ignored, "".join(f"{line}\n" for line in cached))
    return True


def _base_evaluate(config: Config) -> Stage:
    return Stage(
        "evaluate",
        ["spec.json", base_policy(config), "inputs", data_path(config), CONFIG],
        cached=["validation", "gate"],
        kept=["audit.json", "verdict.json", "metrics.json"],
    )


def _from_certificate(path: str) -> str:
    return path.removeprefix("../") if path.startswith("../../") else f"../versions/{path.removeprefix('../')}"


def evolve_stage(config: Config, records: Sequence[VersionRecord]) -> Stage:
    """Return the stage that revises the harness on the evidence of all versions closed so far."""
    evidence = [f"../../versions/{record.spec.version}/{name}" for record in records for name in _evidence(record)]
    # Cards before this revision stand frozen in inputs.
    plugins = [f"../../harness_plugins/{folder}" for folder in config.harness.plugins if folder != EVOLVED]
    deps = ["inputs", CONFIG, data_path(config), *plugins, *evidence]
    return Stage("evolve", deps, kept=["plugins", "revision.json"], recorded=["agent.jsonl"])


def _evidence(record: VersionRecord) -> list[str]:
    """Return what a revision reads of a version."""
    if record.spec.kind == "base":
        return ["audit.json", "validation"]
    return ["audit.json", "findings.json", "config.yaml", "rollout", "training", "validation"]


def confirm_stages(config: Config, spec: VersionSpec, records: Sequence[VersionRecord]) -> list[Stage]:
    """Return the confirm stage of a version, or nothing where nothing would be asked."""
    if spec.kind in (*WITHOUT_RECIPE, "continuation") or not config.evaluate.recipe_seeds:
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
    deps += _recipe_of(config, recipe_before(spec, records))
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
