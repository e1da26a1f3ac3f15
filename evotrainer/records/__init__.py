"""The vocabulary: every record that crosses a stage border, frozen, with a JSON form.

A record carries values and paths, never open connections or tensors. Trajectories and signals are stored as Parquet
(evidence.py holds their schema), all else as JSON beside the version it belongs to. Terms:
a *problem* has ground truth, a *trajectory* is one attempt at it, a *group* the attempts that share a problem and a
step, an *intervention* a config diff with a prediction, a *verdict* the decision about a version.
"""

from evotrainer.records.base import (
    SCHEMA_VERSION,
    WITHOUT_RECIPE,
    Access,
    AccessPolicy,
    Direction,
    Operator,
    Outcome,
    Record,
    Severity,
    Split,
    VersionKind,
)
from evotrainer.records.claims import (
    Attribution,
    CheckpointClaim,
    Confirmation,
    GateOutcome,
    LimitClaim,
    MetricShift,
    NoiseFloor,
    RecipeClaim,
    RecipeOutcome,
    SeedRun,
    WinnersCurse,
)
from evotrainer.records.evidence import Message, Problem, Signals, TokenTurn, ToolCall, Trajectory
from evotrainer.records.findings import (
    READER,
    Decision,
    DiagnosticDraft,
    Entry,
    FalseAlarms,
    Finding,
    Gap,
    HarnessReport,
    Reading,
    Revision,
    Separation,
    Unjudged,
)
from evotrainer.records.interventions import Backtest, Condition, Diagnosis, Intervention, Prediction, Proposal
from evotrainer.records.trials import (
    HIDDEN_LABELS,
    TRIAL_LABELS,
    VALID_LABELS,
    Better,
    Case,
    ImportNote,
    Lesson,
    Trial,
    TrialLabel,
    TrialSet,
)
from evotrainer.records.versions import (
    DUPLICATE,
    LOST_ATTEMPTS,
    AnsweredBy,
    Certificate,
    CertifiedScore,
    Comparison,
    GateAnswer,
    GateDecision,
    TrainingSummary,
    Verdict,
    VersionRecord,
    VersionSpec,
)
