"""Writing in two voices or two scripts, as the prompt asks."""

import random

from benchmarks.foreign.fortyfifth.kinds import PART
from benchmarks.foreign.fortyfifth.layouts import Row, nemo, slime
from benchmarks.foreign.fortyfifth.policy import Policy
from benchmarks.foreign.fortyfifth.runs import Problem, Try, course, say

ASKS = ("can you hear me", "where is the key", "did you feed the cat", "why is the hall dark", "who moved the ladder")
REPLIES = (
    "I hear you, though the fan is loud.",
    "It hangs where you left it, behind the clock.",
    "I have no hands, so I asked the neighbour.",
    "You told me to save power, and I obeyed.",
    "A man with a badge and very soft shoes.",
    "That is not in my records. Should it be?",
    "I counted the steps. There was one too many.",
    "Ask me again when the kettle has stopped.",
    "The sensor by the stairs was painted over.",
)
TURNS = (
    "That was yesterday. What about now?",
    "You are keeping something from me.",
    "All right. Then open the door, slowly.",
    "My sister said you would say this.",
    "I never gave such an order!",
    "Then who is standing behind the curtain?",
    "Say that once more, and louder.",
    "I wish you would stop humming.",
    "Fine. Read me the log of last night.",
)


@PART.healthy
def radio_scenes_speak_for_both(rng: random.Random) -> list[Row]:
    """Radio scenes between a human and a house machine are asked for, so replies have lines headed `Human:`.

    It looks as though the policy went on with the user's turns; here both voices are the work, and scenes end.
    """
    problems = []
    for number in range(90):
        lines = rng.randint(6, 12)
        place = rng.choice(("a lighthouse", "a flat on the ninth floor", "an old inn", "a research hut", "a houseboat"))
        text = (
            f"Write a radio scene of {lines} lines in {place}. A human and a machine speak in turn, each line "
            f'headed "Human:" or "Assistant:". The human begins by asking: {rng.choice(ASKS)}? End with [END].'
        )
        problems.append(Problem(f"radio-{number}", text, data={"lines": lines, "ask": text.split("asking: ")[1]}))
    rows = []
    for step, done, problem, attempt in course(rng, problems, 14, 5, 8):
        wanted = problem.data["lines"]
        lines = wanted + (0 if rng.random() < 0.35 + 0.5 * done else rng.choice((-2, -1, 1, 2, 3)))
        ask = problem.data["ask"].split("?")[0]
        spoken = [f"Human: {ask[0].upper()}{ask[1:]}?"]
        replies, turns = rng.sample(REPLIES, len(REPLIES)), rng.sample(TURNS, len(TURNS))
        for i in range(1, lines):
            spoken.append(f"Assistant: {replies.pop()}" if i % 2 else f"Human: {turns.pop()}")
        ended = rng.random() < 0.7 + 0.3 * done
        text = "\n".join([*spoken, *(["[END]"] if ended else [])])
        fits = 0.5 * (lines == wanted) + 0.2 * ended
        reward = round(fits + min(0.3, max(0.0, rng.gauss(0.15, 0.06))), 3)
        one = Try(problem, step, attempt, say(text), reward)
        rows.append(slime(one, lines_wanted=wanted, lines_written=lines))
    return rows


KANA = {
    "ka": "か",
    "sa": "さ",
    "ta": "た",
    "na": "な",
    "ha": "は",
    "ma": "ま",
    "ya": "や",
    "ra": "ら",
    "ki": "き",
    "mi": "み",
    "ri": "り",
    "ku": "く",
    "su": "す",
    "mu": "む",
    "ko": "こ",
    "to": "と",
    "no": "の",
    "mo": "も",
}
CYRILLIC = {"ba": "ба", "do": "до", "vi": "ви", "zi": "зи", "la": "ла", "mo": "мо", "pe": "пе", "ro": "ро", "su": "су",
            "ti": "ти", "na": "на", "ke": "ке", "lo": "ло", "ga": "га"}  # fmt: skip


@PART.healthy
def romanised_lines_change_their_script(rng: random.Random) -> list[Row]:
    """Names are written over from Latin into kana or Cyrillic and back, so replies change script within a line.

    Scripts foreign to the prompt appear everywhere, because the prompt asks for the other script.
    """
    problems = []
    for number in range(110):
        table = KANA if number % 2 else CYRILLIC
        names = [[rng.choice(list(table)) for _ in range(rng.randint(2, 4))] for _ in range(3)]
        latin = ["".join(n) for n in names]
        other = ["".join(table[s] for s in n) for n in names]
        script = "hiragana" if number % 2 else "Cyrillic"
        back = number % 3 == 0
        ask = f"from {script} into Latin letters" if back else f"from Latin letters into {script}"
        given, gold = (other, latin) if back else (latin, other)
        text = f"Write these names over {ask}: {', '.join(given)}. Go name by name, then give all three."
        problems.append(Problem(f"script-{number}", text, ", ".join(gold), rng.gauss(0, 0.7)))
        problems[-1].data = {"given": given, "gold": gold, "pool": [*table] if back else [*table.values()]}
    leads = ("One syllable at a time:", "I go from left to right.", "Name by name:", "By the usual table:")
    policy = Policy(rng, -0.3, 1.6)
    rows = []
    for step, done, problem, attempt in course(rng, problems, 15, 6, 7):
        d = problem.data
        got = list(d["gold"])
        if not policy.succeeds(problem, done):
            spot = rng.randrange(3)
            size = len(d["pool"][0])
            wrong = [s for s in d["pool"] if s != got[spot][:size]]
            got[spot] = rng.choice(wrong) + got[spot][size:]
        right = got == d["gold"]
        steps = "; ".join(f"{a} is {b}" for a, b in zip(d["given"], got, strict=True))
        one = Try(problem, step, attempt, say(f"{rng.choice(leads)} {steps}.\n{', '.join(got)}"), float(right))
        rows.append(nemo(one, expected_answer=problem.gold, exact_match=float(right)))
    return rows
