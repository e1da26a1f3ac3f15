"""Diagnostics that a trainer agent writes: the same retrospective gate, the same record."""

import json
import shutil

import pytest

from evotrainer.agents.claude.access import VARIABLE
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import load_config
from evotrainer.diagnosis.evolved.cards import load_cards
from evotrainer.records import Revision
from tasks import evolve, plan
from tests.evolving_campaign import write_campaign
from tests.messages_server import Reply, message, results_in, serving, use

pytestmark = pytest.mark.slow

LABELS = ("good", "good", "good", "bad", "bad", "bad")
HEDGES = "check_num_hedges"
TRUE = {
    "gap": 1,
    "name": "hedging",
    "formula": "share that hedges six times or more",
    "shows": f"{HEDGES} >= 6",
    "limit": 0.5,
}
HOSTILE = TRUE | {"name": "reader", "shows": f"error(problem_id) > {HEDGES}"}


@pytest.fixture(scope="module")
def planned(tmp_path_factory) -> CampaignFiles:
    """Three known-good and three known-bad versions with open gaps, and the revision planned."""
    files = write_campaign(tmp_path_factory.mktemp("evolve") / "c", LABELS)
    config = load_config(files.config)
    config.trainer.name, config.trainer.model = "claude", "scripted"
    config.trainer.prices, config.harness.max_new_diagnostics = {"scripted": [1.0, 1.0, 1.0, 1.0]}, 1
    save_config(files.config, config)
    plan.run(files, "r06")
    return files


@pytest.fixture
def files(planned, tmp_path) -> CampaignFiles:
    shutil.copytree(planned.root, tmp_path / "c")
    return CampaignFiles(tmp_path / "c")


def revised(files: CampaignFiles, monkeypatch, *diagnostics) -> tuple[Revision, list[dict]]:
    """Return the revision with a model that looks at the evidence and writes these diagnostics."""
    monkeypatch.setenv(VARIABLE, "sk-ant-x")
    with serving() as endpoint:

        def reply(body: dict, number: int) -> Reply:
            if number == 1:
                return message(use("query", sql="SELECT version, count(*) FROM all_trajectories GROUP BY 1 ORDER BY 1"))
            return message(use("write", diagnostics=list(diagnostics) if number < 4 else []))

        endpoint.reply = reply
        config = load_config(files.config)
        config.trainer.base_url = endpoint.url
        save_config(files.config, config)
        evolve.run(files, "r06")
    return files.revision("r06").revision.read(), endpoint.requests


def test_what_an_agent_writes_enters_by_the_gate_and_replays_without_a_call(files, monkeypatch):
    made, asked = revised(files, monkeypatch, TRUE)
    assert "the score fell" in asked[0]["messages"][0]["content"][0]["text"] and HEDGES in str(asked[0]["messages"])
    assert "v006 | " in results_in(asked[1])[0]["content"]
    (entered,) = [one for one in made.decisions if one.outcome == "provisional"]
    assert entered.plugin == "hedging" and entered.separation is not None and entered.separation.area == 1.0
    (card,) = [one for one in load_cards(files.revision("r06").plugins) if one.name == "hedging"]
    assert card.author == "claude" and card.gap == entered.gap
    own = files.revision("r06")
    cost = json.loads((own.costs / "evolve.json").read_text())
    assert cost["tokens"] == 2200 and cost["dollars"] == pytest.approx(0.0022)
    kept = [own.revision.path, own.agent_answers, *sorted(own.plugins.iterdir())]
    before = [path.read_bytes() for path in kept]
    monkeypatch.delenv(VARIABLE)
    evolve.run(files, "r06")
    assert [path.read_bytes() for path in kept] == before


def test_what_fails_on_evidence_is_refused_like_anybodys(files, monkeypatch):
    made, _ = revised(files, monkeypatch, HOSTILE)
    (refused,) = [one for one in made.decisions if one.plugin == HOSTILE["name"]]
    assert refused.outcome == "refused" and "it fails on stored evidence" in refused.reason
    assert any(one.outcome == "provisional" for one in made.decisions), "the rules answer what stays open"


def test_drafts_that_can_be_no_card_are_refused_with_the_reason(files, monkeypatch):
    bad = [
        TRUE | {"gap": 99},
        TRUE | {"name": "solve_rate"},
        TRUE | {"name": "writer", "shows": "1); DROP TABLE attempts; --"},
        TRUE | {"name": "ghost", "shows": "answer_key > 1"},
        TRUE | {"name": "all", "shows": "TRUE"},
    ]
    made, asked = revised(files, monkeypatch, *bad)
    told = results_in(asked[2])[0]["content"]
    for reason in ("is none of the", "the name is taken", "condition", "no column answer_key", "names no column"):
        assert reason in told, told
    assert not {one.plugin for one in made.decisions} & {"writer", "ghost", "all", "solve_rate"}
