"""The Prefect server, deployments, and how flow runs end."""
