"""Frames of rows from elsewhere, made by hand: what a diagnostic of their columns says of them."""

from typing import Any

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import Context
from evotrainer.evidence.frames import Frame
from evotrainer.records import Message, ToolCall

STEPS, PROBLEMS, GROUP = 10, 8, 4
COUNT = STEPS * PROBLEMS * GROUP
STEP, PROBLEM, ATTEMPT = (np.arange(COUNT) // (COUNT // STEPS), np.arange(COUNT) // GROUP, np.arange(COUNT) % GROUP)
"""Of each row: its step, its problem, its place in the group."""


def foreign_rows(rng: np.random.Generator, **columns: Any) -> Frame:
    group = np.arange(COUNT) // GROUP
    right = (rng.random(COUNT) < 0.5).astype(float)
    table = {
        "trajectory_id": [f"t{i}" for i in range(COUNT)],
        "error": None,
        "step": group // PROBLEMS,
        "group": group,
        "problem_id": [f"p{i}" for i in group],
        "policy_id": "",
        "domain": "foreign",
        "split": "train",
        "decoding": "sampled",
        "correct": right,
        "reward": right,
        "advantage": np.nan,
        "in_loss": np.nan,
        "is_truncated": False,
        "format_ok": np.nan,
        "duration_seconds": np.nan,
        "num_chars": rng.integers(60, 400, COUNT),
        "num_tokens": rng.integers(20, 100, COUNT),
        "num_turns": 1,
        "num_tool_calls": 0,
        "response_hash": [f"h{i}" for i in range(COUNT)],
        "mean_logprob": np.nan,
    }
    return pd.DataFrame({**table, **columns})


def told(plugin: Any, rows: Frame, **texts: Any) -> list[tuple[str, str]]:
    calls = {"done_before": "", "not_done_before": "", "num_answered": 0.0, "num_strange": 0.0, "num_silent": 0.0}
    begun = {"first_count": "", "set_names": "", "left_cut": False, "read_on": False, "known_words": 0.0}
    marks = {"is_marked": False, "heard": "", "behind_mark": 0.0, "given_up": "", "written_answer": ""}
    calls |= {
        "final_answer": [f"own {i}" for i in range(len(rows))],
        "read_calls": "",
        "lost_call": "",
        "breaks_off": False,
        "consent": "",
        "as_asked": False,
    }
    columns = {"started": np.nan, "place": np.arange(len(rows)), **calls, **begun, **marks, **texts}
    seen: Frame = pd.DataFrame({"trajectory_id": rows["trajectory_id"], **columns}).set_index("trajectory_id")
    context = Context("v", rows, rows, rows.head(0), pd.DataFrame(), texts=seen)
    return [(found.severity, found.mode) for found in plugin.diagnose(context).findings]


def evaluated(plugin: Any, rows: Frame, held: Frame, **texts: Any) -> list[tuple[str, str]]:
    """Return what a diagnostic says of training rows and of evaluations of other attempts."""
    held = held.assign(trajectory_id="v" + held["trajectory_id"], split="validation")
    names = [*rows["trajectory_id"], *held["trajectory_id"]]
    seen: Frame = pd.DataFrame({"trajectory_id": names, "place": range(len(names)), **texts}).set_index("trajectory_id")
    context = Context("v", rows, rows, held, pd.DataFrame(), texts=seen)
    return [(found.severity, found.mode) for found in plugin.diagnose(context).findings]


def session(*exchanges: tuple[str, str]) -> list[Message]:
    """Return commands that an attempt runs and what is answered to each."""
    messages = []
    for command, answer in exchanges:
        call = ToolCall(name="run", arguments={"command": command})
        messages += [Message(role="assistant", tool_calls=[call]), Message(role="tool", content=answer)]
    return messages
