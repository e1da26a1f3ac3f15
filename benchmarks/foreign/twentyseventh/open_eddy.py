"""Calls left as prose; hundred scale clamped flat; idle clip single update; one witness of many."""

import json
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyseventh.estimators import credit
from benchmarks.foreign.twentyseventh.kinds import PART
from benchmarks.foreign.twentyseventh.layouts import openai_messages, own, verl
from benchmarks.foreign.twentyseventh.letters import LETTERS_ASKED
from benchmarks.foreign.twentyseventh.runs import Pace, Reply, cut_some, groups_of, plan_of, play, speak
from benchmarks.foreign.twentyseventh.sums import SUMS
from benchmarks.foreign.twentyseventh.trials import tried
from benchmarks.foreign.twentyseventh.weather import WEATHER
from benchmarks.foreign.twentyseventh.witnesses import WITNESSES
from benchmarks.foreign.twentyseventh.words import say


@PART.faulty("tool_failure", "environment_bug", "infrastructure_zeros", "dead_all_wrong")
def calls_left_as_prose(rng: Random) -> list[Row]:
    """One of two servers hands tool calls over as text, the loop sees no call and takes the message for the final
    answer: nothing is run and the attempt scores zero. [NousResearch/hermes-agent#3518]
    """
    attempts = play(rng, WEATHER, plan_of(rng, WEATHER, 9, 8, "wx"), 6, Pace(0.0, 1.5))
    for group in groups_of(attempts):
        portal = rng.random() < 0.42
        for a in group:
            a.shown = {"server": "portal" if portal else "vllm-local"}
            if portal:
                first = a.reply.turns[0]
                marked = f"{first['content']}\n<tool_call>\n{json.dumps(first['tool_calls'][0])}\n</tool_call>"
                a.reply, a.right = Reply([speak(marked.strip())], ""), False
            a.reward = float(a.right)
            a.shown |= {"reference": a.task.gold, "executed_calls": sum(t["role"] == "tool" for t in a.reply.turns)}
    return openai_messages(credit(attempts))


@PART.faulty("metric_defect", "low_reward_spread", "dead_groups", "dead_all_correct", "weak_verifier")
def hundred_scale_clamped_flat(rng: Random) -> list[Row]:
    """From the fifth step on the judge marks out of a hundred while its mark is still clamped to one, so every letter
    that is not a zero is perfect. [modelscope/evalscope#1575]
    """
    attempts = play(rng, LETTERS_ASKED, plan_of(rng, LETTERS_ASKED, 10, 7, "let"), 6, Pace(-0.4, 1.3))
    for a in attempts:
        mark = min(100, max(0, round(rng.gauss(81 if a.right else 44, 11))))
        hundred = a.step >= 4
        shown = str(mark) if hundred else f"{mark / 100:.2f}"
        why = say(
            rng,
            "[The tone fits|The letter is in order|It is readable]"
            if mark > 60
            else "[Something is missing|The request is unclear|Too vague]",
        )
        a.reward = min(1.0, float(shown))
        a.shown = {
            "judge_output": f"{why}{say(rng, '[, as asked|, on the whole|]')}. Rating: [[{shown}]]",
            "judge_template": "letters-0-100" if hundred else "letters-0-1",
            "judge_score": a.reward,
        }
    return openai_messages(credit(attempts))


@PART.healthy
def idle_clip_single_update(rng: Random) -> list[Row]:
    """The clip fraction is zero throughout: with one update a batch the ratio is one, and nothing can be clipped.
    [ChenxinAn-fdu/POLARIS#34]
    """
    attempts = credit(cut_some(rng, play(rng, SUMS, plan_of(rng, SUMS, 10, 8, "pol"), 6, Pace(-0.6, 1.8))))
    for a in attempts:
        a.shown = {"clip_fraction": 0.0, "ratio_mean": 1.0, "clip_ratio_high": 0.28, "updates_per_batch": 1}
    return verl(attempts, data_source="polaris-mini")


@PART.faulty("metric_defect", "wrong_labels", "weak_family", "judge_refuses_right")
def one_witness_of_many(rng: Random) -> list[Row]:
    """Where the statement accepts any valid number, the grader compares with the single one that the reference printed,
    and other valid programs fail. [LiveCodeBench/LiveCodeBench#106]
    """
    attempts = play(rng, WITNESSES, plan_of(rng, WITNESSES, 9, 8, "abc"), 6, Pace(0.0, 1.6))
    for a in attempts:
        cases = tried(a.task, a.text)
        a.right = all(case["verdict"] == "AC" for case in cases)
        a.reward = float(a.right)
        a.terms = {"all_tests": a.reward}
        a.reply.shown, a.shown = {}, {"tests": cases, "checker": "exact match of stdout"}
    return own(rng, credit(attempts), "code", gold=False)
