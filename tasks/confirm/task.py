"""The Prefect task of the confirm stage: fresh training seeds of a promoted recipe, and the parts of a merge."""

from tasks.running.prefect_task import stage_task

confirm = stage_task("confirm")
