"""A sample of kill points has as many of each kind as there are to have, and is the same each time."""

from collections import Counter

from benchmarks.crashes.sample import kind_of, sampled

POINTS = [
    *(f"rename python /campaigns/c/versions/v{number:03}/dvc.lock" for number in range(9)),
    "start git commit",
    "end git commit",
    "start python train v001",
    "start python train v002",
]


def test_points_of_one_kind_differ_in_folder_or_version_alone() -> None:
    assert len({kind_of(point) for point in POINTS}) == 4


def test_rare_kinds_are_walked_before_a_frequent_one_is_walked_twice() -> None:
    chosen = sampled(POINTS, 6, seed=0)
    assert chosen == sampled(POINTS, 6, seed=0) and len(chosen) == 6
    assert chosen == sorted(chosen, key=POINTS.index)
    assert Counter(map(kind_of, chosen)) >= Counter({kind_of(point) for point in POINTS})
    assert sampled(POINTS, 100, seed=0) == POINTS
