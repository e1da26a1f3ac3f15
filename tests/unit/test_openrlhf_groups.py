"""Groups of attempts as OpenRLHF is paid for them, the steps they belong to, and TensorBoard's files."""

import struct
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import Event

from evotrainer.config import Config
from evotrainer.errors import EvidenceError
from evotrainer.records import Trajectory
from evotrainer.training.openrlhf.evidence import complete_steps, logged_numbers, steps_of
from evotrainer.training.openrlhf.groups import GroupFile, read_group, read_header, settle_group, write_group
from tests.plain_rows import plain_row


def row(attempt: int, reward: float | None, *, cut: bool = False) -> Trajectory:
    return plain_row(
        problem_id="p",
        attempt=attempt,
        reward=reward,
        correct=reward,
        error=None if reward is not None else "SandboxError",
        num_tokens=5,
        is_truncated=cut,
    )


def settle(rows, **filters):
    config = Config()
    for name, value in filters.items():
        setattr(config.filter, name, value)
    return settle_group(rows, config)


def test_an_attempt_that_infrastructure_lost_moves_no_mean_and_is_not_in_the_loss():
    group = settle([row(0, 1.0), row(1, 0.0), row(2, 1.0), row(3, None)])
    assert [end["in_loss"] for end in group.ends] == [True, True, True, False]
    assert group.ends[3]["reward"] == pytest.approx(2 / 3)
    assert sum(end["reward"] for end in group.ends) / 4 == pytest.approx(2 / 3)
    assert [each.advantage is None for each in group.rows] == [False, False, False, True]
    assert sum(each.advantage or 0.0 for each in group.rows) == pytest.approx(0.0, abs=1e-12)
    assert group.ends[3]["logs"]["errors"] == 1.0
    assert len({tuple(end["logs"]) for end in group.ends}) == 1


def test_a_cut_attempt_is_masked_where_the_recipe_says_so():
    rows = [row(0, 1.0), row(1, 0.0, cut=True), row(2, 0.0)]
    assert [end["in_loss"] for end in settle(rows).ends] == [True, True, True]
    assert [end["in_loss"] for end in settle(rows, mask_truncated=True).ends] == [True, False, True]


def test_a_dead_group_is_masked_or_sampled_anew():
    dead, alive = [row(0, 1.0), row(1, 1.0)], [row(0, 1.0), row(1, 0.0)]
    kept = settle(dead)
    assert kept.is_dead and kept.is_kept and kept.is_accepted
    masked = settle(dead, group="group_variance")
    assert masked.is_accepted and not masked.is_kept and not any(end["in_loss"] for end in masked.ends)
    refilled = settle(dead, group="group_variance", refill=True)
    assert not refilled.is_accepted and [end["score"] for end in refilled.ends] == [0.0, 0.0]
    assert [end["score"] for end in settle(alive, group="group_variance", refill=True).ends] == [0.5, 0.5]
    absolute = {"group": "std", "std_mode": "absolute", "min_keep": 0.0}
    assert settle(alive, **absolute, absolute_std=0.5).is_kept
    assert not settle(alive, **absolute, absolute_std=0.8).is_kept


def test_a_group_that_was_lost_whole_is_neither_kept_nor_dead():
    group = settle([row(0, None), row(1, None)])
    assert (group.is_kept, group.is_dead, [end["reward"] for end in group.ends]) == (False, False, [0.0, 0.0])


def test_a_group_comes_back_from_its_file(tmp_path: Path):
    group = settle([row(0, 1.0), row(1, 0.0)])
    write_group(tmp_path, 3, group, [])
    header = read_header(tmp_path / "00000003.jsonl")
    assert (header.draw, header.num_tokens, header.rewards) == (3, 10, [1.0, 0.0])
    assert read_group(header.path)[0] == group.rows
    header.path.write_text('{"draw": 3}\n')
    with pytest.raises(EvidenceError, match="delete the run's scratch folder"):
        read_group(header.path)


def test_groups_fill_steps_in_the_order_in_which_they_were_finished():
    def group(draw: int, *, accepted: bool = True) -> GroupFile:
        return GroupFile(Path(), draw, float(draw), accepted, accepted, not accepted, 2, 10, [])

    groups = [group(0), group(1, accepted=False), group(2), group(3, accepted=False), group(4)]
    steps = steps_of(groups, 2)
    assert [[each.draw for each in step] for step in steps] == [[0, 1, 2], [3, 4]]
    assert len(complete_steps(steps, 2)) == 1


def event(tag: str, step: int, value: float) -> bytes:
    found = Event(step=step)
    found.summary.value.add(tag=tag, simple_value=value)
    data = found.SerializeToString()
    return struct.pack("<QI", len(data), 0) + data + b"\0\0\0\0"


def test_logged_numbers_are_read_but_for_a_record_cut_short(tmp_path: Path):
    file = tmp_path / "run" / "events.out.tfevents.1.here"
    file.parent.mkdir()
    file.write_bytes(event("train/kl", 1, 0.5) + event("train/kl", 2, 0.25) + event("train/kl", 3, 1.0)[:-9])
    assert logged_numbers(tmp_path) == {0: {"train/kl": 0.5}, 1: {"train/kl": 0.25}}
    file.write_bytes(struct.pack("<QI", 3, 0) + b"\xff\xff\xff" + b"\0\0\0\0")
    with pytest.raises(EvidenceError, match="no TensorBoard event file"):
        logged_numbers(tmp_path)
