"""What a trainer agent reads first under `trainer=claude`, by the versions that are closed.

It is the whole first question: system text, definitions of tools, and the opening with recipe, lineage, findings and
metrics. The findings are those of simulated attempts. Tokens are the estimate that the budget of dollars reserves.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.growth.record import Growth
from benchmarks.speed.growth.simulated_versions import simulated_versions
from conf.compose import compose_campaign
from evotrainer.agents import AgentRecord, ProposalContext, Workbench
from evotrainer.agents.claude.agent import ClaudeAgent
from evotrainer.agents.claude.metering import tokens_of
from evotrainer.agents.record import Answer
from evotrainer.campaign.lineage import incumbent
from evotrainer.config import Config
from evotrainer.evidence.foreign import export_rows
from evotrainer.records import HarnessReport
from tasks.diagnose.stage import diagnose_rows

FEW_ROWS = 1024


class _AskedError(Exception):
    """A question, in place of an answer."""

    def __init__(self, question: dict[str, Any]) -> None:
        self.question = question


def measure_prompts(sizes: Sequence[int]) -> list[Growth]:
    """Return the growth of the first question in characters, and in tokens as estimated from above."""
    config, report = compose_campaign(["trainer=claude"]), _report()
    asked = [first_question(size, config, report) for size in sizes]
    name, versions = "first prompt of trainer=claude", tuple(sizes)
    characters = tuple(float(len(json.dumps(question, ensure_ascii=False))) for question in asked)
    tokens = tuple(float(tokens_of(question)) for question in asked)
    return [
        Growth(name, "versions", versions, characters, "characters"),
        Growth("the same prompt, highest estimate", "versions", versions, tokens, "tokens"),
    ]


def first_question(count: int, config: Config, report: HarnessReport) -> dict[str, Any]:
    """Return what the agent asks first when so many versions are closed; nothing is sent."""
    records = simulated_versions(count, config)
    bench = Workbench(query=_never, backtest=_never)
    context = ProposalContext(config, incumbent(records), count, report, records, workbench=bench)
    with TemporaryDirectory() as folder, AgentRecord(Path(folder) / "agent.jsonl") as record:
        try:
            ClaudeAgent(record, _send).propose(context)
        except _AskedError as asked:
            return asked.question
    raise RuntimeError("the agent asked nothing")


def _report() -> HarnessReport:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        export_rows(simulated_attempts(FEW_ROWS), path)
        return diagnose_rows(path)


def _send(question: dict[str, Any]) -> Answer:
    raise _AskedError(question)


def _never(asked: Any) -> Any:
    """Stand where tools are called: the first question is all that is asked, so that no tool is."""
    raise RuntimeError(f"the agent called a tool before its question was answered: {asked}")
