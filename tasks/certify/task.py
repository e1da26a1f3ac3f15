"""The Prefect task of the certify stage: the sealed test split, once."""

from tasks.policy import stage_task

certify = stage_task("certify")
