"""Kinds of people who fine-tune by RL on one or eight GPUs: exams, code, extraction, tools, translation, verse,
games."""

from benchmarks.foreign.fiftyfirst import (  # noqa: F401
    cheats,
    evaluations,
    graders_and_judges,
    lengths_and_seeds,
    prompts_and_data,
    sound_scores,
    sound_texts,
    tools_and_worlds,
    trainers_sums,
)
from benchmarks.foreign.fiftyfirst.kinds import PART

FIFTYFIRST = tuple(PART.kinds)
"""The kinds of this part."""
