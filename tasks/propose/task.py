"""The Prefect task of the propose stage: the ranked pool and this slot's choice."""

from tasks.running.prefect_task import stage_task

propose = stage_task("propose")
