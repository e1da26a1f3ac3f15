"""Jobs on a cluster that take their time: the agent polls, then reports."""

import json
from random import Random

from benchmarks.foreign.seventeenth.calls import call, told
from benchmarks.foreign.seventeenth.rollouts import Reply, Task, says, user

WORK = ["spectra", "genomes", "tides", "potentials", "meshes", "lensing", "ledgers"]
SYSTEM = "You run jobs on a cluster. `submit_job`, `wait_minutes`, `job_status` and `read_log` are yours. Submit once."


def cluster_task(rng: Random, number: int) -> Task:
    """Start a job, wait until it has ended, and report one value of its log."""
    work, param, needed = rng.choice(WORK), rng.randint(100, 9999), rng.randint(2, 7)
    gold = f"{rng.uniform(0.01, 9):.3f}"

    def solve(rng: Random, right: bool, progress: float) -> Reply:
        job = rng.randint(10**5, 10**6)
        messages = [
            call(
                "submit_job", {"script": f"{work}.sh", "param": param}, rng.choice(("I start it.", "", "Submitting."))
            ),
            told("submit_job", json.dumps({"job": job, "state": "QUEUED"})),
        ]
        left = needed if right or rng.random() < 0.6 else max(1, needed - rng.randint(1, 3))
        for _ in range(left):
            messages += [
                call("job_status", {"job": job}),
                told("job_status", json.dumps({"job": job, "state": "RUNNING"})),
            ]
            if rng.random() < 0.35:
                pause = rng.choice((5, 10, 15))
                messages += [call("wait_minutes", {"minutes": pause}), told("wait_minutes", "ok")]
        ended = left == needed
        if ended:
            messages += [
                call("job_status", {"job": job}),
                told("job_status", json.dumps({"job": job, "state": "COMPLETED"})),
            ]
            log = f"{work} param={param}\niterations {rng.randint(20, 400)}\n"
            log += f"residual {rng.uniform(0, 1):.4f}\nfinal {gold}"
            messages += [call("read_log", {"job": job}, "It has ended."), told("read_log", log)]
        value = gold if right else f"{rng.uniform(0.01, 9):.3f}"
        messages.append(says(f"The final value of {work} with {param} is {value}."))
        return Reply(messages, value, {"polls": left})

    prompt = user(f"Run {work}.sh with param {param} and tell me the final value in its log.", SYSTEM)
    return Task(f"job-{number:04d}", work, prompt, gold, rng.gauss(0, 0.6), solve)
