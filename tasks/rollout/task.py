"""The Prefect task of the rollout stage: sampling the incumbent."""

from tasks.running.prefect_task import stage_task

rollout = stage_task("rollout")
