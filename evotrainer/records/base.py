"""What all records share, and the words that several of them use."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

SCHEMA_VERSION = 3

Split = Literal["train", "probe", "validation", "test", "holdout"]
Severity = Literal["info", "warning", "critical", "invalid"]
Direction = Literal["up", "down", "none"]
Operator = Literal["<", "<=", ">", ">=", "=="]
Outcome = Literal["promoted", "kept", "rejected", "invalid", "inconclusive", "failed"]
VersionKind = Literal["base", "baseline", "candidate", "merge", "continuation"]


class Record(BaseModel):
    """Base of all records: immutable, and a field that is not declared is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")
