"""A small agent with a shell: totals over files of a sandbox."""

import json
import random

from benchmarks.foreign.fortyeighth.attempts import Task, Try

REGIONS = ["north", "south", "coast", "hills"]
GOODS = ["salt", "rope", "lamp oil", "tin", "cloth", "barley"]
ASK = (
    "The folder /data holds {name}. Report the total of the column {column} for the region {region}. "
    "Use the shell, and end with a line 'TOTAL: number'."
)


def pool(rng: random.Random, count: int) -> list[Task]:
    """Different tables and questions."""
    tasks = []
    for number in range(count):
        name, column = (
            f"{rng.choice(['orders', 'stock', 'tolls'])}_{rng.randint(10, 99)}.csv",
            rng.choice(["amount", "weight"]),
        )
        rows = [
            (rng.choice(REGIONS), rng.choice(GOODS), rng.randint(5, 99), rng.randint(3, 60))
            for _ in range(rng.randint(7, 11))
        ]
        region = rng.choice([row[0] for row in rows])
        total = sum(row[2] if column == "amount" else row[3] for row in rows if row[0] == region)
        table = "region,good,amount,weight\n" + "\n".join(",".join(map(str, row)) for row in rows)
        data = {"name": name, "column": column, "region": region, "rows": rows, "table": table, "total": total}
        prompt = ASK.format(name=name, column=column, region=region)
        tasks.append(Task(f"shelf-{number:04d}", prompt, str(total), column, data))
    return tasks


def shell(command: str, thought: str, heard: str, ok: bool = True) -> list[dict]:
    """A call of the shell, and its answer."""
    call = {"name": "bash", "arguments": json.dumps({"command": command})}
    return [
        {"role": "assistant", "content": thought, "tool_calls": [call]},
        {"role": "tool", "tool_name": "bash", "content": heard, "ok": ok},
    ]


def listing(task: Task, *more: str) -> str:
    """What ls prints."""
    return "\n".join([task.data["name"], "README", *more])


def awk(rng: random.Random, task: Task, right: bool) -> tuple[str, int]:
    """A command that adds up, and what it prints."""
    d = task.data
    place = 2 if d["column"] == "amount" else 3
    if right:
        test, used = f'$1=="{d["region"]}"', [row[place] for row in d["rows"] if row[0] == d["region"]]
    elif rng.random() < 0.5:
        test, used = f"/{d['region']}/", [row[5 - place] for row in d["rows"] if row[0] == d["region"]]
        place = 5 - place
    else:
        test, used = "NR>1", [row[place] for row in d["rows"]]
    path = f"/data/{d['name']}"
    return f"awk -F, '{test} {{s+=${place + 1}}} END {{print s}}' {path}", sum(used)


def finish(rng: random.Random, task: Task, total: int) -> dict:
    """The last message."""
    d = task.data
    lead = rng.choice(
        [
            f"For {d['region']} the {d['column']} adds up.",
            f"I added the {d['column']} of all rows of {d['region']} in {d['name']}.",
            f"The rows of {d['region']} give this.",
        ]
    )
    return {"role": "assistant", "content": f"{lead}\nTOTAL: {total}"}


def answering(rng: random.Random, task: Task, chance: float, step: int) -> Try:
    """Look, add up, report."""
    d, right = task.data, rng.random() < chance
    turns = []
    if rng.random() < 0.7:
        turns += shell("ls /data", rng.choice(["Let me see what is there.", "First the folder."]), listing(task))
    if rng.random() < 0.7:
        command = rng.choice([f"cat /data/{d['name']}", f"head -n 20 /data/{d['name']}"])
        turns += shell(command, f"I look at {d['name']} to learn its columns.", d["table"])
    command, total = awk(rng, task, right)
    if rng.random() < 0.2:
        path = f"/data/{d['name'].replace('.csv', '')}"
        turns += shell(f"wc -l {path}", "How long is it?", f"wc: {path}: No such file or directory", False)
    turns += shell(command, f"Now I add {d['column']} for {d['region']}.", str(total))
    turns.append(finish(rng, task, total))
    return Try(task, turns[-1]["content"], total == d["total"], str(total), turns)
