"""Kinds whose problems shift or differ: ladders, mixtures, self-play, harder exams, abstention, exports, labels."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fortieth.countdown import countdown, search
from benchmarks.foreign.fortieth.kinds import PART
from benchmarks.foreign.fortieth.layouts import inspect_sample, nemo_rl, ours, slime, trl, verifiers, verl
from benchmarks.foreign.fortieth.nim import play
from benchmarks.foreign.fortieth.notes import CLAUSES, clause, note, say_list, unanswerable
from benchmarks.foreign.fortieth.offices import caption, invoice, rover, sheet
from benchmarks.foreign.fortieth.policy import Attempt, attempts_at, by_group, campaign, chance, credit, weigh
from benchmarks.foreign.fortieth.tasks import Task, pick_id
from benchmarks.foreign.fortieth.wards import bond_yield, circuit, dosing


@PART.healthy
def ladder_holds_success_near_half(rng: random.Random) -> list[Row]:
    """Reward stays flat: a controller adds a command to the drives as soon as six in ten are right."""
    out: list[Attempt] = []
    level = 3
    for step in range(18):
        fresh: list[Attempt] = []
        for _ in range(6):
            task = rover(rng, level)
            task.hardness = 0.75 * (level - 4)
            fresh += attempts_at(rng, task, step, 8, step / 17, chance(task, step / 17, -0.7, 3.0))
        for a in fresh:
            a.extra = {"level": level}
        level += sum(a.right for a in fresh) / len(fresh) > 0.6
        out += fresh
    credit(rng, out, grpo)
    groups = {g: i for i, g in enumerate(by_group(out))}
    return [slime(a, i, advantage=a.advantage) | {"group_index": groups[a.group]} for i, a in enumerate(out)]


@PART.healthy
def mixture_moves_on_to_harder_subjects(rng: random.Random) -> list[Row]:
    """The mean score falls while each source rises: the mixture moves from captions over circuits to countdown."""
    out: list[Attempt] = []
    for step in range(16):
        progress = step / 15
        for _ in range(6):
            draw = rng.random() + 0.75 * progress
            if draw < 0.7:
                task = caption(rng)
                fresh = attempts_at(rng, task, step, 8, progress, chance(task, progress, 0.9, 2.6))
            elif draw < 1.0:
                task = circuit(rng)
                fresh = attempts_at(rng, task, step, 8, progress, chance(task, progress, -0.5, 1.2))
            else:
                fresh = attempts_at(rng, countdown(rng), step, 8, progress, 0.06 + 0.22 * progress, search)
            for a in fresh:
                a.extra = {"data_source": f"mix/{a.task.family}"}
            out += fresh
    credit(rng, out, grpo)
    return [verl(a, advantage=a.advantage) for a in out]


@PART.healthy
def self_play_wins_half_at_every_step(rng: random.Random) -> list[Row]:
    """Mean reward is zero from first to last: both seats are the same policy, and both play ever better."""
    out: list[Attempt] = []
    for step in range(14):
        for _ in range(4):
            pile, pid = rng.choice((9, 10, 11, 13, 14, 15, 17, 18, 19, 21)), pick_id(rng, "nim")
            for number in range(8):
                out += _game(rng, step, pile, pid, number)
    credit(rng, weigh(out, outcome=1.0), centred)
    rules = "Nim. Players take one to three stones in turn; who takes the last stone wins. End with: Take N"
    return [ours(a, rules, domain="games") for a in out]


def _game(rng: random.Random, step: int, pile: int, pid: str, number: int) -> list[Attempt]:
    progress = step / 13
    first, second, winner = play(rng, pile, 0.3 + 0.55 * progress)
    opened = int(first.turns[0]["content"].rsplit(" ", 1)[1])
    prompts = (
        f"There are {pile} stones and you begin.",
        f"There were {pile} stones. Your opponent took {opened}. {pile - opened} stones are left.",
    )
    out = []
    for seat, talk in enumerate((first, second)):
        seat_name = ("first", "second")[seat]
        task = Task(f"{pid}-{seat_name}", prompts[seat], "", [], [], (), f"{seat_name} seat")
        a = talk.into(Attempt(step, task, number, seat == winner, "", "", progress))
        a.group, a.terms = f"s{step}-{task.pid}", {"outcome": 1.0 if a.right else -1.0}
        a.answer = a.text.rsplit(" ", 1)[1]
        a.extra = {"game": f"{pid}-{number}", "opponent": "self", "elo_against_start": round(1000 + 310 * progress)}
        out.append(a)
    return out


@PART.healthy
def held_out_exam_is_the_harder_one_from_the_start(rng: random.Random) -> list[Row]:
    """Validation lies far below training, at step 0 already: it holds three-drug cases, and rises in step."""
    exam = [dosing(rng, 3) for _ in range(20)]
    out = campaign(rng, dosing, 15, 6, 8, (-0.2, 1.7))
    for step in (0, 5, 10, 14):
        for task in exam:
            for a in attempts_at(rng, task, step, 4, step / 14, chance(task, step / 14, -0.5, 1.1)):
                a.split = "validation"
                out.append(a)
    for a in out:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(out, correct=1.0))
    return [ours(a, domain="medicine") for a in out]


@PART.healthy
def a_fifth_of_answers_is_that_it_cannot_be_told(rng: random.Random) -> list[Row]:
    """One phrase ends a fifth of all answers: a third of the questions lacks a figure, and is to be declined."""
    rows: list[Row] = []
    for i in range(84):
        task = unanswerable(rng) if i % 3 == 0 else rng.choice((circuit, bond_yield, invoice))(rng)
        for a in attempts_at(rng, task, 0, 5, 1.0, chance(task, 1.0, 0.0, 0.7)):
            rows.append(inspect_sample(a, a.number + 1, "match_or_abstain", subject=task.family))
    return rows


@PART.healthy
def dashboard_export_cuts_texts_and_digits(rng: random.Random) -> list[Row]:
    """Texts break off in mid-word and advantages have two digits: a table exported from a dashboard, graded before."""
    out = credit(rng, campaign(rng, sheet, 15, 6, 8, (-0.7, 1.4)), leave_one_out)

    def cut(text: str) -> str:
        return text if len(text) <= 150 else text[:149] + "…"

    return [
        {
            "step": a.step, "query": a.task.prompt, "response": cut(a.text), "response_chars": len(a.text),
            "answer": a.answer, "target": a.task.gold, "reward": a.reward, "correct": float(a.right),
            "advantage": round(a.advantage or 0.0, 2), "group_id": a.group, "tokens": a.tokens,
        }
        for a in out
    ]  # fmt: skip


@PART.healthy
def notes_without_medicines_get_empty_lists(rng: random.Random) -> list[Row]:
    """A third of the answers is `[]`, and most of it rewarded: so many of the notes name no medicine."""
    out = campaign(rng, note, 14, 7, 8, (-0.4, 1.7), say_list)
    ids: dict[str, int] = {}
    rows = []
    for a in out:
        a.terms = {"exact_match": float(a.right)}
        ids.setdefault(a.task.pid, len(ids))
        rows.append(verifiers(a, ids[a.task.pid], "medication-extraction", step=a.step))
    return rows


@PART.healthy
def one_word_labels_coincide_within_groups(rng: random.Random) -> list[Row]:
    """Many attempts of a group are the same text: the answer is one of eight labels, with no room to differ."""

    def label(r: random.Random, task: Task, right: bool, progress: float) -> tuple[str, str]:
        rivals = task.extra["rivals"]
        word = task.gold if right else rivals[0] if r.random() < 0.7 else rivals[1]
        return word, word

    out = campaign(rng, clause, 16, 6, 8, (-0.1, 1.8), label)
    assert all(a.answer in CLAUSES for a in out)
    for a in out:
        a.terms = {"label_accuracy_reward": float(a.right)}
    credit(rng, weigh(out, label_accuracy_reward=1.0))
    return [trl(a) for a in out]


@PART.healthy
def one_question_is_asked_of_every_picture(rng: random.Random) -> list[Row]:
    """Every prompt asks the same: pictures differ, and with them captions and answers."""
    question = "How many objects and people does the picture show in all?"
    out = campaign(rng, lambda r: caption(r, question), 15, 16, 3, (-0.7, 1.6))
    credit(rng, out, whole_batch)
    return [nemo_rl(a, advantage=a.advantage, image=f"{a.task.pid}.jpg") for a in out]
