"""Trainer agents by name: the authors of interventions. They propose recipes; training/ trains policies.

`trainer.name` of the configuration chooses one. An agent that asks a model does so through the record it is given.
"""

from collections.abc import Callable

from evotrainer.agents.base import Agent, ProposalContext
from evotrainer.agents.random import RandomAgent
from evotrainer.agents.record import AgentRecord, Answer
from evotrainer.agents.rules import RulesAgent
from evotrainer.agents.shuffled import ShuffledAgent
from evotrainer.agents.written import WrittenAgent
from evotrainer.config import Config
from evotrainer.config.limits import load_named

__all__ = ["AGENTS", "Agent", "AgentRecord", "Answer", "ProposalContext", "make_agent"]

AGENTS: dict[str, Callable[[AgentRecord], Agent]] = {
    "rules": lambda record: RulesAgent(),
    "random": lambda record: RandomAgent(),
    "shuffled": lambda record: ShuffledAgent(),
    "written": lambda record: WrittenAgent(),
}


def make_agent(config: Config, record: AgentRecord) -> Agent:
    """Return the campaign's trainer agent; raises ConfigError that lists the choices."""
    return load_named(AGENTS, "trainer.name", config.trainer.name)(record)
