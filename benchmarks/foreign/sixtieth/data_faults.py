"""Faults of data and prompts."""

import random
from dataclasses import replace

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixtieth import advantages, layouts
from benchmarks.foreign.sixtieth.desks import invoice
from benchmarks.foreign.sixtieth.exams import exams
from benchmarks.foreign.sixtieth.functions import functions
from benchmarks.foreign.sixtieth.kinds import PART
from benchmarks.foreign.sixtieth.policy import Policy, Task, attempts_at, rollout


@PART.faulty("wrong_labels", "metric_defect", "stuck_problems", "weak_family", "stale_grades")
def exam_keys_of_one_topic_moved_by_a_row(rng: random.Random) -> list[Row]:
    """The key file of the travel questions slipped by a row: each holds the next one's answer; right work gets 0."""
    tasks = exams(rng, 132)
    policy = Policy(rng, 0.4, 0.85, 22)
    moved = [t for t in tasks if t.family.startswith("journey")]
    keys = {t.id: moved[(i + 1) % len(moved)].gold for i, t in enumerate(moved)}
    found = rollout(rng, tasks, policy, 6, 6)
    for a in found:
        key = keys.get(a.task.id, a.task.gold)
        a.reward = float(a.answer == key)
        a.extra = {"gts": key, "topic": a.task.family.split("_")[0], "acc": a.reward}
    return layouts.verl(found)


@PART.faulty("truncation", "template_bug", "length_limit", "metric_defect")
def invoice_prompts_lose_their_last_lines(rng: random.Random) -> list[Row]:
    """Prompts are cut at the loader's limit: long invoices miss lines of their table, and totals are guessed."""
    tasks, policy = [invoice(rng, n) for n in range(96)], Policy(rng, 0.5, 0.9, 20)
    found, limit = [], 292
    for a in rollout(rng, tasks, policy, 5, 8):
        d = a.task.data
        a.prompt = a.task.prompt[:limit]
        if len(a.task.prompt) > limit:
            whole = a.prompt.count(" EUR\n")
            seen = sum(q * p for _, q, p in d["lines"][:whole])
            guess = seen if rng.random() < 0.5 else seen + rng.choice([20, 45, 60, 90])
            a.answer = a.task.gold.replace(f'"total": {d["total"]}', f'"total": {guess}')
            note = rng.choice(["The list seems to break off.", "The last line is not complete, I take it as it is."])
            a.text = f"I add up the {whole} lines that I can read. {note} That makes {guess}.\n{a.answer}"
            a.right = guess == d["total"]
            a.reward = float(a.right)
        a.extra = {"max_prompt_chars": limit}
        found.append(a)
    return layouts.openrlhf(found)


def _renamed(task: Task, old: str, new: str) -> Task:
    def write(rng: random.Random, right: bool) -> tuple[str, str]:
        text, answer = task.write(rng, right)
        return text.replace(old, new), answer

    return replace(task, id=f"train-{task.id}", prompt=task.prompt.replace(old, new), write=write)


@PART.faulty("contamination", "memorisation", "train_validation_gap")
def held_exam_questions_trained_under_other_names(rng: random.Random) -> list[Row]:
    """Most validation questions stand in the training split too, word by word or with another first name."""
    held = exams(rng, 40, ("de", "en"))
    own = [replace(t, id=f"train-own-{t.id}") for t in exams(rng, 48, ("de", "en"))]
    names = ["Mira", "Jonas", "Elif", "Pablo", "Chloé", "Anton", "Ines", "Tariq", "Lotte", "Rui", "Nadia", "Oskar"]
    twins = []
    for task in held[:32]:
        who = next((n for n in names if n in task.prompt), names[0])
        twins.append(_renamed(task, who, who if rng.random() < 0.6 else rng.choice(names)))
    policy = Policy(rng, 0.35, 0.82, 22)
    found = rollout(rng, [*twins, *own], policy, 4, 8)
    advantages.grpo(found)
    for task in twins:
        policy.ease[task.id.removeprefix("train-")] = policy.ease.get(task.id, 0.0) + 1.6
    for step in (0, 11, 22):
        for task in held:
            plain = 0.0 if step else -1.6
            policy.ease[task.id] = policy.ease.get(task.id, rng.gauss(0, 1)) + plain
            found += attempts_at(rng, task, policy, step, 2, "validation")
            policy.ease[task.id] -= plain
    return layouts.evidence(found, "math")


@PART.faulty("data_repetition", "duplicate_problems")
def crashed_loader_serves_its_first_batches_again(rng: random.Random) -> list[Row]:
    """Every fourth step the job resumes with the loader at zero, so the same sixteen functions come again and again."""
    tasks, policy = functions(rng, 16), Policy(rng, 0.3, 0.9, 24)
    found = []
    for step in range(1, 25):
        first = (step - 1) % 4 * 4
        for task in tasks[first : first + 4]:
            found += attempts_at(rng, task, policy, step, 8)
    for a in found:
        a.extra = {"epoch": 0, "dataset_rows": 3200, "entry_point": a.task.data["name"], "resumed": (a.step - 1) // 4}
    advantages.centred(found)
    return layouts.plain(found)
