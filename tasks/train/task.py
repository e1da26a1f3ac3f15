"""The Prefect task of the train stage: training the version's policy."""

from tasks.running.prefect_task import stage_task

train = stage_task("train")
