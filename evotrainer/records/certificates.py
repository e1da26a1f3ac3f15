"""What a campaign leaves for others to check: the receipt of each version, and scores on the sealed test split.

A receipt holds everything that a version's bytes follow from, and what it took to make them. It is written when the
version is closed, committed with it, and no DVC output: it names clock, machine and cost.
"""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import AccessPolicy, Record
from evotrainer.records.versions import Comparison

Agreement = Literal["same", "differs", "not comparable"]


class CertifiedScore(Record):
    """The score of one version on the sealed test split, with its interval over problems."""

    version: str
    policy_hash: str
    score: float
    low: float
    high: float
    greedy_score: float
    pass_at_k: float | None = Field(default=None, description="share of problems with a right attempt")
    leak_free_score: float | None = Field(default=None, description="under `rescored_under` of the certificate")
    error_share: float = Field(default=0.0, description="of all sampled draws, those that infrastructure lost")


class Certificate(Record):
    """Scores on the sealed test split, read once after the last version: base, baseline and final incumbent."""

    campaign: str
    incumbent: str
    start: str = Field(
        default="v000", description="the version that reinforcement learning starts from: v000, or a supervised stage"
    )
    num_problems: int
    attempts: int
    scores: list[CertifiedScore]
    comparisons: list[Comparison] = Field(description="the incumbent against v000 and v001, where it is not itself one")
    gate_version: str
    rescored_under: AccessPolicy | None = Field(
        default=None, description="the strictest access policy; null where the campaign ended under it"
    )


class Receipt(Record):
    """One version, line by line; the lines of a section are {name: value}. Hashes of files are SHA-256, of DVC MD5."""

    campaign: str
    version: str
    code: dict[str, str] = Field(description="last commit that changed the code; Git's tree of each code folder")
    config: dict[str, str] = Field(description="hashes of the campaign's configuration and of the composed recipe")
    problems: dict[str, str] = Field(description="hash of each file of the problem set, by path")
    inputs: dict[str, str] = Field(description="DVC's hash of all that a stage read and the version did not make")
    policy: dict[str, str] = Field(description="hash that training recorded; hashes of tokenizer and chat template")
    procedure: dict[str, str] = Field(description="harness and gate in force, memory at the campaign's start")
    seeds: dict[str, int] = Field(description="what every draw is derived from")
    outputs: dict[str, str] = Field(description="DVC's hash of all that the stages wrote")
    files: dict[str, str] = Field(description="hashes of dvc.lock, verdict.json, metrics.json, confirmation.json")
    packages: dict[str, str] = Field(description="version of Python and of every installed package")
    hardware: dict[str, str] = Field(description="the machine on which the version was closed")
    costs: dict[str, float] = Field(description="tokens, seconds and memory by stage")
    closed_at: str = Field(description="ISO 8601, UTC")


class ReceiptLine(Record):
    """One line of a receipt beside the same line of another; None where one side lacks it."""

    section: str
    name: str
    agreement: Agreement
    must_agree: bool
    recorded: str | None
    found: str | None

    @property
    def is_broken(self) -> bool:
        """Whether something that must agree differs."""
        return self.must_agree and self.agreement == "differs"
