"""Asking a person at a gate: the paused flow run with its form in the Prefect UI, and a request file for the CLI.

    scratch/gates/v003.json          the question, while it waits
    scratch/gates/v003.answer.json   written by `evotrainer gate`; resumes the run as the form does

A campaign that is started again asks anew: an answer that lies there already is taken at once.
"""

import asyncio
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from prefect.exceptions import NotPausedError
from prefect.flow_runs import apause_flow_run, aresume_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run
from pydantic import Field

from conf.compose import load_campaign
from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.campaign.budget.allowance import gate_hours
from evotrainer.campaign.gate_requests import answer_path, request_path, take_answer
from evotrainer.campaign.repository import StoredVersion
from evotrainer.records import AnsweredBy, GateAnswer
from evotrainer.report.gate_questions import gate_question
from flows.workspace.worktree import Workspace
from tasks.running.dvc import rest_workers
from tasks.running.progress import progress

POLL_SECONDS = 1
SPARE_SECONDS = 3600
"""By how much Prefect's own timeout is later than the gate's, which has an answer to give."""


class GateReply(RunInput):
    """The form of a gate."""

    decision: Literal["APPROVE", "REVISE", "ABORT"] = Field(
        default="APPROVE", description="What becomes of the version"
    )
    text: str = Field(default="", description="For REVISE: what the trainer agent is told. For ABORT: why")


async def ask(workspace: Workspace, version: str, gate: str) -> GateAnswer:
    """Pause the current flow run until a person answers, or the gate's time is over; no stage is alive meanwhile."""
    config, request = load_campaign(workspace.files), request_path(workspace.files, version)
    question = gate_question(workspace.files, version, gate, config)
    rest_workers(workspace.root)
    seconds = gate_hours(workspace.files, config) * 3600
    expires = datetime.now() + timedelta(seconds=seconds)
    asked = {"version": version, "gate": gate, "question": question, "expires": expires.isoformat(timespec="seconds")}
    write_json_atomic(request, asked)
    progress().line(f"{version} waits at {gate}: evotrainer gate {workspace.name} {version}")
    default = {"decision": config.autonomy.on_timeout.upper(), "text": ""}
    watch = asyncio.create_task(_resume_when_answered(workspace, version, gate, time.monotonic() + seconds, default))
    try:
        reply = await apause_flow_run(
            wait_for_input=GateReply.with_initial_data(description=question),
            timeout=int(seconds) + SPARE_SECONDS,
            poll_interval=POLL_SECONDS,
        )
        answered_by: AnsweredBy = watch.result() if watch.done() else "person"
    finally:
        watch.cancel()
        request.unlink(missing_ok=True)
        answer_path(workspace.files, version).unlink(missing_ok=True)
    return _answer(workspace, version, gate, reply, answered_by)


async def _resume_when_answered(
    workspace: Workspace, version: str, gate: str, ends: float, default: dict[str, Any]
) -> AnsweredBy:
    """Resume the run with the answer of the CLI, or with the default once the time is over; return whose it was."""
    run_id = UUID(str(flow_run.id))
    while True:
        await asyncio.sleep(POLL_SECONDS)
        found = take_answer(workspace.files, version, gate)
        if found is not None or time.monotonic() >= ends:
            with suppress(NotPausedError):  # answered in the UI meanwhile
                await aresume_flow_run(run_id, run_input=found or default)
            return "person" if found else "timeout"


def _answer(workspace: Workspace, version: str, gate: str, reply: GateReply, answered_by: AnsweredBy) -> GateAnswer:
    proposal = StoredVersion(workspace.files.version(version)).proposal.find()
    return GateAnswer(
        version=version,
        gate=gate,  # pyright: ignore[reportArgumentType] - one of the configuration's choices
        decision=reply.decision.lower(),  # pyright: ignore[reportArgumentType]
        text=" ".join(reply.text.split()),
        candidate=(proposal.chosen or "") if proposal and gate != "diagnosis" else "",
        answered_by=answered_by,
    )
