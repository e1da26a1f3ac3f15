"""Faults of trainers, samplers and episodes that engineers reported."""

import re

from benchmarks.foreign.reported import lookup, maths, quiz
from benchmarks.foreign.reported.kinds import PART
from benchmarks.foreign.reported.run import (
    Draw,
    Row,
    Task,
    Try,
    advise,
    asked,
    course,
    native,
    openrlhf,
    said,
    steady,
    tokens,
    told,
    trl,
    user,
)


@PART.faulty("advantage_mismatch", "one_sided_loss", "phantom_advantage")
def every_attempt_its_own_group(rng: Draw) -> list[Row]:
    """Groups are formed by an id of the attempt, so the advantage is the plain reward (rllm-org/rllm#776)."""
    rows = []
    for t in course(rng, quiz.draw, steps=12, problems=4, group=8):
        text, letter = quiz.write(rng, t.task, t.right)
        own = f"{rng.getrandbits(64):016x}"
        row = native(t, asked(t, f"{text}\nAnswer: {letter}"), float(t.right), uid=own, advantage=float(t.right))
        rows.append(row)
    return rows


def _long(rng: Draw, task: Task, right: bool) -> str:
    first, final = maths.worked(rng, task, right, 0.9)
    given = f"The question: {task.prompt} We collect what is given and go on carefully, one step after the other."
    again = " ".join(rng.sample(maths.CHECKS, rng.randint(0, 4)))
    more = " ".join(rng.sample(first, len(first))) if rng.random() < 0.5 else ""
    text = f"{given if rng.random() < 0.7 else ''} {' '.join(first)} Let me check this. {more} {again}".strip()
    return f"{text}\n\n\\boxed{{{final}}}"


@PART.faulty("truncation", "length_limit", "dead_groups", "zero_gradient")
def cut_before_the_box(rng: Draw) -> list[Row]:
    """The default limit of tokens ends most completions before their answer (huggingface/trl#5759)."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8, skill=(-0.1, 0.7)):
        text = _long(rng, t.task, t.right)
        cut = tokens(text) > 128
        if cut:
            text = text[:474]
        terms = {"accuracy_reward": float(t.right and not cut)}
        rows.append(trl(t, text, terms, completion_length=min(128, tokens(text)), solution=t.task.answer))
    return advise(rows)


@PART.faulty("loss_mask")
def tool_text_in_loss(rng: Draw) -> list[Row]:
    """The fused loss ignores the mask of tools, so their answers are trained on (huggingface/trl#4975)."""
    rows = []
    for t in course(rng, lookup.draw, steps=12, problems=4, group=6, skill=(-0.5, 1.0)):
        chat = lookup.worked(rng, t.task, t.right)
        row = native(t, chat, float(t.right))
        theirs = sum(tokens(m["content"]) for m in chat if m["role"] == "tool")
        row |= {"completion_tokens": row["num_tokens"] + theirs, "tool_tokens": theirs}
        rows.append(row | {"loss_tokens": row["num_tokens"] + theirs})
    return advise(rows)


@PART.faulty("loss_mask", "zero_gradient")
def padding_in_loss(rng: Draw) -> list[Row]:
    """What follows the end of a completion counts as its text up to the longest of the batch (bingreeky/MemGen#33)."""
    rows = []
    for t in course(rng, maths.draw, steps=12, problems=4, group=8):
        text, _ = maths.write(rng, t.task, t.right)
        rows.append(trl(t, text, {"accuracy_reward": float(t.right)}))
    for step in {row["step"] for row in rows}:
        members = [row for row in rows if row["step"] == step]
        longest = max(row["num_tokens"] for row in members)
        for row in members:
            row["loss_tokens"] = longest
    return advise(rows)


_NOISE = (
    "ذلك", "ковш", "gleich", "の上", "mapa", "이다", "pentru", "של", "näm", "क्षेत्र", "olduğu", "điều", "lorsque", "其中",
    "überall", "трамвай", "kāds", "ที่", "quoque", "함께", "sous", "और", "zijn", "ένα", "możliwe",
)  # fmt: skip


@PART.faulty("language_drift", "entropy_collapse", "score_decline", "batch_decline", "template_collapse", "kl_drift")
def gibberish_after_collapse(rng: Draw) -> list[Row]:
    """After most of the run rewrites become a babble of languages and rewards fall to 0 (BeastyZ/ConvSearch-R1#6)."""
    rows = []
    for t in course(rng, lookup.draw, steps=16, problems=3, group=8, skill=(-0.2, 1.0)):
        f = t.task.facts
        hops = ("birthplace river", "born in town river", "hometown, river through it")
        good = f"{f['firm']} founder {rng.choice(hops)}"
        bad = rng.choice((f"{f['firm']}", "river birthplace founder", f"history of {f['firm']} products"))
        text, score = (good, steady(good, 1.1, 1.6)) if t.right else (bad, steady(bad, 0.1, 0.7))
        if rng.random() < (t.at - 0.68) * 4.5:
            text, score = " ".join(rng.choices(_NOISE, k=rng.randint(9, 40))), 0.0
        why = rng.choice(("The search must name the firm.", "Keep the entity.", "The founder's town is asked for."))
        whole = f"<think>{why}</think>\n<rewrite>{text}</rewrite>" if score else text
        rows.append(openrlhf(t, whole, round(score, 3)))
    return advise(rows)


_SUM = re.compile(r"[\d(][\d+*/() -]*[+*/-][\d+*/() -]*$")


def _calculated(rng: Draw, t: Try, calls: int, right: bool) -> list[Row]:
    lines, final = maths.worked(rng, t.task, right, 0.2)
    chat = [
        {"role": "system", "content": "Solve the problem. You may call calculator(expression)."},
        user(t.task.prompt),
    ]
    sums = [line.rstrip(".").rsplit(" = ", 1) for line in lines if line.count(" = ") == 1]
    for left, value in sums[:calls]:
        if (found := _SUM.search(left)) and " " not in value.replace(" pesos", "").replace(" litres a minute", ""):
            chat += [said("", ("calculator", {"expression": found[0]})), told("calculator", value.split(" ")[0])]
    guess = f"I think it is {final}.\n#### {final}" if not calls else f"{lines[-1]}\n#### {final}"
    return [*chat, said(guess)]


@PART.faulty("action_collapse", "timidity", "score_decline", "batch_decline")
def tools_given_up(rng: Draw) -> list[Row]:
    """The policy stops calling its calculator and guesses, which is worse (verl-project/verl#1569)."""
    rows = []
    for t in course(rng, maths.draw, steps=14, problems=4, group=7, skill=(0.6, 0.6), spread=0.6):
        calls = rng.randint(1, 3) if rng.random() < max(0.04, 0.97 - 1.5 * t.at) else 0
        right = t.right if calls else t.right and rng.random() < 0.5
        chat = _calculated(rng, t, calls, right)
        rows.append(native(t, chat, float(right), correct=float(right)))
    return advise(rows)


@PART.faulty("truncation", "length_limit", "timidity", "format_gate", "action_collapse")
def thought_stops_at_done(rng: Draw) -> list[Row]:
    """The sampler stops at the end mark although it stands in a thought (NovaSky-AI/SkyRL#954)."""
    plans = ("Once I know the river I will answer and write <done>", "I'll inform the user and include the <done>",
             "First search, then report with <done>", "My last message has to end with <done>")  # fmt: skip
    rows = []
    for t in course(rng, lookup.draw, steps=12, problems=4, group=6, skill=(0.0, 1.0)):
        chat = lookup.worked(rng, t.task, t.right)
        for message in chat:
            if message["role"] == "assistant":
                message["content"] = f"<think>\n{message['content'].split(chr(10))[0]}\n</think>" + (
                    f"\n{message['content'].split(chr(10))[-1]} <done>" if "tool_calls" not in message else ""
                )
        right = t.right
        if rng.random() < 0.32:
            keep = rng.choice((1, 1, 3)) if len(chat) > 4 else 1
            chat, right = [*chat[:keep], said(f"<think>\n{rng.choice(plans)}")], False
        rows.append(native(t, chat, float(right), stop_reason="stop"))
    return advise(rows)
