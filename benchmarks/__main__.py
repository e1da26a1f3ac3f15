"""`python -m benchmarks`: long measurements that the documentation quotes; the same command resumes one."""

from benchmarks.commands.aa_tests import aa_tests
from benchmarks.commands.elsewhere import elsewhere
from benchmarks.commands.failure_modes import failure_modes
from benchmarks.commands.faults import faults
from benchmarks.commands.gate import gate
from benchmarks.commands.grader import grader
from benchmarks.commands.one_gpu import one_gpu
from benchmarks.commands.speed import fixed_cost, speed
from benchmarks.commands.worlds import coevolution, lopo, references
from cli.program import Program

app = Program("Measurements of EvoTrainer that its documentation quotes. The same command resumes a measurement.")
for command in (coevolution, lopo, references, gate, failure_modes, elsewhere, aa_tests, grader, speed, fixed_cost):
    app.command()(command)
for command in (one_gpu, faults):
    app.command()(command)

if __name__ == "__main__":
    app()
