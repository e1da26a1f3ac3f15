"""Asking a person at a gate: the paused flow run with its form in the Prefect UI, and a request file for the CLI.

    scratch/gates/v003.json          the question, while it waits
    scratch/gates/v003.answer.json   written by `evotrainer gate`; resumes the run as the form does

A campaign that is started again asks anew: an answer that lies there already is taken at once.
"""

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass
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
from evotrainer.campaign.gates import refusal
from evotrainer.campaign.repository import StoredVersion
from evotrainer.records import AnsweredBy, AnswerWay, GateAnswer
from evotrainer.report.gates import gate_question
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
    text: str = Field(
        default="",
        description="For REVISE: what the trainer agent is told; needed at diagnosis and completion. For ABORT: why",
    )


@dataclass
class _Watched:
    """What is taken without the form while a gate waits."""

    default: dict[str, Any]
    ends: float
    """Reading of time.monotonic() at which the default is taken."""
    sent: dict[str, Any] | None = None
    """What the run was resumed with: an answer of the command line, or the default."""
    is_default: bool = False


async def ask(workspace: Workspace, version: str, gate: str) -> GateAnswer:
    """Pause the current flow run until a person answers, or the gate's time is over; no stage is alive meanwhile.

    A reply that the gate refuses is no answer: the run pauses again and says why.
    """
    config, request = load_campaign(workspace.files), request_path(workspace.files, version)
    question = gate_question(workspace.files, version, gate, config)
    rest_workers(workspace.root)
    seconds = gate_hours(workspace.files, config) * 3600
    expires = datetime.now() + timedelta(seconds=seconds)
    asked = {"version": version, "gate": gate, "question": question, "expires": expires.isoformat(timespec="seconds")}
    write_json_atomic(request, asked)
    progress().line(f"{version} waits at {gate}: evotrainer gate {workspace.name} {version}")
    watched = _Watched({"decision": config.autonomy.on_timeout.upper(), "text": ""}, time.monotonic() + seconds)
    try:
        reply = await _reply(workspace, version, gate, question, watched)
        while refused := refusal(gate, reply.decision.lower(), reply.text):
            progress().line(f"{version} still waits: {refused}")
            reply = await _reply(workspace, version, gate, f"**{refused}**\n\n{question}", watched)
    finally:
        request.unlink(missing_ok=True)
    return _answer(workspace, version, gate, reply, watched)


async def _reply(workspace: Workspace, version: str, gate: str, question: str, watched: _Watched) -> GateReply:
    """Pause until the form, the command line or the end of the time resumes the run; return what it was told."""
    watch = asyncio.create_task(_resume_when_answered(workspace, version, gate, watched))
    try:
        return await apause_flow_run(
            wait_for_input=GateReply.with_initial_data(description=question),
            timeout=int(max(0, watched.ends - time.monotonic())) + SPARE_SECONDS,
            poll_interval=POLL_SECONDS,
        )
    finally:
        watch.cancel()
        answer_path(workspace.files, version).unlink(missing_ok=True)


async def _resume_when_answered(workspace: Workspace, version: str, gate: str, watched: _Watched) -> None:
    """Resume the run with the answer of the command line, or with the default once the time is over.

    A run that is not paused yet is tried again; one that the form resumed ends this watch.
    """
    run_id, found = UUID(str(flow_run.id)), None
    while True:
        await asyncio.sleep(POLL_SECONDS)
        found = found or take_answer(workspace.files, version, gate)
        if found is not None or time.monotonic() >= watched.ends:
            watched.sent, watched.is_default = found or watched.default, found is None
            with suppress(NotPausedError):
                await aresume_flow_run(run_id, run_input=watched.sent)
                return


def _answer(workspace: Workspace, version: str, gate: str, reply: GateReply, watched: _Watched) -> GateAnswer:
    is_sent = watched.sent == {"decision": reply.decision, "text": reply.text}
    answered_by: AnsweredBy = "timeout" if is_sent and watched.is_default else "person"
    way: AnswerWay = "command" if is_sent else "form"
    proposal = StoredVersion(workspace.files.version(version)).proposal.find()
    return GateAnswer(
        version=version,
        gate=gate,  # pyright: ignore[reportArgumentType] - one of the configuration's choices
        decision=reply.decision.lower(),  # pyright: ignore[reportArgumentType]
        text=" ".join(reply.text.split()),
        candidate=(proposal.chosen or "") if proposal and gate != "diagnosis" else "",
        answered_by=answered_by,
        way=way if answered_by == "person" else None,
        at=datetime.now().isoformat(timespec="seconds"),
    )
