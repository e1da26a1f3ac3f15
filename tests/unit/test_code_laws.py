"""Code as a setting: its reference, what may stand in a file, how an intervention carries it, and its frozen files."""

import pytest

from conf.compose import compose_campaign
from evotrainer.agents import ProposalContext
from evotrainer.agents.manual import ManualAgent, build_written
from evotrainer.agents.rules import taken_back
from evotrainer.campaign.repository import read_code, write_code
from evotrainer.config import Config
from evotrainer.config.code import CODE_KEYS, check_source, key_of, reference
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import apply, check, freeze_written, invert, merge, read_written, with_values
from evotrainer.errors import ConfigError, InterventionError, LineageError
from evotrainer.records import HarnessReport, Intervention
from tests.code_sources import BRIEF, GOOD, LONG_WRONG, sources
from tests.plain_records import plain_intervention

pytestmark = pytest.mark.parts

YAML = """
reward:
  code: file:brief.py
intervention:
  hypothesis: if brief answers are paid then score moves because groups differ
  prediction: {metric: score, direction: up, size: 0.01, low: -0.01, high: 0.05, probability: 0.5}
"""


def proposal(key: str, text: str, parent: Config | None = None, **values) -> Intervention:
    given = {"files": {reference(text): text}} | values
    return plain_intervention(parent or Config(), {key: reference(text)}, **given)


@pytest.mark.parametrize("key", CODE_KEYS)
def test_each_key_is_a_factor_of_its_own_that_is_off_by_default(key):
    made = proposal(key, GOOD[key])
    child = check(made, Config())
    assert made.factor.startswith("code_") and list(made.diff) == [key]
    assert recipe_hash(child) != recipe_hash(Config())
    assert apply(child, invert(made.diff)) == Config()
    assert key_of(GOOD[key]) == key
    assert Intervention.model_validate_json(made.model_dump_json()) == made


def test_two_texts_are_two_recipes_and_a_merge_carries_both():
    first, second = proposal("reward.code", BRIEF), proposal("filter.mask_code", LONG_WRONG)
    assert proposal("reward.code", BRIEF + "\n").intervention_id != first.intervention_id
    both = merge(first, second, Config(), parents=["v002", "v003"])
    assert both.files == sources(BRIEF, LONG_WRONG)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def reward(row:\n", "is no Python"),
        ("def pay(row):\n    return 1\n", "defines no function reward"),
        ("from os import path\ndef reward(row):\n    return 0.0\n", "imports os"),
        ("from . import x\ndef reward(row):\n    return 0.0\n", "imports ."),
        ("def reward(row):\n    import random\n    return random.random()\n", "imports random"),
        ("def reward(row):\n    return float(id(row) % 2)\n", "uses id"),
        ("def reward(row):\n    return eval('1')\n", "uses eval"),
        ("def reward(row):\n    return 0.0\n" + "#" * 20_000, "20000 are allowed"),
    ],
)
def test_what_cannot_be_the_code_of_a_key_is_refused_by_its_text(text, message):
    with pytest.raises(InterventionError, match=message):
        check_source("reward.code", text)


def test_a_text_must_be_there_and_be_the_one_that_was_named():
    with pytest.raises(InterventionError, match="submit it with the intervention"):
        proposal("reward.code", BRIEF, files={})
    with pytest.raises(InterventionError, match="another hash"):
        proposal("reward.code", BRIEF, files={reference(BRIEF): BRIEF + " "})
    with pytest.raises(InterventionError, match="defines no function mask"):
        proposal("filter.mask_code", BRIEF)
    with pytest.raises(InterventionError, match="one function of"):
        key_of(BRIEF + LONG_WRONG)


@pytest.mark.parametrize("value", ["brief.py", "file:brief.py", "file:0123"])
def test_a_value_that_is_no_reference_is_refused(value):
    with pytest.raises(ConfigError, match="write file:<sha256>"):
        with_values(Config(), {"reward.code": value})


def test_a_campaigns_own_recipe_has_no_code_and_names_of_files_need_a_reader():
    with pytest.raises(ConfigError, match="name it in trainer.interventions"):
        compose_campaign([f"reward.code={reference(BRIEF)}"])
    with pytest.raises(ConfigError, match="take trainer=written"):
        compose_campaign(["trainer.interventions=[brief_answers]"])
    with pytest.raises(ConfigError, match="files of conf/intervention"):
        compose_campaign(["trainer=written", "trainer.interventions=[]"])
    with pytest.raises(ConfigError, match="reward.terms.code is taken"):
        with_values(Config(), {"reward.terms": {"code": 0.5}})


def test_a_written_intervention_is_frozen_with_its_file_and_proposed(tmp_path):
    (tmp_path / "mine.yaml").write_text(YAML)
    (tmp_path / "brief.py").write_text(BRIEF)
    freeze_written(tmp_path, ["mine"], tmp_path / "inputs")
    (tmp_path / "brief.py").write_text("def reward(row):\n    return 0.5\n")
    frozen = read_written(tmp_path / "inputs" / "mine.yaml")
    context = ProposalContext(
        Config(), "v001", 1, HarnessReport(version="v001", harness_version=""), [], written=[frozen]
    )
    (made,) = ManualAgent().propose(context)
    assert made.diff == {"reward.code": ("", reference(BRIEF))} and made.files == sources(BRIEF)
    assert (made.author, made.evidence) == ("a person", ["written:mine"])
    after = ProposalContext(apply(Config(), made.diff), "v002", 2, context.report, [], written=[frozen])
    assert ManualAgent().propose(after) == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("file:brief.py", "file:../brief.py", "names no file beside it"),
        ("file:brief.py", "brief.py", "write file:NAME.py"),
        ("file:brief.py", "file:other.py", "cannot be read"),
        ("prediction:", "foresight:", "needs a block"),
        ("size: 0.01", "size: much", "is malformed"),
        ("code: file:brief.py", "correct: 0.5", "is protected"),
    ],
)
def test_a_malformed_written_intervention_is_told_what_to_change(tmp_path, old, new, message):
    (tmp_path / "mine.yaml").write_text(YAML.replace(old, new))
    (tmp_path / "brief.py").write_text(BRIEF)
    context = ProposalContext(Config(), "v001", 1, HarnessReport(version="v001", harness_version=""), [])
    with pytest.raises(ConfigError, match=message):
        build_written(read_written(tmp_path / "mine.yaml"), context)


def test_taking_back_a_text_brings_the_one_before_from_the_lineage(make_records):
    first = proposal("reward.code", BRIEF)
    recipe = apply(Config(), first.diff)
    other = BRIEF.replace("0.1", "0.2")
    second = proposal("reward.code", other, recipe)
    records = make_records(
        ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
        ("v001", 0.0, {"generation": 1, "kind": "baseline", "incumbent": "v000", "parents": ["v000"]}),
        ("v002", 0.1, {"generation": 2, "intervention": first}),
        ("v003", 0.2, {"generation": 3, "intervention": second}),
    )
    report = HarnessReport(version="v003", harness_version="")
    context = ProposalContext(apply(recipe, second.diff), "v003", 4, report, records)
    back = taken_back(context, {"reward.code": reference(BRIEF)}, "it failed", "e")
    assert back.files == sources(BRIEF) and check(back, context.config) == recipe
    off = taken_back(context, {"reward.code": ""}, "it failed", "e")
    assert off.files == {} and check(off, context.config) == Config()


def test_the_code_of_a_version_is_read_back_and_a_changed_file_is_refused(tmp_path):
    config = with_values(Config(), {"reward.code": reference(BRIEF)})
    write_code(tmp_path, config, sources(BRIEF, LONG_WRONG))
    assert read_code(tmp_path, config) == sources(BRIEF)
    assert len(list(tmp_path.iterdir())) == 2
    (path,) = tmp_path.glob("*.py")
    path.write_text(BRIEF.replace("0.1", "0.9"))
    with pytest.raises(LineageError, match="is not the text of"):
        read_code(tmp_path, config)
    path.unlink()
    with pytest.raises(LineageError, match="restore it with git"):
        read_code(tmp_path, config)
    write_code(tmp_path, Config(), {})
    assert [found.name for found in tmp_path.iterdir()] == ["index.json"] and read_code(tmp_path, Config()) == {}
