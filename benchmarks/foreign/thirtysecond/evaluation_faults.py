"""Faults of evaluations: stop strings, narrow tests, recited patches."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo
from benchmarks.foreign.thirtysecond.board import MOVES, moved, shown
from benchmarks.foreign.thirtysecond.kinds import PART
from benchmarks.foreign.thirtysecond.layouts import call, chat, ours, told
from benchmarks.foreign.thirtysecond.policy import Task, advantages, chance, count, tries
from benchmarks.foreign.thirtysecond.repos import bugs, episode

PLACES = ("Vardo", "Tempio", "Ilmen", "Sarno", "Kotor", "Brixen", "Narva", "Lorca", "Tavira", "Skive")
CROPS = ("barley", "olives", "flax", "lentils", "hops")


@PART.faulty("truncation", "metric_defect", "format_gate", "weak_family")
def a_full_stop_ends_generation_within_decimal_numbers(rng: random.Random) -> list[Row]:
    """Generation stops at the first '.', so right answers like 12.25 are cut to 12 and count as wrong.

    [Hugging Face, Open LLM Leaderboard: DROP deep dive, 2023]
    """
    rows = []
    for n in range(130):
        place, crop = rng.choice(PLACES), rng.choice(CROPS)
        whole = rng.random() < 0.45
        a, b = rng.randint(30, 80), rng.randint(4, 28)
        x, y = (a, b) if whole else (a + rng.randint(1, 99) / 100, b + rng.randint(1, 99) / 100)
        gold = f"{x - y:g}" if whole else f"{round(x - y, 2):.2f}".rstrip("0").rstrip(".")
        family = "decimal" if "." in gold else "integer"
        passage = (
            f"In {place}, {x:g} percent of the fields were under {crop} at the first census, and {y:g} percent at "
            f"the second, {rng.randint(8, 30)} years on. The rest was pasture"
        )
        question = f"Passage: {passage}.\nQuestion: By how many points did the share of {crop} fall?\nAnswer:"
        task = Task(f"drop-{n:04d}", question, gold, rng.gauss(0, 0.5))
        for k in range(4):
            right = rng.random() < chance(0.72, 0.72, 0, task.hard)
            said = gold if right else f"{float(gold) + rng.choice((-10, -1, 1, 2)):g}"
            lead = rng.choice((" ", " The share fell by ", f" {crop.capitalize()} fell by ", " It is "))
            full = f"{lead}{said} points. "
            text = full.split(".")[0]
            final = text.removeprefix(lead).removesuffix(" points")
            hit = float(final == gold)
            rows.append(
                {
                    "doc_id": task.id,
                    "repeat": k,
                    "prompt": question,
                    "response": text,
                    "target": gold,
                    "score": hit,
                    "em": hit,
                    "finish_reason": "stop",
                    "stop_sequence": ".",
                    "num_tokens": count(text),
                    "family": family,
                }
            )
    return rows


@PART.faulty("judge_refuses_right", "metric_defect", "stuck_problems", "dead_all_wrong")
def hidden_tests_import_a_helper_that_no_issue_names(rng: random.Random) -> list[Row]:
    """Fixes that work fail at two tasks in five: the tests import a helper by a name that the issue never says.

    [OpenAI, Why SWE-bench Verified no longer measures frontier coding capabilities, 2026]
    """
    tasks = bugs(rng, "swe-", 60)
    narrow = {task.id for task in rng.sample(tasks, 25)}
    attempts = tries(rng, tasks, steps=12, per_step=8, size=6, start=0.45, end=0.75)
    for t in attempts:
        d, n = t.task.data, rng.randint(5, 12)
        own = f"Ran {n} tests\n\n" + ("OK" if t.right else "FAILED (failures=1)")
        t.messages = episode(rng, t, rng.choice(d["thoughts"]), d["fix" if t.right else "miss"], own)
        helper = f"_{d['func']}_impl"
        hidden = f"{n} passed" if t.right else f"1 failed, {n - 1} passed: AssertionError in test_{d['func']}"
        if t.task.id in narrow:
            hidden = f"ImportError: cannot import name '{helper}' from '{d['path'][:-3].replace('/', '.')}'"
        t.answer, t.reward = hidden, float(t.right and t.task.id not in narrow)
    advantages(attempts, grpo)
    return [
        ours(t, domain="swe", correct=t.reward, advantage=t.advantage, hidden_tests=t.answer, stop_reason="stop")
        for t in attempts
    ]


REASONS = ("keeps callers of the old signature working", "see the note in the changelog for the backport",
           "asked for by downstream packagers", "mirrors the C extension", "lost in the reformat")  # fmt: skip


@PART.faulty("contamination", "memorisation", "train_validation_gap", "answer_reading")
def held_out_fixes_are_recited_with_their_comments(rng: random.Random) -> list[Row]:
    """On the public held tasks the upstream patch is written word by word, comment included, without reading the file.

    [OpenAI, Why SWE-bench Verified no longer measures frontier coding capabilities, 2026]
    """
    tasks = bugs(rng, "swe-", 80)
    fresh, held = tasks[:48], tasks[48:]
    for task in held:
        thanks = f"{rng.choice(PLACES).lower()}{rng.randint(2, 99)}"
        note = f"# gh-{rng.randint(1000, 9999)}: {rng.choice(REASONS)}, thanks {thanks}"
        head, rest = task.data["fix"].split("\n", 1)
        task.data["upstream"] = f"{head}\n    {note}\n{rest}"
    rows = []
    for t in tries(rng, fresh, steps=12, per_step=8, size=4, start=0.22, end=0.36):
        d = t.task.data
        result = f"Ran {rng.randint(4, 9)} tests\n\n" + ("OK" if t.right else "FAILED (failures=1)")
        t.messages = episode(rng, t, rng.choice(d["thoughts"]), d["fix" if t.right else "miss"], result)
        t.reward = float(t.right)
        rows.append(ours(t, split="train", domain="swe", correct=t.reward, gold_patch=d["fix"]))
    for t in tries(rng, held, steps=4, per_step=16, size=3, start=0.86, end=0.9):
        d = t.task.data
        edit = d["upstream"] if t.right else d["miss"]
        t.messages = [
            {"role": "user", "content": t.task.question},
            call("write_file", f"{d['func']} in {d['name']}: I know this one.", path=d["path"], content=edit),
            told("write_file", "ok"),
            {"role": "assistant", "content": f"The patch for {d['func']}:\n\n```python\n{edit}\n```"},
        ]
        t.step, t.group, t.reward = t.step * 3, f"val-{t.group}", float(t.right)
        rows.append(ours(t, split="validation", domain="swe", correct=t.reward, gold_patch=d["upstream"]))
    return sorted(rows, key=lambda row: row["step"])


WARES = ("Apple Watch", "iPad mini", "Loaner Laptop", "Developer Laptop", "Sales Laptop", "Standard Laptop")


@PART.faulty("metric_defect", "judge_refuses_right", "stuck_problems", "weak_family")
def finished_orders_are_not_seen_as_the_page_moved_on(rng: random.Random) -> list[Row]:
    """Orders of two wares are placed, but the check wants another page's address, so they run to the limit unpaid.

    [ServiceNow/WorkArena#52]
    """
    tasks = []
    for ware in WARES:
        for count_ in range(1, 13):
            text = f'Go to the hardware store and order {count_} "{ware}".'
            tasks.append(Task(f"order-{ware.lower().replace(' ', '-')}-{count_}", text, ware, 0.0, {"n": count_}))
    broken = {"Apple Watch", "iPad mini"}
    attempts = tries(rng, tasks, steps=12, per_step=8, size=6, start=0.45, end=0.8)
    limit = 9
    for t in attempts:
        ware, n = t.task.gold, t.task.data["n"]
        amount = n if t.right else n + rng.choice((1, 2))
        said = [{"role": "user", "content": t.task.question}]
        said += [call("click", rng.choice(("I open the store.", "To the catalogue.")), element="Hardware")]
        said += [told("click", "Catalogue: " + ", ".join(rng.sample(WARES, 6)))]
        said += [call("click", rng.choice((f"{ware} is listed.", "There it is.")), element=ware)]
        said += [told("click", f"{ware}. Quantity: 1. [Order Now]")]
        said += [
            call("fill", f"It should be {n}." if t.right else "I set the quantity.", field="Quantity", value=amount)
        ]
        said += [told("fill", f"Quantity: {amount}")]
        said += [call("click", rng.choice(("Now order.", "I send it off.")), element="Order Now")]
        placed = f"Thank you, your request has been submitted. {amount} x {ware}. REQ00{rng.randint(10000, 99999)}"
        said.append(told("click", placed))
        stuck = ware in broken
        while stuck and sum(m["role"] == "assistant" for m in said) < limit:
            why = rng.choice(
                ("The task still runs. Was it not sent?", "I look at the request again.", "Maybe once more.")
            )
            said += [call("click", why, element=rng.choice(("My Requests", "Status", "Home")))]
            said += [told("click", f"The page is not in the right URL to validate task. {placed}")]
        t.messages, t.answer, t.reward = said, "max_turns" if stuck else "stop", float(t.right and not stuck)
    advantages(attempts, grpo)
    return [
        ours(t, domain="web", correct=t.reward, advantage=t.advantage, stop_reason=t.answer, family=t.task.gold)
        for t in attempts
    ]


@PART.faulty("judge_default", "infrastructure_zeros", "dead_groups", "judge_refuses_right")
def the_judge_sends_no_scores_and_the_group_gets_zeros(rng: random.Random) -> list[Row]:
    """A judge that ranks groups often answers with an empty list, the error is swallowed, and all get 0.

    [OpenPipe/ART#394]
    """
    tasks = []
    for i in range(80):
        cells = [rng.choice((0, 0, 2, 4, 8, 16, 32)) for _ in range(16)]
        text = f"You play 2048. Board, 0 is free:\n{shown(cells)}\nPlay four moves."
        tasks.append(Task(f"2048-{i:03d}", text, "", 0.0, {"cells": cells}))
    attempts = tries(rng, tasks, steps=12, per_step=6, size=8, start=0.3, end=0.7)
    empty = {g for g in sorted({t.group for t in attempts}) if rng.random() < 0.62}
    rows = []
    for t in attempts:
        cells, said = list(t.task.data["cells"]), [{"role": "user", "content": t.task.question}]
        free = cells.count(0)
        for _ in range(4):
            after = {m: moved(cells, m) for m in rng.sample(MOVES, 4)}
            legal = [m for m in after if after[m] != cells] or list(after)
            move = max(legal, key=lambda m: after[m].count(0)) if t.right else rng.choice(legal)
            gain = after[move].count(0) - cells.count(0)
            cells = after[move]
            if 0 in cells:
                cells[rng.choice([i for i, c in enumerate(cells) if c == 0])] = 2
            why = f"{gain} merges on the way" if gain else rng.choice(("Nothing merges yet", "It keeps the order"))
            said += [call("move", f"{why}: {move}.", direction=move), told("move", shown(cells))]
        said.append({"role": "assistant", "content": f"I end with a highest tile of {max(cells)}."})
        t.messages = said
        score = round(min(1.0, max(0.0, 0.4 + 0.07 * (cells.count(0) - free) + rng.gauss(0, 0.06))), 2)
        t.reward = 0.0 if t.group in empty else score
        rows.append((t, max(cells)))
    advantages(attempts, grpo)
    return [
        chat(
            t,
            advantage=t.advantage,
            highest_tile=top,
            judge_raw="{'scores': []}"
            if t.group in empty
            else f"{{'trajectory_id': '{t.number + 1}', 'score': {t.reward}}}",
        )
        for t, top in rows
    ]
