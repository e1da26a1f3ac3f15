"""`evotrainer`: every command.

Modules of commands import typer alone, so that `--help` answers at once; torch, Prefect and DVC are imported inside
of the commands that need them.
"""

from cli import (
    campaign,
    compare,
    data,
    diagnose,
    doctor,
    engine,
    explain,
    export_trajectories,
    gate,
    intervention,
    live,
    memory,
    policy,
    reading,
    reproduce,
    serve,
    trials,
)
from cli.program import Program

app = Program("Autonomous RL post-training: a policy and the harness that diagnoses its training evolve together.")
app.add_typer(campaign.app, name="campaign")
app.add_typer(data.app, name="data")
app.add_typer(engine.app, name="engine")
app.add_typer(memory.app, name="memory")
app.add_typer(policy.app, name="policy")
app.add_typer(intervention.app, name="intervention")
for module in (
    gate,
    reading,
    live,
    explain,
    policy,
    trials,
    diagnose,
    compare,
    export_trajectories,
    reproduce,
    serve,
    doctor,
):
    module.add_commands(app)

if __name__ == "__main__":
    app()
