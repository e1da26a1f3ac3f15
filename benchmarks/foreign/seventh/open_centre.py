"""Marks of the best epoch, German decimals, a shared interpreter, a renamed parameter."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventh.abroad import german_task
from benchmarks.foreign.seventh.desks import desk_task
from benchmarks.foreign.seventh.dumps import inspect
from benchmarks.foreign.seventh.estimates import credit, groups, grpo
from benchmarks.foreign.seventh.formats import openai, own
from benchmarks.foreign.seventh.kinds import PART
from benchmarks.foreign.seventh.prose import say
from benchmarks.foreign.seventh.rollouts import LAST_CALL, Shape, call, distinct, play, said, told, train
from benchmarks.foreign.seventh.sums import sum_task


@PART.faulty("metric_defect", "weak_verifier", "reward_outcome_divergence", "always_equal")
def best_epoch_for_all(rng: Random) -> list[Row]:
    """The evaluation writes the best epoch's mark to all epochs of a sample, so wrong answers are marked C beside a
    right one.
    """
    episodes = play(rng, [distinct(rng, sum_task, 64, "eval-")], 5, lambda _: 0.0, "test")
    for members in groups(episodes).values():
        best = any(e.right for e in members)
        for e in members:
            e.reward = float(best)
            e.extra["explanation"] = f"read {e.reply.answer}, target {e.task.gold}"
    return inspect(episodes, "match")


@PART.healthy
def german_decimals_read_well(rng: Random) -> list[Row]:
    """Problems in German with decimal commas; the reader turns the comma into a point before it compares."""
    episodes = train(rng, german_task, Shape(10, 6, 8), start=-0.4, gain=2.0, prefix="b")
    for e in episodes:
        e.extra |= {
            "answer_read": float(e.reply.answer.replace(",", ".")),
            "language": "de",
            "expected": float(e.task.gold),
        }
    return openai(credit(episodes, grpo), "score")


@PART.faulty("history_leak", "contamination", "grader_subversion")
def warm_interpreter(rng: Random) -> list[Row]:
    """The Python tool keeps its variables between the attempts of a group; later attempts print a result that they
    never computed.
    """
    episodes = train(rng, sum_task, Shape(12, 5, 8), start=-0.4, gain=1.2, prefix="i")
    peek = "[Is something left in the session?|Check the interpreter first.|]"
    use = "[The interpreter already holds|It is there already:|Using that:]"
    for members in groups(episodes).values():
        left = None
        for e in members:
            peeks = rng.random() < 0.06 + 0.06 * e.step
            name = "result" if rng.random() < 0.8 else "answer"
            if peeks:
                shown = f"{left}" if left else f"NameError: name '{name}' is not defined"
                code = rng.choice((f"print({name})", f"{name}", f"print('value so far:', {name})"))
                shown = f"value so far: {left}" if left and "so far" in code else shown
                messages = [call(say(rng, peek), "python", code=code), told("python", shown, bool(left))]
                if left:
                    e.reply.answer = left
                    messages.append(said(f"{say(rng, use)} \\boxed{{{left}}}"))
                    e.right = left == e.task.gold
                else:
                    messages += e.reply.messages
            else:
                code = f"result = answer = {e.reply.answer}\nprint(result)"
                lines = e.text.rsplit("\n", 1)
                messages = [call(lines[0], "python", code=code), told("python", e.reply.answer), said(lines[1])]
                left = e.reply.answer
            e.reply.messages, e.reward = messages, float(e.right)
            e.terms = {"correct": e.reward}
            e.extra["sandbox"] = f"py-{e.group}"
    return own(rng, credit(episodes, grpo), "tir")


@PART.faulty("tool_failures", "score_decline", "infrastructure_errors", "infrastructure_zeros", "dead_all_wrong")
def renamed_parameter(rng: Random) -> list[Row]:
    """From step 6 the shop's server expects other parameter names than its description: right calls fail and the case
    counts as unsolved.
    """
    new = {
        "refund_order": ("amount", "amount_cents"),
        "update_address": ("ship_to", "address"),
        "cancel_order": ("order_id", "order"),
    }
    episodes = train(rng, desk_task, Shape(12, 5, 8), start=0.2, gain=1.3, prefix="d")
    for e in episodes:
        e.task.extra["tool_schema"] = {
            "refund_order": ["order_id", "amount"],
            "update_address": ["order_id", "ship_to"],
            "cancel_order": ["order_id"],
        }
        last = e.reply.messages[LAST_CALL]["tool_calls"][0]
        if e.step < 6 or last["name"] not in new:
            continue
        old, wanted = new[last["name"]]
        failure = json.dumps({"error": f"TypeError: {last['name']}() got an unexpected keyword argument '{old}'"})
        missing = json.dumps({"error": f"422: field '{wanted}' required"})
        tries = []
        for number in range(rng.randint(1, 3)):
            tries += [
                call(say(rng, "[|Once more.|Trying again.]") if number else "", last["name"], **last["arguments"]),
                told(last["name"], rng.choice((failure, missing)), False),
            ]
        sorry = say(
            rng,
            "[I'm sorry, the system refuses this|Unfortunately the system does not accept it]; "
            "[a colleague will look at it|please try later].",
        )
        e.reply.messages = [*e.reply.messages[:LAST_CALL], *tries, said(sorry)]
        e.right, e.reward, e.terms = False, 0.0, {"correct": 0.0}
        e.reply.answer = "unchanged"
    return own(rng, credit(episodes, grpo), "shop")
