"""What trainer agents are asked in tests, and the rules agent's answers."""

from evotrainer.agents import ProposalContext
from evotrainer.config import Config
from evotrainer.records import Finding, HarnessReport
from tests.trainer_agents import agent_of

TIMID = {"kl": 0.004, "clip_fraction": 0.0, "truncation_rate": 0.02, "format_failure_rate": 0.01, "entropy": 0.4}


def context(records=(), config=None, metrics=None, modes=(), version="v001", generation=2) -> ProposalContext:
    findings = [Finding(mode=mode, severity="warning", diagnostic="d", version=version, message="m") for mode in modes]
    report = HarnessReport(version="v009", harness_version="h", metrics=metrics or {}, findings=findings)
    return ProposalContext(config or Config(), version, generation, report, records)


def rules(*args, **kwargs):
    return agent_of(Config()).propose(context(*args, **kwargs))


def rule_names(proposals):
    return [tag for proposal in proposals for tag in proposal.evidence if tag.startswith("rule:")]
