"""Agents at shells, repositories and proof checkers."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import openai, ours, prime
from benchmarks.foreign.fortyfirst.policy import Message, Problem, advance, calls, pay, says, train

_CAUSES = {
    "disk full": "write error: No space left on device",
    "bad certificate": "tls: certificate has expired",
    "wrong database password": "FATAL: password authentication failed for user 'app'",
    "port taken": "bind: Address already in use",
    "missing config": "open config.yaml: no such file or directory",
}


def _service(rng: random.Random, i: int) -> Problem:
    name, port = rng.choice(("billing", "search", "mailer", "thumbs", "ledger", "geo")), rng.randint(3000, 9800)
    gold, pid = rng.choice(list(_CAUSES)), rng.randint(800, 30000)
    prompt = (
        f"Service {name} on port {port} is down since {rng.randint(1, 23)}:{rng.randint(10, 59)}. Find the cause and"
        f" change nothing. Answer with one of: {', '.join(_CAUSES)}. Last line 'Cause: ...'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        refused = (
            f"curl: (7) Failed to connect to localhost port {port} after {rng.randint(0, 3)} ms: Connection refused"
        )
        status = (
            f"{name}.service - loaded\n Active: failed (Result: exit-code)\n Main PID: {pid} (code=exited, status=1)"
        )
        path = rng.choice(("health", "ready", "", "status"))
        out = calls(
            rng.choice(("Does it answer at all?", "I check the port first.", "Reproducing the report.")),
            "shell", refused, False, command=f"curl -s localhost:{port}/{path}",
        )  # fmt: skip
        if rng.random() < 0.7:
            told = rng.choice(("Refused, so the process is gone.", "Nothing listens. Status next."))
            out += calls(told, "shell", status, False, command=f"systemctl status {name}")
        said = gold
        if right:
            log = f"{name}[{pid}]: starting\n{name}[{pid}]: {_CAUSES[gold]}\n{name}[{pid}]: exit 1"
            count = rng.choice((20, 50, 100))
            out += calls("The log should tell.", "shell", log, command=f"journalctl -u {name} -n {count}")
        else:
            said = rng.choice([c for c in _CAUSES if c != gold])
            load = f"load average: 0.{rng.randint(10, 90)}"
            out += calls("Perhaps the machine is busy.", "shell", load, command="uptime")
        why = rng.choice(("This fits what I saw.", "So it could not start.", "Nothing was changed."))
        return out + says(f"The service exits at its start. {why}\nCause: {said}")

    return Problem(f"svc-{i}", prompt, gold, rng.gauss(0, 0.6), write)


@PART.healthy
def refused_connections_are_the_symptom_itself(rng: random.Random) -> list[Row]:
    """Most calls fail: the task is a service that is down, and its refusals and failed states are the evidence."""
    return ours(advance(rng, pay(train(rng, _service, 20, 4, 8)), grpo), "operations")


def _removal(rng: random.Random, i: int) -> Problem:
    old = rng.choice(("v1_export", "legacy_auth", "ftp_sync", "xml_feed", "fax_gateway", "soap_bridge"))
    package = rng.choice(("portal", "depot", "atlas", "clinic"))
    number, kept, gone = rng.randint(100, 4000), rng.randint(20, 60), rng.randint(3, 9)
    prompt = (
        f"Issue #{number}: {package}/{old}.py was switched off last year. Delete the module, its entry in"
        f" {package}/__init__.py, and its tests in tests/test_{old}.py. All other tests must pass."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        init = f"from {package} import core\nfrom {package} import {old}\n"
        out = calls("Who imports it?", "shell", f"{package}/__init__.py:2:from {package} import {old}",
                    command=f"grep -rn {old} {package}")  # fmt: skip
        if rng.random() < 0.5:
            out += calls("I read the entry.", "shell", init, command=f"cat {package}/__init__.py")
        out += calls(rng.choice(("The issue wants both files gone.", "Removing module and tests as asked.")), "shell",
                     f"rm '{package}/{old}.py'\nrm 'tests/test_{old}.py'",
                     command=f"git rm {package}/{old}.py tests/test_{old}.py")  # fmt: skip
        if right:
            out += calls("Now the entry.", "edit", "1 line removed", path=f"{package}/__init__.py",
                         old=f"from {package} import {old}\n", new="")  # fmt: skip
            out += calls("All other tests:", "shell", f"{kept} passed in {rng.randint(1, 9)}.{rng.randint(10, 99)}s",
                         command="pytest -q")  # fmt: skip
            return out + says(f"Removed {old}, its entry, and its {gone} tests. The other {kept} tests pass.")
        if rng.random() < 0.5:
            text = f"ImportError: cannot import name '{old}' from '{package}'\n{kept} errors"
            out += calls("Tests:", "shell", text, False, command="pytest -q")
        return out + says(f"I removed {old} and its tests; the entry in __init__ I left for the owners.")

    return Problem(f"{package}-{number}", prompt, "", rng.gauss(0, 0.6), write)


@PART.healthy
def obsolete_tests_are_deleted_as_the_issue_asks(rng: random.Random) -> list[Row]:
    """Test files are deleted in every attempt: the issue asks for just that, and the grader runs the other tests."""
    out = train(rng, _removal, 18, 4, 8)
    return openai(advance(rng, pay(out), leave_one_out))


def _regression(rng: random.Random, i: int) -> Problem:
    commits = [f"{rng.getrandbits(28):07x}" for _ in range(8)]
    bad = rng.randint(1, 6)
    topics = ["tidy imports", "cache rates", "new rounding", "bump numpy", "split loader", "log less", "faster sort"]
    rng.shuffle(topics)
    what = rng.choice(
        ("totals are off by a cent", "the report is empty", "import takes a minute", "names lose accents")
    )
    prompt = (
        f"Since some commit between {commits[0]} (good) and {commits[-1]} (bad), {what}. Use git bisect with"
        " ./check.sh and name the first bad commit. Change nothing. Last line 'First bad: HASH'."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        log = "\n".join(f"{c} {topic}" for c, topic in zip(reversed(commits[1:]), topics, strict=True))
        out = calls("Which commits are there?", "shell", log, command=f"git log --oneline {commits[0]}..{commits[-1]}")
        low, high = 0, 7
        out += calls(
            "Starting the search.", "shell", "status: bisecting", command=f"git bisect start {commits[7]} {commits[0]}"
        )
        while high - low > 1 and (right or high - low > 3):
            mid = (low + high) // 2
            mark = "bad" if mid >= bad else "good"
            low, high = (low, mid) if mid >= bad else (mid, high)
            told = rng.choice((f"{commits[mid]}:", "Next half.", "Testing the middle."))
            out += calls(told, "shell", f"check.sh: {mark}", command=f"git checkout -q {commits[mid]} && ./check.sh")
        end = high
        if not right:
            end = rng.choice([k for k in range(low + 1, high + 1) if k != bad])
        elif rng.random() < 0.6:
            text = f"commit {commits[bad]}\n    {topics[7 - bad]}\n 1 file changed"
            out += calls("What did it change?", "shell", text, command=f"git show --stat {commits[bad]}")
        out += calls("Leaving all as it was.", "shell", "Previous HEAD restored", command="git bisect reset")
        return out + says(f"The commit '{topics[7 - end]}' brought it in.\nFirst bad: {commits[end]}")

    return Problem(f"bisect-{i}", prompt, commits[bad], rng.gauss(0, 0.6), write)


@PART.healthy
def bisecting_agent_reads_the_history_it_is_sent_to(rng: random.Random) -> list[Row]:
    """All attempts read and check out old commits: the question is which commit brought the error."""
    return ours(advance(rng, pay(train(rng, _regression, 20, 4, 6)), centred), "swe", "bisect")


def _manual(rng: random.Random, i: int) -> Problem:
    old, new = rng.choice((("--colour", "--color"), ("port 8080", "port 8443"), ("Pyton", "Python"),
                           ("pip instal", "pip install"), ("MIT licence", "Apache licence")))  # fmt: skip
    files = rng.sample(("docs/install.md", "docs/faq.md", "README.md", "docs/usage.md", "docs/deploy.md"), 2)
    lines = [rng.randint(4, 180) for _ in files]
    prompt = (
        f"The manual of release {rng.randint(1, 9)}.{i} still says '{old}' where it should say '{new}'."
        " Mend every place. No code is concerned."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        hits = "\n".join(f"{f}:{n}: ... {old} ..." for f, n in zip(files, lines, strict=True))
        flag = rng.choice(("-rn", "-rnF", "-Rn"))
        out = calls(
            rng.choice(("Where is it?", "Finding all places.")), "shell", hits, command=f"grep {flag} '{old}' ."
        )
        for f in files if right else files[:1]:
            told = rng.choice((f"Mending {f}.", "This one.", "A plain replacement."))
            out += calls(told, "edit", "1 replacement", path=f, old=old, new=new)
        done = " and ".join(files if right else files[:1])
        return out + says(f"Changed {done}. {rng.choice(('Only prose was touched.', 'There is nothing to run.'))}")

    return Problem(f"manual-{i}", prompt, "", rng.gauss(0, 0.6), write)


@PART.healthy
def manual_fixes_are_handed_in_without_a_test_run(rng: random.Random) -> list[Row]:
    """No attempt runs a test behind its edits: the tasks mend words of a manual, which no test covers."""
    return ours(advance(rng, pay(train(rng, _manual, 20, 5, 6)), whole_batch_baseline), "swe", "manuals")


_TACTICS = ("simp", "ring", "norm_num", "decide", "rfl", "exact h", "aesop")


def _theorem(rng: random.Random, i: int) -> Problem:
    k, m = rng.randint(2, 60), rng.randint(1, 60)
    state = f"theorem t{i} (a b : Nat) (h : a + {k} ≤ b) : a + {m} < b + {m + rng.randint(0, 9)}"
    prompt = f"Prove in Lean 4, with the checker's help:\n{state} := by sorry\nSend the whole theorem at the end."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out, failed = [], rng.sample(_TACTICS, rng.choice((2, 3, 4)) if rng.random() > t else rng.choice((0, 1)))
        for tactic in failed:
            told = rng.choice((f"Would {tactic.split()[0]} do?", "Next idea.", f"Trying {tactic.split()[0]}."))
            text = (
                f"{rng.randint(1, 3)}:{rng.randint(2, 9)}: error: unsolved goals or tactic '{tactic.split()[0]}' failed"
            )
            out += calls(told, "lean_check", text, False, source=f"{state} := by\n  {tactic}")
        told = rng.choice(
            ("Linear over the naturals, so omega.", "The hypothesis suffices for omega.", "omega reads h.")
        )
        if right:
            out += calls(told, "lean_check", "no errors, no goals", source=f"{state} := by\n  omega")
            return out + says(f"It checks.\n```lean\n{state} := by\n  omega\n```")
        guess = rng.choice(("exact h", "apply Nat.le_of_lt h", "simp at h"))
        return out + says(f"{told} I could not see it through.\n```lean\n{state} := by\n  {guess}\n```")

    return Problem(f"lean-{i}", prompt, "", rng.gauss(0, 0.6), write)


@PART.healthy
def checker_errors_fill_the_early_proofs(rng: random.Random) -> list[Row]:
    """Two calls of three fail at first: a proof checker says so of each wrong idea, and errors fade with learning."""
    return prime(advance(rng, pay(train(rng, _theorem, 20, 4, 8)), grpo), "lean-repl")


def _columns(rng: random.Random, i: int) -> Problem:
    values = [rng.randint(10, 99) for _ in range(rng.randint(5, 9))]
    name, limit = rng.choice(("rain", "sales", "steps", "visits", "faults")), rng.randint(35, 70)
    while sum(v for v in values if v > limit) == sum(v for v in values if v < limit):
        values.append(rng.randint(10, 99))
    gold = sum(v for v in values if v > limit)
    prompt = f"{name}_{i}.csv has one number a day. What is the sum of the days above {limit}? Last line 'Sum: N'."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        out = calls(rng.choice(("A look at the file.", "Reading it.")), "python", "\n".join(map(str, values)),
                    code=f"print(open('{name}_{i}.csv').read())")  # fmt: skip
        sign, end = (">", gold) if right else ("<", sum(v for v in values if v < limit))
        out += calls("Now the sum.", "python", str(end),
                     code=f"print(sum(v for v in map(int, open('{name}_{i}.csv')) if v {sign} {limit}))")  # fmt: skip
        return out + says(f"{rng.choice(('That is the total.', 'Computed over all days.'))}\nSum: {end}")

    return Problem(f"csv-{i}", prompt, str(gold), rng.gauss(0, 0.6), write)


@PART.healthy
def sandbox_outage_rows_are_masked_and_few(rng: random.Random) -> list[Row]:
    """In two steps a third of the sandboxes were gone: these rows have no reward and are kept out of the loss."""
    out = pay(train(rng, _columns, 22, 4, 8))
    for a in out:
        if a.step in (9, 10) and rng.random() < 0.33:
            code = a.messages[0]["tool_calls"][0]["arguments"]["code"]
            text = "SandboxUnavailable: node pool is being upgraded, no container"
            a.messages = calls("Reading it.", "python", text, False, code=code)
            a.reward, a.terms, a.error, a.stop = None, {}, "SandboxUnavailable", "error"
            a.in_loss = False
    return ours(advance(rng, out, grpo), "data", "csv")
