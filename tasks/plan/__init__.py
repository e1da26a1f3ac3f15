"""Ask the search strategy for the next generation and write its versions' folders: spec.json, inputs/, dvc.yaml.

No DVC stage, for it decides what the stages are; but it runs like one, with the campaign's code, so that a search
that is edited in the main checkout during the night changes nothing.

A generation appears as a whole: all folders are written under scratch/ first and then moved, and one that was cut
short while moving is finished by the next call. Otherwise a strategy that is asked again might plan another
generation around the half that stands.
"""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from conf.compose import load_campaign
from evotrainer.campaign.allowance import within_budget
from evotrainer.campaign.documents import new_folder
from evotrainer.campaign.gates import begin as begin_gates
from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, Subject, SubjectKind, VersionFiles
from evotrainer.campaign.leak_response import access_of
from evotrainer.campaign.lineage import ancestors, failures_in_a_row
from evotrainer.campaign.repository import read_records, write_records
from evotrainer.config import EVOLVED, Config
from evotrainer.config.interventions import freeze_written
from evotrainer.domains import access_policy, find_domain
from evotrainer.errors import LineageError
from evotrainer.records import VersionKind, VersionRecord, VersionSpec
from evotrainer.search import SearchStrategy, VersionPlan, make_search, shares_rollout
from evotrainer.search.base import Brief, certified_versions, num_trained
from tasks.plan.pipeline import certify_stage, confirm_stages, evolve_stage, version_stages, write_pipeline


def run(files: CampaignFiles, name: str) -> None:
    """Write the pipelines of a subject: the certificate, a revision, or the generation that starts with a version."""
    match Subject.parse(name).kind:
        case SubjectKind.CERTIFICATE:
            write_certificate(files)
        case SubjectKind.REVISION:
            write_revision(files, name)
        case SubjectKind.VERSION:
            write_generation(files)
        case _:
            raise LineageError(f"'{name}' has no pipeline to plan: name a version, a revision or the certificate")


def write_generation(files: CampaignFiles) -> None:
    """Write the folders of the next generation's versions; none if the campaign is at its end."""
    ready = _ready(files)
    if not is_cut_short(files):
        _prepare(files, ready)
    files.versions.mkdir(exist_ok=True)
    for folder in sorted(ready.iterdir()):
        folder.rename(files.versions / folder.name)
    ready.rmdir()


def is_cut_short(files: CampaignFiles) -> bool:
    """Tell whether an earlier call ended while it moved a generation's folders: it is completed before any runs."""
    return _ready(files).is_dir()


def _ready(files: CampaignFiles) -> Path:
    return files.root / "scratch" / "generation"


def write_certificate(files: CampaignFiles) -> None:
    """Write certificate/dvc.yaml for the campaign as it stands, if there is none yet."""
    path = files.certificate / "dvc.yaml"
    if path.is_file():
        return
    config, records = load_campaign(files), read_records(files)
    names = [record.spec.version for record in records]
    judged = certified_versions(records, config)
    path.parent.mkdir(exist_ok=True)
    stage = certify_stage(config, names, judged)
    write_pipeline(path, [stage], "certificate", "..", "certificate/dvc.yaml")


def write_revision(files: CampaignFiles, revision: str) -> None:
    """Write harness/rNN/ with what the revision depends on, if it is not there yet."""
    revision_files = files.revision(revision)
    if (revision_files.root / "dvc.yaml").is_file():
        return
    config, records = load_campaign(files), read_records(files)
    shutil.rmtree(revision_files.root, ignore_errors=True)
    write_records(revision_files.lineage, records)
    _copy_plugins(files.evolved_plugins, revision_files.plugins_before)
    path, stages = revision_files.root / "dvc.yaml", [evolve_stage(config, records)]
    write_pipeline(path, stages, revision, "../..", f"harness/{revision}/dvc.yaml")


def _prepare(files: CampaignFiles, ready: Path) -> None:
    config, records = load_campaign(files), read_records(files)
    with new_folder(ready) as partial:
        search = make_search(config)
        plans = _planned(files, config, records, search)
        specs: list[VersionSpec] = []
        for plan in plans:
            spec = _spec(files, plan, config, records)
            shares = _shares(spec, specs, search, config, records)
            specs.append(spec.model_copy(update={"shares": shares}))
            _write_version(files, partial / plan.version, specs[-1], config, records)


def _planned(
    files: CampaignFiles, config: Config, records: Sequence[VersionRecord], search: SearchStrategy
) -> list[VersionPlan]:
    """Return the next generation, as many of its versions as the campaign's budget has room for."""
    trained = num_trained(records)
    affordable = within_budget(files, config, trained)
    is_spent = bool(records) and affordable.num_versions <= trained < config.num_versions
    return [] if is_spent else search.next_generation(records, affordable)


def _spec(files: CampaignFiles, plan: VersionPlan, config: Config, records: Sequence[VersionRecord]) -> VersionSpec:
    spec = VersionSpec(
        campaign=files.root.name,
        version=plan.version,
        generation=plan.generation,
        slot=plan.slot,
        kind=plan.kind,
        parents=list(plan.parents),
        incumbent=plan.incumbent,
        campaign_seed=config.seed,
        harness_revision=(files.revision_names() or [""])[-1],
    )
    access = access_of(spec, access_policy(config.domain), find_domain(config.domain.name).access, records)
    return spec.model_copy(update={"access": access})


def _shares(
    spec: VersionSpec,
    earlier: Sequence[VersionSpec],
    search: SearchStrategy,
    config: Config,
    records: Sequence[VersionRecord],
) -> dict[str, str]:
    """Return {stage: earlier version whose output a version takes}.

    Versions of one incumbent share its rollout under one access policy: with closed ones it is there already. A model
    is asked for a pool once by slots of a generation that tell it the same.
    """

    def told(one: VersionSpec) -> Brief:
        return replace(search.brief(one, records, config), rank=0)

    closed = [record.spec for record in records if record.spec.version != BASE_VERSION]
    sampled = [
        *(closed if config.search.share_rollout != "never" else ()),
        *(earlier if shares_rollout(config) else ()),
    ]
    same = (one for one in sampled if (one.incumbent, one.access.policy) == (spec.incumbent, spec.access.policy))
    found = {"rollout": next((one.shares.get("rollout", one.version) for one in same), "")}
    alike = [one for one in earlier if one.incumbent == spec.incumbent]
    if config.trainer.asks_model and spec.kind == "candidate":
        asked = (one.version for one in alike if one.kind == spec.kind and told(one) == told(spec))
        found["propose"] = next(asked, "")
    return {stage: source for stage, source in found.items() if source}


def _write_version(
    files: CampaignFiles, folder: Path, spec: VersionSpec, config: Config, records: Sequence[VersionRecord]
) -> None:
    version_files = VersionFiles(folder)
    version_files.inputs.mkdir(parents=True)
    version_files.spec.write(spec)
    write_records(version_files.lineage, records)
    _freeze_plugins(files, version_files, config.harness.folders)
    freeze_written(files.interventions, config.trainer.interventions, version_files.written)
    if files.memory.is_dir():
        shutil.copytree(files.memory, version_files.memory)
    is_gated = gates_in_force(config, records, spec.kind)
    if is_gated:
        begin_gates(version_files, files, records)
    before = sorted(ancestors(records, spec.parents) - {BASE_VERSION})  # a diff file stands on those of its parents
    stages = [*version_stages(files, config, spec, before, is_gated), *confirm_stages(config, spec, records)]
    write_pipeline(version_files.root / "dvc.yaml", stages, spec.version, "../..", f"versions/{spec.version}/dvc.yaml")


def _freeze_plugins(files: CampaignFiles, version_files: VersionFiles, folders: Sequence[str]) -> None:
    source = files.root / "harness_plugins"
    version_files.plugins.mkdir()
    for module in source.glob("*.py"):
        shutil.copy(module, version_files.plugins / module.name)
    for folder in folders:
        origin = files.evolved_plugins if folder == EVOLVED else source / folder
        _copy_plugins(origin, version_files.plugins / folder)


def _copy_plugins(origin: Path, target: Path) -> None:
    shutil.copytree(origin, target, ignore=shutil.ignore_patterns("__pycache__"))


GATED_KINDS = ("candidate", "merge")
"""Versions that change something: base and baseline are what the person started."""


def gates_in_force(config: Config, records: Sequence[VersionRecord], kind: VersionKind) -> bool:
    """Tell whether a version of this kind that is planned now waits for a person."""
    if kind not in GATED_KINDS:
        return False
    autonomy = config.autonomy
    is_escalated = autonomy.name == "escalate" and failures_in_a_row(records) >= autonomy.escalate_after
    return autonomy.name == "human_gated" or is_escalated
