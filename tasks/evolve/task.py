"""The Prefect task of the evolve stage: the harness revised after a generation."""

from tasks.running.prefect_task import stage_task

evolve = stage_task("evolve")
