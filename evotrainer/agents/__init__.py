"""Trainer agents by name: the authors of interventions."""

from evotrainer.agents.base import ProposalContext, TrainerAgent
from evotrainer.agents.random import RandomAgent
from evotrainer.agents.rules import RulesAgent
from evotrainer.agents.shuffled import ShuffledAgent
from evotrainer.config import Config
from evotrainer.config.limits import find

__all__ = ["TRAINERS", "ProposalContext", "TrainerAgent", "make_trainer"]

TRAINERS: dict[str, type[TrainerAgent]] = {"rules": RulesAgent, "random": RandomAgent, "shuffled": ShuffledAgent}


def make_trainer(config: Config) -> TrainerAgent:
    """Return the campaign's trainer agent; raises ConfigError that lists the choices."""
    return find(TRAINERS, "trainer.name", config.trainer.name)()
