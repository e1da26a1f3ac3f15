"""The Prefect task of the evaluate stage: validation, audit and verdict."""

from tasks.policy import stage_task

evaluate = stage_task("evaluate")
