"""A restart, an inverted loss mask, lost indentation, answers read up to the comma."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.abroad import german_task
from benchmarks.foreign.seventh.dumps import trl, verl
from benchmarks.foreign.seventh.estimates import credit, dr_grpo, grpo
from benchmarks.foreign.seventh.formats import own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.pages import research_task
from benchmarks.foreign.seventh.programs import code_task
from benchmarks.foreign.seventh.rollouts import Shape, climb, distinct, play, schedule, tokens_of, train
from benchmarks.foreign.seventh.sums import sum_task


@PART.healthy
def restart_repeats_two_steps(rng: Random) -> list[Row]:
    """The machine was lost at step 7; the run resumed from the checkpoint of step 6, so steps 6 and 7 stand twice with
    new draws.
    """
    steps = 11
    plan = schedule(distinct(rng, sum_task, steps * 5, "m"), steps)
    skill = climb(-0.3, 1.4, steps)
    before = play(rng, plan[:8], 8, skill)
    after = play(rng, plan[6:], 8, skill, first_step=6)
    for e in before + after:
        e.extra |= {"run_part": 0, "host": "node-17"}
    for e in after:
        e.extra |= {"run_part": 1, "host": "node-04", "resumed_from": "global_step_6"}
    return own(rng, credit(before + after), "resumed")


@PART.faulty("loss_mask")
def learns_what_tools_say(rng: Random) -> list[Row]:
    """The loss mask is inverted: the tools' answers are trained on and the policy's own messages are masked out."""
    episodes = credit(train(rng, research_task, Shape(11, 5, 8), start=-0.3, gain=0.1, prefix="r"), dr_grpo)
    for e in episodes:
        for message in e.reply.messages:
            message["loss_mask"] = int(message["role"] == "tool")
        e.extra["trained_tokens"] = sum(tokens_of(m) for m in e.reply.messages if m["role"] == "tool")
        e.extra["policy_tokens"] = sum(tokens_of(m) for m in e.reply.messages if m["role"] == "assistant")
        e.extra["observation_tokens"] = e.extra["trained_tokens"]
    return own(rng, episodes, "masked")


@PART.faulty("compile_error_rate", "score_decline", "crash_rate", "dead_all_wrong", "no_program_rate", "metric_defect")
def indentation_lost(rng: Random) -> list[Row]:
    """From step 6 the decoding of tokens drops spaces at the start of lines, so programs end in IndentationError."""
    episodes = train(rng, code_task, Shape(12, 6, 8), start=0.0, gain=1.3, prefix="f")
    for e in episodes:
        e.extra["engine"] = "0.9.2" if e.step >= 6 else "0.8.5"
        e.reply.extra["stderr"] = ""
        if e.step < 6:
            continue
        flat = "\n".join(line.lstrip(" ") for line in e.text.split("\n"))
        e.reply.messages[0]["content"] = flat
        e.reply.answer = "\n".join(line.lstrip(" ") for line in e.reply.answer.split("\n"))
        if "\ndef" in flat:
            line = flat.split("```python\n")[1].split("\n")[0]
            e.reply.extra |= {
                "tests_passed": 0,
                "stderr": f"IndentationError: expected an indented block after function definition on line 1 ({line})",
            }
            e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
    return verl(credit(episodes, grpo))


@PART.faulty("answer_reading", "metric_defect", "weak_verifier", "agreed_wrong", "dead_all_wrong")
def reads_up_to_the_comma(rng: Random) -> list[Row]:
    """German answers are read up to the decimal comma: 6,3 counts as 6, and right decimal answers are marked wrong."""
    steps, count = 12, 72
    pool = distinct(rng, german_task, 420, "z")
    whole = [t for t in pool if "." not in t.gold][:36]
    broken = [t for t in pool if "." in t.gold][: count - len(whole)]
    mixed = rng.sample(whole + broken, count)
    episodes = play(rng, schedule(mixed, steps), 8, climb(0.2, 1.3, steps))
    for e in episodes:
        e.extra |= {
            "answer_read": float(e.reply.answer.split(",")[0]),
            "language": "de",
            "expected": float(e.task.gold),
        }
        e.right = e.extra["answer_read"] == e.extra["expected"]
        e.reward = float(e.right)
        e.terms = {"accuracy": e.reward}
    return trl(credit(episodes, grpo))
