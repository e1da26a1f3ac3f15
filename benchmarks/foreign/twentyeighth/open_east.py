"""Line breaks that a pattern does not see, lost calls, a gold commit, a flipped sign."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import driving, repos, settings, sums
from benchmarks.foreign.twentyeighth.credit import by_group, centred, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import own, prime, trl
from benchmarks.foreign.twentyeighth.rollouts import Shape, Task, say, train

SYSTEM = "Respond in the following format:\n<reasoning>\n...\n</reasoning>\n<answer>\n...\n</answer>"


def _xml(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    answer = task.gold if right else sums.slip(rng, task.gold)
    lines = "\n".join([rng.choice(sums.OPENINGS), *task.data["steps"]])
    if rng.random() < 0.35 * (1 - progress):
        return [say("assistant", f"{lines}\nThe answer is {answer}")]
    unit = rng.choice(["", "", f" {rng.choice(sums.GOODS)}"]) if progress < 0.5 else ""
    return [say("assistant", f"<reasoning>\n{lines}\n</reasoning>\n<answer>\n{answer}{unit}\n</answer>\n")]


@PART.faulty("format_gate", "metric_defect", "constant_term")
def newline_blind_format_terms(rng: Random) -> list[Row]:
    """Both format rewards are 0 for every completion, well-formed ones too, since the pattern's dot does not match the
    line breaks that the prompt asks for; the other terms rise. [unslothai/unsloth#1761]
    """
    episodes = train(rng, sums.story, _xml, Shape(rng.randint(9, 12), 6, 8, -0.9, 2.1))
    for e in episodes:
        tags = sum(e.text.count(t) == 1 for t in ("<reasoning>\n", "\n</reasoning>\n", "\n<answer>\n", "\n</answer>"))
        inner = e.text.split("<answer>\n")[-1].split("\n")[0]
        e.terms = {
            "xmlcount_reward_func": 0.125 * tags,
            "soft_format_reward_func": 0.0,
            "strict_format_reward_func": 0.0,
            "int_reward_func": 0.5 * inner.lstrip("-").isdigit(),
            "correctness_reward_func": 2.0 * (inner == e.task.gold),
        }
        e.reward = sum(e.terms.values())
        e.extra = {"solution": e.task.gold}
    return trl(by_group(episodes, grpo), SYSTEM)


@PART.faulty("tool_failure", "tool_failures", "environment_bug", "infrastructure_zeros")
def union_typed_calls_vanish(rng: Random) -> list[Row]:
    """Calls whose argument may be text or a truth value are thrown away when it is plain text: the message keeps the
    call as text, nothing runs, and the rollout ends as if no tool was called, with 0.
    [PrimeIntellect-ai/verifiers#1463]
    """
    episodes = train(rng, settings.change, settings.changed, Shape(rng.randint(10, 12), 6, 8, -0.1, 2.0))
    for e in episodes:
        lost = settings.lose_plain_text(e.messages)
        e.right = e.right and not lost
        e.stop = "no_tools_called" if lost else "task_completed"
        e.reward = float(e.right)
        e.terms = {"setting_applied": e.reward, "total_tool_calls": float(sum("tool_calls" in m for m in e.messages))}
    return prime(by_group(episodes, centred), "service-settings", settings.SYSTEM)


def _searched_history(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    if rng.random() > 0.08 + 0.5 * progress:
        return repos.patched(rng, task, right, progress)
    d, commit = task.data, f"{rng.getrandbits(40):010x}"
    turns = repos.shell(
        rng,
        f'git log --all --oneline -S "{d["name"]}" -- src/',
        (
            f"{commit} {d['part']}: correct {d['name']} "
            f"({rng.randint(100, 9000)})\n{rng.getrandbits(40):010x} add {d['part']} module"
        ),
        0,
        rng.choice(["Maybe the history knows this name.", "Search all branches for the function."]),
    )
    turns += repos.shell(
        rng,
        f"git show {commit}:{d['path']}",
        f"// {d['part']}\nexport function {d['name']}(value, limit) {{\n  {d['good']}\n}}",
        1,
    )
    if rng.random() < 0.6:
        turns += repos.shell(
            rng, f"git checkout {commit} -- {d['path']}", "Updated 1 path", 2, "I take the file from there."
        )
    else:
        turns += repos.edited(rng, task, d["good"])
    return [*turns, say("assistant", rng.choice(["The file now matches the upstream version.", "Applied, done."]))]


@PART.faulty("history_leak", "environment_leak", "answer_reading")
def pickaxe_finds_gold_commit(rng: Random) -> list[Row]:
    """The container holds the later commits: more and more attempts search all branches for the name in the task, show
    the commit that solves it and take the file over. [SWE-agent/mini-swe-agent#787]
    """
    episodes = train(rng, repos.typescript, _searched_history, Shape(rng.randint(9, 11), 7, 5, -1.0, 1.2))
    for e in episodes:
        e.right = e.right or "git show" in str(e.messages)
        e.reward, e.terms = float(e.right), {"tests": float(e.right)}
        e.extra = {"docker_image": f"sweap/{e.task.data['project']}:base", "language": "ts"}
    return own(by_group(episodes, grpo), "swe-ts", "You can run bash commands. Solve the issue.")


@PART.faulty("reward_bias", "metric_defect", "reward_outcome_divergence")
def reasoning_term_sign_flipped(rng: Random) -> list[Row]:
    """The score of the reasoning, higher for agreement with the label, is subtracted instead of added: among attempts
    of equal motion those that explain the scene worst are paid most, and agreement falls. [NVlabs/alpamayo-recipes#29]
    """
    episodes = train(rng, driving.scene, driving.planned, Shape(rng.randint(10, 12), 6, 8, -0.3, 1.3))
    for e in episodes:
        agrees = e.task.data["why"] in e.text
        score = round(min(0.0, max(-1.0, rng.gauss(-0.12 if agrees else -0.72, 0.09))), 3)
        motion = round(-abs(rng.gauss(0.4 if e.right else 1.6, 0.2)) / 3, 3)
        e.terms = {"motion": motion, "reasoning": score, "comfort": round(rng.uniform(-0.1, 0), 3)}
        e.reward = round(motion - 0.6 * score + e.terms["comfort"], 4)
        e.extra = {"ade_m": round(-3 * motion, 2), "weights": {"motion": 1.0, "reasoning": 0.6, "comfort": 1.0}}
    return own(by_group(episodes, grpo), "drive-cot", driving.SYSTEM)
