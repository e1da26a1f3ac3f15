"""The Prefect task of the diagnose stage: the harness over the fresh evidence."""

from tasks.running.prefect_task import stage_task

diagnose = stage_task("diagnose")
