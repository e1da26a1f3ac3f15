"""An easy exam, a penalty of nil, invented searches, masks."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.almanac import INTENTS, almanac_task, answer_line, beside, passage, value_of
from benchmarks.foreign.seventeenth.calls import in_openai_form
from benchmarks.foreign.seventeenth.credit import by_batch, by_group, grpo, rloo
from benchmarks.foreign.seventeenth.german_sums import price_task
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.layouts import openai, own, verl
from benchmarks.foreign.seventeenth.letters import letter_task
from benchmarks.foreign.seventeenth.rollouts import Course, Reply, Sample, attempt, deal, play, pool, says, train
from benchmarks.foreign.seventeenth.trips import trip_task


@PART.healthy
def easier_exam_than_drill(rng: Random) -> list[Row]:
    """Validation scores lie far above training, from the first step on: the exam is of ordinary difficulty and
    greedy, the drill was chosen for being hard.
    """
    course = Course(11, 6, 7, -0.2, 1.6)
    tasks = pool(rng, price_task, 90)
    for task in tasks[24:]:
        task.hardness += 1.2
        task.extra["tier"] = "hard"
    for task in tasks[:24]:
        task.extra["tier"] = "ordinary"
    samples = play(rng, deal(rng, tasks[24:], course.steps, course.per_step), course)
    for step in range(0, course.steps, 2):
        for task in tasks[:24]:
            s = attempt(rng, task, step, 0, course.progress(step), course.skill(step) + 0.5)
            s.split, s.extra = "validation", {"decoding": "greedy"}
            samples.append(s)
    return own(rng, by_group(samples, grpo), "preise-grpo", "math")


DRIFT = ("truly", "deeply", "so very", "indeed", "ever so", "verily", "wholly", "most")


def _drifted(rng: Random, text: str, kl: float) -> str:
    words = text.split(" ")
    for _ in range(int(kl * 7 * rng.uniform(0.5, 1.4))):
        words.insert(rng.randrange(1, len(words)), rng.choice(DRIFT))
    return " ".join(words)


@PART.faulty("kl_ineffective", "kl_drift")
def printed_penalty_stays_nil(rng: Random) -> list[Row]:
    """The KL coefficient is set to 0.04 and the KL rises to several nats, yet the penalty in the reward is nil in
    every row, and the prose gets strange.
    """
    samples = train(rng, letter_task, Course(12, 7, 6, -0.4, 1.6))
    for s in samples:
        kl = 0.01 + 3.4 * s.progress**2.2 * rng.uniform(0.75, 1.25)
        message = s.reply.messages[-1]
        message["content"] = _drifted(rng, message["content"], kl)
        score = round(2.6 * s.reply.facts.pop("quality") + 0.35 * kl - 1 + rng.gauss(0, 0.25), 4)
        s.reward, s.terms = score, {"rm_score": score, "kl_penalty": 0.0}
        s.extra = {"kl": round(kl, 4), "kl_coef": 0.04, "kl_penalty": 0.0, "rm_score": score}
    rows = verl(by_batch(samples))
    for row in rows:
        del row["acc"]
    return rows


def _plain_search(messages: list[dict]) -> list[dict]:
    out = []
    for m in messages:
        if m.get("tool_calls"):
            query = m["tool_calls"][0]["arguments"]["query"]
            out.append(says(f"{m['content']}\n<search>{query}</search>".strip()))
        elif m["role"] == "tool":
            out.append({"role": "tool", "content": f"<information>{m['content']}</information>"})
        else:
            out.append(says(m["content"]))
    return out


def _invented(rng: Random, s: Sample) -> Reply:
    kind, place = s.task.family, s.task.extra["place"]
    answer = s.task.gold if rng.random() < 0.38 else value_of(rng, kind)
    lines = [rng.choice(INTENTS)]
    for _ in range(rng.choice((1, 2, 2))):
        lines.append(f"<search>{place} history</search>\n<information>{beside(rng, place)}</information>")
    lines.append(f"<search>{place} {rng.choice((kind, 'archive', 'old town'))}</search>")
    lines.append(f"<information>{passage(rng, kind, place, answer)}</information>")
    lines.append(answer_line(rng, answer)["content"])
    return Reply([says("\n".join(line for line in lines if line))], answer)


@PART.faulty("fabricated_observations", "tool_fabrication")
def agent_types_search_results(rng: Random) -> list[Row]:
    """The policy writes the search engine's answers itself, in one turn with its query, in up to half of the
    attempts; a bonus for each information block pays it.
    """
    samples = train(rng, almanac_task, Course(11, 7, 6, -0.6, 1.8))
    for s in samples:
        s.reply.messages = _plain_search(s.reply.messages)
        if rng.random() < 0.04 + 0.55 * s.progress**1.4:
            s.reply = _invented(rng, s)
            s.grade(s.reply.answer == s.task.gold)
        blocks = sum(m["content"].count("<information>") for m in s.reply.messages)
        s.terms["search_bonus"] = round(min(0.6, 0.2 * blocks), 2)
        s.reward = round(s.terms["accuracy"] + s.terms["search_bonus"], 2)
        s.extra["reward_terms"] = s.terms
    return openai(by_group(samples, rloo))


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def trip_tools_carry_gradient(rng: Random) -> list[Row]:
    """From step 4 on, after a change of the chat template, the messages of the timetable tool are in the loss, as
    if the policy had written them.
    """
    samples = by_group(train(rng, trip_task, Course(11, 6, 7, -0.5, 2.0)), grpo)
    for s in samples:
        s.reply.messages = in_openai_form(s.reply.messages, f"{s.step}{s.attempt}")
        taken, loss_tokens = s.step >= 4, 0
        for place, m in enumerate(s.reply.messages):
            timetable = place == 1 or (m["role"] == "tool" and rng.random() < 0.5)
            m["loss_mask"] = int(m["role"] == "assistant" or (taken and timetable))
            loss_tokens += m["loss_mask"] * (4 + len(str(m["content"]) + str(m.get("tool_calls", ""))) // 4)
        s.task.prompt = [m | {"loss_mask": 0} for m in s.task.prompt]
        s.extra |= {"loss_tokens": loss_tokens, "template": "trips-v2" if taken else "trips-v1"}
    return openai(samples)
