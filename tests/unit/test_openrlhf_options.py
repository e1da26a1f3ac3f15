"""The map to OpenRLHF: every flag is one that its parser has, and what it cannot express is refused by name."""

import json
import re
import struct
from itertools import product
from pathlib import Path

import pytest
from tensorboardX.proto.event_pb2 import Event

from conf.compose import compose_campaign
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.code import CODE_KEYS, reference
from evotrainer.config.factors import FACTORS
from evotrainer.config.interventions import with_values
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.records import Trajectory
from evotrainer.training import check_trainable
from evotrainer.training.openrlhf.evidence import complete_steps, logged_numbers, steps_of
from evotrainer.training.openrlhf.groups import GroupFile, read_group, read_header, settle_group, write_group
from evotrainer.training.openrlhf.inputs import RunFiles, arguments
from evotrainer.training.openrlhf.options import OPTIONS, flags_of, refusals
from tests.plain_records import plain_row

ROOT = Path(__file__).parents[2]
KNOWN = json.loads((ROOT / "tests/golden/openrlhf_0.11.2_flags.json").read_text())
FILE = reference("")
OWN = ["engine=openrlhf", "policy.path=MODEL"]

VARIANTS = [
    [f"algorithm.loss={loss}", f"algorithm.advantage={advantage}"]
    for loss, advantage in product(("grpo", "bnpo", "dapo", "gspo"), ("group_std", "group_mean"))
] + [
    ["algorithm.clip_high=0.28", "algorithm.dual_clip=3", "algorithm.num_minibatches=2"],
    ["algorithm.kl_coefficient=0", "algorithm.entropy_coefficient=0.003", "algorithm.warmup_steps=7"],
    ["filter.group=group_variance", "filter.refill=true"],
    ["filter.mask_truncated=true"],
    ["engine.openrlhf.arguments=[--train.colocate_all,false,--train.async_enable,--algo.advantage.is_correction_level,seq]"],
    ["data.curriculum=band", "data.mixture=by_failure", "sampling.max_turns=6", "sampling.temperature=0.8"],
]  # fmt: skip

REFUSED = {
    "algorithm.loss=dr_grpo": [],
    "algorithm.loss=dapo": ["algorithm.loss=dapo", "algorithm.num_minibatches=2"],
    "algorithm.advantage=batch_std": [],
    "algorithm.dual_clip": ["algorithm.dual_clip=1.1"],
    "algorithm.num_minibatches": ["algorithm.num_minibatches=3"],
    "filter.group=ragen_v1": [],
    "filter.group=std": [],
    "reward.code": [f"reward.code={FILE}"],
    "reward.correction": [f"reward.correction={FILE}"],
    "filter.mask_code": [f"filter.mask_code={FILE}"],
    "filter.group_code": [f"filter.group_code={FILE}"],
    "data.curriculum=easy_first": [],
    "engine.lora.rank": ["engine.lora.rank=8"],
    "the embedded policy": ["policy.path="],
    "engine.openrlhf.num_nodes": ["engine.openrlhf.gpus_per_node=7"],
}
"""A part of each refusal, and the settings that give it; no settings: the part itself."""


def composed(*settings: str) -> Config:
    """Return a campaign's configuration; code comes by an intervention, never with a campaign."""
    code = dict(setting.split("=") for setting in settings if setting.partition("=")[0] in CODE_KEYS)
    others = [setting for setting in settings if setting.partition("=")[0] not in CODE_KEYS]
    return with_values(compose_campaign([*OWN, *others]), code)


def takes(flag: str, values: tuple[object, ...]) -> bool:
    """Tell whether the recorded parser takes a flag with these values."""
    known = KNOWN[flag]
    wanted = known["nargs"] if known["nargs"] is not None else 1
    types = {"int": int, "float": (int, float), "str": object, None: object}
    return (
        (wanted == "+" or len(values) == wanted)
        and all(isinstance(value, types[known["type"]]) for value in values)
        and all(known["choices"] is None or value in known["choices"] for value in values)
    )


@pytest.mark.parametrize("settings", VARIANTS, ids=" ".join)
def test_each_flag_is_one_of_the_parser_with_values_that_it_takes(settings):
    config = composed(*settings)
    assert refusals(config) == []
    for flag, values in flags_of(config).items():
        assert flag in KNOWN, flag
        assert takes(flag, values), (flag, values)


def test_flags_of_the_run_are_exact_too(tmp_path):
    (tmp_path / "config.json").write_text('{"max_position_embeddings": 512}')
    words = arguments(composed(), tmp_path, 2**40, RunFiles(tmp_path))
    flags = [word for word in words if word.startswith("--")]
    assert set(flags) <= set(KNOWN)
    assert len(flags) == len(set(flags))
    assert int(words[words.index("--train.seed") + 1]) < 2**32
    assert words[words.index("--data.max_len") + 1] == "512"
    own = (
        "engine.openrlhf.arguments=[--train.colocate_all,false,--vllm.tensor_parallel_size,2,--actor.adam.betas,0.9,1]"
    )
    words = arguments(composed(own), tmp_path, 0, RunFiles(tmp_path))
    assert "--train.colocate_all" not in words and words[words.index("--vllm.tensor_parallel_size") + 1] == "2"
    place = words.index("--actor.adam.betas")
    assert words[place + 1 : place + 3] == ["0.9", "1"] and words.count("--actor.adam.betas") == 1
    with pytest.raises(ConfigError, match="the model allows 512"):
        arguments(composed("engine.openrlhf.context_tokens=513"), tmp_path, 0, RunFiles(tmp_path))


@pytest.mark.parametrize(("named", "settings"), REFUSED.items())
def test_what_it_cannot_express_is_refused_by_name(named, settings):
    config = composed(*(settings or [named]))
    assert any(named in text for text in refusals(config)), refusals(config)
    with pytest.raises(ConfigError, match="engine.train=openrlhf cannot do this"):
        check_trainable(config)


def test_every_key_of_every_factor_has_a_row():
    mapped = {key for option in OPTIONS for key in option.keys}
    assert {key for factor in FACTORS.values() for key in factor.keys} <= mapped
    keys = flatten(config_to_dict(Config()))
    assert {key for key in mapped if key not in keys} == set()
    assert {key for key in keys if key.startswith("engine.openrlhf.")} <= mapped | {
        f"engine.openrlhf.{name}" for name in ("python", "worker_python", "ray_address", "poll_seconds")
    }


def test_the_page_shows_the_map():
    page = (ROOT / "docs/openrlhf.md").read_text()
    for option in OPTIONS:
        keys, names = (", ".join(f"`{name}`" for name in found) for found in (option.keys, option.flags))
        assert re.search(f"\n\\| {re.escape(keys)} \\| \\w+ \\| {re.escape(names)} \\| .+ \\|\n", page), keys
        assert all(f"| {each.what} | {each.text} |\n" in page for each in option.refused)


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
