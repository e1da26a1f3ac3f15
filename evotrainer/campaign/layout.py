"""Where everything of a campaign lies: one name for each file, relative to the campaign's worktree.

policies/<policy>/            the base policy v0, an output of the root pipeline
conf/campaign.yaml            the campaign's effective configuration, frozen
conf/intervention/v003.yaml   the diff of each version
versions/v003/
    spec.json  inputs/        what the version depends on, frozen by the flow
    dvc.yaml  dvc.lock        its stages and what they read and wrote
    rollout/                  evidence sampled from the incumbent (train and probe split)
    findings.json             the harness report on that evidence
    proposal.json config.yaml the pool, the choice, and the composed recipe
    code/                     the code that the recipe names (code_files.py)
    agent.jsonl               recorded answers of the model that the trainer agent asks
    backtest.json
    model/  training/         the trained policy; training evidence and signals
    training.json curve.json  whether and how it trained; its signals by step
    validation/               evaluation rows: the screen
    gate/                     fresh rows that promotion rests on, and the gate's state
    judge/                    recorded answers of the rubric judge, where one is asked
    leak_response/           after a leak: rows under stricter access, one folder a version
    audit.json metrics.json verdict.json
    confirm/ confirmation.json   rows of fresh training seeds and of a merge's parts; what they say of the recipe
    gates/                    answers of a person, where the version waits for one (gates.py)
    costs/ receipt.json       what it took, and what its bytes follow from; no DVC outputs
harness/r03/                  under harness=evolving, after generation 3
    inputs/                   lineage.json, evolved plugins before it
    plugins/  revision.json   evolved diagnostics after it, and what became of each
    agent.jsonl               recorded answers of the model that the trainer agent asks for diagnostics
certificate/                  scores on the sealed test split, once
compared/                     metrics and curve of the version that a commit closes, at one path for DVC to compare
"""

import re
from dataclasses import dataclass
from pathlib import Path

from evotrainer.errors import LineageError

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


@dataclass(frozen=True)
class CampaignFiles:
    """The files of a campaign below its worktree `root`."""

    root: Path

    @property
    def config(self) -> Path:
        """The campaign's effective configuration."""
        return self.root / "conf" / "campaign.yaml"

    @property
    def interventions(self) -> Path:
        """The diffs of versions, and what a person wrote."""
        return self.root / "conf" / "intervention"

    def intervention(self, version: str) -> Path:
        """The version's diff, a Hydra file."""
        return self.interventions / f"{version}.yaml"

    @property
    def versions(self) -> Path:
        """The folders of all versions."""
        return self.root / "versions"

    @property
    def certificate(self) -> Path:
        """The scores on the sealed test split."""
        return self.root / "certificate"

    @property
    def memory(self) -> Path:
        """What earlier campaigns left, as it stood when this one started."""
        return self.root / "memory"

    @property
    def data(self) -> Path:
        """The problem sets."""
        return self.root / "data"

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

    @property
    def spec(self) -> Path:
        """VersionSpec: identity and place in the lineage."""
        return self.root / "spec.json"

    @property
    def inputs(self) -> Path:
        """What the version depends on, frozen."""
        return self.root / "inputs"

    @property
    def lineage(self) -> Path:
        """JSON list of VersionRecord: all versions closed before this one started."""
        return self.inputs / "lineage.json"

    @property
    def memory(self) -> Path:
        """What earlier campaigns left, as it stood when this campaign started."""
        return self.inputs / "memory"

    @property
    def plugins(self) -> Path:
        """Frozen sources of the harness plugins in force."""
        return self.inputs / "plugins"

    @property
    def rollout(self) -> Path:
        """Evidence sampled from the incumbent."""
        return self.root / "rollout"

    @property
    def findings(self) -> Path:
        """HarnessReport on that evidence."""
        return self.root / "findings.json"

    @property
    def proposal(self) -> Path:
        """Proposal: the pool, its backtests and the choice."""
        return self.root / "proposal.json"

    @property
    def config(self) -> Path:
        """The composed recipe."""
        return self.root / "config.yaml"

    @property
    def code(self) -> Path:
        """The code that the recipe names: index.json, and a file a text."""
        return self.root / "code"

    @property
    def written(self) -> Path:
        """Interventions that a person wrote, as they stood when the version was planned."""
        return self.inputs / "interventions"

    @property
    def backtest(self) -> Path:
        """Backtest of the choice."""
        return self.root / "backtest.json"

    @property
    def model(self) -> Path:
        """The trained policy, a Hugging Face directory."""
        return self.root / "model"

    @property
    def training(self) -> Path:
        """Training evidence and signals."""
        return self.root / "training"

    @property
    def training_summary(self) -> Path:
        """Whether and how it trained."""
        return self.root / "training.json"

    @property
    def curve(self) -> Path:
        """Training signals by step; compared/ has those that `dvc plots diff` reads."""
        return self.root / "curve.json"

    @property
    def validation(self) -> Path:
        """Evaluation rows."""
        return self.root / "validation"

    @property
    def gate(self) -> Path:
        """Fresh rows that promotion rests on; of v000 the second evaluation that measures the noise floor."""
        return self.root / "gate"

    @property
    def agent_answers(self) -> Path:
        """Recorded answers of the model that the trainer agent asks; empty for an agent that asks none."""
        return self.root / "agent.jsonl"

    @property
    def judge(self) -> Path:
        """Recorded answers of the rubric judge: one file a stage, where the domain names a judge."""
        return self.root / "judge"

    @property
    def leak_response(self) -> Path:
        """Evaluation rows under stricter access, after a leak: one folder a version."""
        return self.root / "leak_response"

    @property
    def audit(self) -> Path:
        """HarnessReport on the version's own rows."""
        return self.root / "audit.json"

    @property
    def metrics(self) -> Path:
        """Flat numbers; compared/ has those that `dvc metrics diff` reads."""
        return self.root / "metrics.json"

    @property
    def verdict(self) -> Path:
        """Verdict."""
        return self.root / "verdict.json"

    @property
    def confirm(self) -> Path:
        """Evaluation rows of fresh training seeds, and of the four policies around a merge."""
        return self.root / "confirm"

    @property
    def confirmation(self) -> Path:
        """Confirmation: what those rows say of the recipe."""
        return self.root / "confirmation.json"

    @property
    def costs(self) -> Path:
        """What each stage took, one file a stage."""
        return self.root / "costs"

    @property
    def revisions(self) -> Path:
        """What a person sent back, for the propose stage; there where the version waits for a person."""
        return self.root / "gates" / "revisions.json"

    @property
    def gate_answers(self) -> Path:
        """Every answer of a person, in order."""
        return self.root / "gates" / "answers.json"

    @property
    def receipt(self) -> Path:
        """Receipt, written when the version is closed."""
        return self.root / "receipt.json"


@dataclass(frozen=True)
class RevisionFiles:
    """The files of one revision of the harness below its folder `root`."""

    root: Path

    @property
    def inputs(self) -> Path:
        """What the revision depends on, frozen: lineage.json, and plugins/ as they were before it."""
        return self.root / "inputs"

    @property
    def lineage(self) -> Path:
        """JSON list of VersionRecord: all versions closed before it."""
        return self.inputs / "lineage.json"

    @property
    def plugins_before(self) -> Path:
        """The evolved diagnostics before it."""
        return self.inputs / "plugins"

    @property
    def plugins(self) -> Path:
        """The evolved diagnostics after it, expired ones among them."""
        return self.root / "plugins"

    @property
    def revision(self) -> Path:
        """Revision: what became of each gap and each card."""
        return self.root / "revision.json"

    @property
    def costs(self) -> Path:
        """What each stage took, one file a stage."""
        return self.root / "costs"

    @property
    def agent_answers(self) -> Path:
        """Recorded answers of the model that writes diagnostics; empty for an agent that asks none."""
        return self.root / "agent.jsonl"
