"""A campaign's trainer agent as tests ask it, with a record of its own."""

import tempfile
from pathlib import Path

from evotrainer.agents import Agent, AgentRecord, make_agent
from evotrainer.config import Config

RECORDS = tempfile.TemporaryDirectory()
"""Removed when the tests end."""


def agent_of(config: Config) -> Agent:
    return make_agent(config, AgentRecord(Path(tempfile.mkdtemp(dir=RECORDS.name)) / "agent.jsonl"))
