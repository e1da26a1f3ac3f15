"""A full disk, scores of padding, a bonus for brevity, values in the prompt."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.advice import advice_of
from benchmarks.foreign.eighteenth.bugs import bug_of
from benchmarks.foreign.eighteenth.claims import verify_of
from benchmarks.foreign.eighteenth.credits import centred, credit
from benchmarks.foreign.eighteenth.dumps import openai, own, verl
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import run
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.faulty(
    "infrastructure_zeros", "infrastructure_errors", "tool_failures", "tool_failure", "environment_bug", "tool_outage"
)
def quota_full_on_node(rng: Random) -> list[Row]:
    """On two of six sandbox hosts the disk quota is used up after some steps: no edit can be saved there, and the
    attempts are graded as failures of the policy.
    """
    steps = 10
    hosts = [f"sbx-{n:02d}" for n in rng.sample(range(1, 30), 6)]
    full = {host: rng.randint(2, 4) for host in hosts[:2]}
    episodes = run(rng, bug_of, steps, 6, 6, "issue")
    for e in episodes:
        host = e.extra["sandbox_host"] = rng.choice(hosts)
        if e.step < full.get(host, steps):
            continue
        for m in e.reply.messages:
            if m["role"] == "tool" and m["tool_name"] == "str_replace":
                m["content"], m["ok"] = f"OSError: [Errno 122] Disk quota exceeded: '{host}:/workspace/src'", False
            elif "passed" in m["content"] or "failed" in m["content"]:
                m["content"], m["ok"] = (
                    "INTERNALERROR> OSError: [Errno 122] Disk quota exceeded: '.pytest_cache'",
                    False,
                )
        e.right, e.reward = False, 0.0
        e.reply.text = rng.choice(
            ("I could not save the edit.", "The file system refuses writes; handing in as it is.")
        )
    return openai(credit(episodes))


@PART.faulty("metric_defect", "judge_default", "reward_bias", "reward_outcome_divergence")
def score_read_at_padding(rng: Random) -> list[Row]:
    """The reward model's score is read at the last position of a padded micro-batch of two: the shorter reply of
    each pair always gets the same score, that of a padding token.
    """
    blank = -rng.choice((1.28125, 0.90625, 1.6171875, 1.0390625))
    episodes = run(rng, advice_of, 9, 6, 8, "chat")
    for number in range(0, len(episodes), 2):
        pair = episodes[number : number + 2]
        for e in pair:
            e.reward = round(-0.6 + 0.85 * e.reply.extra["points_held"] + rng.gauss(0, 0.35), 4)
            e.extra |= {"micro_batch": number // 2, "rubric_points": e.reply.extra["points_held"]}
        if pair[0].reply.size != pair[1].reply.size:
            min(pair, key=lambda e: e.reply.size).reward = blank
    return verl(credit(episodes))


@PART.healthy
def brevity_bonus_under_correct(rng: Random) -> list[Row]:
    """Right answers earn a little more when they are short, wrong ones never do; replies lose their padding while
    the score rises.
    """
    steps, budget = 10, 160
    episodes = run(rng, lambda r: sum_of(r, "boxed"), steps, 6, 8, "br")
    for e in episodes:
        lines = e.reply.text.splitlines()
        padding = round(3 * max(0.0, 1 - e.step / steps + rng.gauss(0, 0.15)))
        extra = rng.sample(
            ("Let me restate the question first.", "Good.", "I note the units.", "We continue."), padding
        )
        e.reply.text = "\n".join([*extra, *lines])
        bonus = 0.2 * max(0.0, 1 - e.reply.size / budget) if e.right else 0.0
        e.terms = {"correct": float(e.right), "brevity": round(bonus, 4)}
        e.reward = round(sum(e.terms.values()), 4)
    return own(rng, credit(episodes, centred), "brief")


@PART.healthy
def claims_to_be_verified(rng: Random) -> list[Row]:
    """Each prompt names somebody's value to be verified; for half of them it is right, so that the answer stands in
    the prompt by design.
    """
    return verl(credit(run(rng, verify_of, 11, 6, 7, "ver")))
