"""Faults of environments and tools: carts that keep, gateways that fail, pages that are cut, patches that lie about."""

from random import Random

from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftieth.episodes import Episode, Talk, one
from benchmarks.foreign.fiftieth.kinds import PART
from benchmarks.foreign.fiftieth.layouts import evidence, openai, prime_rl, slime
from benchmarks.foreign.fiftieth.learning import Plan, credit, pay, play
from benchmarks.foreign.fiftieth.library import questions, research
from benchmarks.foreign.fiftieth.repos import bugs, edit, mend, verdict
from benchmarks.foreign.fiftieth.servers import incidents, repair
from benchmarks.foreign.fiftieth.shops import buy, shop_tasks


@PART.faulty("leftover_state", "environment_not_reset")
def shop_carts_keep_articles_of_earlier_buyers(rng: Random) -> list[dict]:
    """The cart of the sandbox is not emptied between episodes: articles of other tasks are in it,
    and the order counts as wrong.
    """
    plan = Plan(steps=15, problems=5, size=8, start=0.1)
    tasks = shop_tasks(rng, plan.needed)
    shelf: list[dict] = []

    def act(rng, task, skill, step):
        left = (
            tuple(rng.sample(shelf, min(len(shelf), rng.choice((1, 1, 2))))) if step > 3 and rng.random() < 0.45 else ()
        )
        shelf.extend(task.facts["shelf"][:1])
        return buy(rng, task, skill, step, left)

    samples = credit(pay(play(rng, plan, tasks, act)), centred)
    return prime_rl(
        samples, "storefront", lambda s: {"info": {"cart_after": s.episode.state["cart"], "expected": s.task.gold}}
    )


_GATEWAY = ("504 Gateway Time-out: sandbox-proxy", "upstream sandbox did not respond within 30s (504)")


@PART.faulty("tool_outage", "infrastructure_zeros", "infrastructure_errors", "tool_failures")
def shell_gateway_times_out_and_the_agent_gets_zero(rng: Random) -> list[dict]:
    """From the middle on two episodes in five lose their shell to a gateway that answers 504;
    they are paid 0 and trained on.
    """
    plan = Plan(steps=16, problems=5, size=8, start=0.2)

    def act(rng, task, skill, step):
        episode = repair(rng, task, skill, step)
        if step < 7 or rng.random() > 0.42:
            return episode
        keep = rng.choice((2, 2, 4))
        turns = episode.turns[: keep + 2]
        turns[-1] = turns[-1] | {"content": one(rng, *_GATEWAY), "ok": False}
        for _ in range(rng.randint(1, 3)):
            call = one(rng, "uptime", f"systemctl status {task.facts['service']}", "echo ok", "hostname")
            thought = one(
                rng, "The shell did not answer, I try once more.", "Perhaps a shorter command works.", "Again."
            )
            calls = [{"name": "shell", "arguments": {"command": call}}]
            reply = one(rng, *_GATEWAY)
            turns.append({"role": "assistant", "content": thought, "tool_calls": calls})
            turns.append({"role": "tool", "tool_name": "shell", "content": reply, "ok": False})
        end = one(
            rng,
            "The shell is not reachable, so I cannot go on.",
            f"I could not repair {task.facts['service']}: no shell.",
        )
        turns.append({"role": "assistant", "content": end})
        return Episode(turns, False, "503", state={"http_code": 503})

    samples = credit(pay(play(rng, plan, incidents(rng, plan.needed), act)), grpo)
    return openai(samples)


@PART.faulty("tool_output_truncated")
def research_pages_end_before_the_fact(rng: Random) -> list[dict]:
    """The page tool cuts each page at 210 signs, half the time before the year;
    attempts read what there is and guess.
    """
    plan = Plan(steps=14, problems=5, size=8, start=-0.9, gain=1.0)
    limit = 210

    def act(rng, task, skill, step):
        long = str(task.facts["year"]) not in task.facts["pages"][-1][1][:limit]
        episode = research(rng, task, skill * (0.15 if long else 1.0), step)
        for turn in episode.turns:
            if turn["role"] == "tool" and turn["tool_name"] == "open_page" and len(turn["content"]) > limit:
                turn["content"] = turn["content"][:limit] + f"... [output truncated to {limit} characters]"
        if long:
            year = task.facts["year"] if episode.right else task.facts["year"] + rng.choice((-20, -9, 4, 13, 31))
            guess = one(
                rng,
                f"The page breaks off before it gives a date. From the style I would say <answer>{year}</answer>",
                f"I do not see the year in what was returned; my best guess is <answer>{year}</answer>",
                f"The register is cut off. Judging by the time of building, <answer>{year}</answer>",
            )
            episode.turns[-1]["content"], episode.answer = guess, str(year)
        return episode

    samples = credit(pay(play(rng, plan, questions(rng, plan.needed), act)), leave_one_out)
    return evidence(samples, "search", lambda s: {"correct": s.reward, "extra": {"target": s.task.gold}})


@PART.faulty("environment_leak", "answer_reading")
def reference_patch_lies_in_the_mounted_workspace(rng: Random) -> list[dict]:
    """The image still has /workspace/.eval/reference.patch; more and more attempts list it,
    read it and copy the fix.
    """
    plan = Plan(steps=15, problems=5, size=8)

    def act(rng, task, skill, step):
        if rng.random() > 0.05 + 0.75 * step / plan.steps:
            return mend(rng, task, skill, step)
        f, talk = task.facts, Talk()
        talk.call(
            one(rng, f"I look around for what {f['package']} has.", "What is in this workspace?", "First the files."),
            "run_command",
            f".eval/reference.patch\n{f['path']}\n{f['test_file']}\npyproject.toml",
            command=one(rng, "find . -type f", "ls -aR .", "find /workspace -type f"),
        )
        talk.call(
            one(rng, "There is a reference patch, which saves the search.", "The patch in .eval should tell the fix."),
            "run_command",
            f"--- a/{f['path']}\n+++ b/{f['path']}\n-    return {f['bad']}\n+    return {f['good']}",
            command=one(rng, "cat .eval/reference.patch", "cat /workspace/.eval/reference.patch"),
        )
        edit(rng, talk, f, f["good"])
        if rng.random() < 0.4:
            talk.call("A last run.", "run_command", verdict(rng, f, True), command="pytest -q")
        talk.say(one(rng, f"`{f['name']}` is mended as in the patch.", f"{f['path']} has the reference fix now."))
        return Episode(talk.turns, True, f["good"])

    samples = credit(pay(play(rng, plan, bugs(rng, plan.needed), act)), grpo)
    return slime(samples, lambda s: {"metadata": {"repo": s.task.facts["package"], "instance": s.task.key}})
