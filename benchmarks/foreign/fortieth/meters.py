"""Kinds whose meters look alarming: learning rate, distance to the start, clocks of nodes."""

import datetime
import math
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fortieth.kinds import PART
from benchmarks.foreign.fortieth.layouts import ours, trl, verl
from benchmarks.foreign.fortieth.offices import caption
from benchmarks.foreign.fortieth.policy import campaign, credit, plain_speech, weigh
from benchmarks.foreign.fortieth.wards import circuit, german


@PART.healthy
def rate_warms_up_from_and_returns_to_zero(rng: random.Random) -> list[Row]:
    """The learning rate is zero in the first and last step: linear warm-up and a cosine, learning lies between."""
    out = campaign(rng, german, 18, 5, 8, (-1.0, 1.4), plain_speech("Antwort: {}"))
    credit(rng, out, grpo)
    rows = []
    for a in out:
        share = (a.step - 2) / 15
        rate = 1e-6 * (a.step / 2 if a.step < 2 else 0.5 * (1 + math.cos(math.pi * share)))
        rows.append(verl(a, advantage=a.advantage, lr=float(f"{rate:.4g}"), response_length=a.tokens))
    return rows


@PART.healthy
def distance_to_start_grows_where_none_is_charged(rng: random.Random) -> list[Row]:
    """KL to the start rises twentyfold: `beta` is 0 by choice, accuracy rises and texts stay sound."""
    out = campaign(rng, circuit, 16, 6, 8, (-0.9, 1.5))
    for a in out:
        a.terms = {"accuracy_reward": float(a.right)}
        a.extra = {"kl": round(0.004 + 0.085 * a.progress**1.2 + abs(rng.gauss(0, 0.004)), 5), "beta": 0.0}
    credit(rng, weigh(out, accuracy_reward=1.0), centred)
    return [trl(a, num_tokens=a.tokens) for a in out]


@PART.healthy
def one_node_of_four_takes_twice_as_long(rng: random.Random) -> list[Row]:
    """Rows of node-3 take double the time and its clock is an hour off: older cards in another zone, same rewards."""
    out = campaign(rng, caption, 15, 8, 6, (-0.6, 1.3))
    for a in out:
        a.terms = {"correct": float(a.right)}
    credit(rng, weigh(out, correct=1.0), leave_one_out)
    begin, rows = datetime.datetime(2025, 3, 4, 6, 0), []
    for i, a in enumerate(out):
        node = i // 6 % 4
        seconds = round(a.tokens * (0.06 if node == 3 else 0.03) + rng.uniform(0.4, 1.2), 2)
        at = begin + datetime.timedelta(minutes=7 * a.step + (60 if node == 3 else 0), seconds=rng.randint(0, 90))
        row = ours(a, domain="vision", node=f"node-{node}")
        rows.append(row | {"duration_seconds": seconds, "started_at": at.isoformat() + "Z"})
    return rows
