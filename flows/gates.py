"""A version that waits for a person: its stages, with the gates between them.

    rollout ─► diagnose ─► (diagnosis) ─► propose ─► (proposal) ─► backtest ─► (backtest) ─► train ─► evaluate
                  ABORT ─┐                   ▲          REVISE │                    REVISE │          └─► (completion)
                         └─► closed untrained └────────────────┴───────────────────────────┘

While a gate waits, no stage and no worker of this version is alive. The answers are inputs of the version
(evotrainer/campaign/gates.py): a run that goes on, and `evotrainer reproduce`, ask for none of them again.
"""

from collections.abc import Sequence

from conf.compose import load_campaign
from evotrainer.campaign.gates import given_up, read_answers, record_answer
from evotrainer.campaign.layout import VersionFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.subjects import Subject
from evotrainer.records import GateAnswer
from flows.serving.artifacts import publish_stage
from flows.serving.gates import ask
from flows.workspace.worktree import Workspace
from tasks.running.prefect_task import stage_task

GATE_OF = {"diagnose": "diagnosis", "propose": "proposal", "backtest": "backtest"}
"""The gate after each stage; `completion` is after the last one."""
COMPLETION = "completion"


class _Answers:
    """The answers of a version: those that were given, then those that are asked for."""

    def __init__(self, workspace: Workspace, version: str) -> None:
        self._workspace, self._version = workspace, version
        self._own = workspace.files.version(version)
        self._given = read_answers(self._own.gate_answers)
        self._gates = load_campaign(workspace.files).autonomy.gates

    async def at(self, gate: str) -> GateAnswer | None:
        """Return the answer at a gate; None where the campaign has no such gate, or nothing is there to be asked."""
        if gate not in self._gates or not _has_question(self._own, gate):
            return None
        if self._given and self._given[0].gate == gate:
            return self._given.pop(0)
        answer = await ask(self._workspace, self._version, gate)
        record_answer(self._own, answer)
        return answer


async def run_gated(workspace: Workspace, subject: Subject, stages: Sequence[str]) -> None:
    """Run the stages of a version that waits for a person; a revision goes back to the proposal."""
    answers, place = _Answers(workspace, subject.name), 0
    while place < len(stages):
        await stage_task(stages[place])(workspace.root, subject)
        await publish_stage(workspace, subject.name, stages[place])
        gate = GATE_OF.get(stages[place])
        answer = await answers.at(gate) if gate else None
        is_sent_back = answer is not None and answer.decision != "approve" and gate != GATE_OF["diagnose"]
        place = stages.index("propose") if is_sent_back else place + 1
    await answers.at(COMPLETION)


def _has_question(own: VersionFiles, gate: str) -> bool:
    """Tell whether there is something to decide: a proposal with a choice, a version that trained."""
    if given_up(own):
        return False
    stored = StoredVersion(own)
    if gate == COMPLETION:
        return stored.training_summary.read().trained
    return gate == GATE_OF["diagnose"] or stored.proposal.read().choice is not None
