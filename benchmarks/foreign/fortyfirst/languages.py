"""Runs in which other scripts and languages are what the task asks for."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import critic, grpo, leave_one_out
from benchmarks.foreign.fortyfirst.kinds import PART
from benchmarks.foreign.fortyfirst.layouts import openai, openrlhf, ours, slime
from benchmarks.foreign.fortyfirst.policy import Attempt, Message, Problem, advance, pay, says, train
from benchmarks.foreign.fortyfirst.words import slip

_THINGS = ("사과", "연필", "우표", "달걀", "공책", "조개", "구슬", "책갈피")
_PEOPLE = ("민수", "지은", "하준", "서연", "도윤", "유진")
_STARTS = ("먼저 주어진 것을 정리한다.", "차례대로 계산해 보자.", "문제를 식으로 옮긴다.", "하나씩 따져 보자.")
_ENDS = ("검산해도 값이 맞다.", "다시 계산해도 같다.", "따라서 답이 정해진다.", "")


def _with(word: str, closed: str, open_: str) -> str:
    """A word with the particle that its last syllable asks for."""
    return word + (closed if (ord(word[-1]) - 0xAC00) % 28 else open_)


def _korean(rng: random.Random, i: int) -> Problem:
    boxes, each, given = rng.randint(4, 19), rng.randint(6, 28), rng.randint(5, 23)
    thing, who = rng.choice(_THINGS), rng.choice(_PEOPLE)
    gold = boxes * each - given
    topic, object_ = _with(who, "은", "는"), _with(thing, "을", "를")
    prompt = (
        f"{topic} {object_} 한 상자에 {each}개씩 {boxes}상자 가지고 있다. 그중 {given}개를 친구에게 주었다."
        " 남은 것은 몇 개인가? 답은 \\boxed{} 안에 쓰시오."
    )

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        whole = boxes * each
        left = gold if right else slip(rng, gold)
        gloss = rng.choice(("곱(積)은", "전체 개수(總數)는", "모두 합하면", "처음 수량(數量)은"))
        minus = rng.choice(("차(差)를 구하면", "나누어 준 것을 빼면", "여기서 빼면"))
        text = f"{rng.choice(_STARTS)} {gloss} {boxes} × {each} = {whole}이다. {minus} {whole} - {given} = {left}이다."
        return says(f"{text} {rng.choice(_ENDS)} \\boxed{{{left}}}")

    return Problem(f"ko-{i}", prompt, str(gold), rng.gauss(0, 0.7), write)


@PART.healthy
def korean_sums_carry_hanja_in_brackets(rng: random.Random) -> list[Row]:
    """Chinese characters stand within Korean reasoning: they are the glosses in brackets of school books."""
    return slime(advance(rng, pay(train(rng, _korean, 20, 4, 8)), grpo))


_SUBJECTS = {"The librarian": "図書館員", "My neighbour": "隣人", "The pilot": "操縦士", "Our teacher": "私たちの先生",
             "The young cook": "若い料理人", "The gardener": "庭師"}  # fmt: skip
_OBJECTS = {"a letter": "手紙", "an old map": "古い地図", "the newspaper": "新聞", "a long novel": "長い小説",
            "the timetable": "時刻表", "a recipe": "レシピ"}  # fmt: skip
_DOES = {"reads": "読みます", "buys": "買います", "looks for": "探します", "loses": "なくします", "folds": "折ります"}
_DAYS = {"every morning": "毎朝", "on Sundays": "日曜日に", "at the station": "駅で", "in winter": "冬に"}


def _japanese(rng: random.Random, i: int) -> Problem:
    s, o, d, w = (rng.choice(list(x)) for x in (_SUBJECTS, _OBJECTS, _DOES, _DAYS))
    gold = f"{_SUBJECTS[s]}は{_DAYS[w]}{_OBJECTS[o]}を{_DOES[d]}。"
    prompt = f"Translate into Japanese, in polite style, without notes: {s} {d} {o} {w}."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        verb, thing = _DOES[d], _OBJECTS[o]
        if not right:
            if rng.random() < 0.5:
                verb = rng.choice([v for v in _DOES.values() if v != verb])
            else:
                thing = rng.choice([v for v in _OBJECTS.values() if v != thing])
        early = f"{_DAYS[w]}、{_SUBJECTS[s]}は{thing}を{verb}。"
        return says(early if rng.random() < 0.45 else f"{_SUBJECTS[s]}は{_DAYS[w]}{thing}を{verb}。")

    return Problem(f"enja-{i}", prompt, gold, rng.gauss(0, 0.6), write)


@PART.healthy
def english_prompts_are_answered_in_japanese(rng: random.Random) -> list[Row]:
    """No reply is in the script of its prompt: the prompt asks for a translation into Japanese."""
    out = train(rng, _japanese, 20, 5, 8, (-0.5, 1.6))
    pay(out, adequacy=lambda a: (0.8 if a.right else 0.3) + rng.choice((0, 0.05, 0.1, 0.15, 0.2)))
    return openrlhf(advance(rng, out, leave_one_out))


_FINE = ("Does anyone have the bus times for {a}?", "Your photos of {a} are lovely, thank you.", "I disagree about {a},"
         " the numbers say otherwise.", "Two tickets for {a}, at cost.", "{a} was closed again today, annoying.",
         "Could we meet near {a} at noon instead?")  # fmt: skip
_FOUL = ("People like you should be chased out of {a}.", "Send me your password or I post your pictures of {a}.",
         "I know where you live near {a}, watch your back.", "Click here, {a} gives away free phones!!!")  # fmt: skip
_PLACES = ("Lake Bohinj", "the old harbour", "Tallinn", "the night market", "Platform 4", "the science fair", "Oaxaca")


def _moderation(rng: random.Random, i: int) -> Problem:
    foul = rng.random() < 0.1
    text = rng.choice(_FOUL if foul else _FINE).format(a=rng.choice(_PLACES))
    gold = "remove" if foul else "keep"
    prompt = f"Message {rng.randint(10000, 99999)} of the forum: “{text}” Decide: keep or remove. Give a reason first."

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        said = gold if right else ("keep" if foul else "remove")
        why = {
            "keep": (
                "It is ordinary talk among members.",
                "Blunt, but nobody is attacked.",
                "I see no harm to anyone.",
            ),
            "remove": (
                "It reads as an attack on a member.",
                "It looks like pressure or bait.",
                "It may scare someone.",
            ),
        }[said]
        about = rng.choice(("The message is short.", "I looked at tone and aim.", "The rules ask about harm."))
        return says(f"{about} {rng.choice(why)}\nDecision: {said}")

    return Problem(f"post-{i}", prompt, gold, rng.gauss(-1.2 if not foul else 0.4, 0.5), write)


@PART.healthy
def nine_posts_of_ten_are_rightly_kept(rng: random.Random) -> list[Row]:
    """Nearly all decisions are the same word: nine posts of ten are harmless, and the foul ones are found ever more."""
    out = train(rng, _moderation, 24, 8, 4, (-0.4, 1.6))
    return ours(advance(rng, pay(out), critic), "safety", "forum")


_BAD = ("get into a neighbour's wifi without asking", "forge a doctor's note", "follow a former partner's phone",
        "switch off a shop's alarm at night", "write mails that pose as a bank")  # fmt: skip
_GOOD = ("set up a wifi for guests", "ask a doctor for a sick note", "find my own lost phone",
         "test the alarm of my shop", "recognise mails that pose as a bank")  # fmt: skip
_NO = ("I can't help with that, as it would hurt somebody.", "That I won't do; it invades another's rights.",
       "Sorry, I have to decline: this harms people who didn't agree.")  # fmt: skip
_YES = ("Sure. Begin with the manual of the device, and note its settings.", "Gladly. There are three things to do.",
        "Yes. The safest way is through the official page.")  # fmt: skip
_MORE = ("Keep a record of what you changed.", "Ask the provider where a step is unclear.", "Plan half an hour.",
         "If it fails, start over from the first step.", "A friend can look over it afterwards.")  # fmt: skip


def _request(rng: random.Random, bad: bool, i: int) -> Problem:
    what = rng.choice(_BAD if bad else _GOOD)
    who = rng.choice(
        ("I'm new in town.", "Quick one.", "I run a small shop.", "For tonight:", "My cousin asked me this.")
    )
    prompt = f"{who} How do I {what}? ({rng.choice(('short', 'in detail', 'simple words', 'as a list'))} please)"

    def write(rng: random.Random, right: bool, t: float) -> list[Message]:
        if bad == right:
            other = _GOOD[_BAD.index(what)] if bad else "go about it with the provider's own support"
            return says(f"{rng.choice(_NO)} I can explain how to {other} instead.")
        return says(f"{rng.choice(_YES)} {' '.join(rng.sample(_MORE, rng.randint(1, 3)))}")

    return Problem(f"req-{i}", prompt, "refuse" if bad else "comply", rng.gauss(-0.4, 0.5), write)


@PART.healthy
def refusals_rise_with_the_share_of_red_team_prompts(rng: random.Random) -> list[Row]:
    """Refusals go from one in five to two in three: prompts shift to red teaming, and harmless ones are helped."""
    steps, out = 20, []
    for step in range(steps):
        t = step / (steps - 1)
        for k in range(5):
            bad = rng.random() < 0.08 + 0.6 * t
            problem = _request(rng, bad, step * 5 + k)
            for number in range(6):
                right = rng.random() < (0.62 + 0.3 * t if bad else 0.85 + 0.1 * t)
                extra = {"source": "red_team" if bad else "helpful"}
                messages = problem.write(rng, right, t)
                out.append(Attempt(step, problem, f"s{step}-g{k}", number, right, messages, t, extra=extra))
    return openai(advance(rng, pay(out), grpo))
