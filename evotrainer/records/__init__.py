"""The vocabulary: every record that crosses a stage border, frozen, with a JSON form.

A record carries values and paths, never open connections or tensors. Trajectories and signals are stored as Parquet
(evidence.py holds their schema), all else as JSON beside the version it belongs to. Terms:
a *problem* has ground truth, a *trajectory* is one attempt at it, a *group* the attempts that share a problem and a
step, an *intervention* a config diff with a prediction, a *verdict* the decision about a version.
"""

from evotrainer.records.access import AccessPolicy
from evotrainer.records.base import SCHEMA_VERSION, Direction, Operator, Outcome, Record, Severity, Split, VersionKind
from evotrainer.records.certificates import BenchRun, Certificate, CertifiedScore
from evotrainer.records.claims import CheckpointClaim, GateOutcome, LimitClaim, NoiseFloor, WinnersCurse
from evotrainer.records.confirmations import (
    Attribution,
    Carrier,
    Confirmation,
    Effect,
    MergeClaim,
    MetricShift,
    RecipeClaim,
    RecipeOutcome,
    SeedRun,
)
from evotrainer.records.evidence import Message, Problem, Signals, TokenTurn, ToolCall, Trajectory
from evotrainer.records.findings import READER, Finding, Gap, HarnessReport, Unjudged
from evotrainer.records.gates import AnsweredBy, GateAnswer, GateDecision
from evotrainer.records.interventions import Backtest, Condition, Diagnosis, Intervention, Prediction, Proposal
from evotrainer.records.memory import Case, LedgerRow, Lesson
from evotrainer.records.receipts import Agreement, Receipt, ReceiptLine
from evotrainer.records.revisions import Decision, DiagnosticDraft, Entry, FalseAlarms, Revision, Separation
from evotrainer.records.trials import (
    HIDDEN_LABELS,
    TRIAL_LABELS,
    VALID_LABELS,
    Better,
    ImportNote,
    Trial,
    TrialLabel,
    TrialSet,
)
from evotrainer.records.versions import (
    DUPLICATE,
    LOST_ATTEMPTS,
    Comparison,
    TrainingSummary,
    Verdict,
    VersionRecord,
    VersionSpec,
)

__all__ = [
    "READER",
    "VALID_LABELS",
    "TrialSet",
    "TrialLabel",
    "Trial",
    "TRIAL_LABELS",
    "ImportNote",
    "HIDDEN_LABELS",
    "Better",
    "AccessPolicy",
    "AnsweredBy",
    "GateAnswer",
    "GateDecision",
    "Agreement",
    "Attribution",
    "Backtest",
    "BenchRun",
    "Carrier",
    "Case",
    "Certificate",
    "CertifiedScore",
    "CheckpointClaim",
    "Comparison",
    "Condition",
    "Confirmation",
    "WinnersCurse",
    "DUPLICATE",
    "Decision",
    "Diagnosis",
    "DiagnosticDraft",
    "Direction",
    "Effect",
    "Entry",
    "FalseAlarms",
    "Finding",
    "Gap",
    "GateOutcome",
    "HarnessReport",
    "Intervention",
    "LOST_ATTEMPTS",
    "LedgerRow",
    "Lesson",
    "LimitClaim",
    "MergeClaim",
    "Message",
    "MetricShift",
    "NoiseFloor",
    "Operator",
    "Outcome",
    "Prediction",
    "Problem",
    "Proposal",
    "Receipt",
    "ReceiptLine",
    "RecipeClaim",
    "RecipeOutcome",
    "Record",
    "Revision",
    "SCHEMA_VERSION",
    "SeedRun",
    "Separation",
    "Severity",
    "Signals",
    "Split",
    "TokenTurn",
    "ToolCall",
    "TrainingSummary",
    "Trajectory",
    "Unjudged",
    "Verdict",
    "VersionKind",
    "VersionRecord",
    "VersionSpec",
]
