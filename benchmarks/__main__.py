"""`python -m benchmarks`: long measurements that the documentation quotes; the same command resumes one."""

from benchmarks.commands import parts, worlds
from cli.program import Program

app = Program("Measurements of EvoTrainer that its documentation quotes. The same command resumes a measurement.")
for command in (
    *(worlds.coevolution, worlds.lopo, worlds.references),
    *(parts.gate, parts.failure_modes, parts.elsewhere, parts.aa_tests, parts.grader, parts.speed, parts.fixed_cost),
    *(parts.one_gpu, parts.faults),
):
    app.command()(command)

if __name__ == "__main__":
    app()
