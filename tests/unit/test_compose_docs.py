"""Tables of the documents name what exists. That commands compose is held by test_docs.py."""

import re
from pathlib import Path

import pytest
import yaml

from conf.compose import CONF, compose_campaign
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import CORRECTION, factor_table
from evotrainer.domains import known_domains

DOCS = Path(CONF).parent / "docs"
RECIPE, INTERVENTIONS = DOCS / "recipe.md", DOCS / "interventions.md"
ALL = factor_table([CORRECTION, *(factor for domain in known_domains() for factor in domain.factors)])


@pytest.mark.parts
def test_options_named_in_the_text_exist():
    for option in re.findall(
        r"`((?:algorithm|filter|search|trainer|budget)=\w+)`", RECIPE.read_text() + INTERVENTIONS.read_text()
    ):
        compose_campaign([option])


def test_the_table_of_factors_is_the_table_of_the_code():
    rows = re.findall(r"^\| `(\w+)` \| (\w+) \| (.+?) \| ", RECIPE.read_text(), re.MULTILINE)
    shown = {name: (family, tuple(re.findall(r"`([\w.]+)`", keys))) for name, family, keys in rows}
    assert shown == {factor.name: (factor.family, factor.keys) for factor in ALL.values()}


def test_the_values_of_the_default_recipe_are_those_shown():
    flat = flatten(config_to_dict(Config()))
    rows = re.findall(r"^\| `([\w.]+)` \| \S+ \| ([\d.e-]+) \|", RECIPE.read_text(), re.MULTILINE)
    assert len(rows) >= 5
    for key, value in rows:
        assert flat[key] == float(value), key


def test_the_example_in_the_text_is_well_formed():
    (text,) = re.findall(r"```yaml\n(.*?)```", INTERVENTIONS.read_text(), re.DOTALL)
    example = yaml.safe_load(text)
    assert example["intervention"]["factor"] in ALL
    assert set(example["intervention"]["diff"]) <= set(ALL[example["intervention"]["factor"]].keys)
