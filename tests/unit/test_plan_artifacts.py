"""What planning shares: a rollout with slots of the same incumbent alone."""

import json
import shutil
from pathlib import Path

from evotrainer.campaign.repository import save_config
from evotrainer.config import load_config
from tasks.plan.stage import write_generation
from tests.campaign_writer import CampaignWriter, fill

PLUGINS = Path(__file__).parents[2] / "harness_plugins"


def test_a_plan_of_gear_shares_no_rollout_of_another_incumbent(tmp_path):
    writer = CampaignWriter(tmp_path / "demo")
    fill(writer)
    files = writer.files
    shutil.copytree(PLUGINS, files.root / "harness_plugins")
    shutil.copytree(Path(__file__).parents[2] / "conf", files.root / "conf", dirs_exist_ok=True)
    config = load_config(files.config)
    config.search.name, config.search.share_rollout, config.num_versions = "gear_evolve", "always", 30
    config.search.candidates_per_generation = 3
    save_config(files.config, config)
    write_generation(files)
    planned = [name for name in files.version_names() if not files.version(name).verdict.is_file()]
    assert len(planned) == 3
    specs = [json.loads(files.version(name).spec.read_text()) for name in planned]
    first = {spec["incumbent"]: spec["version"] for spec in reversed(specs)}
    for spec in specs:
        expected = "" if first[spec["incumbent"]] == spec["version"] else first[spec["incumbent"]]
        assert spec["shares"].get("rollout", "") == expected
