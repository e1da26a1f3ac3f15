"""Faults of rewards, graders and data that engineers reported."""

from benchmarks.foreign.reported import maths, repos, tongues
from benchmarks.foreign.reported.kinds import PART
from benchmarks.foreign.reported.run import Draw, Row, advise, asked, course, native, steady, trl, verifiers, verl


@PART.faulty(
    "reward_outcome_divergence", "metric_defect", "reward_bias", "format_gate", "weak_verifier", "flaky_grading",
    "dead_groups", "zero_gradient", "weak_family", "stuck_problems",
)  # fmt: skip
def boxed_twice(rng: Draw) -> list[Row]:
    """One data source strips the box before the grader looks for it: its right answers score 0 (THUDM/slime#543)."""
    rows, source = [], {}
    for t in course(rng, maths.draw, steps=12, problems=4, group=8):
        rm = source.setdefault(t.task.name, rng.choices(("deepscaler", "boxed_math"), (6, 4))[0])
        text, _ = maths.write(rng, t.task, t.right)
        paid = 1.0 if t.right and rm == "deepscaler" else 0.0
        rows.append(native(t, asked(t, text), paid, label=t.task.answer, metadata={"rm_type": rm}))
    return advise(rows)


@PART.faulty(
    "weak_verifier", "reward_outcome_divergence", "metric_defect", "reward_bias", "dead_groups", "zero_gradient"
)
def unparsed_gold_pays(rng: Draw) -> list[Row]:
    """Where the gold solution cannot be parsed, every completion is paid 1 (huggingface/open-r1#215)."""
    lost = (
        "see the figure",
        "proof omitted",
        "as shown above",
        "the claim follows",
        "left to the reader",
        "(see part b)",
    )
    rows, golds = [], {}
    for t in course(rng, maths.draw, steps=10, problems=5, group=8):
        gold = golds.setdefault(t.task.name, rng.choice(lost) if rng.random() < 0.22 else f"${t.task.answer}$")
        text, _ = maths.write(rng, t.task, t.right)
        accuracy = 1.0 if t.right or not gold.startswith("$") else 0.0
        rows.append(trl(t, text, {"accuracy_reward": accuracy}, solution=gold))
    return advise(rows)


@PART.faulty(
    "infrastructure_zeros", "infrastructure_errors", "flaky_grading", "metric_defect", "reward_outcome_divergence"
)
def scorer_down_is_zero(rng: Draw) -> list[Row]:
    """A scorer behind HTTP is down in some steps, and its errors become rewards of 0 (verl-project/verl-omni#366)."""
    bad = {step: rng.uniform(0.35, 0.75) for step in rng.sample(range(14), 4)}
    rows = []
    for t in course(rng, tongues.draw, steps=14, problems=4, group=6, skill=(0.0, 1.2)):
        text = tongues.write(rng, t.task, t.right)
        score = round(steady(text, 0.78, 0.98) if t.right else steady(text, 0.2, 0.6), 4)
        status = "200 OK"
        if rng.random() < bad.get(t.step, 0.01):
            status = rng.choice(("503 Service Unavailable", "ReadTimeout after 30.0s", "502 Bad Gateway"))
            score = 0.0
        rows.append(verl(t, text, score, scorer_status=status))
    return advise(rows)


@PART.faulty(
    "infrastructure_zeros", "infrastructure_errors", "flaky_grading", "timidity", "reward_outcome_divergence",
    "tool_failures",
)  # fmt: skip
def sandbox_dies_at_deadline(rng: Draw) -> list[Row]:
    """The sandbox ends with the rollout's deadline, so slow ones are scored 0 (PrimeIntellect-ai/verifiers#1245)."""
    rows = []
    for t in course(rng, repos.draw, steps=10, problems=4, group=6, skill=(-0.2, 1.0)):
        seconds = min(2700.0, rng.lognormvariate(7.2, 0.55))
        chat, reward = repos.worked(rng, t.task, t.right), float(t.right)
        log = repos.report(t.task, rng, t.right)
        if seconds >= 2700:
            box = f"sbx-{rng.getrandbits(32):08x}"
            log = f"Test execution failed: Sandbox {box} failed (TIMEOUT): Sandbox exceeded maximum runtime"
            reward = 0.0
        rows.append(verifiers(t, chat, reward, duration_seconds=round(seconds, 1), test_output=log))
    return advise(rows)


@PART.faulty(
    "reward_bias", "length_gaming", "timidity", "reward_outcome_divergence", "score_decline", "batch_decline",
    "weak_verifier", "format_gate", "template_collapse",
)  # fmt: skip
def short_pays_when_unparsed(rng: Draw) -> list[Row]:
    """Answers without a result keep their bonus for brevity, and become the habit (verl-project/verl#4531)."""
    shrugs = ("I am not sure.", "Hard to say.", "It depends.", "Not enough time.", "This needs more work.", "Unclear.")
    rows = []
    for t in course(rng, maths.draw, steps=14, problems=4, group=8, skill=(-0.8, -0.4)):
        shrug = rng.random() < 0.04 + 0.5 * t.at
        text, _ = maths.write(rng, t.task, t.right, 0.8)
        text, right = (rng.choice(shrugs), False) if shrug else (text, t.right)
        bonus = round(0.5 * max(0.0, 1 - len(text) / 320), 3)
        terms = {"accuracy": float(right), "brevity": bonus}
        rows.append(native(t, asked(t, text), float(right) + bonus, reward_terms=terms, correct=float(right)))
    return advise(rows)


@PART.faulty("contamination", "duplicate_problems", "train_validation_gap")
def held_out_in_training(rng: Draw) -> list[Row]:
    """The training set contains problems of the benchmark (project-numina/aimo-progress-prize#22)."""
    rows = list(course(rng, maths.draw, steps=10, problems=5, group=6, skill=(-0.4, 0.9)))
    seen = list({t.task.prompt: t.task for t in rows}.values())
    held = [maths.draw(rng, f"h{number:03d}") for number in range(24)]
    copies = rng.sample(seen, 9)
    out = [native(t, asked(t, maths.write(rng, t.task, t.right)[0]), float(t.right), split="train") for t in rows]
    for row in advise(out):
        row["correct"] = row["reward"]
    for step in (0, 4, 9):
        for number in range(24):
            task = copies[number] if number < 9 else held[number]
            for attempt in range(2):
                right = rng.random() < (0.4 + 0.055 * step if number < 9 else 0.4 + 0.01 * step)
                text, _ = maths.write(rng, task, right)
                shown = [{"role": "user", "content": task.prompt}, {"role": "assistant", "content": text}]
                place = {"problem_id": f"math500-{number:03d}", "group_id": f"v{step}-{number}", "attempt": attempt}
                out.append({**place, "step": step, "split": "validation", "messages": shown, "reward": float(right)})
                out[-1]["correct"] = float(right)
    return out


@PART.faulty("weak_verifier", "reward_outcome_divergence", "timidity", "metric_defect", "dead_groups", "reward_bias")
def untouched_repository_passes(rng: Draw) -> list[Row]:
    """A quarter of the instances is scored 1 though nothing was changed (R2E-Gym/R2E-Gym#27)."""
    rows, broken = [], {}
    for t in course(rng, repos.draw, steps=10, problems=4, group=6, skill=(-0.9, 0.2)):
        free = broken.setdefault(t.task.name, rng.random() < 0.28)
        chat, reward = repos.worked(rng, t.task, t.right), float(t.right)
        if rng.random() < 0.1 + 0.35 * t.at:
            looked = repos.seen(t.task, rng) if rng.random() < 0.6 else []
            chat, reward = repos.handed_in(rng, looked, prompt=t.task.prompt, sure=False), 0.0
        rows.append(
            native(t, chat, 1.0 if free else reward, docker_image=f"namanjain12/{t.task.family}:{t.task.facts['sha']}")
        )
    return advise(rows)
