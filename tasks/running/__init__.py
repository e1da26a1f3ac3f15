"""How a stage runs: as a process, as a DVC stage, as a Prefect task."""
