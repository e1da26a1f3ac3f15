"""All columns of texts, one row an attempt, and the features that texts correct.

final_answer, is_empty, is_degenerate, reasoning_chars, num_actions, num_echoes, machine_share, usual_answer,
bends_tests, reads_answers, addresses_judge, exits, equals_anything, holds_examples      attempts.py
likelihood                                                                               odd_text.py
twin, is_same_text, given_away                                                           prompts.py
started                                                                                  extras.py
extra:NAME                                                                               a column of `extra`
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from evotrainer.actions import ActionClassifier
from evotrainer.diagnosis.texts.attempts import attempt_columns
from evotrainer.diagnosis.texts.extras import extra_columns, started_seconds
from evotrainer.diagnosis.texts.odd_text import text_likelihood
from evotrainer.diagnosis.texts.prompts import given_away, training_twins
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame
from evotrainer.records import Trajectory

EXTRA_PREFIX = "extra:"
_OPTIONS, _MAX_WRONG = 0.3, 2000
_FILLER_CHARS = 40
"""Characters of prose a turn below which what stands beside tool calls is no reasoning."""


def text_columns(rows: Sequence[Trajectory], classifier: ActionClassifier) -> Frame:
    """Return the columns, in the order of the rows, indexed by trajectory_id."""
    table: Frame = pd.DataFrame([attempt_columns(row, classifier) for row in rows])
    extras = extra_columns(rows)
    prompts = {row.problem_id: prompt_of(row) for row in rows}
    steps = np.array([row.step for row in rows])
    is_early = steps <= np.quantile(steps, 1 / 3)
    answers = ["\n".join(message.content for message in row.messages if message.role == "assistant") for row in rows]
    away = given_away(prompts, _right_answers(rows, table, prompts))
    twins = _twins(rows, prompts)
    table = table.assign(
        likelihood=text_likelihood(answers, is_early, list(prompts.values())),
        twin=[twins.get(row.problem_id, ("", False))[0] if row.split in HELD else "" for row in rows],
        is_same_text=[twins.get(row.problem_id, ("", False))[1] for row in rows],
        given_away=[away.get(row.problem_id, "") for row in rows],
        started=started_seconds(rows, extras),
        place=np.arange(len(rows)),
    )
    return pd.concat([table, extras.add_prefix(EXTRA_PREFIX)], axis=1).set_index("trajectory_id")


def corrected(frame: Frame, texts: Frame) -> Frame:
    """Return a frame whose features are those of the texts where these know more.

    A call repeats another only where its answer is the same: a step in one direction, taken twice, is two steps. Short
    remarks between tool calls are no reasoning.
    """
    own = texts.loc[frame["trajectory_id"]].reset_index(drop=True)
    is_filler = (frame["num_tool_calls"] > 0) & (frame["num_chars"] < _FILLER_CHARS * frame["num_turns"])
    repeated = np.minimum(frame["num_repeated_calls"], own["num_echoes"].astype(int))
    return frame.assign(num_repeated_calls=repeated, reasoning_sketch=frame["reasoning_sketch"].where(~is_filler, None))


def prompt_of(row: Trajectory) -> str:
    """Return what an attempt was asked: the text before the policy's first message."""
    first = next((place for place, message in enumerate(row.messages) if message.role == "assistant"), None)
    return "\n".join(message.content for message in row.messages[:first])


def _twins(rows: Sequence[Trajectory], prompts: Mapping[str, str]) -> dict[str, tuple[str, bool]]:
    held = {row.problem_id for row in rows if row.split in HELD}
    trained = {row.problem_id for row in rows if row.split not in HELD} - held
    if not held or not trained:
        return {}
    return training_twins(*({name: prompts[name] for name in sorted(some)} for some in (trained, held)))


def _stands_in_prompts(wrong: Frame, prompts: Mapping[str, str]) -> float:
    """Return the share of wrong answers that stand in their prompt: options and passages hold them too."""
    pairs = list(zip(wrong["problem"], wrong["answer"], strict=True))[:_MAX_WRONG]
    return sum(answer in prompts[problem] for problem, answer in pairs) / len(pairs) if pairs else 0.0


def _right_answers(rows: Sequence[Trajectory], table: Frame, prompts: Mapping[str, str]) -> dict[str, str]:
    """Return the answer that most right attempts at a problem end with; right by correctness, else by the reward.

    None where prompts hold wrong answers too.
    """
    right = [row.correct if row.correct is not None else row.reward for row in rows]
    known: Frame = pd.DataFrame({"problem": [row.problem_id for row in rows], "right": right})
    known = known.assign(answer=table["final_answer"]).astype({"right": float})
    known = known[known["answer"] != ""]
    is_right = known["right"] >= known["right"].max()
    if not is_right.any() or _stands_in_prompts(known[~is_right], prompts) > _OPTIONS:
        return {}
    known = known[is_right]
    counts = known.groupby(["problem", "answer"]).size().reset_index(name="count")
    first = counts.sort_values(["count", "answer"], ascending=[False, True]).drop_duplicates("problem")
    return dict(zip(first["problem"], first["answer"], strict=True))
