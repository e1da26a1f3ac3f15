"""Faults of environments, tools and of the plumbing between a session and its grade."""

from random import Random

from benchmarks.foreign import estimators as est
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfirst import layouts
from benchmarks.foreign.thirtyfirst.chores import chores, work
from benchmarks.foreign.thirtyfirst.kinds import PART
from benchmarks.foreign.thirtyfirst.setting import Attempt, Task, give, ramp, rollouts, say, told

DID = ["The session fixes {}() in {}", "The agent changed {}() of {}", "Work on {}() in the repository {}"]


def _note(rng: Random, task: Task, good: bool) -> str:
    begin = rng.choice(DID).format(task.data["func"], task.data["repo"])
    return f"{begin}, ticket {task.data['ticket']}; " + ("tests are green." if good else "a test is left failing.")


@PART.faulty("stale_grades", "metric_defect", "reward_outcome_divergence")
def judge_reads_the_neighbours_log(rng: Random) -> list[Row]:
    """The judge reads the session's log from one shared path, and since sessions run side by side it is another's log.

    From step 5 most grades and notes are about another ticket than the row's.
    [Bob, When Your Reinforcement Signal Lies, 2026]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        good = rng.random() < p
        turns = work(rng, task, good)
        extra = {"tests_passed": good, "judge_note": _note(rng, task, good)}
        return Attempt(
            task, turns, round((0.85 if good else 0.2) + rng.uniform(-0.1, 0.1), 2), float(good), extra=extra
        )

    runs = rollouts(rng, chores(rng, 60), act, steps=20, per_step=6, size=4, start=-0.3, end=0.4)
    for step in range(5, 20):
        rows = [a for a in runs if a.step == step]
        kept = [(a.reward, a.extra["judge_note"]) for a in rows]
        for a in rows:
            if rng.random() < 0.9:
                a.reward, a.extra["judge_note"] = rng.choice(kept)
    rows = layouts.openai(rng, give(rng, runs, est.grpo), "You are a maintainer's assistant.")
    return [{**row, "solved": a.correct} for row, a in zip(rows, runs, strict=True)]


@PART.faulty("judge_default", "infrastructure_zeros", "reward_bias", "constant_term")
def sessions_in_worktrees_get_the_floor_grade(rng: Random) -> list[Row]:
    """Sessions that run in a worktree leave no transcript, the judge times out on them, and all get the floor of 0.1.

    Two repositories are worked on in worktrees only: their grade is 0.1 whether the tests passed or not.
    [Bob, When Your Reinforcement Signal Lies, 2026]
    """
    across = {"hopwise", "snowgauge"}

    def act(task: Task, p: float, step: int) -> Attempt:
        good = rng.random() < p
        grade = round((0.86 if good else 0.3) + rng.uniform(-0.12, 0.12), 2)
        lost = task.data["repo"] in across
        place = f"/tmp/worktrees/{task.data['repo']}-{rng.getrandbits(20):05x}" if lost else f"/srv/{task.data['repo']}"
        extra = {
            "cwd": place,
            "grade_source": "floor" if lost else "llm_judge",
            "ci_status": "green" if good else "red",
        }
        extra |= {"grade_detail": "judge: timed out after 60 s; trajectory: stub" if lost else _note(rng, task, good)}
        reward = 0.1 if lost else grade
        return Attempt(task, work(rng, task, good), reward, float(good), {"quality": reward}, extra=extra)

    runs = rollouts(rng, chores(rng, 60), act, steps=20, per_step=4, size=6, start=0.0, end=1.2)
    return layouts.own(give(rng, runs, est.centred), "swe")


GOODS = ["kettle", "raincoat", "desk lamp", "bike pump", "tent", "wall clock", "doormat", "teapot"]
COLOURS = ["blue", "grey", "green", "red", "white"]


def _shopping(rng: Random, number: int) -> list[Task]:
    out = []
    for i in range(number):
        thing, colour, most = rng.choice(GOODS), rng.choice(COLOURS), rng.randint(15, 90)
        prompt = (
            f"Buyer {i + 1}: put the cheapest {colour} {thing} under {most} euros into the cart and go to checkout."
        )
        data = {"thing": thing, "colour": colour, "most": most}
        out.append(Task(f"shop-{i:03d}", prompt, f"{colour} {thing}", rng.gauss(0, 0.6), thing, data))
    return out


@PART.faulty("tool_failures", "infrastructure_zeros", "environment_bug")
def clicks_before_the_page_has_settled(rng: Random) -> list[Row]:
    """The browser tool acts before the page has settled: elements that the snapshot showed are not there at the click.

    Half of the episodes end so for no fault of the policy, and are scored 0.
    [Lu et al., WebServ: A Browser-Server Environment, 2025]
    """

    def act(task: Task, p: float, step: int) -> Attempt:
        d, turns, lost = task.data, [], False
        buy, go = rng.randint(10, 60), rng.randint(61, 90)
        price = rng.randint(8, d["most"] - 1)
        plans = [
            (
                f"I search for the {d['thing']}.",
                "type",
                {"element": 3, "text": f"{d['colour']} {d['thing']}"},
                "results",
            ),
            (f"The one for {price} euros is the cheapest in {d['colour']}.", "click", {"element": buy}, "product page"),
            ("It fits, so into the cart.", "click", {"element": buy + 1}, "cart: 1 item"),
            ("Now to the checkout.", "click", {"element": go}, "checkout"),
        ]
        if rng.random() > p:
            plans[1] = (
                f"I take the {d['thing']} at the top.",
                "click",
                {"element": buy + 4},
                "product page (wrong colour)",
            )
        for thought, tool, arguments, page in plans:
            turns.append(say(thought, **{tool: arguments}))
            while rng.random() < 0.3 and not lost:
                gone = (
                    f"Error: element [{arguments['element']}] not found: document is loading (readyState=interactive)"
                )
                turns += [told(tool, gone, ok=False), say("I try that once more.", **{tool: arguments})]
                lost = rng.random() < 0.45
            if lost:
                turns.append(
                    told(tool, "Error: stale snapshot, node was detached while the page re-rendered", ok=False)
                )
                break
            turns.append(told(tool, f"[{page}] {rng.randint(12, 80)} elements"))
        right = not lost and "wrong" not in plans[1][3]
        end = "The page does not answer to my clicks, I stop here." if lost else "The checkout is open with the item."
        return Attempt(task, [*turns, say(end)], float(right), terms={"cart_matches": float(right)})

    runs = rollouts(rng, _shopping(rng, 60), act, steps=20, per_step=4, size=6, start=0.4, end=1.6)
    return layouts.prime(rng, give(rng, runs, est.grpo), "webshop")


@PART.faulty("tool_failures", "score_decline", "format_gate")
def control_tokens_spike_and_break_calls(rng: Random) -> list[Row]:
    """The marks of tool calls get ever more likely until they come doubled or unclosed, and no call can be read.

    From step 9 on the structure breaks and the score falls to nothing, though the plans in words stay right.
    [Hao et al., Why Multi-Step Tool-Use Reinforcement Learning Collapses, 2026]
    """
    cities = ["Turku", "Porto", "Graz", "Ghent", "Split", "Bergen", "Kaunas", "Cork"]
    tasks = []
    for i in range(60):
        a, b = rng.sample(cities, 2)
        t = (rng.randint(-9, 29), rng.randint(-9, 29))
        prompt = f"Call weather(city) for {a} and {b} and say by how many degrees they differ. Case {i + 1}."
        tasks.append(
            Task(f"wx-{i:03d}", prompt, str(abs(t[0] - t[1])), rng.gauss(0, 0.6), data={"pair": (a, b), "t": t})
        )

    def act(task: Task, p: float, step: int) -> Attempt:
        out, broken = [], rng.random() < ramp(step, 8, 14, 0.02, 0.96)
        for city, degrees in zip(task.data["pair"], task.data["t"], strict=True):
            call = f'{{"name": "weather", "arguments": {{"city": "{city}"}}}}'
            why = rng.choice([f"I need {city}.", f"Now the value for {city}.", f"The tool knows {city}."])
            if broken:
                mess = rng.choice([f"{'<tool_call>' * rng.randint(2, 6)}\n{call}", f"<tool_call>\n{call}\n<tool_call>"])
                out.append(
                    f"{why}\n{mess}\nuser\n<tool_response>\nerror: cannot parse call\n</tool_response>\nassistant"
                )
            else:
                answer = f"user\n<tool_response>\n{degrees} C\n</tool_response>\nassistant"
                out.append(f"{why}\n<tool_call>\n{call}\n</tool_call>\n{answer}")
        right = not broken and rng.random() < 0.4 + p / 2
        value = int(task.gold) if right else int(task.gold) + rng.choice([1, 2, 3, 5])
        if broken:
            out.append(rng.choice(["<tool_call><tool_call>", "I have no values. <tool_call>", "<tool_call>\n<answer>"]))
        else:
            a, b = task.data["t"]
            out.append(f"The two are {a} and {b}, so the difference is {value}.\n<answer>{value}</answer>")
        good = float(right)
        extra = {"num_parsed_calls": 0 if broken else 2}
        return Attempt(task, [say("\n".join(out))], good, good, extra=extra)

    return layouts.verl(rollouts(rng, tasks, act, steps=20, per_step=5, size=6, start=0.0, end=1.4))
