"""Trainer agents by name: the authors of interventions. They propose recipes; training/ trains policies.

`trainer.name` of the configuration chooses one. An agent that asks a model does so through the record it is given.
"""

import inspect
from collections.abc import Callable

from evotrainer.agents.base import Agent, DiagnosticAuthor, ProposalContext, RevisionContext
from evotrainer.agents.claude.access import prices_of, read_key
from evotrainer.agents.claude.agent import ClaudeAgent, first_use
from evotrainer.agents.claude.script_editor import ClaudeEditor
from evotrainer.agents.controls import RandomAgent, ShuffledAgent
from evotrainer.agents.manual import ManualAgent
from evotrainer.agents.record import AgentRecord, Answer, record_of
from evotrainer.agents.rules import RulesAgent
from evotrainer.config import Config
from evotrainer.config.limits import load_named
from evotrainer.domains.script.search import Editor, RulesEditor
from evotrainer.errors import ConfigError

__all__ = [
    "AGENTS",
    "Agent",
    "AgentRecord",
    "Answer",
    "DiagnosticAuthor",
    "ProposalContext",
    "RevisionContext",
    "check_agent",
    "check_editor",
    "make_agent",
    "make_author",
    "make_editor",
    "record_of",
]

CLAUDE = "claude"


AGENTS: dict[str, Callable[[AgentRecord], Agent]] = {
    "rules": lambda record: RulesAgent(),
    "random": lambda record: RandomAgent(),
    "shuffled": lambda record: ShuffledAgent(),
    "written": lambda record: ManualAgent(),
    CLAUDE: ClaudeAgent,
}


def make_agent(config: Config, record: AgentRecord) -> Agent:
    """Return the campaign's trainer agent; raises ConfigError that lists the choices."""
    return load_named(AGENTS, "trainer.name", config.trainer.name)(record)


def make_author(config: Config, record: AgentRecord) -> DiagnosticAuthor | None:
    """Return the campaign's trainer agent where it writes diagnostics; None for others."""
    return ClaudeAgent(record) if config.trainer.name == CLAUDE else None


def make_editor(config: Config, record: AgentRecord, seed: int) -> Editor:
    """Return who edits a training script: rules, or the model; raises ConfigError for an agent that edits none."""
    check_editor(config)
    if config.trainer.name == CLAUDE:
        return ClaudeEditor(config.trainer, record, first_use(config, record))
    return RulesEditor(seed)


def check_editor(config: Config) -> None:
    """Raise AgentError or ConfigError where the trainer agent edits no script, or lacks what it needs for that."""
    if config.trainer.name not in ("rules", CLAUDE):
        raise ConfigError(f"trainer.name={config.trainer.name!r} edits no script: choose from rules, {CLAUDE}")
    check_agent(config)


def check_agent(config: Config) -> None:
    """Raise AgentError or ConfigError for a trainer agent that is none, or lacks what a campaign needs of it."""
    found = load_named(AGENTS, "trainer.name", config.trainer.name)
    if not (inspect.isfunction(found) or hasattr(found, "propose")):
        raise ConfigError(f"trainer.name={config.trainer.name!r} is no class of an Agent: it has no `propose`")
    if config.trainer.name == CLAUDE:
        read_key(config.trainer)
        prices = prices_of(config.trainer)
        if max(prices.input, prices.output, prices.cache_write, prices.cache_read) and not config.budget.total.dollars:
            raise ConfigError("trainer=claude needs budget.total.dollars: what the whole campaign may cost")
