"""The Prefect task of the rollout stage: sampling the incumbent."""

from tasks.policy import stage_task

rollout = stage_task("rollout")
