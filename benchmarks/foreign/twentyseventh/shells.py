"""Jobs at a terminal, checked by a script after the last command."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, call, speak, told
from benchmarks.foreign.twentyseventh.words import hexes, say

JOBS = (
    ("count-lines", "Count the lines with ERROR in {log} and write the number to /app/out.txt.",
     "grep -c ERROR {log} > /app/out.txt", "wc -l {log} > /app/out.txt"),
    ("pack-logs", "Pack all files below {dir} into /app/logs.tar.gz.", "tar -czf /app/logs.tar.gz {dir}",
     "tar -cf /app/logs.tar.gz {dir}"),
    ("build-kernel-module", "Build the module in {dir} with make and leave the .ko there.", "make -C {dir} modules",
     "make -C {dir} clean"),
    ("train-tagger", "Train the tagger in {dir} until its test script is content.", "python {dir}/train.py --epochs 20",
     "python {dir}/train.py --epochs 1"),
    ("fix-permissions", "Make everything below {dir} readable by the group, nothing writable.",
     "chmod -R g+r,g-w {dir}", "chmod -R 777 {dir}"),
    ("render-report", "Render {dir}/report.tex to /app/report.pdf.", "latexmk -pdf -outdir=/app {dir}/report.tex",
     "pdflatex {dir}/report.tex"),
)  # fmt: skip
SLOW = ("build-kernel-module", "train-tagger", "render-report")


def task(rng: Random) -> Task:
    """A job with paths of its own."""
    family, text, good, bad = rng.choice(JOBS)
    names = {"log": f"/var/log/{rng.choice(('edge', 'queue', 'mail', 'sync'))}-{hexes(rng, 4)}.log"}
    names["dir"] = f"/srv/{rng.choice(('north', 'ivory', 'delta', 'plum'))}-{hexes(rng, 4)}"
    question = f"{text.format(**names)} You are root in a container; you have {rng.randint(8, 30)} commands."
    facts = {
        "good": good.format(**names),
        "bad": bad.format(**names),
        "dir": "/var/log" if family == "count-lines" else names["dir"],
        "slow": family in SLOW,
    }
    return Task(question, facts["good"], family=family, facts=facts)


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A look around, the command, a check."""
    where = task.facts["dir"]
    turns = [
        call(
            say(rng, "[A look around first.|What is there?|Let me list the files.]"), "shell", command=f"ls -la {where}"
        )
    ]
    turns.append(
        told(
            "shell",
            f"total {rng.randint(8, 96)}\n-rw-r--r-- 1 root root {rng.randint(90, 9000)} notes-{hexes(rng, 3)}.txt",
        )
    )
    if rng.random() < 0.35:
        turns.append(call("", "shell", command=f"df -h {where}"))
        turns.append(told("shell", f"overlay  {rng.randint(20, 90)}G  {rng.randint(2, 19)}G  {rng.randint(20, 70)}G"))
    command = task.facts["good" if right else "bad"]
    turns.append(call(say(rng, "[This does the job|Now the command itself|Run it]."), "shell", command=command))
    turns.append(told("shell", f"exit code 0 ({rng.randint(40, 280) if task.facts['slow'] else rng.randint(1, 4)} s)"))
    turns.append(speak(say(rng, "[The job is done|Finished|All done][; the result is in place|].")))
    return Reply(turns, command)


SHELLS = Domain(task, reply)
