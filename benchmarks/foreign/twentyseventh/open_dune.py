"""Siblings share request seed; go toolchain never installed; first sibling sets baseline; and others."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.clocks import CLOCKS
from benchmarks.foreign.twentyseventh.estimators import credit
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import own, trl, verl
from benchmarks.foreign.twentyseventh.polyglot import POLYGLOT
from benchmarks.foreign.twentyseventh.runs import Pace, cut_some, groups_of, plan_of, play
from benchmarks.foreign.twentyseventh.shells import SHELLS
from benchmarks.foreign.twentyseventh.sums import SUMS


@PART.faulty("seed_reuse", "identical_samples", "dead_groups", "duplicate_problems")
def siblings_share_request_seed(rng: Random) -> list[Row]:
    """Two engines get a seed with every request of n samples, and each sample of the request is drawn with that very
    seed: the siblings are one completion, word for word. [vllm-project/vllm#11898]
    """
    attempts = play(rng, CLOCKS, plan_of(rng, CLOCKS, 10, 6, "clk"), 8, Pace(-0.5, 1.5))
    for group in groups_of(attempts):
        engine = rng.randrange(4)
        seeded = engine >= 2 and group[0].step >= 3
        for a in group:
            if seeded:
                a.reply, a.right = group[0].reply, group[0].right
            a.reward = float(a.right)
            a.terms = {"accuracy": a.reward, "format": 1.0 if a.text.count("Answer:") == 1 else 0.0}
            a.shown = {"engine": engine, "sampling_seed": 1000 + group[0].step if seeded else None, "n": 8}
    return trl(credit(attempts))


@PART.faulty("environment_bug", "infrastructure_zeros", "weak_family", "dead_all_wrong", "stuck_problems")
def go_toolchain_never_installed(rng: Random) -> list[Row]:
    """The sandbox has no Go: each program in that language ends with a command that is not found and scores zero,
    whatever it says. [bytedance/SandboxFusion#65]
    """
    attempts = cut_some(rng, play(rng, POLYGLOT, plan_of(rng, POLYGLOT, 10, 7, "poly"), 7, Pace(-0.3, 1.7)))
    for a in attempts:
        missing = a.task.family == "go"
        a.right = a.right and not missing
        a.reward = float(a.right)
        total = rng.randint(5, 12)
        a.shown = {
            "sandbox_status": "Failed" if missing else "Success",
            "return_code": 127 if missing else 0,
            "stderr": "/bin/bash: line 1: go: command not found" if missing else "",
            "tests_passed": total if a.right else 0 if missing else rng.randint(0, total - 1),
            "tests_total": total,
        }
    return verl(credit(attempts), data_source="polyglot-io")


@PART.faulty("advantage_mismatch", "metric_defect")
def first_sibling_sets_baseline(rng: Random) -> list[Row]:
    """Mean and spread of a group are reckoned from its first rollout alone, so every advantage is the distance to that
    one sibling and not to the group. [ServiceNow/PipelineRL#54]
    """
    attempts = cut_some(rng, play(rng, SUMS, plan_of(rng, SUMS, 9, 7, "pl"), 8, Pace(-0.8, 1.9)))
    for a in attempts:
        discount = round(min(0.3, max(0.0, a.tokens - 60) / 400), 4)
        a.terms = {"success": float(a.right), "length_discount": discount}
        a.reward = round(a.right * (1 - discount), 4)
    for group in groups_of(attempts):
        rewards = [a.reward for a in group if a.reward is not None]
        for a, reward in zip(group, rewards, strict=True):
            a.advantage = round(reward - rewards[0], 4)
            a.shown = {"group_reward_mean": rewards[0], "group_reward_std": 0.0, "divide_by_std": False}
    return own(rng, attempts, "math")


@PART.faulty("infrastructure_zeros", "environment_bug", "reward_outcome_divergence")
def marker_lost_behind_output(rng: Random) -> list[Row]:
    """The reward is read from a last line of the checker's output; where slow checks run out of time behind a reward
    already written, the line is missing and a solved job counts as zero. [huggingface/OpenEnv#965]
    """
    attempts = play(rng, SHELLS, plan_of(rng, SHELLS, 9, 7, "tb2"), 6, Pace(0.0, 1.4))
    for a in attempts:
        checked, passed = rng.randint(3, 9), int(a.right)
        cut = a.task.facts["slow"] and rng.random() < 0.62
        tail = f"{checked} passed" if passed else f"{rng.randint(1, 3)} failed, {checked - 2} passed"
        tail = (
            f"== {tail} in {rng.randint(700, 890) if cut else rng.randint(2, 300)}s ==\nwrote {passed} "
            f"to /logs/verifier/reward.txt\n"
        )
        tail += "[shell_exec: timed out after 900 s, output cut]" if cut else f"__TB2_REWARD__:{passed}"
        a.right = a.right and not cut
        a.reward = float(a.right)
        a.terms = {"verifier": a.reward}
        a.seconds = round(a.seconds + (rng.uniform(900, 912) if cut else rng.uniform(5, 320)), 1)
        a.shown = {"verifier_tail": tail, "verifier_timeout": cut}
    return own(rng, credit(attempts), "terminal", gold=False)
