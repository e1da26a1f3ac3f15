"""Small jobs in a terminal, with attempts at them."""

import random
from dataclasses import dataclass

from benchmarks.foreign.thirtieth.layouts import Row, answers, asks, call, says

_JOBS = (
    (
        "count",
        "Count the lines of {f} that hold the word {w}, and write the number to /app/out.txt.",
        "grep -c {w} {f} > /app/out.txt",
        "grep -c {w} {f}x > /app/out.txt",
    ),
    (
        "sort",
        "Sort {f} by its second column as numbers and write it to /app/out.txt. The word {w} stands in the header.",
        "(head -1 {f}; tail -n +2 {f} | sort -n -k2) > /app/out.txt",
        "sort -k2 {f} > /app/out.txt",
    ),
    (
        "last",
        "Write the last ten lines of {f} that name {w} to /app/out.txt.",
        "grep {w} {f} | tail -10 > /app/out.txt",
        "tail -10 {f} | grep {w} > /app/out.txt",
    ),
    (
        "unique",
        "How many different words come before {w} in {f}? Put the number into /app/out.txt.",
        "grep -o '[a-z]* {w}' {f} | sort -u | wc -l > /app/out.txt",
        "grep -o '[a-z]* {w}' {f} | wc -l > /app/out.txt",
    ),
)
_FILES = ("/data/access.log", "/data/harbour.csv", "/var/log/pump.log", "/data/orders.tsv", "/srv/notes.txt")
_WORDS = ("timeout", "pilot", "refused", "berth", "valve", "ready")
_LOOKS = ("I look at the file first.", "Let me see a few lines of it.", "Before I write anything I check its form.")
_ACTS = ("Now one command does it.", "This pipeline should be enough.", "I write the result at once.")
_ENDS = (
    "The result stands in /app/out.txt.",
    "Done, the file is written.",
    "I have written the output and looked at it.",
)


@dataclass(frozen=True)
class Job:
    """A job with its right command and a wrong one."""

    name: str
    question: str
    file: str
    right: str
    wrong: str

    def attempt(self, rng: random.Random, is_right: bool) -> tuple[list[Row], bool]:
        """Messages of an attempt, and whether its command is right."""
        command = self.right if is_right else self.wrong
        lines = "\n".join(f"{rng.randint(1, 28):02d} {rng.choice(_WORDS)} {rng.randint(3, 900)}" for _ in range(3))
        turns = [
            asks(self.question),
            says(rng.choice(_LOOKS), call("bash", command=f"head -3 {self.file}")),
            answers("bash", lines),
            says(rng.choice(_ACTS), call("bash", command=command)),
            answers("bash", ""),
        ]
        if rng.random() < 0.6:
            turns += [
                says("I check what was written.", call("bash", command="wc -c /app/out.txt")),
                answers("bash", f"{rng.randint(2, 400)} /app/out.txt"),
            ]
        return [*turns, says(rng.choice(_ENDS))], is_right


def job(rng: random.Random) -> Job:
    """One job."""
    name, text, right, wrong = rng.choice(_JOBS)
    file, word = rng.choice(_FILES), rng.choice(_WORDS)
    return Job(name, text.format(f=file, w=word), file, right.format(f=file, w=word), wrong.format(f=file, w=word))
