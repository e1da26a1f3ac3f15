"""Asking a person at a gate: the flow run pauses with a form in the Prefect UI, and `evotrainer gate` fills it in.

    scratch/gates/v003.json     the question, while it waits, and the run that is resumed with the answer

Prefect ends a paused run as failed when its time is over. A gate has an answer to give then, so it resumes the run
itself with the default, and Prefect's own time ends later. A campaign that is started again asks anew.
"""

import asyncio
import time
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from prefect.exceptions import NotPausedError, ObjectNotFound
from prefect.flow_runs import apause_flow_run, aresume_flow_run
from prefect.input import RunInput
from prefect.runtime import flow_run
from prefect.settings import PREFECT_API_URL
from pydantic import Field

from conf.compose import load_campaign
from evotrainer.campaign.allowance import gate_hours
from evotrainer.campaign.documents import write_json_atomic
from evotrainer.campaign.gates import refusal, request_path
from evotrainer.errors import LineageError
from evotrainer.records import GateAnswer
from evotrainer.report.gates import gate_question
from flows.workspace.worktree import Workspace
from tasks.running.notify import send_notice
from tasks.running.progress import progress

POLL_SECONDS = 1
SPARE_SECONDS = 3600
"""By how much Prefect's time for a pause is longer than the gate's."""


class GateReply(RunInput):
    """The form of a gate."""

    decision: Literal["APPROVE", "REVISE", "ABORT"] = Field(
        default="APPROVE", description="What becomes of the version"
    )
    text: str = Field(
        default="",
        description="For REVISE: what the trainer agent is told; needed at diagnosis and completion. For ABORT: why",
    )


async def ask(workspace: Workspace, version: str, gate: str) -> GateAnswer:
    """Pause the current flow run until a person answers, or the gate's time is over; no stage is alive meanwhile.

    A reply that the gate refuses is no answer: the run pauses again and says why.
    """
    config, request = load_campaign(workspace.files), request_path(workspace.files, version)
    question = gate_question(workspace.files, version, gate, config)
    seconds = gate_hours(workspace.files, config) * 3600
    expires = (datetime.now() + timedelta(seconds=seconds)).isoformat(timespec="seconds")
    agent = config.trainer.name
    run = {"run": str(flow_run.id), "url": PREFECT_API_URL.value(), "agent": agent}
    write_json_atomic(request, {"version": version, "gate": gate, "question": question, "expires": expires, **run})
    waits = f"{version} waits at {gate}: evotrainer gate {workspace.name} {version}"
    progress().line(waits)
    await send_notice(workspace.files, "gate", gate, waits, "warning")
    default = asyncio.create_task(_resume_later(seconds, config.autonomy.on_timeout.upper()))
    try:
        reply = await _reply(question, seconds)
        while refused := refusal(gate, reply.decision.lower(), reply.text, agent):
            progress().line(f"{version} still waits: {refused}")
            reply = await _reply(f"**{refused}**\n\n{question}", seconds)
        is_default = default.done()
    finally:
        default.cancel()
        request.unlink(missing_ok=True)
    proposal = workspace.files.version(version).proposal.find()
    return GateAnswer(
        version=version,
        gate=gate,  # pyright: ignore[reportArgumentType] - one of the configuration's choices
        decision=reply.decision.lower(),  # pyright: ignore[reportArgumentType]
        text=" ".join(reply.text.split()),
        candidate=(proposal.chosen or "") if proposal and gate != "diagnosis" else "",
        answered_by="timeout" if is_default else "person",
        at=datetime.now().isoformat(timespec="seconds"),
    )


async def answer(request: dict[str, Any], decision: str, text: str) -> None:
    """Answer a question that waits, as its form does; raises LineageError where the gate refuses the answer."""
    if refused := refusal(request["gate"], decision, text, request["agent"]):
        raise LineageError(refused)
    try:
        await aresume_flow_run(UUID(request["run"]), run_input={"decision": decision.upper(), "text": text})
    except (NotPausedError, ObjectNotFound):
        raise LineageError(f"{request['version']} does not wait any more: it was answered before") from None


async def _reply(question: str, seconds: float) -> GateReply:
    return await apause_flow_run(
        wait_for_input=GateReply.with_initial_data(description=question),
        timeout=int(seconds) + SPARE_SECONDS,
        poll_interval=POLL_SECONDS,
    )


async def _resume_later(seconds: float, decision: str) -> None:
    """Resume the run with the default once the gate's time is over; one that is not paused yet is tried again."""
    end = time.monotonic() + seconds
    while True:
        await asyncio.sleep(max(POLL_SECONDS, end - time.monotonic()))
        with suppress(NotPausedError):
            await aresume_flow_run(UUID(str(flow_run.id)), run_input={"decision": decision, "text": ""})
            return
