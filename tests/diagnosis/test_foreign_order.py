"""Orders of prompts and of draws in rows of others: loaders that begin anew, seeds that restart, and lookalikes."""

import numpy as np
import pytest

from evotrainer.evidence.frames import Frame
from harness_plugins.elsewhere import copied_places, rewound_order
from tests.foreign_frames import ATTEMPT, COUNT, PROBLEM, PROBLEMS, STEP, STEPS, foreign_rows, told

REWOUND = [("warning", "duplicate_problems")]


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(5)


def asked_at(batches: list[int]) -> np.ndarray:
    """Return what each row asks, where each step shows the prompts of a batch."""
    return np.array([f"q{batches[step]}-{number}" for step, number in zip(STEP, PROBLEM % PROBLEMS, strict=True)])


def rewound(rows: Frame, batches: list[int], **columns: object) -> list[tuple[str, str]]:
    extra = {f"extra:{name}": value for name, value in columns.items()}
    return told(rewound_order, rows, asked=asked_at(batches), **extra)


def test_prompts_that_come_again_in_order_within_an_epoch(rng):
    rows = foreign_rows(rng)
    twice = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
    assert rewound(rows, twice, dataset_size=5000.0) == REWOUND
    assert rewound(rows, twice, epoch=0.0) == REWOUND
    assert rewound(rows, twice, epoch=STEP / 100) == REWOUND
    middle = [0, 1, 2, 3, 4, 5, 3, 4, 5, 6]  # and new prompts behind
    assert rewound(rows, middle) == REWOUND
    assert rewound(rows, [0, 1, 2, 3, 4, 5, 6, 3, 4, 5]) == REWOUND  # not what came first


def test_a_second_epoch_is_no_rewound_loader(rng):
    rows = foreign_rows(rng)
    twice = [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
    assert rewound(rows, twice) == []
    assert rewound(rows, twice, dataset_size=40.0) == []
    assert rewound(rows, twice, epoch=np.floor(STEP / 5)) == []
    assert rewound(rows, twice, epoch=(STEP + 1) / 5) == []
    assert rewound(rows, [0, 1, 2, 3, 4, 2, 0, 4, 1, 3], epoch=0.0) == []  # another order
    assert rewound(rows, [0] * STEPS, dataset_size=5000.0) == []  # all that there is at each step
    assert rewound(rows, list(range(STEPS)), dataset_size=5000.0) == []
    held = rows.assign(split="validation")  # an evaluation meets its problems again
    assert rewound(held, twice, epoch=0.0) == []


def test_two_places_of_groups_that_hold_one_text(rng):
    own = np.array([f"h{i}" for i in range(COUNT)])
    in_parts = rng.random(PROBLEM[-1] + 1)[PROBLEM] < 0.5  # such groups were drawn by two workers
    halves = np.where(in_parts, [f"g{group}-{number % 2}" for group, number in zip(PROBLEM, ATTEMPT, strict=True)], own)
    rows = foreign_rows(rng)
    found = [("warning", "entropy_collapse")]
    assert told(copied_places, rows.assign(response_hash=halves)) == found
    ends = np.where(in_parts & (ATTEMPT % 3 == 0), [f"e{group}" for group in PROBLEM], own)
    assert told(copied_places, rows.assign(response_hash=ends)) == found
    lost = rows.assign(response_hash=halves)[rng.random(COUNT) < 0.95]  # some rows were not stored
    assert told(copied_places, lost) == found


def test_copies_by_chance_or_by_order_are_no_seeds(rng):
    own = np.array([f"h{i}" for i in range(COUNT)])
    rows = foreign_rows(rng)
    assert told(copied_places, rows) == []
    short = np.where(rng.random(COUNT) < 0.7, [f"g{group}" for group in PROBLEM], own)
    assert told(copied_places, rows.assign(response_hash=short)) == []
    placed = np.where(ATTEMPT < 2, [f"g{group}" for group in PROBLEM], own)
    sorted_rows = rows.assign(response_hash=placed, reward=np.where(ATTEMPT < 2, 1.0, 0.0))
    assert told(copied_places, sorted_rows) == []
    greedy = rows.assign(response_hash=placed, decoding="greedy")
    assert told(copied_places, greedy) == []
