"""One version from its frozen inputs to its verdict, waiting for a person where it is gated; and a revision.

    incumbent ─► rollout ─► evidence ─► diagnose ─► findings ─► propose ─► intervention + prediction
                               │                      (gate)       │ (gate)
                               └────────────► backtest ◄───────────┘
                                                 │ accepted, (gate)
    base policy ─► train ◄───────────────────────┘
                     └─► evaluate ─► verdict [─► confirm] ─► (gate) ─► push, commit, tag

Each step is one DVC stage, and DVC decides whether it has to run: the flow and `dvc repro versions/v003/dvc.yaml` do
the same. Planning wrote the stages to that pipeline, and the flow runs them in its order. The base version v000 is
evaluated only. Confirm stands in the pipeline where fresh training seeds are asked for.

While a gate waits, no stage of this version is alive. An ABORT closes the version untrained, a REVISE
goes back to propose. The answers are inputs of the version (evotrainer/campaign/gates.py): a run that goes on, and
`evotrainer reproduce`, ask for none of them again.
"""

import time
from collections.abc import Sequence

from prefect import flow

from conf.compose import load_campaign
from evotrainer.campaign.gates import COMPLETION, given_up, is_gated, read_answers, record_answer
from evotrainer.campaign.layout import Subject, VersionFiles
from evotrainer.records import GateAnswer
from flows.serving.gates import ask
from flows.serving.runs import register
from flows.serving.ui import CampaignName, VersionName, publish_scores, publish_stage
from flows.workspace.finish_version import finish_version
from flows.workspace.git import commit
from flows.workspace.prepare_inputs import run_shared_stages
from flows.workspace.worktree import Workspace, campaign_lock, find_campaign, find_version, project_root
from tasks.plan.steps import stages_of
from tasks.running.prefect_task import stage_task
from tasks.running.progress import progress

GATE_OF = {"diagnose": "diagnosis", "propose": "proposal", "backtest": "backtest"}
"""The gate after each stage; `completion` is after the last one."""


@flow(name="version", flow_run_name="{campaign}-{version}", persist_result=False)
async def version(campaign: CampaignName, version: VersionName) -> str:
    """Bring one planned version of a campaign up to date and close it.

    Args:
        campaign: the campaign's name
        version: the version's name, like v003
    """
    workspace = find_campaign(project_root(), campaign)
    subject, started = Subject.version(version), time.monotonic()
    with campaign_lock(workspace.main, campaign):
        find_version(workspace, version)
        await register(workspace, is_campaign=False)
        await run_shared_stages(workspace, [subject])
        await run_stages(workspace, subject)
        if not workspace.is_closed(version):
            await finish_version(workspace, version, started)
            await publish_scores(workspace)
    return version


async def run_stages(workspace: Workspace, subject: Subject) -> None:
    """Run the stages of a version, with its gates; a revision goes back to the proposal."""
    answers = _Answers(workspace, subject.name)
    stages, place = stages_of(workspace.files, subject), 0
    while place < len(stages):
        await stage_task(stages[place])(workspace.root, subject)
        await publish_stage(workspace, subject.name, stages[place])
        gate = GATE_OF.get(stages[place], "")
        answer = await answers.at(gate)
        is_sent_back = answer is not None and answer.decision != "approve" and gate != GATE_OF["diagnose"]
        place = stages.index("propose") if is_sent_back else place + 1
    await answers.at(COMPLETION)


class _Answers:
    """The answers of a version: those that were given, then those that are asked for."""

    def __init__(self, workspace: Workspace, version: str) -> None:
        self._workspace, self._version = workspace, version
        self._own = workspace.files.version(version)
        self._given = read_answers(self._own.gate_answers)
        self._gates: Sequence[str] = load_campaign(workspace.files).autonomy.gates if is_gated(self._own) else ()

    async def at(self, gate: str) -> GateAnswer | None:
        """Return the answer at a gate; None where there is no such gate, or nothing is there to be asked."""
        if gate not in self._gates or not _has_question(self._own, gate):
            return None
        if self._given and self._given[0].gate == gate:
            return self._given.pop(0)
        answer = await ask(self._workspace, self._version, gate)
        record_answer(self._own, answer)
        return answer


def _has_question(own: VersionFiles, gate: str) -> bool:
    """Tell whether there is something to decide: a proposal with a choice, a version that trained."""
    if given_up(own):
        return False
    if gate == COMPLETION:
        return own.training_summary.read().trained
    return gate == GATE_OF["diagnose"] or own.proposal.read().choice is not None


async def run_revision(workspace: Workspace, subject: Subject) -> None:
    """Run a planned revision of the harness and commit it."""
    for stage in stages_of(workspace.files, subject):
        await stage_task(stage)(workspace.root, subject)
    made = workspace.files.revision(subject.name).revision.read()
    commit(workspace.root, f"Harness {subject.name}: {made.summary}", [f"harness/{subject.name}"])
    progress().line(f"harness {subject.name}: {made.summary}")
