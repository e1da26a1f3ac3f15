"""The Prefect task of the certify stage: the sealed test split, once."""

from tasks.running.prefect_task import stage_task

certify = stage_task("certify")
