"""`evotrainer`: every command.

Modules of commands import typer alone, so that `--help` answers at once; torch, Prefect and DVC are imported inside
of the commands that need them.
"""

from cli import campaign, check, compare, data, diagnose, mcp, policy, reading, serving, trials, view
from cli.program import Program, SqlCommand

app = Program("Autonomous RL post-training: a policy and the harness that diagnoses its training evolve together.")
app.add_typer(campaign.app, name="campaign")
app.add_typer(data.app, name="data")
app.add_typer(policy.app, name="policy")
app.add_typer(check.intervention, name="intervention")
app.add_typer(check.evidence, name="evidence")
app.command(cls=SqlCommand)(reading.query)
for command in (
    *(serving.serve, serving.gate, serving.doctor),
    *(reading.lineage, reading.why, reading.diff, reading.harness, reading.report, reading.config),
    *(diagnose.diagnose, view.view, view.follow, compare.compare, reading.reproduce, reading.certificate),
    *(mcp.mcp, policy.export, trials.trials, trials.script, trials.memory),
):
    app.command()(command)

if __name__ == "__main__":
    app()
