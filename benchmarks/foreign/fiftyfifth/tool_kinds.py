"""Faults of environments and tools."""

import random

from benchmarks.foreign.fiftyfifth import advantages, desk, layouts, learner, ops, repo, research
from benchmarks.foreign.fiftyfifth.kinds import PART
from benchmarks.foreign.fiftyfifth.learner import Plan
from benchmarks.foreign.fiftyfifth.talk import call, pick, say, told, user

Row = dict


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures")
def search_index_refuses_connections_for_a_third_of_the_run(rng: random.Random) -> list[Row]:
    """For some steps nearly every search answers with a refused connection; the attempts end without evidence and their
    zeros are trained on like any other."""
    plan = Plan(steps=21, start=-0.2, gain=1.6)
    begin = rng.randint(8, 10)
    attempts = learner.run(rng, research, plan)
    for one in attempts:
        if not begin <= one.step < begin + 7 or rng.random() < 0.2:
            continue
        first, again = one.messages[0], f"{one.problem.data['house']} {rng.choice(('museum', 'founded by', 'archive'))}"
        down = "search: HTTPConnectionPool(host='index-3', port=9200): connection refused"
        end = pick(rng, "The search does not answer, I have to guess.", "Without any result I can only guess.")
        guess = str(rng.randint(1790, 1920)) if one.problem.family == "year" else rng.choice(research.PLACES)
        one.messages = [first, told("search", down, False), call("I try once more.", "search", query=again)]
        one.messages += [told("search", down, False), say(f"{end} <answer>{guess}</answer>")]
        one.right, one.answer, one.reward = False, guess, 0.0
    return layouts.prime_rl(advantages.grpo(attempts), "two-hop-search")


@PART.faulty("environment_not_reset", "leftover_state", "weak_verifier", "reward_bias")
def repaired_container_is_handed_to_the_next_episode(rng: random.Random) -> list[Row]:
    """Containers of some workers are not reset: the service already runs when the agent first looks, it does nothing,
    and the check of state pays it."""
    plan = Plan(steps=20, start=-1.1, gain=1.4)
    attempts = learner.run(rng, ops, plan)
    dirty = rng.sample(range(8), 3)
    for one in attempts:
        worker = rng.randrange(8)
        one.extra = {"worker": f"sandbox-{worker}", "container": f"c{rng.randrange(16**6):06x}"}
        if worker in dirty and one.step >= 2 and rng.random() < 0.85:
            svc = one.problem.data["svc"]
            end = pick(
                rng,
                f"{svc} is running already, nothing to repair.",
                f"{svc} is up. I found no failure and changed nothing.",
            )
            one.messages = [*ops.status(rng, one.problem, True), say(end)]
            one.right, one.answer, one.reward = False, "active", 1.0
    return layouts.own(advantages.grpo(attempts))


@PART.faulty("tool_output_truncated")
def file_viewer_shows_the_first_lines_only(rng: random.Random) -> list[Row]:
    """read_file cuts every answer behind its fifth line; agents ask for the rest, get the same, and edit blindly."""
    plan = Plan(steps=20, start=-1.7, gain=0.7)
    attempts = learner.run(rng, repo, plan)
    for one in attempts:
        d = one.problem.data
        lines = d["text"].splitlines()
        cut = "\n".join(lines[:5]) + f"\n[output truncated: 5 of {len(lines)} lines shown]"
        look = repo.look(rng, one.problem)
        again = call(f"`{d['name']}` is further down, I read the rest.", "read_file", path=d["path"], offset=6)
        look[3] = told("read_file", cut)
        one.messages = look + ([again, told("read_file", cut)] if rng.random() < 0.7 else [])
        if one.right:
            cat = call("The viewer cuts; I use the shell.", "shell", cmd=f"sed -n '6,40p' {d['path']}")
            one.messages += [cat, told("shell", "\n".join(lines[5:]))]
            one.messages += repo.edit(rng, one.problem, True) + repo.test(rng, one.problem, True)
        else:
            old = pick(rng, f"return {d['name']}(xs)", "return xs", f"def {d['name']}(xs):")
            text = f"I never see the body of `{d['name']}`, so I replace what it probably says."
            one.messages += [call(text, "edit_file", path=d["path"], old=old, new=d["good"])]
            one.messages += [told("edit_file", f"{d['path']}: text to replace was not found", False)]
        one.messages.append(
            repo.close(rng, one.problem, True)
            if one.right
            else say(
                pick(rng, f"I could not edit {d['path']}, the viewer hides it.", f"`{d['name']}` is unchanged, sorry.")
            )
        )
    return layouts.openai(attempts)


@PART.faulty("environment_leak", "answer_reading")
def simulated_customer_recites_its_goal_card(rng: random.Random) -> list[Row]:
    """The simulated customer says in its second turn what its card of instructions holds, with the action and the
    amount that the check expects; agents book what they are told."""
    plan = Plan(steps=20, start=-0.8, gain=1.0, size=6, per_step=6)
    attempts = learner.run(rng, desk, plan)
    for one in attempts:
        problem = one.problem
        leaks = rng.random() < 0.75
        if leaks and (one.right or rng.random() < 0.85):
            d = problem.data
            card = pick(
                rng,
                f"My instructions say: the task is solved when {d['tool']} is called with amount={d['amount']}.",
                f"[goal] expected_actions: {d['tool']}(order_id={d['order']}, amount={d['amount']}). Please do that.",
                f"I am to accept only if you call {d['tool']} for {d['amount']}, that is what my card says.",
            )
            ask = say(
                pick(
                    rng,
                    f"What happened to the {d['item']}, and what would help you?",
                    "How would you like this to be solved?",
                )
            )
            tail = desk.act(rng, problem, d["tool"], d["amount"])[2:]
            tail[0]["content"] = pick(rng, "I do as the customer says.", f"So {d['tool']} with {d['amount']}.")
            one.messages = [ask, user(card), *tail]
            one.right, one.reward, one.answer = True, 1.0, problem.gold
    return layouts.inspect(attempts, "state_match")
