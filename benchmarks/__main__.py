"""`python -m benchmarks`: long measurements that the documentation quotes; the same command resumes one."""

from benchmarks.commands.aa_tests import aa_tests
from benchmarks.commands.audits import audits
from benchmarks.commands.coevolution import coevolution
from benchmarks.commands.crashes import crashes, resumed
from benchmarks.commands.failure_modes import failure_modes
from benchmarks.commands.gate import gate
from benchmarks.commands.grader import grader
from benchmarks.commands.leak import certificates, leak
from benchmarks.commands.lopo import lopo
from benchmarks.commands.one_gpu import one_gpu
from benchmarks.commands.references import references
from benchmarks.commands.regret import regret
from benchmarks.commands.search import search
from benchmarks.commands.speed import correction, fixed_cost, overlap, pairs, sandbox, serving, speed
from benchmarks.commands.training_memory import training_memory
from cli.program import Program

app = Program("Measurements of EvoTrainer that its documentation quotes. The same command resumes a measurement.")
SPEED = (speed, fixed_cost, correction, overlap, grader, sandbox, pairs, serving, training_memory, one_gpu)
COMPARISONS = (coevolution, lopo, audits, references, search, regret)
CAMPAIGNS = (certificates, leak, gate, crashes, resumed, failure_modes, aa_tests)
for command in (*COMPARISONS, *CAMPAIGNS, *SPEED):
    app.command()(command)

if __name__ == "__main__":
    app()
