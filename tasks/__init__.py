"""The verbs: one package a stage. `stage.py` holds the logic, `task.py` its Prefect task."""
