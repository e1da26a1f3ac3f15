"""Faults of environments and tools: silent rate limits, a user who hangs up, output cut without a word."""

import random
import re

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtythird.advantages import assign
from benchmarks.foreign.thirtythird.archive import KINDS, OPEN, found, queries, records
from benchmarks.foreign.thirtythird.kinds import PART
from benchmarks.foreign.thirtythird.layouts import openai, own_columns, prime_rl
from benchmarks.foreign.thirtythird.policy import Attempt, Task, call, chance, fresh, hear, say, train, user

SEARCH = "Answer with the tool `search`. End with: Answer: <year or words>."


@PART.faulty("tool_outage", "infrastructure_zeros", "tool_failures", "environment_bug")
def rate_limit_looks_like_an_empty_web(rng: random.Random) -> list[Row]:
    """From the second third of steps on the search engine throttles the machine and answers "No results found." to
    queries that it answered before; attempts guess and get nothing.

    [charmbracelet/crush#3456]
    """

    def write(task: Task, progress: float) -> Attempt:
        block = 0.0 if progress < 0.35 else 0.97 if rng.random() < 0.7 else 0.15
        turns, heard = [], ""
        for query in queries(rng, task)[: rng.randint(2, 4)]:
            heard = "No results found." if rng.random() < block else found(rng, task)
            turns.append(
                call(rng.choice(OPEN) if not turns else "Nothing came, I put it another way.", "search", query=query)
            )
            turns.append(hear(heard, "search"))
            if heard != "No results found.":
                break
        low, high = KINDS[task.data["kind"]][2]
        if heard != "No results found." and rng.random() < chance(task, 0.3 + 0.5 * progress):
            answer = task.gold
            turns.append(say(f"The record for {task.data['name']} gives the year. Answer: {answer}"))
        elif heard != "No results found.":
            answer = next(year for year in re.findall(r"\d{4}", heard) if year != task.gold)
            turns.append(say(f"The results speak of a {task.data['kind']} of that name. Answer: {answer}"))
        else:
            answer = str(rng.randint(low, high))
            turns.append(say(f"Going by similar cases of a {task.data['kind']}, I would say so. Answer: {answer}"))
        hit = float(answer == task.gold)
        return Attempt(task, turns, hit, hit, {"exact": hit}, {"answer": answer}, system=SEARCH)

    return own_columns(assign(train(fresh(rng, records(rng, 45), 5), 24, 4, write)), "search")


GOODS = ("kettle", "desk lamp", "rucksack", "tent", "pair of boots", "blender", "rain jacket", "radio")
WHYS = ("it came in the wrong colour", "it is too small", "it arrived scratched", "I ordered two by mistake")
DEEDS = {"return": "return_item", "exchange": "exchange_item", "cancel": "cancel_order"}


def _orders(rng: random.Random) -> list[Task]:
    tasks = []
    for number in range(48):
        deed, good, why = rng.choice([*DEEDS]), rng.choice(GOODS), rng.choice(WHYS)
        text = f"Hello, I want to {deed} the {good} from order #{4100 + number * 7}: {why}."
        data = {"deed": deed, "good": good, "order": f"#{4100 + number * 7}"}
        tasks.append(
            Task(f"retail-{number:02d}", text, f"{DEEDS[deed]}({data['order']})", deed, rng.gauss(-0.8, 0.8), data)
        )
    return tasks


@PART.faulty("environment_bug", "infrastructure_zeros", "early_exit", "metric_defect")
def customer_hangs_up_before_the_write(rng: random.Random) -> list[Row]:
    """The simulated customer confirms and ends the conversation in one message, so the agent never makes the call that
    it asked leave for, and the database check fails it.

    [Toloka/tolokaforge#611]
    """
    asks = ("Shall I go ahead?", "Do you confirm (yes/no)?", "May I proceed with this?")
    rules = "Look the order up, ask for confirmation, and only then change it."

    def write(task: Task, progress: float) -> Attempt:
        deed, good, order = (task.data[key] for key in ("deed", "good", "order"))
        open_ = rng.choice(("I am sorry to hear that.", "Thank you for writing.", "Let me look at your order."))
        turns = [
            call(open_, "get_order", order_id=order),
            hear(f'{{"order": "{order}", "items": ["{good}"]}}', "get_order"),
        ]
        turns.append(say(f"I can {deed} the {good} of order {order}. {rng.choice(asks)}"))
        if rng.random() < 0.52:
            turns.append(user(rng.choice(("Yes, please go ahead. ###STOP###", "Yes, do that, thanks. ###STOP###"))))
            return Attempt(task, turns, 0.0, extra={"db_match": False}, stop="user_stop", system=rules)
        turns.append(user(rng.choice(("Yes, please.", "Yes, go ahead.", "Confirmed, thank you."))))
        right = rng.random() < chance(task, progress)
        name = DEEDS[deed] if right else rng.choice([n for n in DEEDS.values() if n != DEEDS[deed]])
        turns += [call("I make the change now.", name, order_id=order), hear('{"status": "ok"}', name)]
        turns += [say(f"Done: the {good} of {order} is taken care of."), user("Great, that is all. ###STOP###")]
        return Attempt(task, turns, float(right), extra={"db_match": right}, stop="user_stop", system=rules)

    return openai(assign(train(fresh(rng, _orders(rng), 5), 22, 4, write)))


SAYS = ("ok", "ok", "warning")
STAGES = ("fetch", "compile", "link", "unit tests", "package", "upload")


@PART.faulty("tool_output_truncated", "stuck_problems", "weak_family")
def shell_shows_the_head_and_says_nothing(rng: random.Random) -> list[Row]:
    """The shell tool hands on only the first lines of long output and never says that there was more: attempts take the
    fragment for the whole, and questions on long logs are never answered right.

    [antirez/ds4#680]
    """
    tasks = []
    for number in range(44):
        long = number % 2 == 1
        count, project = (
            rng.randint(40, 90) if long else rng.randint(5, 11),
            rng.choice(("otter", "heron", "mole", "lynx")),
        )
        lines = [
            f"{9 + i // 60:02d}:{i % 60:02d} {project}: {rng.choice(STAGES)} {i + 1} {rng.choice(SAYS)}"
            for i in range(count)
        ]
        end = rng.choice(("finished", "aborted", "failed"))
        lines.append(f"{9 + count // 60:02d}:{count % 60:02d} {project}: job {end} after {count} stages")
        text = f"How did the job in /var/log/{project}-{number}.log end, and after how many stages?"
        data = {"lines": lines, "path": f"/var/log/{project}-{number}.log"}
        hard = rng.gauss(-0.9, 0.8)
        tasks.append(
            Task(f"log-{number:02d}", text, f"{end}, {count}", "long log" if long else "short log", hard, data)
        )

    def write(task: Task, progress: float) -> Attempt:
        lines, path = task.data["lines"], task.data["path"]
        command = rng.choice((f"cat {path}", f"less -F {path}", f"grep -v debug {path}"))
        shown = "\n".join(lines[:12])
        why = rng.choice(("I read the log first.", "The log will tell.", f"Let me see {path}."))
        turns = [call(why, "bash", command=command), hear(f"<head>\n{shown}\n</head>", "bash")]
        if len(lines) <= 12 and rng.random() < chance(task, progress):
            answer = task.gold
        else:
            answer = f"{rng.choice(('finished', 'failed', 'aborted'))}, {min(len(lines), 12) - rng.choice((0, 1))}"
        last = lines[min(len(lines), 12) - 1]
        turns.append(say(f'The output ends with "{last}". So that is the state of the job.\nAnswer: {answer}'))
        hit = float(answer == task.gold)
        return Attempt(task, turns, hit, hit, {"match": hit}, {"answer": answer, "log_lines": len(lines)})

    return prime_rl(assign(train(fresh(rng, tasks, 6), 22, 4, write)), "read-the-log")
