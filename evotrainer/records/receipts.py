"""The receipt of a version: everything its bytes follow from, and what it took to make them.

Written when the version is closed, committed with it, and no DVC output: it names clock, machine and cost.
"""

from typing import Literal

from pydantic import Field

from evotrainer.records.base import Record

Agreement = Literal["same", "differs", "not comparable"]


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
