"""Flows that a person asks for about a closed version: reproduce it, evaluate it again, see its diagnosis.

They change nothing of a campaign. What they find is an artifact of their run, and a difference fails the run.
"""

from pathlib import Path
from typing import Annotated, Any

from prefect import State, flow
from prefect.states import Completed, Failed
from pydantic import Field

from evotrainer.errors import EvidenceError, LineageError
from evotrainer.evidence.foreign.names import formats
from evotrainer.records import HarnessReport
from evotrainer.report.gates import report_text
from flows.reproduce import Reproduction, reproduce_recorded, reproduce_version
from flows.serving.artifacts import publish_comparison, publish_text
from flows.serving.forms import CampaignName, RecordedName, VersionName
from flows.workspace.closed_versions import readable_campaign
from flows.workspace.worktree import Workspace, find_version, project_root

RECOGNISED = "recognised"
"""What the form shows for rows whose format is to be found out."""


@flow(name="reproduce", flow_run_name="{campaign}-{version}", persist_result=False)
async def reproduce(campaign: CampaignName, version: RecordedName, force: bool = True, remote: str = "") -> State[Any]:
    """Reproduce a closed version, or the certificate, in a worktree of its own, and compare with what was recorded.

    Args:
        campaign: the campaign's name
        version: the version's name, like v003, or certificate
        force: compute every stage again; without it, what was pulled is hashed again and nothing is computed
        remote: folder or URL of the DVC remote to pull from; empty: the default one
    """
    found = await reproduce_recorded(project_root(), campaign, version, force, remote or None)
    return await _compared(campaign, found, "reproduced")


@flow(name="evaluate", flow_run_name="{campaign}-{version}", persist_result=False)
async def evaluate(campaign: CampaignName, version: VersionName) -> State[Any]:
    """Evaluate the policy of a closed version again, and compare with its verdict.

    Args:
        campaign: the campaign's name
        version: the version's name, like v003
    """
    found = await reproduce_version(project_root(), campaign, version, force=True, remote=None, only=("evaluate",))
    return await _compared(campaign, found, "evaluated")


@flow(name="diagnose", persist_result=False)
async def diagnose(
    campaign: str = "",
    version: Annotated[str, Field(pattern=r"^(|v\d{3})$")] = "",
    trajectories: str = "",
    source: Annotated[str, Field(json_schema_extra={"enum": [RECOGNISED, *sorted(formats())]})] = RECOGNISED,
) -> State[Any]:
    """Say what is wrong with a run: the audit of a version, or the harness over rows of another system.

    Args:
        campaign: the campaign's name; empty where `trajectories` are given
        version: the version's name, like v003
        trajectories: a file or folder of attempts on the machine that runs this
        source: their format
    """
    if trajectories:
        from tasks.diagnose.foreign import diagnose_rows  # DuckDB and Arrow take a second to import

        report = diagnose_rows(Path(trajectories), source="" if source == RECOGNISED else source)
    else:
        report = _stored(campaign, version)
    await publish_text("diagnosis", f"Diagnosis of {report.version}", report_text(report))
    return Completed(message=f"{report.version}: {len(report.findings)} findings")


async def _compared(campaign: str, found: Reproduction, what: str) -> State[Any]:
    """Publish what came of a repeated computation; return the run's state, whose message says it."""
    await publish_comparison(Workspace(project_root(), campaign), found, what)
    state = Completed if found.is_reproduced else Failed
    return state(message=f"{found.version} of {campaign}: {found.words}")


def _stored(campaign: str, version: str) -> HarnessReport:
    if not (campaign and version):
        raise EvidenceError("say what to diagnose: a campaign with a version, or trajectories")
    workspace = readable_campaign(project_root(), campaign)
    report: Any = workspace.files.version(find_version(workspace, version)).audit.find()
    if report is None:
        raise LineageError(f"{version} is not evaluated yet")
    return report
