"""The Prefect task of the evaluate stage: validation, audit and verdict."""

from tasks.running.prefect_task import stage_task

evaluate = stage_task("evaluate")
