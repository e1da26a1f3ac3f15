"""What a stage works on: a version, a base policy, the certificate, a revision of the harness, or the whole campaign.

On the command line, in pipelines and in logs a subject goes by its name. It is parsed once, where a process starts.
"""

import re
from dataclasses import dataclass
from enum import StrEnum


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
