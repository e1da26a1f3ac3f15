"""Thirty-second part: reported faults of runs and healthy runs that look odd."""

from benchmarks.foreign.thirtysecond import agent_faults as agent_faults
from benchmarks.foreign.thirtysecond import chat_faults as chat_faults
from benchmarks.foreign.thirtysecond import evaluation_faults as evaluation_faults
from benchmarks.foreign.thirtysecond import grader_faults as grader_faults
from benchmarks.foreign.thirtysecond import healthy_tasks as healthy_tasks
from benchmarks.foreign.thirtysecond import healthy_trainer as healthy_trainer
from benchmarks.foreign.thirtysecond import trainer_faults as trainer_faults
from benchmarks.foreign.thirtysecond.kinds import PART

THIRTYSECOND = tuple(PART.kinds)
"""All kinds of this part."""
