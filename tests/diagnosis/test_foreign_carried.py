"""What is not set back or set anew: counts of turns, seeds of a sampler, graded states; and logs that steps struck."""

from typing import Any

import numpy as np
import pytest

from evotrainer.evidence.frames import Frame
from harness_plugins.elsewhere import carried_counts, copies, paid_for_the_last, struck_logs, tool_outages
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, STEP, foreign_rows, told

LIMIT = 7


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(43)


def _games(rng: np.random.Generator, slot: np.ndarray, keeps: bool, at_limit: bool = False) -> Frame:
    """Return games of LIMIT turns; where a slot keeps its count, those behind a won game (or a lost one) have fewer."""
    won, turns, left = rng.random(COUNT) < 0.5, rng.integers(2, LIMIT, COUNT), dict[int, int]()
    for place in range(COUNT):
        name = int(slot[place])
        limit = LIMIT - left.get(name, 0)
        won[place] &= turns[place] < limit
        turns[place] = turns[place] if won[place] else limit
        is_kept = not won[place] if at_limit else won[place] and not left.get(name)
        left[name] = int(min(turns[place], LIMIT - 2)) if keeps and is_kept else 0
    reasons = np.where(won, "stop", "max_turns")
    return foreign_rows(rng, reward=won.astype(float), num_turns=turns, stop_reason=reasons)


def test_turns_of_the_attempt_before_are_still_counted(rng):
    texts: dict[str, Any] = {"asked": "1", "extra:worker": ATTEMPT.astype(float)}
    found = [("warning", "leftover_state")]
    assert told(carried_counts, _games(rng, ATTEMPT, True), **texts) == found
    assert told(carried_counts, _games(rng, ATTEMPT, True, at_limit=True), asked="1") == found
    called = _games(rng, ATTEMPT, True)
    called = called.assign(num_tool_calls=called["num_turns"], num_turns=1)  # turns are not counted, calls are
    assert told(carried_counts, called, **texts) == found
    marked = _games(rng, ATTEMPT, True)
    beside = {"extra:info.truncated": (marked["stop_reason"] == "max_turns").to_numpy(float)}
    assert told(carried_counts, marked.assign(stop_reason="unknown"), **texts, **beside) == found
    assert told(carried_counts, _games(rng, ATTEMPT, False), **texts) == []


def test_limits_that_depend_on_the_attempt_or_the_prompt_are_no_counts(rng):
    rows, texts = _games(rng, ATTEMPT, False), {"extra:worker": ATTEMPT.astype(float)}
    lives = np.where(rows["stop_reason"] == "max_turns", rng.integers(3, LIMIT + 1, COUNT), rows["num_turns"])
    assert told(carried_counts, rows.assign(num_turns=lives), asked="1", **texts) == []
    short = np.where(PROBLEM % 2 == 0, np.minimum(rows["num_turns"], 4), rows["num_turns"])
    assert told(carried_counts, rows.assign(num_turns=short), asked=(PROBLEM % 2).astype(str), **texts) == []
    kept = _games(rng, ATTEMPT, True)
    tokens = kept.assign(
        stop_reason=np.where(kept["reward"] > 0, "stop", "max_tokens"), is_truncated=kept["reward"] < 1
    )
    assert told(carried_counts, tokens, asked="1", **texts) == []
    calls = np.where(kept["stop_reason"] == "max_turns", LIMIT, 1)
    assert told(carried_counts, kept.assign(num_tool_calls=calls), asked="1", **texts) == []  # several in a turn
    is_cut, some = (kept["stop_reason"] == "max_turns").to_numpy(), rng.random(COUNT) < 0.5
    for turns in (3, LIMIT):  # others are ended early too, or half of those behind a won game are not
        mixed = kept.assign(num_turns=np.where(is_cut & some, turns, kept["num_turns"]))
        assert told(carried_counts, mixed, asked="1", **texts) == []
    said = np.where(is_cut, kept["num_turns"].astype(str), str(LIMIT))
    assert told(carried_counts, kept, asked=said, **texts) == []  # prompts tell who has fewer


def test_groups_of_one_text_were_drawn_from_one_seed(rng):
    rows = foreign_rows(rng, num_chars=200, response_hash=[f"h{group}" for group in PROBLEM])
    alike = rows.assign(reward=(PROBLEM % 2).astype(float))
    found = [("warning", "entropy_collapse")]
    assert told(copies, alike) == found
    noise = rng.random(COUNT) < 0.015
    assert told(copies, alike.assign(response_hash=np.where(noise, "x", alike["response_hash"]))) == found
    assert told(copies, alike, **{"extra:sampling.temperature": 0.0}) == []
    assert told(copies, alike, **{"extra:do_sample": 0.0}) == []
    assert told(copies, alike, **{"extra:temperature": 0.6}) == found
    assert told(copies, alike.assign(decoding="greedy")) == []
    assert told(copies, alike.assign(num_chars=12)) == []  # a short answer leaves no choice
    assert told(copies, rows.assign(reward=rng.random(COUNT))) == []  # one text that several judges saw
    assert told(copies, alike.assign(response_hash="h")) == []  # one text for all problems


def _logs(rng: np.random.Generator, struck: Any, line: str) -> np.ndarray:
    ends = np.array(["1 passed", "1 failed, 2 passed", "AssertionError: wrong"])[rng.integers(0, 3, COUNT)]
    return np.array(
        [f"installing\n{line if hit else end}" for hit, end in zip(struck, ends, strict=True)], dtype=object
    )


def test_graders_that_were_broken_in_some_steps(rng):
    struck = (STEP >= 4) & (STEP < 7) & (rng.random(COUNT) < 0.9)
    rows = foreign_rows(rng)
    lost, found = rows.assign(reward=np.where(struck, 0.0, rows["reward"])), [("warning", "infrastructure_zeros")]
    for line in ("/tests/run.sh: line 9: uvx: command not found", "E: Unable to locate package nodejs"):
        assert told(struck_logs, lost, **{"extra:log": _logs(rng, struck, line)}) == found
    log = {"extra:log": _logs(rng, struck, "warning: slow disk 12")}
    assert told(struck_logs, rows, **log) == []  # and they were graded
    everywhere = rng.random(COUNT) < 0.3
    unpaid = rows.assign(reward=np.where(everywhere, 0.0, rows["reward"]))
    assert told(struck_logs, unpaid, **{"extra:log": _logs(rng, everywhere, "SyntaxError")}) == []
    early = (STEP >= 3) & (rng.random(COUNT) < 0.9)
    for more in (early, struck | (rng.random(COUNT) < 0.1)):  # most of the run, or now and then elsewhere
        unpaid = rows.assign(reward=np.where(more, 0.0, rows["reward"]))
        assert told(struck_logs, unpaid, **{"extra:log": _logs(rng, more, "SyntaxError")}) == []
    hard = {"extra:level": np.where((STEP >= 4) & (STEP < 7), "hard", "easy")}
    assert told(struck_logs, lost, **{"extra:log": _logs(rng, struck, "0 of 3 goals met")}, **hard) == []


def test_a_network_that_graders_do_not_reach_now_and_then(rng):
    struck = rng.random(COUNT) < 0.1
    rows = foreign_rows(rng)
    lost = rows.assign(reward=np.where(struck, 0.0, rows["reward"]))
    texts = {"machine_share": 0.0, "usual_answer": ""}
    away, own = (
        np.where(struck, f"curl: (7) Failed to connect to {host} port 443", "2 passed")
        for host in ("mirror.example", "localhost")
    )
    assert told(tool_outages, lost, **texts, **{"extra:log": away}) == [("warning", "infrastructure_zeros")]
    assert told(tool_outages, lost, **texts, **{"extra:log": own}) == []  # the attempt's own server


def test_attempts_are_paid_for_how_the_one_before_them_ended(rng):
    machine, holds = rng.integers(0, 4, COUNT), rng.random(COUNT) < 0.5
    forms = np.where(holds, "1", "2")
    before = np.zeros(COUNT, dtype=bool)
    for one in range(4):
        there = np.flatnonzero(machine == one)
        before[there[1:]] = holds[there[:-1]]
    texts = {"last_form": forms, "extra:arm": [f"arm-{one}" for one in machine]}
    late = foreign_rows(rng, num_tool_calls=3, reward=before.astype(float))
    assert told(paid_for_the_last, late, **texts) == [("warning", "stale_grades")]
    shuffled = rng.permutation(COUNT)
    moved = {name: np.array(values)[shuffled] for name, values in texts.items()}
    rows = foreign_rows(rng, num_tool_calls=3, reward=before[shuffled].astype(float))
    assert told(paid_for_the_last, rows, **moved) == []
    counted = {**moved, "extra:episode": shuffled.astype(float)}
    assert told(paid_for_the_last, rows, **counted) == [("warning", "stale_grades")]
    own = foreign_rows(rng, num_tool_calls=3, reward=holds.astype(float))
    assert told(paid_for_the_last, own, **texts) == []
    assert told(paid_for_the_last, late, **texts | {"extra:arm": [str(i) for i in range(COUNT)]}) == []
