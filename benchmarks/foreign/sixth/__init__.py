"""The sixth part of the bank: 40 kinds written blind; half, drawn by lot, were kept apart at first (`kept_*`)."""

from benchmarks.foreign.sixth import (
    kept_faulty_agents,
    kept_faulty_data,
    kept_faulty_graders,
    kept_faulty_optimiser,
    kept_faulty_serving,
    kept_healthy_chats,
    kept_healthy_data,
    kept_healthy_estimators,
    open_faulty_agents,
    open_faulty_graders,
    open_faulty_optimiser,
    open_faulty_serving,
    open_healthy_agents,
    open_healthy_chats,
    open_healthy_estimators,
)
from benchmarks.foreign.sixth.kinds import PART

MODULES = (
    kept_faulty_agents,
    kept_faulty_data,
    kept_faulty_graders,
    kept_faulty_optimiser,
    kept_faulty_serving,
    kept_healthy_chats,
    kept_healthy_data,
    kept_healthy_estimators,
    open_faulty_agents,
    open_faulty_graders,
    open_faulty_optimiser,
    open_faulty_serving,
    open_healthy_agents,
    open_healthy_chats,
    open_healthy_estimators,
)
"""Imported for the kinds that they enter."""
SIXTH = tuple(PART.kinds)
