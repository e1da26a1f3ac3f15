"""Where everything of a campaign lies: one name for each file, relative to the campaign's worktree.

A file that holds one record is read and written under its name too:

    version = files.version("v003")
    version.spec.read()            VersionSpec; LineageError names a missing or damaged file and the remedy
    version.audit.find()           HarnessReport, or None where the version has not come that far
    version.backtest.write(found)  replaces the file as a whole

policies/<policy>/            the base policy v0, an output of the root pipeline
conf/campaign.yaml            the campaign's effective configuration, frozen
conf/intervention/v003.yaml   the diff of each version
versions/v003/
    spec.json  inputs/        what the version depends on, frozen by the flow
    dvc.yaml  dvc.lock        its stages and what they read and wrote
    rollout/                  evidence sampled from the incumbent (train and probe split)
    findings.json             the harness report on that evidence
    proposal.json config.yaml the pool, the choice, and the composed recipe
    code/                     the code that the recipe names (repository.py)
    agent.jsonl               recorded answers of the model that the trainer agent asks
    backtest.json
    model/  training/         the trained policy; training evidence and signals
    training.json curve.json  whether and how it trained; its signals by step
    validation/               evaluation rows: the screen
    gate/                     fresh rows that promotion rests on, and the gate's state
    judge/                    recorded answers of the rubric judge, where one is asked
    leak_response/           after a leak: rows under stricter access, one folder a version
    audit.json metrics.json verdict.json
    confirm/ confirmation.json   rows of fresh training seeds; what they say of the recipe
    gates/                    answers of a person, where the version waits for one (gates.py)
    costs/ receipt.json       what it took, on which machine; no DVC outputs
harness/r03/                  under harness=evolving, after generation 3
    inputs/                   lineage.json, evolved plugins before it
    plugins/  revision.json   evolved diagnostics after it, and what became of each
    agent.jsonl               recorded answers of the model that the trainer agent asks for diagnostics
certificate/                  scores on the sealed test split, once
compared/                     metrics and curve of the version that a commit closes, at one path for DVC to compare
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from evotrainer.campaign.documents import Document, in_declared_order, in_key_order
from evotrainer.errors import LineageError
from evotrainer.records import (
    Backtest,
    Certificate,
    Confirmation,
    HarnessReport,
    Proposal,
    Record,
    Revision,
    TrainingSummary,
    Verdict,
    VersionSpec,
)

R = TypeVar("R", bound=Record)

BASE_VERSION = "v000"


def version_name(index: int) -> str:
    """Return the name of the version with this index: 3 -> v003."""
    return f"v{index:03d}"


def revision_name(generation: int) -> str:
    """Return the name of the harness revision after a generation: 3 -> r03."""
    return f"r{generation:02d}"


def parse_version(text: str) -> str:
    """Return the canonical name of a version that a person typed: v3, 3 and v003 are the same."""
    match = re.fullmatch(r"v?(\d{1,3})", text.strip())
    if match is None:
        raise LineageError(f"'{text}' is not a version: write it like v003")
    return version_name(int(match.group(1)))


class _Owner(Protocol):
    @property
    def root(self) -> Path: ...


class Place:
    """A path below the folder `root` of what it is an attribute of."""

    def __init__(self, below: str) -> None:
        self._below = below

    def __get__(self, owner: _Owner, kind: type | None = None) -> Path:
        return owner.root / self._below


class Stored(Generic[R]):
    """A record in a file below the folder `root` of what it is an attribute of."""

    def __init__(self, below: str, kind: type[R], encode: Callable[[Record], str]) -> None:
        self._below, self._kind, self._encode = below, kind, encode

    def __get__(self, owner: _Owner, kind: type | None = None) -> Document[R]:
        return Document(owner.root / self._below, self._kind, self._encode)


@dataclass(frozen=True)
class CampaignFiles:
    """The files of a campaign below its worktree `root`."""

    root: Path

    config = Place("conf/campaign.yaml")
    interventions = Place("conf/intervention")
    """The diffs of versions, and what a person wrote."""
    versions = Place("versions")
    certificate = Place("certificate")
    certified = Stored("certificate/certificate.json", Certificate, in_key_order(1))
    """The scores on the sealed test split."""
    memory = Place("memory")
    """What earlier campaigns left, as it stood when this one started."""
    data = Place("data")
    """The problem sets."""

    def intervention(self, version: str) -> Path:
        """The version's diff, a Hydra file."""
        return self.interventions / f"{version}.yaml"

    def policy(self, policy: str) -> Path:
        """The base policy's Hugging Face directory, put there by the root pipeline."""
        return self.root / "policies" / policy

    def version(self, version: str) -> "VersionFiles":
        """The files of one version."""
        return VersionFiles(self.versions / version)

    def revision(self, revision: str) -> "RevisionFiles":
        """The files of one revision of the harness."""
        return RevisionFiles(self.root / "harness" / revision)

    def revision_names(self) -> list[str]:
        """Names of all finished revisions of the harness, in order."""
        names = (path.parent.name for path in (self.root / "harness").glob("r*/revision.json"))
        return sorted(names, key=lambda name: int(name[1:]))

    @property
    def evolved_plugins(self) -> Path:
        """The evolved diagnostics in force: those after the last revision, else the repository's own."""
        revisions = self.revision_names()
        return self.revision(revisions[-1]).plugins if revisions else self.root / "harness_plugins" / "evolved"

    def version_names(self) -> list[str]:
        """Names of all versions on disk, in order."""
        return sorted(path.parent.name for path in self.versions.glob("v*/spec.json"))


@dataclass(frozen=True)
class VersionFiles:
    """The files of one version below its folder `root`."""

    root: Path

    spec = Stored("spec.json", VersionSpec, in_key_order(2))
    inputs = Place("inputs")
    lineage = Place("inputs/lineage.json")
    """JSON list of VersionRecord: all versions closed before this one started."""
    memory = Place("inputs/memory")
    plugins = Place("inputs/plugins")
    """Frozen sources of the harness plugins in force."""
    written = Place("inputs/interventions")
    """Interventions that a person wrote, as they stood when the version was planned."""
    rollout = Place("rollout")
    findings = Stored("findings.json", HarnessReport, in_key_order(1))
    proposal = Stored("proposal.json", Proposal, in_declared_order(2))
    config = Place("config.yaml")
    code = Place("code")
    agent_answers = Place("agent.jsonl")
    """Empty for an agent that asks no model."""
    backtest = Stored("backtest.json", Backtest, in_declared_order(2))
    model = Place("model")
    training = Place("training")
    training_summary = Stored("training.json", TrainingSummary, in_key_order(2))
    curve = Place("curve.json")
    validation = Place("validation")
    gate = Place("gate")
    """Fresh rows that promotion rests on; of v000 the second evaluation that measures the noise floor."""
    judge = Place("judge")
    """One file a stage."""
    leak_response = Place("leak_response")
    audit = Stored("audit.json", HarnessReport, in_key_order(1, without=frozenset({"seconds"})))
    """On the version's own rows; without durations, which differ from run to run."""
    metrics = Place("metrics.json")
    verdict = Stored("verdict.json", Verdict, in_key_order(1))
    confirm = Place("confirm")
    confirmation = Stored("confirmation.json", Confirmation, in_declared_order(1))
    costs = Place("costs")
    """One file a stage."""
    revisions = Place("gates/revisions.json")
    """What a person sent back, for the propose stage; there where the version waits for a person."""
    gate_answers = Place("gates/answers.json")
    """Every answer of a person, in order."""
    receipt = Place("receipt.json")


@dataclass(frozen=True)
class RevisionFiles:
    """The files of one revision of the harness below its folder `root`."""

    root: Path

    inputs = Place("inputs")
    lineage = Place("inputs/lineage.json")
    """JSON list of VersionRecord: all versions closed before it."""
    plugins_before = Place("inputs/plugins")
    plugins = Place("plugins")
    """The evolved diagnostics after it, expired ones among them."""
    revision = Stored("revision.json", Revision, in_declared_order(1))
    """What became of each gap and each card."""
    costs = Place("costs")
    agent_answers = Place("agent.jsonl")


class SubjectKind(StrEnum):
    """The kinds of subjects."""

    VERSION = "version"
    REVISION = "revision"
    CERTIFICATE = "certificate"
    POLICY = "policy"
    CAMPAIGN = "campaign"


_NAMES = {
    SubjectKind.VERSION: r"v\d{3,}",
    SubjectKind.REVISION: r"r\d{2,}",
    SubjectKind.CERTIFICATE: "certificate",
    SubjectKind.CAMPAIGN: "campaign",
}
"""Regular expressions; any other name is that of a base policy."""


@dataclass(frozen=True)
class Subject:
    """One subject of a campaign."""

    kind: SubjectKind
    name: str

    @classmethod
    def parse(cls, name: str) -> "Subject":
        """Return the subject that a name means."""
        kinds = (kind for kind, pattern in _NAMES.items() if re.fullmatch(pattern, name))
        return cls(next(kinds, SubjectKind.POLICY), name)

    @classmethod
    def version(cls, name: str) -> "Subject":
        """Return a version, like v003."""
        return cls(SubjectKind.VERSION, name)

    @classmethod
    def revision(cls, name: str) -> "Subject":
        """Return a revision of the harness, like r03."""
        return cls(SubjectKind.REVISION, name)

    @classmethod
    def policy(cls, name: str) -> "Subject":
        """Return an embedded base policy, like tiny_math."""
        return cls(SubjectKind.POLICY, name)

    @property
    def folder(self) -> str:
        """The folder of its pipeline, relative to the campaign's root; empty for the root itself."""
        folders = {
            SubjectKind.VERSION: f"versions/{self.name}",
            SubjectKind.REVISION: f"harness/{self.name}",
            SubjectKind.CERTIFICATE: "certificate",
        }
        return folders.get(self.kind, "")

    def __str__(self) -> str:
        return self.name


CERTIFICATE = Subject(SubjectKind.CERTIFICATE, "certificate")
CAMPAIGN = Subject(SubjectKind.CAMPAIGN, "campaign")
